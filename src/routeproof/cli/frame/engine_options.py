"""What the options of long work ask for in the command that runs, and the engine that does it."""

from __future__ import annotations

import contextlib
import contextvars
import signal
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .screen import holding, note, say_last

if TYPE_CHECKING:
    from ...engine import Engine

_settings: contextvars.ContextVar[EngineSettings] = contextvars.ContextVar("engine_settings")


@dataclass(frozen=True)
class EngineSettings:
    """What the command line asks for; ``command``: the verb and its own arguments, as a run directory knows them."""

    workers: int | None = None
    cluster: str | None = None
    run: str | None = None
    memory: str | None = None
    quiet: bool = False
    command: Mapping[str, Any] = field(default_factory=dict)
    spread: list[bool] = field(default_factory=list)  # was there anything to spread?  One entry for every engine

    @property
    def asked(self) -> bool:
        """Is the work to be spread, kept or bounded?"""
        return any(x is not None for x in (self.workers, self.cluster, self.run, self.memory))

    def most_memory(self) -> int | None:
        """The bytes that --memory says; raises InputError for a text that is not a size."""
        if self.memory is None:
            return None
        from ...machine.memory import parse_bytes

        return parse_bytes(self.memory)


def settings_here() -> EngineSettings:
    """The options of the command that runs."""
    return _settings.get(EngineSettings())


def with_settings(settings: EngineSettings) -> contextlib.AbstractContextManager[None]:
    """Within it, ``settings_here()`` is ``settings``."""
    return holding(_settings, settings)


@contextlib.contextmanager
def engine_here(*, always: bool = False) -> Iterator[Engine | None]:
    """The engine that the options of this command ask for; an interrupt ends in one line that says how to go on.

    Where they ask for none: None, for work that has threads of its own, or with ``always`` the usual one.
    """
    chosen = settings_here()
    if not (always or chosen.asked):
        yield None
        return
    from ...engine import Engine, Interrupted
    from ...machine.interrupts import INTERRUPTED

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
    changed = []
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, x) for x in ("SIGTERM", "SIGHUP") if hasattr(signal, x)]
        changed = [x for x in numbers if signal.getsignal(x) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
