"""Ctrl-C ends the command within a second or two, wherever it is, with one line and the exit status 130.

Python hears a signal only between two of its own instructions: not inside a solver or a compiled kernel, and in the
middle of an import an exception is swallowed, or printed by the module that is being imported.  So a second thread,
which the C part of the signal's handler wakes, ends the process where the main thread does not.  It needs that long
work in C releases the GIL: kernels are compiled with ``nogil``, HiGHS and LAPACK do so by themselves.
"""

from __future__ import annotations

import os
import signal
import sys
from _thread import allocate_lock
from contextlib import contextmanager, nullcontext, suppress
from time import sleep

TYPE_CHECKING = False  # typing itself takes 10 ms, in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import Any, TypeVar

    T = TypeVar("T")

INTERRUPTED = 130
_PATIENCE = 1.5  # seconds that the main thread has to end by itself, with what it has reached
_BEHIND = "work that may be left behind"
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # where they have a handler of Python's, it is that of an interrupt


class Watch:
    """How this process ends when it is interrupted.  At first: at once; inside ``raising``: by KeyboardInterrupt,
    which has a short time to be reacted to.

    - ``heard``: there was an interrupt;
    - ``line``: the last line on standard error, where the process ends in the middle of something;
    - ``reached``: that line where what was reached has been shown, if it is another one.
    """

    line = "interrupted"
    reached = ""

    def __init__(self) -> None:
        self.heard = False
        self._raised = False
        self._leaving = allocate_lock()
        self._raising = False
        self._unhurried = 0
        signal.signal(signal.SIGINT, self.hear)
        sys.unraisablehook = self._unraisable(sys.unraisablehook)
        self._listen()

    def hear(self, _: int = 0, frame: FrameType | None = None) -> None:
        """The handler of SIGINT."""
        again, self._raised, self.heard = self._raised, True, True
        if again or not self._raising or is_importing(frame):
            self.leave()
        raise KeyboardInterrupt

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Inside, an interrupt is a KeyboardInterrupt."""
        self._raising = True
        try:
            yield
        finally:
            self._raising = False

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Inside, what the end of the process needs may take its time: jobs are cancelled, records are written."""
        self._unhurried += 1
        try:
            yield
        finally:
            self._unhurried -= 1

    def leave(self, *, shown: bool = False) -> None:
        """End the process now, with its last line: no thread is waited for.  ``shown``: has it shown its answer?"""
        line = (shown and self.reached) or self.line
        if not self._leaving.acquire(blocking=False):
            sleep(0.1)  # the other thread is about to end us
        else:
            with suppress(OSError):
                bare = not os.isatty(2) or os.environ.get("TERM") == "dumb"
                clear = "" if bare else "\r\x1b[2K\x1b[?25h"  # a bar may be there, which hides the cursor
                os.write(2, f"{clear}{line}\n".encode())
        os._exit(INTERRUPTED)

    def _listen(self) -> None:
        """Start the thread that the C part of Python's handlers wakes."""
        import threading

        reading, writing = os.pipe()
        try:
            os.set_blocking(writing, False)
            signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        except (OSError, ValueError):  # Windows wants a socket; interrupts are heard there when Python hears them
            os.close(reading)
            os.close(writing)
            return
        threading.Thread(target=self._wait_for_end, args=(reading,), name="interrupts", daemon=True).start()

    def _wait_for_end(self, reading: int) -> None:
        import select

        ending = {getattr(signal, x) for x in _ENDING if hasattr(signal, x)}
        while os.read(reading, 1)[0] not in ending:
            pass
        self.heard = True
        while not select.select([reading], [], [], _PATIENCE)[0] and self._unhurried:
            pass
        self.leave()  # the patience is over, or somebody has interrupted again

    def _unraisable(self, before: Any) -> Any:
        def hook(found: Any) -> None:
            if self.heard:  # Python would print a traceback, and go on as if nothing had happened
                self.leave()
            before(found)

        return hook


_watches: list[Watch] = []  # one at most: signals belong to the whole process
_own: list[bool] = []


def watch_process() -> Watch | None:
    """From now on an interrupt ends this process as a ``Watch`` says; None where interrupts are ignored (as in a
    shell's background), or somebody else handles them.  For commands, before they import anything heavy."""
    _own.append(True)
    with suppress(ValueError):  # this is not the main thread
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            _watches.append(Watch())
    return process_watch()


def is_own_process() -> bool:
    """Is this process a command's, in which nobody else has plans of his own?"""
    return bool(_own)


def process_watch() -> Watch | None:
    """The watch of this process, where it has one."""
    return _watches[0] if _watches else None


def raises_interrupts(handler: object) -> bool:
    """Does this handler of SIGINT raise KeyboardInterrupt, as Python's own does?"""
    watch = process_watch()
    return handler is signal.default_int_handler or (watch is not None and handler == watch.hear)


def unhurried() -> AbstractContextManager[None]:
    """``Watch.unhurried`` of this process's watch, if it has one."""
    watch = process_watch()
    return nullcontext() if watch is None else watch.unhurried()


def answering(work: Callable[[], T], stop: Callable[[], object], patience: float) -> T:
    """What ``work`` gives, which is long and in C: interrupts and alarms are answered at once, for it has a thread of
    its own.  Where one of them raises here, ``stop`` is called; after so many seconds of ``patience`` the work is
    left behind.  In other threads than the main one nothing is heard anyway."""
    import threading

    if threading.current_thread() is not threading.main_thread():
        return work()
    done = threading.Event()
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  # it is raised where somebody waits
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name=_BEHIND, daemon=True).start()
    try:
        done.wait()
    except BaseException:
        stop()
        done.wait(patience)
        raise
    if errors:
        raise errors[0]
    return results[0]


def end_process(status: int) -> None:
    """End the process without clearing away every object, which takes longer than some answers; what is registered
    for its end is called, unless work is left behind.  Returns where other threads are to be waited for, or somebody
    watches: a debugger, a profiler, ``python -i``."""
    import atexit
    import threading

    others = threading.enumerate()
    if not any(x.name == _BEHIND for x in others):
        watched = sys.gettrace() or sys.getprofile() or "cProfile" in sys.modules or sys.flags.inspect
        if watched or not all(x.daemon or x is threading.main_thread() for x in others):
            return
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def is_importing(frame: FrameType | None) -> bool:
    """Is a module being imported?  An exception would come out of it as another one, or not at all."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
