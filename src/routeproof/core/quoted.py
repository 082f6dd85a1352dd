"""Lists of names in a text: ``spine1;"MF0;ib7:SX6036/U1"``.

A name in double quotes is taken as it stands, whatever it holds; two double quotes in it stand for one.  A quote opens
a name only where one begins: inside of a name it is a letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .errors import InputError

_BEFORE = "=:;,-([{"  # what may stand before a name
_SHOWN = 200


def split_outside(text: str, separators: str, *, brackets: bool = False) -> list[str]:
    """The pieces, with their quotes, between separators that are in no double quotes (nor ``brackets``, [1-3,7])."""
    pieces, start, depth, at = list[str](), 0, 0, 0
    while at < len(text):
        c = text[at]
        end = _end_of_quote(text, at) if c == '"' and _begins_a_name(text, at) else 0
        if end:
            at = end
            continue
        depth += brackets * ((c == "[") - (c == "]" and depth > 0))
        if c in separators and not (depth and "]" in text[at:]):
            pieces.append(text[start:at])
            start = at + 1
        at += 1
    return [*pieces, text[start:]]


def _begins_a_name(text: str, at: int) -> bool:
    before = text[:at]
    return not before.strip() or before[-1].isspace() or before[-1] in _BEFORE


def _end_of_quote(text: str, at: int) -> int:
    """Behind the quote that closes the one at ``at``; 0 where none does."""
    end = text.find('"', at + 1)
    while end >= 0 and text[end + 1 : end + 2] == '"':
        end = text.find('"', end + 2)
    return end + 1


def unquoted(text: str) -> str:
    """A name without the double quotes around it."""
    text = text.strip()
    whole = len(text) > 1 and text[0] == '"' and _end_of_quote(text, 0) == len(text)
    return text[1:-1].replace('""', '"') if whole else text


def quoted(name: str) -> str:
    """A name as it may stand in any list."""
    plain = name and name == name.strip() and not any(c in ';,"[]' for c in name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def wildcards(text: str) -> re.Pattern[str]:
    """``*``: any letters, ``?``: any one."""
    return re.compile("".join({"*": ".*", "?": "."}.get(x, re.escape(x)) for x in text), re.DOTALL)


def names_in(
    text: str, is_known: Callable[[str], bool], known: Sequence[str], *, what: str, ends: int = 1
) -> list[str]:
    """The names, with their quotes, that a list separated by ``;`` holds.  A name with a ``;`` in it needs no quotes
    where only one way to read the list gives names that are all ``known``; ``ends``: how many of these an item holds.

    Raises InputError, beginning with ``what``, where there are several ways.
    """
    pieces = split_outside(text, ";")
    most = 1 + ends * max((x.count(";") for x in known), default=0)
    if most == 1 or len(pieces) == 1:
        return [x.strip() for x in pieces]
    ways: list[list[list[str]]] = [[[]]]  # of the first k pieces: up to two
    for k in range(1, len(pieces) + 1):
        here = []
        for j in range(max(0, k - most), k):
            item = ";".join(pieces[j:k]).strip()
            if ways[j] and item and is_known(item):
                here += [[*way, item] for way in ways[j]]
        ways.append(here[:2])
    if len(ways[-1]) > 1:
        one, two = (", ".join(quoted(unquoted(x)) for x in way)[:_SHOWN] for way in ways[-1])
        raise InputError(f"{what} may be {one} or {two}; put a name with ; into double quotes")
    return ways[-1][0] if ways[-1] else [x.strip() for x in pieces]


def hint_of_quotes(name: str, known: Sequence[str]) -> str:
    """How to write the name that begins with ``name`` and holds what separates names; "" where there is none."""
    near = next((x for x in known if name and x.startswith(name) and x != name and quoted(x) != x), "")
    return f"write {quoted(near)}, in double quotes" if near else ""
