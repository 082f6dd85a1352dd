"""What a format of schedules is to this package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...core.schedules.schedule import Schedule
from ..format import File


@dataclass(frozen=True)
class ScheduleFormat:
    """``help``: what people call it; ``sniff``: does a file look like one of this format?  ``read``: its schedule,
    checked (``core.schedules.check``); it raises InputError, with the place.  ``extension``: how names of written files
    end, and ``text``: what is written; None where nothing is."""

    name: str
    help: str
    sniff: Callable[[File], bool]
    read: Callable[[File], Schedule]
    extension: str = ""
    text: Callable[[Schedule], str] | None = None
