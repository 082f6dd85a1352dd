"""Demand sets by text, as ``--demands`` takes them: ``permutations``, ``sparse:16``, ``within:jobs.txt``."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.families import EverySparse, Unbalanced
from ...demand_sets.hull import Hull
from ...demand_sets.routable import Routable
from ...demand_sets.transport import TransportSet, among, between, hose, intersection, permutations, sparse, within
from ..text_files import brief, parse_number
from .description import BETWEEN
from .matrices import Matrix

Rates = Mapping[Pair, Fraction]
CABLES = "cables"


def demands_from_spec(texts: Sequence[str], network: Network) -> DemandSet:
    """The demands that are in all of the sets that ``texts`` name, between the terminals of ``network``.

    - ``TransportSet``: permutations, hose, sparse:K, within, pairs, box, and all their intersections;
    - ``EverySparse``: sparse:all, alone or with such sets;
    - ``Unbalanced``, ``Hull`` (of matrices, in one file or several) and ``Routable``, which stand alone.

    Raises InputError for an unknown set (with the nearest), for what a set does not take, and for sets that contradict
    each other (naming two).
    """
    if not texts:
        raise InputError(f"no demand set is given; one of {', '.join(x.usage for x in SETS.values())} was expected")
    given = list(dict.fromkeys(texts))
    return intersection(_with_matrices_together([_one(text, network) for text in given]))


@dataclass(frozen=True)
class _Given:
    """One text: ``rest`` is what stands after the colon, without ``options`` (``,unit=1000``)."""

    text: str
    rest: str
    options: Mapping[str, str]
    network: Network

    @property
    def size(self) -> int:
        return self.network.num_terminals

    @property
    def unit(self) -> Fraction:
        """What one in the file is, in units of the network's bandwidth."""
        return self._positive("unit", "what one in the file is in units of bandwidth, such as 1/1000")

    @property
    def margin(self) -> Fraction:
        found = self._positive("margin", "a factor of at least 1, such as 2")
        if found < 1:
            raise InputError(f"the demand set {brief(self.text)}: margin is {found}; at least 1 was expected")
        return found

    def _positive(self, name: str, wanted: str) -> Fraction:
        found = parse_number(self.options.get(name, "1"), what=f"the demand set {brief(self.text)}: {name}")
        if found <= 0:
            raise InputError(f"the demand set {brief(self.text)}: {name} is {found}; {wanted} was expected")
        return found


@dataclass(frozen=True)
class _Set:
    """``usage``: how the text looks; ``help``: what the set is; ``options``: which may follow a comma."""

    usage: str
    help: str
    make: Callable[[_Given], DemandSet]
    options: tuple[str, ...] = ()


def _one(text: str, network: Network) -> DemandSet:
    name, colon, rest = text.partition(":")
    if BETWEEN in text:
        raise InputError(
            f"the demand set is {brief(text)}; '{BETWEEN}' stands between sets: give each its own --demands"
        )
    if name not in SETS:
        raise InputError(f"unknown demand set {brief(name)}; {did_you_mean(name[:40], SETS)}")
    entry = SETS[name]
    rest, options = _split(rest, entry, text)
    if bool(colon) != (":" in entry.usage) or bool(rest) != (":" in entry.usage):
        raise InputError(f"the demand set is {brief(text)}; {entry.usage} was expected")
    return entry.make(_Given(text, rest, options, network))


_OPTION = re.compile(r"(.*),\s*([a-z]+)\s*=([^,=]*)")


def _split(rest: str, entry: _Set, text: str) -> tuple[str, dict[str, str]]:
    """What is before the options, and the options; a file may have commas in its name."""
    options: dict[str, str] = {}
    while (found := _OPTION.fullmatch(rest)) and not os.path.exists(rest):
        rest, name, value = found.groups()
        if name not in entry.options:
            hint = did_you_mean(name, entry.options) if entry.options else f"{entry.usage} was expected"
            raise InputError(f"the demand set {brief(text)} takes no option '{name[:40]}'; {hint}")
        if name in options:
            raise InputError(f"the demand set {brief(text)} states {name} twice; once was expected")
        options[name] = value.strip()
    return rest, options


def _permutations(given: _Given) -> DemandSet:
    return permutations(given.size)


def _unbalanced(given: _Given) -> DemandSet:
    return Unbalanced(given.size)


def _routable(given: _Given) -> DemandSet:
    return Routable(given.size)


def _hose(given: _Given) -> DemandSet:
    from .pairs_and_rates import read_rates

    if given.rest == CABLES:
        sends = receives = _own_cables(given)
    else:
        sends, receives = ([x * given.unit for x in side] for side in read_rates(given.rest, given.size))
    found = replace(hose(sends, receives), text=given.text)
    found.check_possible()
    return found


def _own_cables(given: _Given) -> list[Fraction]:
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


def _sparse(given: _Given) -> DemandSet:
    if given.rest == "all":
        return EverySparse(given.size, given.text, permutations(given.size))
    if not (given.rest.isascii() and given.rest.isdigit() and len(given.rest) < 10 and int(given.rest)):
        raise InputError(
            f"the demand set is {brief(given.text)}; a number of packets from 1, as in sparse:16, or sparse:all was "
            f"expected"
        )
    return sparse(given.size, int(given.rest))


def _within(given: _Given) -> DemandSet:
    from .jobs import read_jobs

    missing = given.options.get("missing")
    if missing not in (None, "none"):
        raise InputError(f"the demand set {brief(given.text)}: missing={missing}; missing=none was expected")
    jobs = read_jobs(given.rest, given.network, left_out=missing is not None)
    return within(jobs.terminals, given.size, text=given.text)


