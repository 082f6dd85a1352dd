"""Lines and tokens of a text with the numbers of lines, and whole numbers in them.

The one place that says how an error names a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..core.errors import InputError
from .text_files import unexpected


class Line(NamedTuple):
    """``text``: what stands in the line, without its comment; ``place`` names it in errors: ``file a.topo, line 7``."""

    number: int
    text: str
    place: str

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def error(self, message: str) -> InputError:
        return InputError(f"{self.place}: {message}")


def numbered_lines(
    text: str, what: str, *, comment: str = "", comment_lines: str = "", indented: bool = False
) -> Iterator[Line]:
    """The lines of ``text``, which ``what`` names, in which something stands; lines are numbered from 1.

    ``comment``: what begins a comment, up to the end of its line; ``comment_lines``: with what lines begin that are
    comments as a whole. Blanks around a line are taken off, unless they mean something (``indented``).
    """
    for number, line in enumerate(text.splitlines(), 1):
        told = line.partition(comment)[0] if comment else line
        bare = told.strip()
        if bare and not (comment_lines and bare.startswith(comment_lines)):
            yield Line(number, told if indented else bare, f"{what}, line {number}")


def whole_number(text: object, what: str, wanted: str, *, least: int = 0, most: int = 999_999_999) -> int:
    """A number of digits alone; raises InputError, beginning with ``what``, where ``wanted`` is not what was found."""
    if not (isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) <= 9):
        raise unexpected(what, text, wanted)
    if not least <= int(text) <= most:
        raise unexpected(what, text, wanted)
    return int(text)


class Token(NamedTuple):
    """``kind``: the group of the form that it is; ``line``: in which line it begins."""

    kind: str
    text: str
    line: int


def tokens(
    text: str, form: re.Pattern[str], refuse: Callable[[str, int], InputError], *, end: str | None = None
) -> Iterator[Token]:
    """The parts of ``text`` that ``form`` has groups for, but for those of the group ``space``; ``refuse``: the
    error for a beginning that is none, and its line. With ``end`` tokens of this text, of the kind ``end``, follow
    for ever."""
    at, line = 0, 1
    while at < len(text):
        found = form.match(text, at)
        if found is None:
            raise refuse(text[at : at + 20], line)
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0], line)
        line += found[0].count("\n")
        at = found.end()
    while end is not None:
        yield Token("end", end, line)
