"""What runs where the pieces are done: in this process, in a worker process of ours, or on a cluster."""

from __future__ import annotations

import collections
import hashlib
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from typing import Any, BinaryIO

from ..machine.memory import bound_this_process
from .records import decode, encode
from .work import code_version, named_function

_POOLS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA")  # libraries that would start threads of their own
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in _POOLS} | {"VECLIB_MAXIMUM_THREADS": "1"}
_KEPT = 4  # prepared tasks that a process remembers
_prepared: collections.OrderedDict[bytes, Any] = collections.OrderedDict()
_lock = threading.Lock()


def execute(task: bytes, arguments: bytes) -> bytes:
    """Do one piece and return the record of {"value", "seconds"}, or of {"error", "message", "trace"}.

    Nothing is raised: exceptions are told in words, so that no pickled exception of a worker is ever read.
    """
    try:
        try:
            return _done(task, arguments)
        except MemoryError:
            if not _forget_others(task):
                raise
        return _done(task, arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # told to whoever asked for the piece
        return encode({"error": _kind(error), "message": str(error)[:2000], "trace": traceback.format_exc()[-8000:]})


def _done(task: bytes, arguments: bytes) -> bytes:
    function, first, shared = _ready(task)
    given = decode(arguments)
    start = time.perf_counter()
    value = function(*first, **shared, **given)
    return encode({"value": encode(value), "seconds": time.perf_counter() - start})


def _forget_others(task: bytes) -> bool:
    """Let go of what other tasks have prepared here; was there any?"""
    with _lock:
        others = [x for x in _prepared if x != hashlib.sha256(task).digest()]
        for x in others:
            del _prepared[x]
    return bool(others)


def _kind(error: BaseException) -> str:
    """The nearest class of the error that the other side knows."""
    for kind in type(error).__mro__:
        if kind.__name__ in ("InputError", "VerificationError", "MemoryError", "OverflowError"):
            return kind.__name__
    return type(error).__name__


def _ready(task: bytes) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The function, its first argument if there is one, and what it shares; prepared once in a process."""
    mark = hashlib.sha256(task).digest()
    with _lock:
        if mark in _prepared:
            _prepared.move_to_end(mark)
            ready: tuple[Any, tuple[Any, ...], dict[str, Any]] = _prepared[mark]
            return ready
        content = decode(task)
        if content["code"] != code_version():
            from ..core.errors import InputError

            raise InputError(
                f"a worker has routeproof {code_version()}, this is {content['code']}: "
                "the same version was expected on all machines"
            )
        function, shared, prepare = named_function(content["function"]), content["shared"], content["prepare"]
        ready = (function, (), shared) if prepare is None else (function, (named_function(prepare)(**shared),), {})
        _prepared[mark] = ready
        while len(_prepared) > _KEPT:
            _prepared.popitem(last=False)
        return ready


def write_frame(stream: BinaryIO, kind: bytes, content: bytes) -> None:
    """One byte that says what it is, the length in eight bytes, the content."""
    stream.write(kind + len(content).to_bytes(8, "little"))
    stream.write(content)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next frame; None where the other side is gone."""
    head = stream.read(9)
    if len(head) < 9:
        return None
    size = int.from_bytes(head[1:], "little")
    content = stream.read(size)
    return (head[:1], content) if len(content) == size else None


def main() -> None:
    """A worker process: tasks and pieces come in on standard input, records go out on what was standard output.

    It ends when standard input does, in the middle of a piece if need be: nobody would want the result.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupt is for the process that started us
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what functions print must not get between the records
    held: list[str] = []
    warnings.simplefilter("ignore")
    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = lambda message, *_, **__: held.append(str(message))
    source = os.fdopen(os.dup(0), "rb")
    frames: collections.deque[tuple[bytes, bytes]] = collections.deque()
    ready = threading.Semaphore(0)

    def listen() -> None:
        while (frame := read_frame(source)) is not None:
            frames.append(frame)
            ready.release()
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    task = b""
    while True:
        ready.acquire()
        kind, content = frames.popleft()
        if kind == b"S":
            sys.path[:] = decode(content)
        elif kind == b"M":
            bound_this_process(decode(content))
        elif kind == b"T":
            task = content
        else:
            reply = execute(task, content)
            write_frame(out, b"R", encode({"reply": reply, "warnings": list(dict.fromkeys(held))}))
            held.clear()
