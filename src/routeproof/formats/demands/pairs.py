"""Files of pairs that may send: two columns, source and destination, or JSON ``[[i, j], ...]``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.errors import InputError
from ...core.network import Network
from ...core.quoted import split_outside, unquoted
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.named import Given, NamedSet
from ...demand_sets.permutations import permutations
from ...demand_sets.transport import TransportSet
from ..documents.json_text import parse_json
from ..text_files import FilePath, brief, numbered_lines, read_text, shown
from .terminal_names import TerminalNames

_LIMIT = 256 << 20


def read_pairs(path: FilePath, network: Network) -> list[tuple[int, int]]:
    """The pairs (source terminal, destination terminal) in a file; a host with several terminals stands for all.

    Raises InputError, naming the line or entry, for names that are not known, a terminal to itself and files without a
    pair.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="a file of pairs of terminals (two columns, or JSON)")
    entries: list[tuple[str, list[object]]]
    if text.lstrip()[:1] == "[":
        value = parse_json(text, what=what)
        entries = [(f"{what}: entry {k}", x if isinstance(x, list) else [x]) for k, x in enumerate(value)]
    else:
        lines = [(x.place, split_outside(x.text, ", \t")) for x in numbered_lines(text, what, comment="#")]
        each = [(place, [unquoted(x) for x in split if x.strip()]) for place, split in lines]
        entries = [(place, list(some)) for place, some in each if some]
    names = TerminalNames(network)
    found: dict[tuple[int, int], None] = {}
    for place, words in entries:
        if len(words) != 2:
            raise InputError(f"{place}: {brief(words)}; a source and a destination were expected")
        for i in names.find(words[0], what=place):
            for j in names.find(words[1], what=place):
                if i == j:
                    raise InputError(f"{place}: {brief(words[0])} sends to itself; a demand's diagonal is 0")
                found[i, j] = None
    if not found:
        raise InputError(f"{what} holds no pair; a line such as n1 n2 was expected")
    return list(found)


def among(pairs: Sequence[Pair], size: int, *, text: str = "pairs") -> TransportSet:
    """A permutation whose packets take only these (source, destination) pairs; raises InputError for none."""
    found = replace(permutations(size), text=text, pairs=frozenset(pairs))
    found.check_possible()
    return found


def _pairs(given: Given) -> DemandSet:
    return among(read_pairs(given.rest, given.network), given.size, text=given.text)


PAIRS = NamedSet("pairs:FILE", "only these pairs send", _pairs, limits=("sends", "receives", "pairs"), one_packet=True)
