"""Traffic matrices in files: what one is, the table of their formats, and what these have in common.

Names of nodes are those of the network; rates are exact as written.  A rate of a node to itself is an error unless it
is 0: a demand's diagonal is 0.  Rates of one pair that are given in several lines are added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ...core.registry import Registry
from ...demand_sets.demand_set import Demand, Given
from ..format import File, Format, listed, recognised
from ..text_files import FilePath, brief, check_readable, parse_number, shown
from .terminal_names import TerminalNames

Rates = dict[tuple[int, int], Fraction]
"""By (source terminal, destination terminal), positive."""
Named = Iterable[tuple[str, object, object, object]]
"""(place in the file, source, destination, rate) for every entry, as written."""


MatrixFormat: type[Format[list[Rates], Network]] = Format


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


def alone(read: Callable[[File, Network], Rates]) -> Callable[[File, Network], list[Rates]]:
    """A reader of files that hold one matrix."""
    return lambda file, network: [read(file, network)]


def read_matrix(path: FilePath, network: Network) -> Rates:
    """The one matrix in a file; raises InputError as ``read_matrices`` does, and where there are several."""
    found = read_matrices(path, network)
    if len(found) != 1:
        raise InputError(f"{shown(path)} holds {len(found)} matrices; one was expected")
    return next(iter(found.values()))


def read_matrices(path: FilePath, network: Network, *, empty: bool = False) -> dict[str, Rates]:
    """The matrices in a file, whatever format of ``MATRICES`` it is in, or in all files of a directory, by their names.

    Raises InputError, with the place, for formats, names and numbers that are not known, negative rates, rates of a
    terminal to itself, and matrices without a positive rate (unless ``empty`` allows them).
    """
    if not os.path.isdir(path):
        found = _of_file(path, network, empty=empty)
    else:
        names = sorted(x for x in os.listdir(path) if not x.startswith("."))
        if not names:
            raise InputError(f"the directory {shown(path)} is empty; files of traffic matrices were expected")
        found = {}
        for name in names:
            found.update(_of_file(os.path.join(path, name), network, empty=empty))
    for name, matrix in found.items():
        if not matrix and not empty:
            raise InputError(f"{name} holds no positive rate; a traffic matrix was expected")
    return found


def _of_file(path: FilePath, network: Network, *, empty: bool) -> dict[str, Rates]:
    file = File(path, wanted="a traffic matrix")
    check_readable(path)
    if not (empty or file.ends_with(".npy")):  # numpy says itself what is wrong with bytes
        file.check_not_empty()
    entry = recognised(file, MATRICES.own.values())
    if entry is None and not os.path.exists(path):
        raise InputError(f"there is no file {shown(path)}; {file.wanted} was expected there")
    if entry is None or entry.read is None:
        raise InputError(f"{file.what} is in no known format of matrices: {listed(MATRICES.own.values())}")
    found = entry.read(file, network)
    return {file.what if len(found) == 1 else f"matrix {k} of {file.what}": x for k, x in enumerate(found)}


MATRICES: Registry[Format[list[Rates], Network]] = Registry("matrix format", MatrixFormat, rooms=[str(__package__)])
"""Every format of traffic matrices by its name; an entry stands beside the code that reads it."""


def unit_of(given: Given) -> Fraction:
    """What one in the file is, in units of the network's bandwidth."""
    return positive(given, "unit", "what one in the file is in units of bandwidth, such as 1/1000")


def positive(given: Given, name: str, wanted: str) -> Fraction:
    """An option that is a positive number, by default 1; raises InputError for any other."""
    found = parse_number(given.options.get(name, "1"), what=f"the demand set {brief(given.text)}: {name}")
    if found <= 0:
        raise InputError(f"the demand set {brief(given.text)}: {name} is {found}; {wanted} was expected")
    return found


def scaled(rates: Demand, unit: Fraction) -> Demand:
    return rates if unit == 1 else {pair: x * unit for pair, x in rates.items()}
