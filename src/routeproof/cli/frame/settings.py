"""What the options of long work ask for in the command that runs."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["EngineSettings", "settings_here", "with_settings"]

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


@contextlib.contextmanager
def with_settings(settings: EngineSettings) -> Iterator[None]:
    """Within it, ``settings_here()`` is ``settings``."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)
