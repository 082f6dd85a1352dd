"""Looking into run directories without disturbing who works there: what they hold, whether it is whole; removal."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import EngineError
from .records import decode
from .run_file import (
    ERRORS,
    FILE,
    DirectoryLock,
    connect,
    damage,
    holder_of,
    record_digest,
    shown_command,
    wrong_format,
)

_OURS = (FILE, DirectoryLock.NAME)


@dataclass(frozen=True)
class RunInfo:
    """``works``: (name, finished pieces, seconds they took, bytes); ``busy``: who works there now, or "";
    ``damage``: what is wrong with the file, or ""."""

    path: Path
    size: int
    busy: str
    damage: str = ""
    command: str = ""
    code: str = ""
    started: str = ""
    works: Sequence[tuple[str, int, float, int]] = ()


def find_runs(where: Path) -> list[Path]:
    """The run directories at ``where`` and up to two levels below, by name."""
    if not where.is_dir():
        raise EngineError(f"there is no directory {where}")
    found = {file.parent for pattern in (FILE, f"*/{FILE}", f"*/*/{FILE}") for file in where.glob(pattern)}
    return sorted(found)


def describe(path: Path) -> RunInfo:
    """What a run directory holds; raises EngineError where there is none."""
    file = _file(path)
    size, busy = sum(x.stat().st_size for x in path.iterdir() if x.is_file()), holder_of(path)
    try:
        with contextlib.closing(connect(file, read_only=True)) as database:
            problem = damage(database)
            if problem:
                return RunInfo(path, size, busy, problem)
            meta = dict(database.execute("SELECT name, value FROM meta"))
            works = database.execute(
                "SELECT w.name, count(r.piece), coalesce(sum(r.seconds), 0), coalesce(sum(length(r.value)), 0) "
                "FROM work w LEFT JOIN record r ON r.task = w.task GROUP BY w.name ORDER BY w.rowid"
            ).fetchall()
    except ERRORS as error:
        return RunInfo(path, size, busy, str(error))
    command = shown_command(meta.get("command", ""))
    return RunInfo(path, size, busy, "", command, meta.get("code", ""), meta.get("started", ""), works)


def verify_run(path: Path) -> tuple[int, list[str]]:
    """(records that are whole, what is wrong with the others): each must match its digest, be readable, and belong to
    a work of the run.  Raises EngineError for a run directory of another format."""
    file = _file(path)
    good, bad = 0, []
    try:
        with contextlib.closing(connect(file, read_only=True)) as database:
            problem = damage(database)
            if problem:
                return 0, [f"the file is damaged: {problem}"]
            meta = dict(database.execute("SELECT name, value FROM meta"))
            if problem := wrong_format(meta.get("format")):
                raise EngineError(f"the run directory {path} {problem}: routeproof runs clean {path}")
            works = {x[0] for x in database.execute("SELECT task FROM work")}
            for task, *record in database.execute("SELECT task, piece, key, value, digest FROM record"):
                problem = _wrong_with(task, *record) if task in works else "it belongs to no work of this run"
                good += not problem
                bad += [f"piece {record[1]}: {problem}"] if problem else []
    except ERRORS as error:
        bad.append(f"the file is damaged: {error}")
    return good, bad


def remove_run(path: Path) -> None:
    """Remove a run directory; raises EngineError where it is none, is in use, or holds anything else."""
    _file(path)
    foreign = [x.name for x in path.iterdir() if x.name not in _OURS and not x.name.startswith(("damaged-", FILE))]
    if foreign:
        raise EngineError(f"{path} also holds {foreign[0]}, which no run made; remove it yourself")
    with DirectoryLock(path):
        for file in path.iterdir():
            file.unlink()
    path.rmdir()


def _file(path: Path) -> Path:
    file = path / FILE
    if not file.is_file():
        raise EngineError(f"{path} is not a run directory: there is no {FILE} in it")
    return file


def _wrong_with(task: object, piece: object, key: object, value: object, check: object) -> str:
    if not isinstance(value, bytes) or record_digest(task, piece, key, value) != check:
        return "it does not match its digest"
    try:
        decode(value)
    except (ValueError, TypeError) as error:
        return str(error)
    return ""
