"""Call graphs of wirings (light-loaded multi-Benes networks and others) and of networks without cycles.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 5, and the conventions on multistage networks.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import offsets_of
from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.network import Network


def call_graph_of_wiring(wiring: Wiring, *, load: int = 1) -> CallGraph:
    """Switches hold one call each; terminals for every ``load`` L rows, a power of two that divides N.

    A multi-Benes network loses its first and last log2 L levels: terminal t is joined to rows tL .. tL + L - 1 of
    levels log2 L and 2 log2 N - log2 L.  Of a multibutterfly, terminal t is joined to rows tL .. tL + L - 1 of level 0
    and of level log2 N - log2 L.

    Raises InputError for another load.
    """
    rows, n = wiring.inputs, wiring.log_inputs
    if not 1 <= load <= rows or load & (load - 1):
        raise InputError(f"load is {load}; a power of two from 1 to {rows}, the number of inputs, was expected")
    cut = load.bit_length() - 1
    terminals = rows // load
    first = cut if wiring.reversed_levels else 0
    last = wiring.num_edge_levels - cut
    if last < first:
        raise InputError(f"load {load} leaves no level of {wiring.name}")
    colours = wiring.wire.shape[1]
    switches = (last - first + 1) * rows
    row = np.arange(rows, dtype=np.int64)
    inner = wiring.wire[first:last].astype(np.int64)
    inner += terminals + (np.arange(last - first)[:, None, None] + 1) * rows
    degree = np.array([load, colours, 1, 0]).repeat([terminals, (last - first) * rows, rows, terminals])
    head = np.concatenate(
        [terminals + row, np.swapaxes(inner, 1, 2).reshape(-1), terminals + switches + row // load]
    ).astype(np.int32)
    levels = np.arange(first, last + 1)
    bits = np.array([n if level < wiring.reversed_levels else wiring.block_bits(level) for level in levels.tolist()])
    low = row >> bits[:, None] << bits[:, None]
    high = low + (1 << bits[:, None]) - 1
    split = np.where(levels == last, -1, levels >= wiring.reversed_levels).repeat(rows)
    side = np.zeros((last - first, rows, colours), dtype=np.int8)
    for level in range(max(first, wiring.reversed_levels), last):
        side[level - first] = (wiring.wire[level] >> wiring.direction_bit(level) & 1).T
    ends = np.arange(terminals, dtype=np.int32)
    none = np.full(terminals, -1)
    return CallGraph(
        name=wiring.name if load == 1 else f"{wiring.name} at load {load}",
        terminals=terminals,
        exclusive="switches",
        start=offsets_of(degree),
        head=head,
        low=np.concatenate([0 * ends, low.reshape(-1) // load, ends], dtype=np.int32),
        high=np.concatenate([0 * ends + terminals - 1, high.reshape(-1) // load, ends], dtype=np.int32),
        level=np.arange(last - first + 3, dtype=np.int32).repeat([terminals, *[rows] * len(levels), terminals]),
        split=np.concatenate([none, split, none], dtype=np.int8),
        side=np.concatenate([np.zeros(rows, np.int8), side.reshape(-1), np.zeros(rows, np.int8)]),
        load=load,
    )


def call_graph_of_network(network: Network) -> CallGraph:
    """Channels hold one call each, and nodes are crossbars; of a Cantor network by name, nodes hold one call each.

    (Its switches, like those of a wiring, have two inputs and two outputs and pass one call.)  Raises InputError for a
    network with a cycle, or with bandwidths other than 1.
    """
    if any(x != 1 for x in network.bandwidth):
        raise InputError(f"{network.name} has channels with a bandwidth other than 1; a channel holds one call")
    tail, head = network.tail.astype(np.int64), network.head.astype(np.int64)
    if numbering_or_cycle(network.num_nodes, tail, head)[0] is None:
        raise InputError(
            f"{network.name} has a cycle of channels; calls need stages, as in clos:3,2,4, cantor:3 or "
            "multi-benes:64,d=2,seed=7"
        )
    terminals = network.num_terminals
    source, sink = network.source.tolist(), network.sink.tolist()
    if (network.spec or "").startswith("cantor:"):
        inner = [v for v in range(network.num_nodes) if v not in set(source) | set(sink)]
        number = {v: k for k, v in enumerate([*source, *inner, *sink])}
        pairs = [(number[v], number[w]) for v, w in zip(tail.tolist(), head.tolist(), strict=True)]
        return _graph(network.name, terminals, terminals * 2 + len(inner), "switches", pairs)
    channels = network.num_channels
    leaving: dict[int, list[int]] = {}
    for c, v in enumerate(tail.tolist()):
        leaving.setdefault(v, []).append(c)
    sinks: dict[int, list[int]] = {}
    for j, v in enumerate(sink):
        sinks.setdefault(v, []).append(terminals + channels + j)
    pairs = []
    for k, v in enumerate([*source, *head.tolist()]):
        pairs += [(k, terminals + c) for c in leaving.get(v, [])]
        pairs += [(k, w) for w in sinks.get(v, [])]
    return _graph(network.name, terminals, 2 * terminals + channels, "channels", pairs)


def call_graph_of_edges(name: str, terminals: int, vertices: int, edges: list[tuple[int, int]]) -> CallGraph:
    """Switches hold one call each: inputs are the first ``terminals`` vertices, outputs the last, ``edges`` lead on.

    Raises InputError for an edge outside the graph, or a cycle.
    """
    for v, w in edges:
        if not (0 <= v < vertices and 0 <= w < vertices):
            raise InputError(f"{name} has an edge from {v} to {w}; vertices are 0 to {vertices - 1}")
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    if numbering_or_cycle(vertices, ends[:, 0], ends[:, 1])[0] is None:
        raise InputError(f"{name} has a cycle; calls need stages")
    return _graph(name, terminals, vertices, "switches", edges)


def _graph(name: str, terminals: int, vertices: int, exclusive: str, pairs: list[tuple[int, int]]) -> CallGraph:
    edges = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
    level = numbering_or_cycle(vertices, edges[:, 0], edges[:, 1])[0]
    assert level is not None
    first = vertices - terminals
    low = np.full(vertices, terminals, dtype=np.int32)
    high = np.full(vertices, -1, dtype=np.int32)
    low[first:] = high[first:] = np.arange(terminals)
    for k in np.argsort(-level[edges[:, 0]], kind="stable").tolist():
        v, w = edges[k].tolist()
        low[v], high[v] = min(low[v], low[w]), max(high[v], high[w])
    return CallGraph(
        name=name,
        terminals=terminals,
        exclusive=exclusive,
        start=np.searchsorted(edges[:, 0], np.arange(vertices + 1)).astype(np.int64),
        head=edges[:, 1].astype(np.int32),
        low=low,
        high=high,
        level=level.astype(np.int32),
        split=np.full(vertices, -1, dtype=np.int8),
        side=np.zeros(len(edges), dtype=np.int8),
    )
