"""Files of pairs that may send, and of what every terminal may send and receive, for the hose model.

Pairs are two columns, source and destination, or JSON ``[[i, j], ...]``.
"""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ...core.quoted import split_outside, unquoted
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.named import Given, NamedSet
from ...demand_sets.packets import among
from ...demand_sets.transport import hose
from ..documents.json_text import parse_json
from ..documents.traffic import check_lines, lines_of_numbers
from ..text_files import FilePath, brief, numbered_lines, parse_number, read_text, shown
from .matrix_sets import unit_of
from .terminal_names import TerminalNames

_LIMIT = 256 << 20
CABLES = "cables"


def read_pairs(path: FilePath, network: Network) -> list[tuple[int, int]]:
    """The pairs (source terminal, destination terminal) in a file; a host with several terminals stands for all.

    Raises InputError, naming the line or entry, for names that are not known, a terminal to itself and files without a
    pair.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="pairs of terminals: two columns, or JSON")
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


def read_rates(path: FilePath, size: int) -> tuple[list[Fraction], list[Fraction]]:
    """(ingress, egress) of ``size`` terminals from a file: two numbers for every terminal, in order.

    Numbers are integers, decimals or fractions such as 3/2, separated by white space or commas; ``#`` starts a
    comment; a JSON list of pairs will do as well.  Raises InputError, naming the terminal, for anything else.
    """
    wanted = f"what each of {size} terminals sends and receives"
    what = f"file {shown(path)}"
    text = read_text(path, limit=4096 + 256 * size, wanted=wanted)
    entries: list[object] = []
    if text.lstrip().startswith("["):
        for i, pair in enumerate(parse_json(text, what=what)):
            if not isinstance(pair, list) or len(pair) != 2:
                raise InputError(f"{what}: entry {i} is {brief(pair)}; a pair [sends, receives] was expected")
            entries += pair
    else:
        lines = lines_of_numbers(text, what)
        for line in lines:
            for word in line.words:
                parse_number(word, what=f"{line.place}: a rate (two numbers a line, in the terminals' order)")
            entries += line.words
        if len(entries) == 2 * size:
            check_lines(lines, size, 2)
    if len(entries) != 2 * size:
        raise InputError(f"{what} holds {len(entries)} numbers; two for each of {size} terminals were expected")
    numbers = []
    for k, entry in enumerate(entries):
        name = f"{what}: what terminal {k // 2} {'receives' if k % 2 else 'sends'}"
        value = parse_number(entry, what=name)
        if value < 0:
            raise InputError(f"{name} is {brief(entry)}; it cannot be negative")
        numbers.append(value)
    return numbers[0::2], numbers[1::2]


def _pairs(given: Given) -> DemandSet:
    return among(read_pairs(given.rest, given.network), given.size, text=given.text)


def _hose(given: Given) -> DemandSet:
    if given.rest == CABLES:
        sends = receives = _own_cables(given)
    else:
        unit = unit_of(given)
        sends, receives = ([x * unit for x in side] for side in read_rates(given.rest, given.size))
    found = replace(hose(sends, receives), text=given.text)
    found.check_possible()
    return found


def _own_cables(given: Given) -> list[Fraction]:
    """What every host's own cable carries, each way, in the unit of the network's bandwidths."""
    network = given.network
    if os.path.exists(CABLES):
        raise InputError(
            f"the demand set is {given.text}: the hosts' own cables, or the file? hose:./cables is the file"
        )
    if given.options:
        raise InputError(
            f"the demand set {brief(given.text)}: cables are in the unit of the bandwidths; no unit= was expected"
        )
    if network.host_widths is None:
        raise InputError(
            f"the demand set is {given.text}, and {network.name} does not say what the hosts' own cables carry; a "
            f"fabric with stated rates was expected as the topology, or hose:FILE"
        )
    return list(network.host_widths)


PAIRS = NamedSet("pairs:FILE", "only these pairs send", _pairs, limits=("sends", "receives", "pairs"), one_packet=True)
HOSE = NamedSet(
    "hose:FILE",
    "what each terminal sends and receives at most: a file, or cables, the hosts' own",
    _hose,
    ("unit",),
    limits=("sends", "receives"),
)
