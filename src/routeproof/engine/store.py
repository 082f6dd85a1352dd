"""A run directory: finished pieces of work in an SQLite file, each complete or absent.

Keyed by content: a record belongs to a task (function, shared arguments, version of the code) and to a piece's
arguments, both by their SHA-256, and carries the SHA-256 of its own bytes.  A record that does not match is not used.
Nothing in it is ever unpickled.  The directory is private to its user, and one process at a time writes to it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import stat
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import EngineError
from .lock import DirectoryLock
from .version import code_version

__all__ = ["FILE", "Kept", "RunDirectory", "connect", "damage", "digest_of", "shown_command"]

FILE = "records.sqlite"
_FORMAT = "routeproof/run 1"
_SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE work (name TEXT PRIMARY KEY, task TEXT NOT NULL)",
    "CREATE TABLE record (task TEXT NOT NULL, piece TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, "
    "digest TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (task, piece))",
)
_SHARE = 0.01  # of the time may go into committing


class RunDirectory:
    """The directory ``path``, opened for writing; made if it does not exist.

    ``command``: what the run is about (plain data for JSON); a directory that was made for another is refused, as is
    one that another process uses, that another version of the code made, or that is not the user's own.
    Raises EngineError.
    """

    def __init__(self, path: str | os.PathLike[str], *, command: Mapping[str, Any] | None = None) -> None:
        self.path = Path(path)
        self._held: contextlib.ExitStack = contextlib.ExitStack()
        with self._errors():
            _private_directory(self.path)
            self._held.enter_context(DirectoryLock(self.path))
            try:
                self._database = self._open()
                self._check(command)
            except BaseException:
                self._held.close()
                raise
        self._pending = 0
        self._committed = time.monotonic()
        self._pause = self._shortest = 0.2  # seconds between commits, and so what a kill may cost
        self._longest = 5.0

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def work(self, name: str, task: str) -> Kept:
        """The records of the task with that digest, which this run calls ``name``."""
        with self._errors():
            row = self._database.execute("SELECT task FROM work WHERE name = ?", (name,)).fetchone()
            if row is not None and row[0] != task:
                raise EngineError(
                    f"the run directory {self.path} holds '{name}' of other inputs or options; name another directory, "
                    f"or remove this one: routeproof runs clean {self.path}"
                )
            if row is None:
                self._database.execute("INSERT INTO work VALUES (?, ?)", (name, task))
                self._commit()
        return Kept(self, task)

    def flush(self) -> None:
        """Write what is pending."""
        with self._errors():
            self._commit()

    def close(self) -> None:
        """Write what is pending and let others in."""
        try:
            with self._errors():
                self._commit()
                self._database.close()
        finally:
            self._held.close()

    def _add(self, task: str, piece: str, key: str, value: bytes, seconds: float) -> None:
        check = digest_of(value)
        with self._errors():
            self._database.execute(
                "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)", (task, piece, key, value, check, seconds)
            )
            self._pending += 1
            if time.monotonic() - self._committed >= self._pause:
                self._commit()

    def _commit(self) -> None:
        start = time.monotonic()
        self._database.commit()
        self._committed = time.monotonic()
        self._pending = 0
        self._pause = min(max(self._shortest, (self._committed - start) / _SHARE), self._longest)

    def _open(self) -> sqlite3.Connection:
        file = self.path / FILE
        new = not file.exists() or file.stat().st_size == 0
        try:
            database = connect(file)
            if new:
                with database:
                    for statement in _SCHEMA:
                        database.execute(statement)
                    content = {"format": _FORMAT, "code": code_version(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}
                    database.executemany("INSERT INTO meta VALUES (?, ?)", content.items())
                file.chmod(0o600)
            problem = damage(database)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
            problem = str(error)
        if problem:
            return self._salvage(file, problem)
        return database

    def _salvage(self, file: Path, problem: str) -> sqlite3.Connection:
        """Copy the records that are whole out of a damaged file, which is set aside."""
        aside = next(x for k in range(1, 10**6) if not (x := file.with_name(f"damaged-{k}.sqlite")).exists())
        os.replace(file, aside)
        for extra in ("-journal", "-wal", "-shm"):
            rest = file.with_name(file.name + extra)
            if rest.exists():
                os.replace(rest, aside.with_name(aside.name + extra))
        meta, works, records = _whole(aside)
        database = connect(file)
        with database:
            for statement in _SCHEMA:
                database.execute(statement)
            if meta.get("format") != _FORMAT:
                meta = {"format": _FORMAT, "code": code_version(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}
                records = []
            database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            database.executemany("INSERT OR IGNORE INTO work VALUES (?, ?)", works.items())
            database.executemany("INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?, ?, ?)", records)
        file.chmod(0o600)
        warnings.warn(
            f"the records in {self.path} were damaged ({problem}): {len(records)} are whole, "
            f"the others are made again; the damaged file is {aside.name}",
            stacklevel=2,
        )
        return database

    def _check(self, command: Mapping[str, Any] | None) -> None:
        meta = dict(self._database.execute("SELECT name, value FROM meta").fetchall())
        if meta.get("format") != _FORMAT:
            raise EngineError(f"{self.path} is of the format {meta.get('format')!r}; {_FORMAT!r} was expected")
        if meta.get("code") != code_version():
            raise EngineError(
                f"the run directory {self.path} was made by routeproof {meta.get('code')}, this is {code_version()}: "
                "results of two versions are never mixed; go on with that version, or name another directory"
            )
        if command is None:
            return
        text = json.dumps(command, sort_keys=True)
        if "command" not in meta:
            with self._database:
                self._database.execute("INSERT INTO meta VALUES ('command', ?)", (text,))
        elif meta["command"] != text:
            raise EngineError(
                f"the run directory {self.path} belongs to another command: {shown_command(meta['command'])}; "
                f"this one is {shown_command(text)}; name another directory"
            )

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """What SQLite and the system say, in one line."""
        try:
            yield
        except sqlite3.Error as error:
            reason = "no space is left" if "full" in str(error) else str(error)
            raise EngineError(
                f"the run directory {self.path} cannot be written: {reason}; "
                "what was kept before is safe, and the same command goes on from there"
            ) from None
        except OSError as error:
            raise EngineError(f"the run directory {self.path} cannot be used: {error.strerror or error}") from None


class Kept:
    """The records of one task."""

    def __init__(self, directory: RunDirectory, task: str) -> None:
        self._directory, self._task = directory, task

    def known(self, marks: Mapping[str, str]) -> set[str]:
        """Which of the pieces (key -> digest of the arguments) have a whole record."""
        by_mark: dict[str, list[str]] = {}
        for key, mark in marks.items():
            by_mark.setdefault(mark, []).append(key)
        found: set[str] = set()
        with self._directory._errors():
            rows = self._directory._database.execute(
                "SELECT piece, value, digest FROM record WHERE task = ?", (self._task,)
            )
            for piece, value, check in rows:
                if piece in by_mark and digest_of(value) == check:
                    found.update(by_mark[piece])
        return found

    def read(self, mark: str) -> bytes | None:
        """The record of the piece with that digest; None where there is none that is whole."""
        with self._directory._errors():
            row = self._directory._database.execute(
                "SELECT value, digest FROM record WHERE task = ? AND piece = ?", (self._task, mark)
            ).fetchone()
        if row is None or digest_of(row[0]) != row[1]:
            return None
        return bytes(row[0])

    def add(self, mark: str, key: str, value: bytes, seconds: float) -> None:
        self._directory._add(self._task, mark, key, value, seconds)


def connect(file: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection that trusts nothing in the file, and a rollback journal, which works on shared file systems too."""
    database = sqlite3.connect(f"{file.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}", uri=True, timeout=5.0)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


