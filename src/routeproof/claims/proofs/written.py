"""Networks, routings, sets of demands and demands, as the format of proofs writes them out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.loads import PairBlock
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.transport import TransportSet
from ...kernel.refutation import Clause, with_hints
from ...kernel.shortest_paths import distances
from ...routing.base.pair_table import PairTable
from ...routing.base.routing import Routing
from .proof import NotElaborated, number, numbers

WRITTEN_ROUTABLE = {"kind": "routable", "name": "routable"}
Demand = Mapping[tuple[int, int], Fraction]
_MOST_HOPS = 5_000_000  # of paths that are written out
_MOST_HINTS = 5_000_000  # numbers of a refutation that is written out
_MOST_RATES = 4_000_000  # of one matrix, that symmetry does not make shorter


def common(values: Iterable[Fraction]) -> int:
    """The least common denominator."""
    return math.lcm(*{x.denominator for x in values})


def written_network(network: Network) -> dict[str, Any]:
    scale = common(network.bandwidth)
    ends = zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True)
    terminals = zip(network.source.tolist(), network.sink.tolist(), strict=True)
    return {
        "name": network.name, "nodes": network.num_nodes, "scale": number(scale),
        "channels": [[a, b, number(int(x * scale))] for a, b, x in ends], "terminals": [list(x) for x in terminals],
    }  # fmt: skip


def written_lemmas(num_variables: int, clauses: Iterable[Clause], lemmas: Iterable[Clause]) -> list[Any]:
    """A refutation with hints.  Raises NotElaborated for a long one."""
    found = with_hints(num_variables, clauses, lemmas)
    if sum(len(x) + len(why) for x, why in found) > _MOST_HINTS:
        raise NotElaborated(f"its refutation has more than {_MOST_HINTS:,} numbers")
    return [[lemma, why] for lemma, why in found]


# -- routings -----------------------------------------------------------------------------------------------------


def pairs_of(routing: Routing, some: Sequence[int] | None = None) -> Iterator[tuple[int, int, int, int]]:
    """(i, j, row, column) of all pairs that a proof lists: nodes where the routing is by node (then maybe those from
    some of them), else terminals."""
    if routing.by_node:
        rows, columns = some or np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
        ends = ((i, j, i, j) for i in rows for j in columns)
    else:
        row_of, column_of = routing.row_of.tolist(), routing.column_of.tolist()
        ends = ((i, j, row, column) for i, row in enumerate(row_of) for j, column in enumerate(column_of))
    row_node, column_node = routing.row_node.tolist(), routing.column_node.tolist()
    return ((i, j, row, column) for i, j, row, column in ends if row_node[row] != column_node[column])


def head_of(routing: Routing, scale: int) -> dict[str, Any]:
    between = "nodes" if routing.by_node else "terminals"
    return {"name": routing.name, "between": between, "scale": number(scale)}


def written_loads(routing: Routing, table: PairTable, scale: int) -> Iterator[list[Any]]:
    """[i, j, [[c, n], ...]] for every pair; n / ``scale`` are the loads of ``table``."""
    columns = table.num_columns
    key = table.row.astype(np.int64) * columns + table.column
    order = np.argsort(key, kind="stable")
    key, channel = key[order], table.channel[order]
    load = table.load[order].scaled(scale)
    for i, j, row, column in pairs_of(routing):
        a, b = np.searchsorted(key, [row * columns + column, row * columns + column + 1])
        yield [i, j, [[c, number(n)] for c, n in zip(channel[a:b].tolist(), load[a:b].tolist(), strict=True)]]


def written_pairs(ends: Sequence[tuple[int, int]], block: PairBlock, scale: int) -> Iterator[list[Any]]:
    """[i, j, [[c, n], ...]] for these pairs of nodes, whose loads the block has."""
    channel, load = block.channel.tolist(), block.load.scaled(scale).tolist()
    for k, (i, j) in enumerate(ends):
        part = range(int(block.offset[k]), int(block.offset[k + 1]))
        yield [i, j, [[channel[e], number(load[e])] for e in part]]


def written_paths(routing: Routing) -> tuple[int, list[list[Any]]]:
    """(scale, [i, j, [[n, [c, ...], [v, ...]], ...]] for every pair): the routing's own paths, on one virtual channel,
    whatever a file says besides: orders and cycles of a report are those of channels."""
    found = []
    hops, scale = 0, 1
    for i, j, row, column in pairs_of(routing):
        paths = routing.paths(row, column)
        hops += sum(len(path) for _, path in paths)
        if hops > _MOST_HOPS:
            raise NotElaborated(f"its routing has paths of more than {_MOST_HOPS:,} channels in all")
        scale = math.lcm(scale, common(x for x, _ in paths))
        found.append((i, j, paths))
    return scale, [
        [i, j, [[number(int(x * scale)), list(path), [0] * len(path)] for x, path in paths]]
        for i, j, paths in found
    ]  # fmt: skip


# -- sets and demands ---------------------------------------------------------------------------------------------


def transport(
    name: str, rows: Sequence[Fraction] | None, columns: Sequence[Fraction] | None, total: Fraction | None = None,
    pairs: Sequence[tuple[int, int, Fraction, Fraction | None]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A transport set; ``pairs`` are those that may send, with least and largest demand."""
    limits = [y for *_, low, high in pairs or () for y in (low, high) if y is not None]
    scale = common([*(rows or ()), *(columns or ()), *([] if total is None else [total]), *limits])

    def over(x: Fraction | None) -> int | str | None:
        return None if x is None else number(int(x * scale))

    return {
        "kind": "transport", "name": name, "scale": number(scale), "rows": rows and list(map(over, rows)),
        "columns": columns and list(map(over, columns)), "total": over(total),
        "pairs": None if pairs is None else [[i, j, over(low), over(high)] for i, j, low, high in pairs],
    }  # fmt: skip


