"""Lists of hosts as SLURM prints them: ``n1,n[2-5],rack[1-2]n[01-10]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ...core.errors import InputError
from ..text_files import brief

_MOST = 1 << 20
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def hosts_of(text: str, *, what: str) -> list[str]:
    """The names in a list, in its order; a number keeps its leading zeros, ``n[08-10]`` is n08, n09, n10.

    Raises InputError, beginning with ``what``, for brackets that do not match and ranges that go down.
    """
    found: list[str] = []
    for part in _parts(text, what):
        texts, ranges = _BRACKET.split(part)[0::2], _BRACKET.findall(part)
        if any(c in "[]" for x in texts for c in x):
            raise InputError(f"{what}: {brief(part)} has a bracket without its other one")
        numbers = [list(_numbers(x, part, what)) for x in ranges]
        count = 1
        for x in numbers:
            count *= len(x)
        if len(found) + count > _MOST:
            raise InputError(f"{what}: {brief(part)} stands for more than {_MOST:,} hosts")
        found += ["".join(x + y for x, y in zip(texts, (*some, ""), strict=True)) for some in product(*numbers)]
    return found


def _parts(text: str, what: str) -> Iterator[str]:
    """What stands between the commas and blanks that are outside of brackets."""
    depth, part = 0, ""
    for c in text:
        depth += (c == "[") - (c == "]")
        if depth not in (0, 1):
            raise InputError(f"{what}: {brief(text)} has a bracket without its other one")
        if not depth and (c == "," or c.isspace()):
            if part:
                yield part
            part = ""
        else:
            part += c
    if depth:
        raise InputError(f"{what}: {brief(text)} has a bracket without its other one")
    if part:
        yield part


def _numbers(text: str, part: str, what: str) -> Iterator[str]:
    for piece in text.split(","):
        found = _RANGE.fullmatch(piece.strip())
        if found is None:
            raise InputError(f"{what}: {brief(part)}: '{piece[:20]}' in brackets; a range such as 01-16 was expected")
        first, last = found[1], found[2] or found[1]
        if int(last) < int(first) or int(last) - int(first) >= _MOST:
            raise InputError(f"{what}: {brief(part)}: the range {first}-{last} goes down, or is too long")
        for k in range(int(first), int(last) + 1):
            yield str(k).zfill(len(first))
