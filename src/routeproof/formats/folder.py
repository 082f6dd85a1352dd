"""Folders that are one network: the files in them, whatever the tools that wrote them.

Which format a folder has is told by ``format.directory_format``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ..core.errors import InputError, warn
from .format import File
from .text_files import FilePath, check_readable, first_of, shown
from .unread import what_it_is

_MOST_FILES = 100_000
_SHOWN = 6
_MOST_LOOKED_AT = 1000


def files_in(path: FilePath) -> list[str]:
    """The files in a folder and in the folders in it, hidden ones left out."""
    found: list[str] = []
    for entry in _entries(path):
        if _is_file(entry):
            found.append(entry.path)
        else:
            if entry.is_symlink() and Path(path).resolve().is_relative_to(Path(entry.path).resolve()):
                raise InputError(f"{shown(entry.path)} is a link to a directory that it is in; remove it")
            found += [x.path for x in _entries(entry.path) if _is_file(x)]
        if len(found) > _MOST_FILES:
            raise InputError(f"directory {shown(path)} has more than {_MOST_FILES:,} files")
    return found


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Is it a file, and no directory? What is neither is refused: a pipe, a link to nothing."""
    try:
        if entry.is_file():
            return True
        if entry.is_dir():
            return False
    except OSError as error:
        raise InputError(f"cannot read {shown(entry.path)}: {(error.strerror or 'error').lower()}") from None
    if not os.path.exists(entry.path):
        raise InputError(f"{shown(entry.path)} is a link to a file that is not there; remove it, or add the file")
    check_readable(entry.path)
    return True


def _entries(path: FilePath) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(os.fspath(path)) as entries:
            return sorted((x for x in entries if not x.name.startswith(".")), key=lambda x: x.name)
    except OSError as error:
        raise InputError(f"cannot read directory {shown(path)}: {(error.strerror or 'error').lower()}") from None


def first_known(path: FilePath, word: Callable[[File], str]) -> str:
    """The first file in a folder that ``word`` has a word for, and its name; "" where there is none."""
    for name in files_in(path):
        if what := word(File(name)):
            return f"{what} ({shown(os.path.basename(name))})"
    return ""


def warn_of_others(what: str, names: list[str], wanted: str) -> None:
    if names:
        warn(f"{what}: left out, neither {wanted}: {first_of(names, _SHOWN)}")


def text_files(path: FilePath, *, wanted: str) -> Iterator[tuple[str, File]]:
    """The files in a folder with their names inside; empty files are left out, with a line that names them."""
    empty: list[str] = []
    for name in files_in(path):
        file, inside = File(name, wanted=wanted), os.path.relpath(name, path)
        if file.is_empty:
            empty.append(inside)
            continue
        file.check_encoding()
        file.check_no_nul()
        yield inside, file
    if empty:
        names = first_of([shown(x) for x in empty], _SHOWN)
        warn(f"directory {shown(path)}: left out, empty (did a command fail?): {names}")


def unread_in(path: FilePath) -> str:
    """The first file in a folder that is known, though not read, and what to give instead; "" where there is none."""
    each = ((name, what_it_is(File(name).start)) for name in files_in(path)[:_MOST_LOOKED_AT])
    return next((f"{shown(os.path.relpath(name, path))} is {what}" for name, what in each if what), "")