def damage(database: sqlite3.Connection) -> str:
    """What is wrong with the file as a whole, in a few words; empty where nothing is."""
    tables = sorted(x[0] for x in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    if tables != sorted(_SCHEMA):
        return "it holds other tables"
    found = [str(x[0]) for x in database.execute("PRAGMA quick_check(1)")]
    return "" if found == ["ok"] else found[0].splitlines()[-1][:80]


def shown_command(text: str) -> str:
    """A stored command for people."""
    try:
        content = json.loads(text)
        words = [str(content.pop("verb", "")), *(f"{k}={v}" for k, v in content.items() if v not in (None, False, []))]
    except (ValueError, AttributeError):
        words = [text]
    return " ".join(x for x in words if x)[:200]


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _is_damage(error: sqlite3.Error) -> bool:
    return any(word in str(error) for word in ("malformed", "not a database", "corrupt"))


def _whole(file: Path) -> tuple[dict[str, str], dict[str, str], list[tuple[Any, ...]]]:
    """(meta, works, records) of a damaged file, as far as they can be read and match their digests."""
    meta: dict[str, str] = {}
    works: dict[str, str] = {}
    records: list[tuple[Any, ...]] = []
    with contextlib.suppress(sqlite3.Error):
        database = connect(file, read_only=True)
        with contextlib.closing(database):
            for table, into in (("meta", meta), ("work", works)):
                with contextlib.suppress(sqlite3.Error):
                    into.update(database.execute(f"SELECT * FROM {table}"))  # noqa: S608  # our own two names
            with contextlib.suppress(sqlite3.Error):
                rows = database.execute("SELECT task, piece, key, value, digest, seconds FROM record")
                for row in rows:  # one by one: the file may end in the middle
                    records += [row] if isinstance(row[3], bytes) and digest_of(row[3]) == row[4] else []
    return meta, works, records


def _private_directory(path: Path) -> None:
    """Make the directory, or see that it is the user's own; nobody else may look into it."""
    if not path.parent.is_dir():
        raise EngineError(f"there is no directory {path.parent} in which the run directory {path.name} could be made")
    if not path.exists():
        path.mkdir(mode=0o700)
    elif not path.is_dir():
        raise EngineError(f"{path} is a file; the name of a run directory was expected")
    elif not (path / FILE).exists() and any(x.name != DirectoryLock.NAME for x in path.iterdir()):
        raise EngineError(f"{path} is no run directory and not empty; a new name was expected")
    status = path.stat()
    if hasattr(os, "getuid"):
        if status.st_uid != os.getuid():
            raise EngineError(f"the directory {path} belongs to another user; a run directory of your own was expected")
        if stat.S_IMODE(status.st_mode) & 0o077:
            path.chmod(0o700)
    if not os.access(path, os.W_OK | os.X_OK):
        raise EngineError(f"the run directory {path} cannot be written: permission denied")
