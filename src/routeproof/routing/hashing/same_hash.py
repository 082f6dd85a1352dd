"""Polarisation: every switch computes the same hash of a flow, so that later ones repeat the choice of earlier ones.

A flow has one hash value H for its whole path.  A switch with n entries in its group takes entry H mod n (``same``),
or the entry into whose part of the range H falls, n equal parts of it (``same-range``: hash-threshold, RFC 2992; what
Linux does).  Once a switch with n entries has taken entry k, a switch with m entries finds only hashes H = k mod n,
and reaches only entries that agree with k modulo gcd(n, m).  Members have as many entries as their weight says, in the
order of channel numbers.

Both are exact: a state is the set of hash values that come this way, a class a mod q or an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from ...core.arrays import offsets_of
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...core.rational import IntArray, Rationals
from ..base.delivery import check_connected
from ..base.entry import check_choice, with_options
from ..base.pair_table import By
from ..base.routing import Routing
from ..tables.path_tables import ListedRouting, PathList

HOW = ("same", "same-range")

Group = Sequence[tuple[int, int]]
State = tuple[Fraction, Fraction]
"""Of ``same``: the hashes a mod q, as (a, q); of ``same-range``: those in [a, b), 0 <= a < b <= 1."""

_MOST_WAYS = 10_000  # of a pair
_MOST_HOPS = 20_000_000


class SameHash(ListedRouting):
    """Packets take group after group by one hash value; ``groups`` as of ``tables.groups.GroupRouting``.

    ``columns`` of its keys are nodes or terminals.  ``in_full``: must reports hold its paths?
    Raises InputError for an unknown ``how``, and too many paths.
    Names in the literature: hash polarisation, hash correlation.
    """

    crosses_once = True

    def __init__(
        self,
        network: Network,
        name: str,
        groups: Mapping[tuple[int, int], Group],
        how: str,
        *,
        columns: By = "node",
        in_full: bool = False,
    ) -> None:
        self.in_full, self.groups = in_full, groups
        super().__init__(network, name, _listed(network, name, groups, how, columns), columns=columns)

    def group(self, node: int, column: int) -> Sequence[tuple[int, int]]:
        return self.groups.get((node, column), ())


def shortest_groups(network: Network, weight: Sequence[int]) -> dict[tuple[int, int], Group]:
    """By (node, destination node) the channels that lead nearer, with their weights.

    Raises InputError where a terminal does not reach another one."""
    out_offset, out_channel = network.out_channels
    found: dict[tuple[int, int], Group] = {}
    ends, unserved = np.nonzero(network.demand)[0].tolist(), np.zeros(network.num_nodes, dtype=np.int64)
    to_end = {d: hops_from(network.num_nodes, network.head, network.tail, d) for d in ends}
    check_connected(network, np.array([to_end.get(d, unserved) for d in range(network.num_nodes)]).T)
    for d, hops in to_end.items():
        for v in range(network.num_nodes):
            out = out_channel[out_offset[v] : out_offset[v + 1]]
            nearer = sorted(out[(hops[v] > 0) & (hops[network.head[out]] == hops[v] - 1)].tolist())
            if nearer:
                found[v, d] = [(c, weight[c]) for c in nearer]
    return found


def same_hash_of(routing: Routing, how: str) -> SameHash:
    """``routing``, which is made of groups, with one hash at all switches; reports hold its paths."""
    network = routing.network
    columns = range(network.num_nodes) if routing.by_node else routing.column_of.tolist()
    groups: dict[tuple[int, int], Group] = {}
    for k, column in enumerate(columns):
        groups.update({(v, k): group for v in range(network.num_nodes) if (group := routing.group(v, column))})
    name = f"{routing.name}, hash={how}"
    return SameHash(network, name, groups, how, columns="node" if routing.by_node else "terminal", in_full=True)


def same_hash_shortest(network: Network, name: str, options: Mapping[str, str], weight: IntArray) -> SameHash:
    """The routing ``name:hash=...`` over shortest paths in hops, groups weighted by ``weight`` (C,)."""
    if set(options) != {"hash"}:
        raise InputError(
            f"{name}: hash={options['hash'][:20]} goes with paths that are shortest in hops, without weight="
        )
    check_choice(name, "hash", options["hash"], HOW)
    full = with_options(name, **options)
    return SameHash(network, full, shortest_groups(network, weight.tolist()), options["hash"])


def _listed(network: Network, name: str, groups: Mapping[tuple[int, int], Group], how: str, columns: By) -> PathList:
    check_choice(name, "hash", how, HOW)
    split, start = _by_rest if how == "same" else _by_range, (Fraction(0), Fraction(1))
    head = network.head.tolist()
    target = list(range(network.num_nodes)) if columns == "node" else network.sink.tolist()
    wanted = np.nonzero(network.demand)[0].tolist() if columns == "node" else range(network.num_terminals)
    row, column, length, channel, weight = [], [], [], list[int](), list[Fraction]()
    sources = np.nonzero(network.supply)[0].tolist()
    for s in sources:
        for d in wanted:
            if s == target[d]:
                continue
            for path, share in _ways(name, head, groups, (s, d, target[d]), split, start):
                row.append(s)
                column.append(d)
                length.append(len(path))
                channel += path
                weight.append(share)
        if len(channel) * (len(sources) if s == sources[0] else 1) > _MOST_HOPS:
            raise InputError(f"{name}: its paths have more than {_MOST_HOPS:,} hops in all, too many to write out")
    return PathList(
        np.array(row, dtype=np.int32),
        np.array(column, dtype=np.int32),
        offsets_of(np.array(length, dtype=np.int64)),
        np.array(channel, dtype=np.int32),
        Rationals.of(weight),
    )


def _ways(
    name: str,
    head: Sequence[int],
    groups: Mapping[tuple[int, int], Group],
    pair: tuple[int, int, int],
    split: Callable[[State, Group], Iterator[tuple[int, State, Fraction]]],
    start: State,
) -> list[tuple[tuple[int, ...], Fraction]]:
    s, d, end = pair
    found: dict[tuple[int, ...], Fraction] = {}
    todo: list[tuple[int, tuple[int, ...], State, Fraction]] = [(s, (), start, Fraction(1))]
    made = 0
    while todo:
        v, path, state, share = todo.pop()
        if v == end:
            found[path] = found.get(path, Fraction(0)) + share
            continue
        for c, after, part in split(state, groups[v, d]):
            todo.append((head[c], (*path, c), after, share * part))
            made += 1
        if made > _MOST_WAYS:
            raise InputError(f"{name}: hashes of a pair fall into more than {_MOST_WAYS:,} classes")
    return sorted(found.items())


def _by_rest(state: State, group: Group) -> Iterator[tuple[int, State, Fraction]]:
    """(channel, the hashes that take it, their part of those that came): entry H mod the sum of weights."""
    a, q = int(state[0]), int(state[1])
    entries = [c for c, w in group for _ in range(w)]
    size = len(entries)
    common = math.gcd(q, size)
    whole = q * size // common
    for e in range(a % common, size, common):
        # H = a mod q and H = e mod size
        rest = a + q * ((e - a) // common * pow(q // common, -1, size // common) % (size // common))
        yield entries[e], (Fraction(rest % whole), Fraction(whole)), Fraction(common, size)


def _by_range(state: State, group: Group) -> Iterator[tuple[int, State, Fraction]]:
    low, high = state
    total, at = sum(w for _, w in group), 0
    for c, w in group:
        a, b = max(low, Fraction(at, total)), min(high, Fraction(at + w, total))
        at += w
        if a < b:
            yield c, (a, b), (b - a) / (high - low)