def _pairs(given: _Given) -> DemandSet:
    from .pairs_and_rates import read_pairs

    return among(read_pairs(given.rest, given.network), given.size, text=given.text)


def _matrix(given: _Given) -> DemandSet:
    from .matrices import read_matrices

    found: dict[str, Matrix] = {}
    for path in _files(given):
        found |= read_matrices(path, given.network)
    matrices = tuple(_scaled(x.rates, given.unit) for x in found.values())
    return Hull(given.size, given.text, matrices, tuple(found))


def _files(given: _Given) -> list[str]:
    """A file or a directory; those that fit a pattern (``tm-*.xml``); or a list with commas between them."""
    rest = given.rest
    if os.path.exists(rest):
        return [rest]
    some = [x.strip() for x in rest.split(",")] if "," in rest else [rest]
    found: list[str] = []
    for text in some:
        fitting = [text] if os.path.exists(text) or not glob.has_magic(text) else sorted(glob.glob(text))
        if not fitting:
            raise InputError(f"the demand set {brief(given.text)}: no file fits {brief(text)}")
        found += fitting
    twice = next((x for k, x in enumerate(found) if x in found[:k]), None)
    if twice is not None:
        raise InputError(f"the demand set {brief(given.text)}: file {brief(twice)} is given twice")
    return found


def _with_matrices_together(sets: Sequence[DemandSet]) -> list[DemandSet]:
    """Matrices that are given one by one are one set of several; all other sets as they are."""
    lists = [x for x in sets if x.listed is not None]
    if len(lists) < 2:
        return list(sets)
    every = [item for x in lists for item in (x.listed or {}).items()]
    names = [name for name, _ in every]
    twice = next((x for k, x in enumerate(names) if x in names[:k]), None)
    if twice is not None:
        raise InputError(f"{lists[0].text}: {twice} is given twice")
    text = ", ".join(x.text for x in lists)
    together = Hull(lists[0].size, text, tuple(rates for _, rates in every), tuple(names))
    return [together, *(x for x in sets if x.listed is None)]


def _box(given: _Given) -> DemandSet:
    """``box:FILE,margin=2``, or the least and the largest demand in two files."""
    paths = _two_files(given.rest)
    if paths is None:
        if "margin" not in given.options:
            raise InputError(
                f"the demand set is {brief(given.text)}; box:FILE,margin=2 or box:LOW,HIGH, two files, was expected"
            )
        rates = _scaled(_rates(given.rest, given.network), given.unit)
        return _between({pair: (x / given.margin, x * given.margin) for pair, x in rates.items()}, given)
    if "margin" in given.options:
        raise InputError(f"the demand set {brief(given.text)}: a margin goes with one file, not with two")
    low, high = (_scaled(_rates(path, given.network, empty=path is paths[0]), given.unit) for path in paths)
    return _between({pair: (low.get(pair, Fraction(0)), high.get(pair, Fraction(0))) for pair in low | high}, given)


def _between(limits: Mapping[Pair, tuple[Fraction, Fraction]], given: _Given) -> TransportSet:
    for (i, j), (low, high) in limits.items():
        if low > high:
            one, other = (given.network.terminal_label(t) for t in (i, j))
            raise InputError(
                f"the demand set {brief(given.text)}: from {one} to {other} at least {low} and at most {high}; "
                f"a least demand that is not above the largest was expected"
            )
    return between(limits, given.size, text=given.text)


def _two_files(rest: str) -> tuple[str, str] | None:
    """LOW,HIGH; None for one file."""
    if os.path.exists(rest) or "," not in rest:
        return None
    places = [k for k, c in enumerate(rest) if c == ","]
    splits = [(rest[:k].strip(), rest[k + 1 :].strip()) for k in places]
    return max(splits, key=lambda x: os.path.exists(x[0]) + os.path.exists(x[1]))


def _rates(path: str, network: Network, *, empty: bool = False) -> dict[Pair, Fraction]:
    from .matrices import read_matrices

    found = read_matrices(path, network, empty=empty)
    if len(found) != 1:
        raise InputError(f"file {brief(path)} holds {len(found)} matrices; one was expected for a box")
    return dict(next(iter(found.values())).rates)


def _scaled(rates: Rates, unit: Fraction) -> dict[Pair, Fraction]:
    return dict(rates) if unit == 1 else {pair: x * unit for pair, x in rates.items()}


SETS: Mapping[str, _Set] = {
    x.usage.partition(":")[0]: x
    for x in (
        _Set("permutations", "every terminal sends and receives at most one packet per cycle", _permutations),
        _Set(
            "unbalanced", "terminals receive at most 1: the least rate of sending that overloads something", _unbalanced
        ),
        _Set(
            "hose:FILE",
            "what each terminal sends and receives at most: a file, or cables, the hosts' own",
            _hose,
            ("unit",),
        ),
        _Set("sparse:16", "at most so many packets at the same time; sparse:all: for every number of them", _sparse),
        _Set("within:JOBS", "every packet stays inside its job, from a file of jobs", _within, ("missing",)),
        _Set("pairs:FILE", "only these pairs send", _pairs),
        _Set("matrix:FILE", "one matrix of rates, or the worst of several (a pattern, a list)", _matrix, ("unit",)),
        _Set("box:FILE,margin=2", "every entry of a matrix, times or divided by up to 2", _box, ("unit", "margin")),
        _Set("routable", "everything that some routing could carry: the oblivious ratio", _routable),
    )
}
"""By name, which stands before the colon of the usage."""
