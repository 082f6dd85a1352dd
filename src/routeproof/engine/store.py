"""A run directory: finished pieces of work in an SQLite file, each complete or absent.

Keyed by content: a record belongs to a task (function, shared arguments, version of the code) and to a piece's
arguments, both by their SHA-256, and carries the SHA-256 of all that with its own bytes: a whole value that stands in
another record's place does not match.  A record that does not match is not used.
Nothing in it is ever unpickled.  The directory is private to its user, and one process at a time writes to it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import EngineError
from .run_file import (
    ERRORS,
    FILE,
    FORMAT,
    SCHEMA,
    DirectoryLock,
    connect,
    damage,
    record_digest,
    shown_command,
    whole_parts,
    wrong_format,
)
from .work import code_version

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
                self._open()
                self._check(command)
            except BaseException:
                self._held.close()
                raise
        self._pending = False
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
                self._insert("work", [(name, task)])
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

    def _commit_if_due(self) -> None:
        if self._pending and time.monotonic() - self._committed >= self._pause:
            self._commit()

    def _commit(self) -> None:
        start = time.monotonic()
        self._database.commit()
        self._committed = time.monotonic()
        self._pending = False
        self._pause = min(max(self._shortest, (self._committed - start) / _SHARE), self._longest)

    def _open(self) -> None:
        file = self.path / FILE
        new = not file.exists() or file.stat().st_size == 0
        try:
            self._database = connect(file)
            if new:
                self._fill(file, _fresh_meta(), {}, [])
            problem = damage(self._database)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
            problem = str(error)
        if problem:
            self._salvage(file, problem)

    def _fill(self, file: Path, meta: Mapping[str, str], works: Mapping[str, str], records: Sequence[Any]) -> None:
        """Write all of a new file."""
        with self._database:
            for statement in SCHEMA:
                self._database.execute(statement)
            for table, rows in (("meta", meta.items()), ("work", works.items()), ("record", records)):
                self._insert(table, rows)
        file.chmod(0o600)

    def _insert(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        for row in rows:
            places = ", ".join("?" * len(row))
            self._database.execute(f"INSERT OR REPLACE INTO {table} VALUES ({places})", row)  # noqa: S608  # our tables

    def _salvage(self, file: Path, problem: str) -> None:
        """Copy the records that are whole out of a damaged file, which is set aside."""
        aside = next(x for k in range(1, 10**6) if not (x := file.with_name(f"damaged-{k}.sqlite")).exists())
        os.replace(file, aside)
        for extra in ("-journal", "-wal", "-shm"):
            rest = file.with_name(file.name + extra)
            if rest.exists():
                os.replace(rest, aside.with_name(aside.name + extra))
        meta, works, records = whole_parts(aside)
        if meta.get("format") != FORMAT:
            meta, works, records = _fresh_meta(), {}, []
        self._database = connect(file)
        self._fill(file, meta, works, records)
        warnings.warn(
            f"the records in {self.path} were damaged ({problem}): {len(records)} are whole, "
            f"the others are made again; the damaged file is {aside.name}",
            stacklevel=2,
        )

    def _check(self, command: Mapping[str, Any] | None) -> None:
        meta = dict(self._database.execute("SELECT name, value FROM meta").fetchall())
        if problem := wrong_format(meta.get("format")):
            raise EngineError(f"the run directory {self.path} {problem}: routeproof runs clean {self.path}")
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
                self._insert("meta", [("command", text)])
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
        except ERRORS as error:
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
                "SELECT piece, key, value, digest FROM record WHERE task = ?", (self._task,)
            )
            for piece, key, value, check in rows:
                if piece in by_mark and record_digest(self._task, piece, key, value) == check:
                    found.update(by_mark[piece])
        return found

    def read(self, mark: str) -> bytes | None:
        """The record of the piece with that digest; None where there is none that is whole."""
        with self._directory._errors():
            row = self._directory._database.execute(
                "SELECT key, value, digest FROM record WHERE task = ? AND piece = ?", (self._task, mark)
            ).fetchone()
        if row is None or record_digest(self._task, mark, row[0], row[1]) != row[2]:
            return None
        return bytes(row[1])

    def add(self, mark: str, key: str, value: bytes, seconds: float) -> None:
        check = record_digest(self._task, mark, key, value)
        with self._directory._errors():
            self._directory._insert("record", [(self._task, mark, key, value, check, seconds)])
            self._directory._pending = True
            self._directory._commit_if_due()

    def settle(self) -> None:
        """Write what has been pending for a while: the next piece may take hours."""
        with self._directory._errors():
            self._directory._commit_if_due()


def _fresh_meta() -> dict[str, str]:
    return {"format": FORMAT, "code": code_version(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}


def _is_damage(error: sqlite3.Error) -> bool:
    return any(word in str(error) for word in ("malformed", "not a database", "corrupt"))


def _private_directory(path: Path) -> None:
    """Make the directory, or see that it is the user's own; nobody else may look into it."""
    if not path.parent.is_dir():
        raise EngineError(f"there is no directory {path.parent} in which the run directory {path.name} could be made")
    if not path.exists():
        path.mkdir(mode=0o700)
    elif not path.is_dir():
        raise EngineError(f"{path} is a file; the name of a run directory was expected")
    elif not (path / FILE).exists() and any(x.name != DirectoryLock.NAME for x in path.iterdir()):
        raise EngineError(f"{path} is not a run directory and not empty; a new name was expected")
    status = path.stat()
    if hasattr(os, "getuid"):
        if status.st_uid != os.getuid():
            raise EngineError(f"the directory {path} belongs to another user; a run directory of your own was expected")
        if stat.S_IMODE(status.st_mode) & 0o077:
            path.chmod(0o700)
    if not os.access(path, os.W_OK | os.X_OK):
        raise EngineError(f"the run directory {path} cannot be written: permission denied")
