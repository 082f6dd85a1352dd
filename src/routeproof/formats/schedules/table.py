"""Every format of schedules, and a schedule from a file of any of them."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.registry import Registry
from ...core.schedules.schedule import Schedule
from ..format import File
from ..text_files import FilePath, shown, write_text_atomic
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
    raise InputError(f"{file.what} is not a schedule of a known format; known: {known}")


def schedule_writer(path: FilePath) -> ScheduleFormat:
    """The format that a file's name ends like; raises InputError for another ending."""
    writing = [x for x in SCHEDULES.own.values() if x.text is not None]
    found = next((x for x in writing if str(path).lower().endswith(x.extension)), None)
    if found is None:
        known = ", ".join(f"{x.extension} ({x.help})" for x in writing)
        raise InputError(f"file {shown(path)}: a schedule is written as {known}")
    return found


def write_schedule(schedule: Schedule, path: FilePath) -> None:
    """Write it in the format that the file's name ends like; whole or not at all."""
    text = schedule_writer(path).text
    assert text is not None
    write_text_atomic(path, text(schedule))
