"""The file of a run directory: its tables, what its records are bound to, what of a damaged one is whole, and what a
directory holds, without disturbing who works there.

A record's digest covers the format, the task and the piece besides the value, so that a whole value that stands in
another record's place does not match.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .errors import EngineError
from .records import decode

FILE = "records.sqlite"
FORMAT = "routeproof/run 2"
_PATIENCE = 60.0  # seconds to wait for another reader or writer, such as `runs verify` of a large directory
_EARLIER = "routeproof/run 1"  # its digests were of the values alone
ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the second: Python cannot read what SQLite says of a damaged name
SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE work (name TEXT PRIMARY KEY, task TEXT NOT NULL)",
    "CREATE TABLE record (task TEXT NOT NULL, piece TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, "
    "digest TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (task, piece))",
)


def connect(file: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection that trusts nothing in the file, and a rollback journal, which works on shared file systems too.

    Text that is no UTF-8 is read with replacement characters, and so matches no digest.
    """
    mode = "ro" if read_only else "rwc"
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
    database.text_factory = partial(str, encoding="utf-8", errors="replace")
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def damage(database: sqlite3.Connection) -> str:
    """What is wrong with the file as a whole, in a few words; empty where nothing is."""
    tables = sorted(x[0] for x in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    if tables != sorted(SCHEMA):
        return "it holds other tables"
    found = [str(x[0]) for x in database.execute("PRAGMA quick_check(1)")]
    return "" if found == ["ok"] else found[0].splitlines()[-1][:80]


def record_digest(task: object, piece: object, key: object, value: object) -> str | None:
    """The SHA-256 of a record: the format, what the value is the value of, and the value; None where that is none."""
    if not isinstance(value, bytes) or not all(isinstance(x, str) for x in (task, piece, key)):
        return None
    whose = json.dumps([FORMAT, task, piece, key]).encode("ascii")
    return hashlib.sha256(whose + value).hexdigest()


def wrong_format(found: str | None) -> str:
    """What is wrong with the format of a run directory, and what would be right; empty where nothing is."""
    if found == FORMAT:
        return ""
    if found == _EARLIER:
        return "was made by routeproof 0.1, whose records do not say which piece they are of; start the run again"
    return f"is of the format {found!r}, {FORMAT!r} was expected; start the run again"


def shown_command(text: object) -> str:
    """A stored command for people, or what stands in its place."""
    try:
        content = dict(json.loads(str(text)))
        words = [str(content.pop("verb", "")), *(f"{k}={v}" for k, v in content.items() if v not in (None, False, []))]
    except (ValueError, TypeError):
        words = [str(text)]
    return " ".join(x for x in words if x)[:200]


def whole_parts(file: Path) -> tuple[dict[str, str], dict[str, str], list[tuple[Any, ...]]]:
    """(meta, works, records) of a damaged file, as far as they can be read and match their digests."""
    with contextlib.suppress(*ERRORS), contextlib.closing(connect(file, read_only=True)) as database:
        meta, works = (
            {x: y for x, y in _rows(database, query) if isinstance(x, str) and isinstance(y, str)}
            for query in ("SELECT name, value FROM meta", "SELECT name, task FROM work")
        )
        records = _rows(database, "SELECT task, piece, key, value, digest, seconds FROM record")
        return meta, works, [row for row in records if record_digest(*row[:4]) == row[4]]
    return {}, {}, []


def _rows(database: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    """One by one: the file may end in the middle."""
    with contextlib.suppress(*ERRORS):
        yield from database.execute(query)


class DirectoryLock:
    """A context manager that holds the directory, or raises EngineError and names who does."""

    NAME = "in-use"

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = -1

    def __enter__(self) -> DirectoryLock:
        path = self._directory / self.NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _lock(self._file)
        except OSError:
            holder = ""
            with contextlib.suppress(OSError, UnicodeDecodeError):
                holder = os.read(self._file, 200).decode("ascii").strip()
            os.close(self._file)
            where = f"the run directory {self._directory} is in use{f' by {holder}' if holder else ''}"
            raise EngineError(f"{where}; wait until that run has ended, or name another directory") from None
        with contextlib.suppress(OSError):  # who we are is for people only
            os.ftruncate(self._file, 0)
            os.write(self._file, f"process {os.getpid()} on {socket.gethostname()}\n".encode("ascii", "replace"))
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def _lock(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def holder_of(directory: Path) -> str:
    """Who works in the directory now; "" where nobody does."""
    try:
        with DirectoryLock(directory):
            return ""
    except EngineError as error:
        return str(error).partition(" is in use by ")[2].partition(";")[0] or "another process"
    except OSError:
        return ""


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
