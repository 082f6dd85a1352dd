"""What every terminal may send and receive, the hose model (Duffield et al. 1999): in a file, or of the cables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction

from ...core.errors import InputError
from ...core.rational import parse_fraction
from ...demand_sets.demand_set import DemandSet, Given, NamedSet
from ...demand_sets.transport import TransportSet
from ..documents.json_text import parse_json
from ..documents.traffic import check_lines, lines_of_numbers
from ..text_files import FilePath, brief, parse_number, read_text, shown
from .matrices import unit_of

CABLES = "cables"


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


def hose(sends: Sequence[object], receives: Sequence[object], *, text: str = "hose") -> TransportSet:
    """Terminal i sends at most ``sends[i]`` and receives at most ``receives[i]``."""
    out, into = (
        tuple(parse_fraction(x, what=f"what terminal {i} {what}") for i, x in enumerate(given))
        for what, given in (("sends", sends), ("receives", receives))
    )
    return TransportSet(len(out), text, out, into)


def _hose(given: Given) -> DemandSet:
    if given.rest == CABLES:
        sends = receives = _own_cables(given)
    else:
        unit = unit_of(given)
        sends, receives = ([x * unit for x in side] for side in read_rates(given.rest, given.size))
    found = hose(sends, receives, text=given.text)
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


HOSE = NamedSet(
    "hose:FILE",
    "what each terminal sends and receives at most: a file, or cables, the hosts' own",
    _hose,
    ("unit",),
    limits=("sends", "receives"),
)
