"""Lists of hosts as SLURM prints them: ``n1,n[2-5],rack[1-2]n[01-10]``; a name in double quotes stands as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from ...core.errors import InputError
from ...core.quoted import split_outside, unquoted
from ..text_files import brief

_MOST = 1 << 20
_BETWEEN = ", \t\r\n\v\f"
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def hosts_of(text: str, *, what: str) -> list[str]:
    """The names in a list, in its order; a number keeps its leading zeros, ``n[08-10]`` is n08, n09, n10.

    Raises InputError, beginning with ``what``, for brackets that do not match and ranges that go down.
    """
    found: list[str] = []
    for part in split_outside(text, _BETWEEN, brackets=True):
        if not part:
            continue
        if unquoted(part) != part:
            found.append(unquoted(part))
            continue
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
