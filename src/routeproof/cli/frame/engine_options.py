"""The engine that the options of long work ask for."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .settings import settings_here

if TYPE_CHECKING:
    from ...engine import Engine

__all__ = ["engine_here", "engine_if_asked"]


@contextlib.contextmanager
def engine_here() -> Iterator[Engine]:
    """The engine that the options of this command ask for; an interrupt ends in one line that says how to go on."""
    from ...engine import Engine, Interrupted
    from ...machine.interrupts import INTERRUPTED
    from .screen import note, say_last

    chosen = settings_here()
    try:
        with (
            _terminated_like_interrupted(),
            Engine(
                workers=chosen.workers,
                cluster=chosen.cluster,
                run=chosen.run,
                memory=chosen.most_memory(),
                command=chosen.command,
                tell=None if chosen.quiet else note,
            ) as engine,
        ):
            yield engine
            chosen.spread.append(engine.total > 0)
    except Interrupted as interrupted:
        say_last(str(interrupted))
        raise SystemExit(INTERRUPTED) from None


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """SIGTERM, and a terminal that goes away, end the work as Ctrl-C does: what is done is kept, jobs are cancelled."""
    numbers = [getattr(signal, x) for x in ("SIGTERM", "SIGHUP") if hasattr(signal, x)]
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {x: signal.getsignal(x) for x in numbers}
    try:
        for number, handler in kept.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        yield
    finally:
        for number, handler in kept.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, handler)


@contextlib.contextmanager
def engine_if_asked() -> Iterator[Engine | None]:
    """``engine_here`` where an option asks for it; None otherwise, for work that has threads of its own."""
    if not settings_here().asked:
        yield None
        return
    with engine_here() as engine:
        yield engine
