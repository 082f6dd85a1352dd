"""One traffic matrix, and what its formats have in common.

Names of nodes are those of the network; rates are exact as written.  A rate of a node to itself is an error unless it
is 0: a demand's diagonal is 0.  Rates of one pair that are given in several lines are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ..format import File, Format
from ..text_files import brief, parse_number
from .terminal_names import TerminalNames

Rates = dict[tuple[int, int], Fraction]
Named = Iterator[tuple[str, object, object, object]]
"""(place in the file, source, destination, rate) for every entry, as written."""


@dataclass(frozen=True)
class Matrix:
    """``rates``: by (source terminal, destination terminal), positive; ``unit``: what the file says they are in."""

    rates: Rates
    unit: str = ""


MatrixFormat: type[Format[list[Matrix], Network]] = Format


def between_terminals(given: Named, network: Network, *, from_one: bool = False) -> Rates:
    """Entries with names or numbers of terminals; ``from_one``: numbers begin with 1."""
    names, found = TerminalNames(network), dict[tuple[int, int], Fraction]()
    entries = list(given)
    names.check_known((word for _, *ends, _ in entries for word in ends), what=entries[0][0] if entries else "")
    for place, source, destination, rate in entries:
        ends = []
        for word in (source, destination):
            number = int(str(word)) - 1 if from_one and str(word).isdecimal() and len(str(word)) < 10 else word
            some = names.find(number, what=place)
            if len(some) != 1:
                raise InputError(f"{place}: {brief(word)} stands for {len(some)} terminals; one was expected")
            ends.append(some[0])
        i, j = ends
        value = parse_number(rate, what=f"{place}: the rate from {source} to {destination}")
        if value < 0:
            raise InputError(
                f"{place}: the rate from {source} to {destination} is {brief(rate)}; it cannot be negative"
            )
        if i == j and value:
            raise InputError(f"{place}: {source} sends {brief(rate)} to itself; a demand's diagonal is 0")
        if value:
            found[i, j] = found.get((i, j), Fraction(0)) + value
    return found


def alone(read: Callable[[File, Network], Matrix]) -> Callable[[File, Network], list[Matrix]]:
    """A reader of files that hold one matrix."""
    return lambda file, network: [read(file, network)]
