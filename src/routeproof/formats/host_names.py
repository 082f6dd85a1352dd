"""Names of hosts: lists of them, and which hosts of a file take part.

Lists are as SLURM prints them, ``n1,n[2-5],rack[1-2]n[01-10]``; a name in double quotes stands as it is.
``hosts=PATTERN`` and ``without=PATTERN`` follow a file's name.  A pattern is a host's name, a name with ``*`` and ``?``
(``storage*``), such a list, or a file of these, one a line; several are separated by ``;``.  One with a ``;`` in it
stands in double quotes, or as it is where it can be read in one way only.
"""

from __future__ import annotations

import math
import os.path
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product

import numpy as np

from ..core.arrays import Bools
from ..core.errors import InputError
from ..core.network import Network
from ..core.quoted import hint_of_quotes, names_in, split_outside, unquoted, wildcards
from .text_files import MEGABYTE, brief, read_text, shown

_MOST = 1 << 20
_BETWEEN = ", \t\r\n\v\f"
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def hosts_of(text: str, *, what: str) -> list[str]:
    """The names in a list, in its order; a number keeps its leading zeros, ``n[08-10]`` is n08, n09, n10."""
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
        if len(found) + math.prod(map(len, numbers)) > _MOST:
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


CHOICE_OPTIONS = {
    "hosts": "only these hosts of a file take part: hosts=node*",
    "without": "these hosts of a file are left out: without=storage*;gateway[1-2]",
}
_HINT = "a name, a name with * or ?, a list such as n[01-16], or a file of them"


@dataclass(frozen=True)
class HostChoice:
    """``hosts``: the pattern of those that take part (None: all); ``without``: of those that do not."""

    hosts: str | None = None
    without: str | None = None

    def __bool__(self) -> bool:
        return self.hosts is not None or self.without is not None

    def kept(self, names: Sequence[Sequence[str]], *, what: str, nodes: Collection[str] = ()) -> Bools:
        """Which hosts take part, bool, one at least; ``names[k][i]``: the k-th name of host i, those that count most
        first; ``nodes``: names of switches, for the hint."""
        kept = np.ones(len(names[0]), dtype=bool)
        given = {k: v for k, v in (("hosts", self.hosts), ("without", self.without)) if v is not None}
        for option, text in given.items():
            found = np.zeros(len(kept), dtype=bool)
            for item in _items(text, f"{what}: {option}", names):
                found |= _named(item, f"{what}: {option}", names, nodes)
            kept &= found if option == "hosts" else ~found
        if not kept.any():
            told = ", ".join(f"{k}={v}" for k, v in given.items())
            raise InputError(f"{what}: {brief(told)} leaves no host; one at least was expected")
        return kept

    def of(self, network: Network, *, what: str) -> Network:
        """``network`` with the terminals that take part; its nodes and channels stay as they are."""
        if not self:
            return network
        count = range(network.num_terminals)
        nodes = [network.label(v) for v in network.source.tolist()]
        names = [nodes] if network.terminal_labels is None else [network.terminal_labels, nodes]
        terminal = np.flatnonzero(self.kept(names, what=what, nodes=network.labels or ()))
        if len(terminal) == len(count):
            return network
        every = np.arange(network.num_nodes), np.arange(network.num_channels)
        smaller = network.part(*every, terminal, name=network.name)
        return replace(smaller, labels=network.labels)


def _items(text: str, what: str, names: Sequence[Sequence[str]]) -> Iterator[str]:
    """The patterns in a text; what names no host and is a file stands for its lines."""
    every = [x for level in names for x in level]
    for item in names_in(text, lambda x: _hits(unquoted(x), names) is not None, every, what=what):
        item = unquoted(item)
        if not item:
            raise InputError(f"{what}={brief(text)} has an empty pattern; {_HINT} was expected")
        if _hits(item, names) is None and os.path.isfile(item):
            lines = read_text(item, limit=16 * MEGABYTE, wanted="patterns of hosts, one a line").splitlines()
            found = [x for line in lines if (x := re.sub(r"(^|\s)#.*", "", line).strip())]
            if not found:
                raise InputError(f"{what}: file {shown(item)} names no host; one pattern a line was expected")
            yield from found
        else:
            yield item


def _named(item: str, what: str, names: Sequence[Sequence[str]], nodes: Collection[str]) -> Bools:
    found = _hits(item, names)
    if found is not None:
        return found
    if re.search(r"\[[\d,\s-]+\]", item):
        parts = hosts_of(item, what=what)
        if parts != [item]:
            some: Bools = np.logical_or.reduce([_named(x, what, names, nodes) for x in parts])
            return some
    if item in nodes:
        raise InputError(f"{what}: {brief(item)} is a switch; {_HINT} was expected (dead-nodes= removes switches)")
    close = get_close_matches(item[:100], names[0], n=1, cutoff=0.5)
    hint = hint_of_quotes(item, names[0])
    hint = hint or f"did you mean {brief(close[0])}?" if close else f"one of them is {brief(names[0][0])}"
    raise InputError(f"{what}: no host is called {brief(item)}; {hint}")


def _hits(item: str, names: Sequence[Sequence[str]]) -> Bools | None:
    """The hosts that a pattern without lists and files matches, by the names that count most; None: none."""
    form = wildcards(item)
    for level in names:
        found = np.array([x == item for x in level])
        if not found.any():
            found = np.array([form.fullmatch(x) is not None for x in level])
        if found.any():
            return found
    return None