def permutations(size: int) -> dict[str, Any]:
    return transport("permutations", [Fraction(1)] * size, [Fraction(1)] * size)


def written_transport(demands: TransportSet, name: str) -> dict[str, Any]:
    """Limits that follow from the total are written out: a multiplier needs the limit that it is of.  What is all
    permutations is written as such, by whatever name, so that claims about it are about one set."""
    if demands.is_permutations:
        return permutations(demands.size)
    pairs = None
    if not demands.allows_all:
        size = range(demands.size)
        ends = demands.box if demands.box is not None else demands.pairs
        some = sorted(ends) if ends is not None else ((i, j) for i in size for j in size)
        pairs = [(i, j, *demands.limits(i, j)) for i, j in some if demands.allows(i, j)]
    sides: tuple[Sequence[Fraction] | None, Sequence[Fraction] | None] = (demands.sends, demands.receives)
    if demands.total is not None and demands.box is None:
        most = (demands.total,) * demands.size
        sides = (demands.sends or most, demands.receives or most)
    return transport(name, *sides, demands.total, pairs)


def matrices(name: str, by_name: Mapping[str, Demand]) -> dict[str, Any]:
    return {"kind": "matrices", "name": name, "matrices": [_matrix(x, rates) for x, rates in by_name.items()]}


def _matrix(name: str, rates: Demand) -> dict[str, Any]:
    scale = common(rates.values())
    return {"name": name, "scale": number(scale), "entries": entries(rates, scale)}


def written_set(demands: DemandSet) -> dict[str, Any]:
    """A set of demands by its own name.  Raises NotElaborated for families of sets."""
    if demands.listed is not None:
        return matrices(demands.text, demands.listed)
    if demands.transport is not None:
        return written_transport(demands.transport, demands.text)
    if demands.shown_by_flow:
        return WRITTEN_ROUTABLE
    raise NotElaborated("its set of demands is not in the format")


def uniform(network: Network) -> dict[tuple[int, int], Fraction]:
    """1 / T from every terminal to every one at another node."""
    if network.num_terminals**2 > _MOST_RATES:
        raise NotElaborated(f"uniform traffic has {network.num_terminals**2:,} rates here, too many to write out")
    source, sink, part = network.source.tolist(), network.sink.tolist(), Fraction(1, network.num_terminals)
    return {(i, j): part for i, s in enumerate(source) for j, v in enumerate(sink) if s != v}


def entries(rates: Demand, scale: int) -> list[list[Any]]:
    return [[i, j, number(int(x * scale))] for (i, j), x in rates.items() if x]


def demand(rates: Demand, because: Any = None) -> dict[str, Any]:
    weight = common(rates.values())
    return {"weight": number(weight), "entries": entries(rates, weight), "because": because}


# -- distances ----------------------------------------------------------------------------------------------------


def distances_from(network: Network, nodes: Iterable[int], length: Sequence[int]) -> dict[int, list[int]]:
    """Shortest distances to all nodes; those that cannot be reached are as far as the farthest."""
    from_node = distances(network, length)
    found = {}
    for s in nodes:
        far = from_node(s)
        most = max(x for x in far if x is not None)
        found[s] = [most if x is None else int(x) for x in far]
    return found


def written_distances(table: Mapping[int, Sequence[int]]) -> list[list[Any]]:
    return [[s, numbers(p)] for s, p in table.items()]


def senders(network: Network) -> list[int]:
    return [int(v) for v in np.unique(network.source)]
