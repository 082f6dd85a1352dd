"""A file before anyone knows what is in it: its name, how it begins, and, once asked for, what it says as JSON."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from typing import Any

from .documents.json_text import DOCUMENT_LIMIT, as_object, parse_json
from .text_files import MEGABYTE, FilePath, read_text, shown, stem

__all__ = ["File"]

_START = 65536


class File:
    """One file, read as far as it is asked for, and each part once; ``what`` names it in errors, ``stem`` its content.

    ``wanted`` says in errors what was expected ("a network document").
    """

    def __init__(self, path: FilePath, *, wanted: str = "a document") -> None:
        self.path, self.wanted = path, wanted
        self.what, self.stem = f"file {shown(path)}", stem(path)

    def ends_with(self, extension: str) -> bool:
        """Does the file's name end so, in letters of any case?  ("net.sst.json" ends with .json and .sst.json.)"""
        return os.path.basename(os.fspath(self.path)).lower().endswith(extension)

    @cached_property
    def start(self) -> str:
        """The first 64 KB as text; "" where there is no file.  Of what is no regular file everything is read."""
        try:
            if not stat.S_ISREG(os.stat(self.path).st_mode):
                return self.text[:_START]
            with open(self.path, "rb") as file:
                return file.read(_START).decode("utf-8", "replace").removeprefix("\ufeff")
        except (OSError, ValueError):
            return ""

    @cached_property
    def text(self) -> str:
        """All of it; raises InputError for a file that cannot be read, is no text, or is too large."""
        limit = DOCUMENT_LIMIT if self.ends_with(".json") else 64 * MEGABYTE
        return read_text(self.path, limit=limit, wanted=self.wanted)

    @property
    def is_json(self) -> bool:
        """Does its name or its first character say so?"""
        return self.ends_with(".json") or self.start.lstrip()[:1] in ("{", "[")

    @cached_property
    def value(self) -> Any:
        """The JSON value in it; raises InputError where it is none."""
        return parse_json(self.text, what=self.what)

    @property
    def document(self) -> dict[str, Any]:
        """The JSON object in it; raises InputError where it is none."""
        return as_object(self.value, what=self.what, wanted=self.wanted)

    def says(self, name: str) -> bool:
        """Is it a JSON object with ``"format": name``?"""
        return self.is_json and isinstance(self.value, dict) and self.value.get("format") == name
