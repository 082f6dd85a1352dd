"""Every format of schedules, and a schedule from a file of any of them."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.registry import Registry
from ...core.schedules.schedule import Schedule
from ..format import File
from ..text_files import FilePath
from .schedule_format import ScheduleFormat

SCHEDULES: Registry[ScheduleFormat] = Registry("schedule format", ScheduleFormat, rooms=[str(__package__)])
"""Every format by its name; an entry stands beside the code that reads it."""


def read_schedule(path: FilePath) -> Schedule:
    """The schedule in a file of any format; raises InputError for one of none, and for a schedule that makes no sense,
    with the place."""
    file = File(path, wanted="a schedule")
    if not file.text.strip():
        raise InputError(f"{file.what} is empty; a schedule was expected")
    for entry in SCHEDULES.own.values():
        if entry.sniff(file):
            return entry.read(file)
    known = ", ".join(x.help for x in SCHEDULES.own.values())
    raise InputError(f"{file.what} is no schedule of a known format; known: {known}")
