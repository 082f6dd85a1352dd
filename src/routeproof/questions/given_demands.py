"""``rp.demands``: which traffic can happen, as sets of demands that every question takes.

>>> import routeproof as rp
>>> given = rp.demands.sparse(2) & rp.demands.within({"a": [0, 1, 2], "b": [3, 4, 5]})
>>> rp.worst_case(rp.DOR().on(rp.mesh(3, 3)), demands=given).load
Fraction(2, 1)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from ..core.display import short
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from ..demand_sets.demand_set import DemandSet, intersection
from ..demand_sets.hull import Hull, Routable
from ..demand_sets.permutations import permutations
from ..demand_sets.sparse import Unbalanced, sparse
from ..demand_sets.transport import between
from ..formats.demands.jobs import within
from ..formats.demands.matrices import Rates, between_terminals, read_matrix
from ..formats.demands.pairs import among
from ..formats.demands.rates import hose
from ..formats.demands.spec import demands_from_spec
from ..formats.demands.terminal_names import TerminalNames

FilePath = str | os.PathLike[str]


@dataclass(frozen=True)
class Demands:
    """Sets of demands, all of which hold at once; ``a & b`` is the intersection.

    They are about no network yet: ``on(network)`` says which demands between its terminals are meant.
    """

    texts: tuple[str, ...]
    makers: tuple[Callable[[Network], DemandSet], ...]

    def __and__(self, other: Demands) -> Demands:
        if not isinstance(other, Demands):
            return NotImplemented
        return Demands(self.texts + other.texts, self.makers + other.makers)

    def on(self, network: Network) -> DemandSet:
        """The set between the terminals of ``network``; raises InputError where it makes no sense there."""
        return intersection([make(network) for make in self.makers])

    def __repr__(self) -> str:
        return f"<demands: {' & '.join(self.texts)}>"


GivenDemands = Demands | DemandSet | str | Sequence[str] | None
"""Sets, or texts as --demands takes them; None for all permutations."""


def bound_to(network: Network, given: GivenDemands) -> DemandSet | None:
    """What a question was given as ``demands``."""
    if given is None or isinstance(given, DemandSet):
        return given
    if isinstance(given, Demands):
        return given.on(network)
    if not isinstance(given, Sequence) or not all(isinstance(x, str) for x in given):
        raise InputError(f"demands is {short(given)}; a set or its text, such as 'sparse:16', was expected")
    texts = [given] if isinstance(given, str) else given
    return demands_from_spec(texts, network) if texts else None


def _one(text: str, make: Callable[[Network], DemandSet]) -> Demands:
    return Demands((text,), (make,))


def _text(text: str) -> Demands:
    return _one(text, lambda network: demands_from_spec([text], network))


def _file(name: str, path: FilePath) -> Demands:
    return _text(f"{name}:{os.fspath(path)}")


class Sets:
    """The sets by name.  Terminals are numbers or labels; whatever a file can say may be given as a path."""

    def __repr__(self) -> str:
        return f"<demands: {', '.join(x for x in vars(Sets) if not x.startswith('_'))}>"

    def permutations(self) -> Demands:
        """Every terminal sends and receives at most one packet per cycle."""
        return _one("permutations", lambda network: permutations(network.num_terminals))

    def unbalanced(self) -> Demands:
        """Terminals receive at most 1; the answer is the least rate of sending that saturates a channel."""
        return _one("unbalanced", lambda network: Unbalanced(network.num_terminals))

    def hose(self, sends: FilePath | Sequence[object], receives: Sequence[object] | None = None) -> Demands:
        """Terminal i sends at most ``sends[i]`` and receives at most ``receives[i]`` (default: the same)."""
        if isinstance(sends, (str, os.PathLike)):
            return _file("hose", sends)
        into = sends if receives is None else receives
        return _one("hose", lambda network: _of_size(hose(sends, into), network))

    def sparse(self, packets: int | str) -> Demands:
        """At most so many packets, each terminal sending and receiving at most one; "all": for every number."""
        text = f"sparse:{packets}"
        if packets == "all":
            return _text(text)
        if isinstance(packets, bool) or not isinstance(packets, int):
            raise InputError(f"sparse: {packets!r}; a whole number of packets, or 'all', was expected")
        return _one(text, lambda network: sparse(network.num_terminals, packets))

    def within(self, jobs: FilePath | Mapping[str, Iterable[object]] | Sequence[Iterable[object]]) -> Demands:
        """A permutation that keeps every packet in its job; ``jobs``: the terminals of each, by name or in a list."""
        if isinstance(jobs, (str, os.PathLike)):
            return _file("within", jobs)
        named = dict(jobs) if isinstance(jobs, Mapping) else {str(k): job for k, job in enumerate(jobs)}
        lists = {str(name): list(job) for name, job in named.items()}

        def make(network: Network) -> DemandSet:
            names = TerminalNames(network)
            found = {name: [t for x in job for t in names.find(x, what=f"job {name}")] for name, job in lists.items()}
            return within(found, network.num_terminals)

        return _one("within", make)

    def pairs(self, pairs: FilePath | Iterable[tuple[object, object]]) -> Demands:
        """A permutation whose packets take only these (source, destination) pairs."""
        if isinstance(pairs, (str, os.PathLike)):
            return _file("pairs", pairs)
        listed = list(pairs)

        def make(network: Network) -> DemandSet:
            names = TerminalNames(network)
            found = [
                (i, j) for a, b in listed for i in names.find(a, what="pairs") for j in names.find(b, what="pairs")
            ]
            return among(found, network.num_terminals)

        return _one("pairs", make)

    def matrix(self, *matrices: Any) -> Demands:
        """Any of these matrices: paths, T x T arrays, pandas frames, or {(source, destination): rate}."""
        if len(matrices) == 1 and isinstance(matrices[0], (str, os.PathLike)):
            return _file("matrix", matrices[0])

        def make(network: Network) -> DemandSet:
            found = tuple(_rates(x, network) for x in matrices)
            return Hull(network.num_terminals, "matrix", found, tuple(map(str, range(len(found)))))

        return _one("matrix", make)

    def box(self, low: Any, high: Any = None, *, margin: object = None) -> Demands:
        """Every entry between those of two matrices, or from 1/``margin`` to ``margin`` times those of one."""
        if (high is None) == (margin is None):
            raise InputError("box: two matrices, or one and a margin, were expected")
        factor = Fraction(1) if margin is None else _margin(margin)

        def make(network: Network) -> DemandSet:
            least = _rates(low, network)
            most = least if high is None else _rates(high, network)
            limits = {
                pair: (least.get(pair, Fraction(0)) / factor, most.get(pair, Fraction(0)) * factor)
                for pair in {**least, **most}
            }
            return between(limits, network.num_terminals)

        return _one("box", make)

    def routable(self) -> Demands:
        """Everything that some routing could carry: the worst case is the oblivious ratio (Applegate & Cohen 2003)."""
        return _one("routable", lambda network: Routable(network.num_terminals))

    def given(self, *texts: str) -> Demands:
        """Sets as ``--demands`` takes them: ``given("sparse:16", "within:jobs.txt")``."""
        return reduce(Demands.__and__, [_text(x) for x in texts])


def _of_size(found: DemandSet, network: Network) -> DemandSet:
    if found.size != network.num_terminals:
        raise InputError(f"{found.text} has {found.size} rates; {network.name} has {network.num_terminals} terminals")
    return replace(found, text="hose")


def _margin(value: object) -> Fraction:
    found = parse_fraction(value, what="box: margin")
    if found < 1:
        raise InputError(f"box: margin is {found}; a factor of at least 1, such as 2, was expected")
    return found


def _rates(value: Any, network: Network) -> Rates:
    """A matrix in any form: its positive rates by pair of terminals."""
    if isinstance(value, (str, os.PathLike)):
        return read_matrix(value, network)
    return between_terminals(_entries(value, network), network)


def _entries(value: Any, network: Network) -> Iterator[tuple[str, object, object, object]]:
    if isinstance(value, Mapping):
        for (a, b), x in value.items():
            yield f"rate of ({a}, {b})", a, b, x
        return
    if hasattr(value, "columns") and hasattr(value, "index"):  # a pandas frame
        for a, row in zip(value.index.tolist(), value.to_numpy().tolist(), strict=True):
            for b, x in zip(value.columns.tolist(), row, strict=True):
                yield f"rate of ({a}, {b})", a, b, x
        return
    rows = value.tolist() if hasattr(value, "tolist") else value
    size = network.num_terminals
    if not isinstance(rows, (list, tuple)) or len(rows) != size or any(len(row) != size for row in rows):
        found = f"{len(rows)} rows" if isinstance(rows, (list, tuple)) else f"a {type(value).__name__}"
        raise InputError(f"a matrix of rates between {size} terminals has {size} rows of {size}; {found} given")
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            yield f"rate of ({i}, {j})", i, j, x


demands = Sets()
"""The sets by name."""
