"""One routing, told in all its ways: paths, loads by channel and by pair, dependencies, lengths, next hops must agree.

Everything is summed anew from ``paths`` where the routing has them, else from its loads by pair.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np

from routeproof.core.arrays import Int32
from routeproof.core.errors import InputError
from routeproof.core.traffic import Traffic
from routeproof.routing.base.routing import Routing, loads_agree
from routeproof.routing.dependencies.channels import channel_dependencies, depends
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.simulate.load.queueing import Walks, walks_of
from routeproof.worst.locality import average_path_length

Pair = tuple[int, int]
Flow = dict[int, Fraction]
Weighted = list[tuple[Fraction, list[int]]]


def check_agreement(routing: Routing) -> dict[Pair, Flow]:
    """Assert that everything that the routing tells is one truth; returns its loads by pair."""
    pairs = pairs_of(routing)
    paths = {(i, j): weighted_paths(routing, i, j) for i, j in pairs}
    for pair, found in paths.items():
        check_walks(routing, pair, found)
    told = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    loads = {pair: summed(found) if found else told.as_dict(k) for k, (pair, found) in enumerate(paths.items())}
    if routing.whole_flows_of is not None:
        loads = {pair: dict.fromkeys(flow, Fraction(1)) for pair, flow in loads.items()}
    assert by_pair(routing, pairs) == loads, "pair_loads"
    assert by_channel(routing, pairs) == loads, "channel_loads"
    routing.check()
    check_parts_of_loads(routing, loads)
    if routing.whole_flows_of is None:
        check_length(routing, loads)
        check_next_hops(routing, loads)
        check_dependencies(routing, paths, loads)
    if routing.has_explicit_paths:
        check_explicit(routing, paths)
    check_laws(routing)
    check_declared(routing, loads)
    check_read_back(routing, loads)
    return loads


def pairs_of(routing: Routing) -> list[Pair]:
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    return [(i, j) for i in rows for j in columns if routing.row_node[i] != routing.column_node[j]]


def weighted_paths(routing: Routing, i: int, j: int) -> Weighted:
    """Its own paths, or some with the same loads: packets may go round a cycle too often to write these down."""
    try:
        return routing.decomposition(i, j)
    except InputError as error:
        if routing.has_explicit_paths or "round a cycle" not in str(error):
            raise
        return []


def summed(paths: Weighted) -> Flow:
    loads: Flow = defaultdict(Fraction)
    for weight, path in paths:
        for c in path:
            loads[c] += weight
    return dict(loads)


def check_walks(routing: Routing, pair: Pair, paths: Weighted) -> None:
    network = routing.network
    start, end = int(routing.row_node[pair[0]]), int(routing.column_node[pair[1]])
    assert not paths or sum((w for w, _ in paths), Fraction(0)) == 1, f"weights of {pair}"
    for weight, path in paths:
        assert weight > 0
        nodes = [start, *(int(network.head[c]) for c in path)]
        assert nodes[-1] == end, f"path of {pair} ends elsewhere"
        assert [int(network.tail[c]) for c in path] == nodes[:-1], f"path of {pair} is broken"
        if routing.crosses_once:
            assert len(set(path)) == len(path), f"path of {pair} crosses a channel twice"
    assert all(p for _, p in paths)


def by_pair(routing: Routing, pairs: list[Pair]) -> dict[Pair, Flow]:
    """Asked for together, and one by one in another order."""
    block = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    result = {pair: block.as_dict(k) for k, pair in enumerate(pairs)}
    for i, j in pairs[:: max(1, len(pairs) // 5)]:
        assert routing.pair_loads([i], [j]).as_dict() == result[i, j], "pair_loads of one pair"
    return result


def by_channel(routing: Routing, pairs: list[Pair]) -> dict[Pair, Flow]:
    """All channels at once; some one by one, backwards, twice, and for some rows only."""
    count = routing.network.num_channels
    whole = written_out(routing, np.arange(count), pairs)
    some = list(range(count - 1, -1, -3))
    again = written_out(routing, np.array([*some, *some[:1]], dtype=np.int64), pairs)
    assert again == [*(whole[c] for c in some), *(whole[c] for c in some[:1])], "channel_loads in another order"
    only = np.arange(len(routing.row_node)) % 2 == 0
    block = routing.channel_loads(np.arange(count), rows=only)
    full = routing.channel_loads(np.arange(count))
    for c in range(count):
        assert block.as_dict(c) == {(i, j): x for (i, j), x in full.as_dict(c).items() if only[i]}, "rows"
    result: dict[Pair, Flow] = {pair: {} for pair in pairs}
    for c, loads in enumerate(whole):
        for pair, x in loads.items():
            result[pair][c] = x
    return result


def written_out(routing: Routing, channels: np.ndarray, pairs: list[Pair]) -> list[dict[Pair, Fraction]]:
    block = routing.channel_loads(channels)
    result = []
    served = set(pairs)
    for k in range(len(channels)):
        loads = {pair: x for pair, x in block.as_dict(k).items() if pair in served}
        # Rows by node stand for nodes without terminals as well, which send nothing; pairs on one node have no load.
        assert all(routing.row_node[i] != routing.column_node[j] for i, j in block.as_dict(k)), "a pair on one node"
        if block.base is not None:
            row, column = block.base.row[k].fractions(), block.base.column[k].fractions()
            for i, j in pairs:
                total = loads.get((i, j), Fraction(0)) + row[i] + column[j]
                if total:
                    loads[i, j] = total
        assert all(x > 0 for x in loads.values()), "a load that is not positive"
        result.append(loads)
    return result


def check_parts_of_loads(routing: Routing, loads: dict[Pair, Flow]) -> None:
    table = routing.pair_table()
    found = table.pair_loads([i for i, _ in loads], [j for _, j in loads])
    assert {pair: found.as_dict(k) for k, pair in enumerate(loads)} == loads, "pair_table"


def check_length(routing: Routing, loads: dict[Pair, Flow]) -> None:
    """Hops over all pairs of terminals."""
    network = routing.network
    total = Fraction(0)
    for i, a in enumerate(routing.row_of.tolist()):
        for j, b in enumerate(routing.column_of.tolist()):
            if network.source[i] != network.sink[j]:
                total += sum(loads[a, b].values(), Fraction(0))
    assert average_path_length(routing) == total / network.num_terminals**2, "average_path_length"


def check_next_hops(routing: Routing, loads: dict[Pair, Flow]) -> None:
    """A simulated packet's chances at a node are those of its pair's loads."""
    if routing.network.num_channels == 0 or not loads:
        return
    walks = walks_of(routing, Traffic.uniform(routing.network.num_terminals))
    for (i, j), flow in loads.items():
        shares = _shares(walks, int(walks.start[int(walks.pair_at[i, j])]), routing.network.tail)
        out: Flow = defaultdict(Fraction)
        for c, x in flow.items():
            out[int(routing.network.tail[c])] += x
        assert sorted(shares) == sorted(flow), "channels of a walk"
        for c, chance in shares.items():
            whole = flow[c] / out[int(routing.network.tail[c])]
            assert abs(chance - whole) < Fraction(1, 1 << 40), "next hops of the simulation"


def _shares(walks: Walks, first: int, tails: Int32) -> Flow:
    """The chance of every channel that a packet may take, at its tail; entries are followed from ``first``."""
    found, waiting, seen = dict[int, Fraction](), [first], {-1}
    while waiting:
        e = waiting.pop()
        if e in seen:
            continue
        seen.add(e)
        before, node = 0, int(tails[int(walks.entries[e, 1]) & 0xFFFFFFFF])
        while before < 1 << 62:
            upto, both = (int(x) for x in walks.entries[e])
            assert tails[both & 0xFFFFFFFF] == node
            found[both & 0xFFFFFFFF] = Fraction(upto - before, 1 << 62)
            waiting.append(both >> 32)
            before, e = upto, e + 1
    return found


def check_dependencies(routing: Routing, paths: dict[Pair, Weighted], loads: dict[Pair, Flow]) -> None:
    by_paths = {pair for found in paths.values() for _, path in found for pair in itertools.pairwise(path)}
    network = routing.network
    by_loads = {
        (a, b)
        for flow in loads.values()
        for a, b in itertools.product(flow, repeat=2)
        if network.head[a] == network.tail[b]
    }
    wanted = [(False, by_loads)]
    if routing.has_explicit_paths:
        wanted.append((True, by_paths))
    for explicit, expected in wanted:
        found = channel_dependencies(routing, by_paths=explicit)
        assert set(zip(found.first.tolist(), found.second.tolist(), strict=True)) == expected, f"{explicit=}"
        for k in range(0, len(found), max(1, len(found) // 8)):
            a, b, i, j = (int(x[k]) for x in (found.first, found.second, found.row, found.column))
            assert depends(routing, i, j, a, b, by_paths=explicit), "depends"
            if explicit:
                assert any((a, b) in itertools.pairwise(p) for _, p in paths[i, j]), "the pair of a dependency"


def check_explicit(routing: Routing, paths: dict[Pair, Weighted]) -> None:
    for i, j in itertools.islice(paths, 4):
        assert sorted(routing.paths(i, j)) == sorted(paths[i, j])
    ends = {
        (int(routing.row_node[i]), int(routing.column_node[j]), *path)
        for (i, j), found in paths.items()
        for _, path in found
    }
    walked = set()
    for bundle in routing.bundles():
        for path in bundle.channel.tolist():
            walked.add((int(routing.network.tail[path[0]]), int(routing.network.head[path[-1]]), *path))
    assert walked == ends, "bundles"
    for (i, j), found in itertools.islice(paths.items(), 2):
        steps = {pair for _, path in found for pair in itertools.pairwise(path)}
        for a, b in steps:
            assert routing.makes_dependency(i, j, a, b), "makes_dependency"
        for a, b in itertools.permutations(range(min(4, routing.network.num_channels)), 2):
            assert routing.makes_dependency(i, j, a, b) == ((a, b) in steps), "makes_dependency"
    weights: dict[Pair, dict[tuple[int, ...], Fraction]] = {pair: defaultdict(Fraction) for pair in paths}
    tables = routing.forwarding_tables()
    for weight, table in tables:
        for i, j in paths:
            terminal = (int(np.flatnonzero(routing.row_of == i)[0]), int(np.flatnonzero(routing.column_of == j)[0]))
            for share, path in table.paths(int(table.row_of[terminal[0]]), int(table.column_of[terminal[1]])):
                weights[i, j][tuple(path)] += weight * share
    if tables:
        own = {pair: {tuple(p): w for w, p in found} for pair, found in paths.items()}
        assert {pair: dict(x) for pair, x in weights.items()} == own, "forwarding_tables"


def check_laws(routing: Routing) -> None:
    """What it declares of symmetry is true of its loads."""
    network = routing.network
    everything = np.arange(network.num_channels)
    for g in network.symmetry.generators if network.symmetry is not None else ():
        if routing.by_node and routing.respects(g):
            for c in everything.tolist():
                assert loads_agree(routing.channel_loads([c]), routing.channel_loads([int(g.channel[c])]), g), g.name
    if routing.respects_reversal():
        reverse, pairs = network.reverse, pairs_of(routing)
        assert reverse is not None
        here = written_out(routing, everything, pairs)
        if routing.by_node and np.array_equal(network.supply > 0, network.demand > 0):
            for c in everything.tolist():
                assert {(j, i): x for (i, j), x in here[c].items()} == here[int(reverse[c])], "reversal"


def check_declared(routing: Routing, loads: dict[Pair, Flow]) -> None:
    if routing.denominators is not None:
        for flow in loads.values():
            for x in flow.values():
                assert any(d % x.denominator == 0 for d in routing.denominators), "denominators"
    if routing.hops is not None and routing.whole_flows_of is None:
        for i, j in loads:
            start, end = int(routing.row_node[i]), int(routing.column_node[j])
            assert routing.hops[start, end] <= sum(loads[i, j].values(), Fraction(0)), "hops"


def check_read_back(routing: Routing, loads: dict[Pair, Flow]) -> None:
    """What a report says of it makes it again."""
    again = routing_from_description(describe_routing(routing), routing.network)
    ends = {
        (int(routing.row_of[s]), int(routing.column_of[t])): (int(again.row_of[s]), int(again.column_of[t]))
        for s in range(routing.network.num_terminals)
        for t in range(routing.network.num_terminals)
    }
    pairs = [ends[pair] for pair in loads]
    block = again.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    assert [block.as_dict(k) for k in range(len(pairs))] == list(loads.values()), "read back from a report"
