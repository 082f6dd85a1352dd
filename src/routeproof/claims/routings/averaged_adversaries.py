"""Bounds on all routings by adversaries, and the routings that reach them.

An adversary of a channel is a demand of the set, times a weight.  A report gives the numbers of one pair of every
class; a proof has the demands of all channels, averaged over the symmetry, which no bound suffers from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence
from ...core.network import Network
from ...demand_sets.demand_set import DemandSet
from ...demand_sets.ports import ports_of
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import unpack_ints
from ...kernel.ports import Ports
from ...kernel.shortest_paths import distances
from ...routing.path_sets.path_set import PathSet
from ..context import Context
from ..proofs.images import Map, Moves, images, maps_of, pair_images
from ..proofs.proof import NotElaborated, expect_bytes, fraction, number, numbers
from ..proofs.work import Work
from ..proofs.written import WRITTEN_ROUTABLE, permutations, written_set
from ..reading import as_fraction
from ..subject import made_routing
from .box import elaborate_box
from .matrices import elaborate_matrices
from .routable import elaborate_routable
from .traffic import path_length
from .worst_case import elaborate_worst_case

Pair = tuple[int, int]
_KINDS = {"worst_case_load": "best-load-at-least", "average_path_length": "best-path-length-at-least"}
JUDGES = {
    "worst-case": elaborate_worst_case,
    "box": elaborate_box,
    "matrices": elaborate_matrices,
    "routable": elaborate_routable,
}


def elaborate_design(work: Work, claim: Claim) -> None:
    data, kind, value = claim.evidence.data, claim.evidence.kind, claim.number
    if any(x.evidence.data.get("hops") for x in work.context.others):
        _expect(work.network, _num_pairs(work.network), _num_pairs(work.network))  # before what takes long
    bound = data["adversary"] if kind == "optimum" else data
    if kind != "adversary":
        _reached(work, claim, data["reached"] if kind == "optimum" and "routing" not in data else data)
    if kind != "reached":
        demands = None if "model" in claim.about else work.context.demands
        position = _bound(work, claim.quantity, value, bound, demands)
        work.states(claim, "all >=", position)
        if kind == "optimum" or not work.is_stated(claim.quantity, ">=", claim.about):
            work.states(claim, ">=", position)


def _reached(work: Work, claim: Claim, data: Mapping[str, Any]) -> None:
    """A routing's own worst-case load or path length: the subject's or, at the corner of a trade-off, its own."""
    demands, value = None if "model" in claim.about else work.context.demands, claim.value
    if "routing" in data:
        value = as_fraction(data["within"]["worst_case_load"], "within")
        own = Context(made_routing(data["routing"], work.network), (), demands=work.context.demands)
        work, data = Work(work.proof, own), data["reached"]
        path_length(work, replace(claim, relation="==", about={}))
    elif claim.quantity == "average_path_length":
        path_length(work, replace(claim, relation="==", about={}))
        work.states(claim, "<=", work.stated(claim.quantity, "<=", {}))
        return
    kind = next(x for x in JUDGES if x in data)
    about = {"model": "balanced"} if demands is None else {"demands": demands.text}
    about = {"demands": "routable"} if kind == "routable" else about
    plain = replace(
        claim,
        quantity="worst_case_load",
        relation="<=" if kind == "routable" else "==",
        about=about,
        value=value,
        evidence=Evidence(kind, data[kind]),
    )
    JUDGES[kind](work, plain)
    if claim.quantity == "worst_case_load":
        work.states(claim, "<=", work.stated(claim.quantity, "<=", about))


# -- bounds -------------------------------------------------------------------------------------------------------


@dataclass
class Adversary:
    """A demand of the set, times ``weight``.  ``mixture``: of a list of matrices, how much of each; ``flow``: (i, j,
    amount, path), what carries the demand within ``weight`` times all bandwidths."""

    weight: Fraction
    sent: dict[Pair, Fraction]
    mixture: list[int] | None = None
    flow: list[tuple[int, int, int, list[int]]] | None = None


def _bound(work: Work, quantity: str, value: Fraction, data: Mapping[str, Any], demands: DemandSet | None) -> int:
    network, within = work.network, data.get("within", {})
    if "flows" in data:
        written, found = WRITTEN_ROUTABLE, _of_flows(work, data)
    elif "potentials" in data:
        written, found = permutations(network.num_terminals), _of_potentials(work, data)
    elif demands is None or demands.is_permutations:
        written, found = permutations(network.num_terminals), _of_pairs(work, data, None)
    elif demands.listed is not None:
        lengths = [
            unpack_ints(x, what="lengths", max_items=network.num_channels, wide=True).tolist() for x in data["lengths"]
        ]
        written, found = written_set(demands), of_matrices(list(demands.listed.values()), lengths)
    elif demands.transport is not None:
        written, found = written_set(demands), _of_pairs(work, data, demands.transport)
    else:
        raise NotElaborated("its adversaries are of a set that the proof does not know")
    limit = next((as_fraction(x, "within") for x in within.values()), None)
    among = work.context.path_set(data["paths"]) if "paths" in data and "potentials" not in data else None
    return bound_on_all(
        work, _KINDS[quantity], value, written, found, hops=int(data.get("hops", 0)), within=limit, among=among
    )


def bound_on_all(
    work: Work, kind: str, value: Fraction, demands: Mapping[str, Any], found: Sequence[Adversary | None], *,
    hops: int, within: Fraction | None, among: PathSet | None = None,
) -> int:  # fmt: skip
    """The claim that the adversaries of all channels prove; numbers become whole by one factor.

    ``among``: the routings that are meant keep to these paths, which are written out."""
    network = work.network
    sent, pairs = {pair for x in found if x is not None for pair in x.sent}, _num_pairs(network)
    _expect(network, sum(len(x.sent) for x in found if x is not None), pairs if hops else min(pairs, len(sent)))
    each = (y for x in found if x is not None for y in (x.weight, *x.sent.values()))
    factor = math.lcm(*{y.denominator for y in each})
    single = int(max(network.supply.max(), network.demand.max())) <= 1
    source, sink = network.source.tolist(), network.sink.tolist()
    lengths: dict[Pair, dict[int, int]] = {}
    adversaries = []
    for c, one in enumerate(found):
        adversaries.append(None if one is None else _written(one, factor))
        for (i, j), x in one.sent.items() if one is not None else ():
            of = lengths.setdefault((source[i], sink[j]), {})
            of[c] = of.get(c, 0) + _times(x, factor)
    if not (hops if kind == "best-load-at-least" else any(adversaries)):
        within = None  # it does not count
    terminal = {v: t for t, v in enumerate(source)}, {v: t for t, v in enumerate(sink)}

    def row(pair: Pair, *rest: Any) -> list[Any]:
        a, b = pair
        return [terminal[0][a], terminal[1][b], *rest] if single else [a, b, *rest]

    about = {
        "demands": work.proof.set_of(demands), "between": "terminals" if single else "nodes",
        "hops": number(hops * factor), "within": None if within is None else fraction(within),
        "adversaries": adversaries,
    }  # fmt: skip
    ends = _pairs(network, lengths, hops)
    if among is None:
        far = _far(network, ends, lengths, hops * factor, None)
        return work.claim(kind, value, **about, distances=[row(pair, numbers(p)) for pair, _, p in far])
    listed, over = list[list[Any]](), list[list[Any]]()
    if among.listed:
        listed = [row(pair, [list(path) for path in among.paths(*pair)]) for pair in ends]
    else:
        far = _far(network, ends, lengths, hops * factor, among)
        over = [row(pair, only, numbers(p)) for pair, only, p in far]
    kind = kind.replace("-at-least", "-among-paths-at-least")
    return work.claim(kind, value, **about, name=among.name, listed=listed, over=over)


def _num_pairs(network: Network) -> int:
    return int(np.count_nonzero(network.supply)) * int(np.count_nonzero(network.demand))


def _expect(network: Network, entries: int, pairs: int) -> None:
    """Refuse what no checker can read: entries of demands, and distances from one end of pairs to all nodes."""
    expect_bytes(14 * entries + 8 * pairs * network.num_nodes, f"the bound on {network.name}")


def _times(x: Fraction, factor: int) -> int:
    """x times a multiple of its denominator."""
    return x.numerator * (factor // x.denominator)


def _written(one: Adversary, factor: int) -> dict[str, Any]:
    entries = [[i, j, number(_times(x, factor))] for (i, j), x in sorted(one.sent.items()) if x]
    because: list[Any] | None = None if one.mixture is None else numbers(x * factor for x in one.mixture)
    if one.flow is not None:
        because = [[i, j, number(x * factor), path] for i, j, x, path in one.flow]
    return {"weight": number(int(one.weight * factor)), "entries": entries, "because": because}


def _pairs(network: Network, lengths: Mapping[Pair, Mapping[int, int]], hops: int) -> list[Pair]:
    """The pairs of nodes whose distances count: those with lengths, or all."""
    pairs = sorted(lengths)
    if hops:
        senders, receivers = np.unique(network.source).tolist(), np.unique(network.sink).tolist()
        pairs = [(a, b) for a in senders for b in receivers]
    return [(a, b) for a, b in pairs if a != b]


def _far(
    network: Network, pairs: Sequence[Pair], lengths: Mapping[Pair, Mapping[int, int]], hops: int, among: PathSet | None
) -> Iterator[tuple[Pair, list[int], list[int]]]:
    """(pair of nodes, the channels that it may cross, distances along these under its lengths), no distance beyond that
    of its own end: shorter to write."""
    for a, b in pairs:
        each = [hops * int(network.supply[a]) * int(network.demand[b])] * network.num_channels
        for c, x in lengths.get((a, b), {}).items():
            each[c] += x
        beyond = 1 + sum(each)
        only = list(range(network.num_channels)) if among is None else among.channels(a, b).tolist()
        if among is not None:
            open_to = set(only)
            each = [x if c in open_to else beyond for c, x in enumerate(each)]
        every = distances(network, each)(a)
        far = every[b]
        if far is None or far >= beyond:
            raise NotElaborated(f"no path leads from node {a} to node {b}")
        yield (a, b), only, [far if x is None else min(x, far) for x in every]


def of_matrices(rates: Sequence[Mapping[Pair, Fraction]], lengths: Sequence[Sequence[int]]) -> list[Adversary | None]:
    """The adversary of channel c mixes the matrices as their lengths of c say."""
    found: list[Adversary | None] = []
    for mixture in zip(*lengths, strict=True):
        sent: dict[Pair, Fraction] = {}
        for x, matrix in zip(mixture, rates, strict=True):
            for pair, rate in matrix.items() if x else ():
                sent[pair] = sent.get(pair, Fraction(0)) + rate * x
        weight = Fraction(sum(mixture))
        found.append(Adversary(weight, sent, list(mixture)) if weight else None)
    return found


# -- adversaries of transport sets: of ports, which are senders and receivers that the set treats alike ---------------


def _averaged(
    network: Network, items: Sequence[tuple[int, int, list[int]]], maps: Sequence[Map], moves: Moves
) -> list[dict[Pair, Fraction]]:
    """By channel, {(row, column): number}: of all images of the pairs, averaged over the symmetry."""
    found: list[dict[Pair, Fraction]] = [{} for _ in range(network.num_channels)]
    for row, column, traffic in items:
        carried, label = pair_images(network, row, column, maps, moves)
        members: dict[int, list[int]] = {}
        for c, k in enumerate(label.tolist()):
            members.setdefault(k, []).append(c)
        used = [some for some in members.values() if any(traffic[c] for c in some)]
        expect_bytes(14 * len(carried) * sum(map(len, used)), f"the bound on {network.name}")
        for some in used:
            mean = Fraction(sum(traffic[c] for c in some), len(some))
            for image in carried:
                for c in image.channel[some].tolist():
                    found[c][image.row, image.column] = mean
    return found


def _spread(
    sent: Mapping[Pair, Fraction], rows: Mapping[int, list[tuple[int, Fraction]]],
    columns: Mapping[int, list[tuple[int, Fraction]]],
) -> dict[Pair, Fraction]:  # fmt: skip
    """Between terminals, from what rows and columns send: each has its terminals, with their shares."""
    return {
        (i, j): x if share == part == 1 else x * share * part
        for (row, column), x in sent.items() for i, share in rows[row] for j, part in columns[column]
    }  # fmt: skip


def _of_pairs(work: Work, data: Mapping[str, Any], demands: TransportSet | None) -> list[Adversary | None]:
    """Between ports of the set; between nodes, whose terminals are alike, where it is all permutations (None)."""
    network = work.network
    ports = Ports.of_nodes(network) if demands is None else ports_of(demands, network)
    places = (network.source, network.sink) if demands is None else (ports.row_of, ports.column_of)
    rates = (None, None) if demands is None else (demands.sends, demands.receives)
    maps, same = maps_of(work.context, data["symmetry"]), np.arange(len(ports.row_node))
    moves = [(same, same) if g.whole is None else ports.rows_moved(g.whole) for g in maps]
    items = []
    for item in data["pairs"]:
        of_nodes = "source" in item
        ends = (item["source"], item["destination"]) if of_nodes else (places[0][item["from"]], places[1][item["to"]])
        traffic = unpack_ints(item["traffic"], what="traffic", max_items=network.num_channels, wide=True).tolist()
        items.append((int(ends[0]), int(ends[1]), traffic))
    given = None
    if "weights" in data:
        given = unpack_ints(data["weights"], what="weights", max_items=network.num_channels, wide=True).tolist()
    sides = [_terminals(place.tolist(), of) for place, of in zip(places, rates, strict=True)]
    low = _least_demands(demands)
    found: list[Adversary | None] = []
    for c, of in enumerate(_averaged(network, items, maps, moves)):
        weight = Fraction(given[c]) if given is not None else _least_weight(ports, of)
        sent = _spread(of, *sides)
        for pair, x in low.items():
            sent[pair] = sent.get(pair, Fraction(0)) + weight * x
        found.append(Adversary(weight, sent) if weight else None)
    return found


def _of_potentials(work: Work, data: Mapping[str, Any]) -> list[Adversary | None]:
    """Between all terminals what ``kernel.potentials`` says."""
    network = work.network
    rows = int(np.count_nonzero(network.supply))
    packed = unpack_ints(data["potentials"], what="potentials", max_items=rows * network.num_nodes, wide=True)
    row = np.cumsum(network.supply > 0) - 1
    of_terminal = packed.reshape(rows, -1).astype(object)[row[network.source]]
    expect_bytes(7 * network.num_terminals**2 * network.num_channels, f"the bound on {network.name}")
    found: list[Adversary | None] = []
    for tail, head in zip(network.tail.tolist(), network.head.tolist(), strict=True):
        along = (of_terminal[:, head] - of_terminal[:, tail]).tolist()
        total, count = sum(along), len(along)
        weight = max(count * max(along) - total, total - count * min(along))
        sent = {(i, j): Fraction(x - y) for i, x in enumerate(along) for j, y in enumerate(along) if x > y}
        found.append(Adversary(Fraction(weight), sent) if weight else None)
    return found


def _terminals(place: Sequence[int], rates: Sequence[Fraction] | None) -> dict[int, list[tuple[int, Fraction]]]:
    """The terminals of every port, each with its share of what the port sends: in proportion to rates."""
    members: dict[int, list[int]] = {}
    for t, k in enumerate(place):
        if k >= 0:
            members.setdefault(k, []).append(t)
    weight = [Fraction(1)] * len(place) if rates is None else rates
    together = {k: sum((weight[t] for t in some), Fraction(0)) for k, some in members.items()}
    return {k: [(t, weight[t] / together[k]) for t in some] for k, some in members.items()}


def _least_demands(demands: TransportSet | None) -> dict[Pair, Fraction]:
    """What is sent in any case; in a box alone no demand is worse than the largest."""
    if demands is None or demands.box is None:
        return {}
    limits = {x: y for x, y in demands.box.items() if demands.allows(*x)}
    low = {x: (high if demands.is_only_box else least) for x, (least, high) in limits.items()}
    return {pair: x for pair, x in low.items() if x}


def _least_weight(ports: Ports, of: Mapping[Pair, Fraction]) -> Fraction:
    """The least multiple of the set that admits what rows send to columns."""
    scale = math.lcm(*{x.denominator for x in of.values()})
    sums: dict[Pair, int] = {}
    total = 0
    for (row, column), x in of.items():
        for key in ((0, row), (1, column)):
            sums[key] = sums.get(key, 0) + _times(x, scale)
        total += _times(x, scale)
    least = [Fraction(0)]
    for side, rates in enumerate((ports.sends, ports.receives)):
        least += [Fraction(x, scale) / rates[k] for (at, k), x in sums.items() if at == side and rates is not None]
    if ports.total is not None and of:
        least.append(Fraction(total, scale) / ports.total)
    if ports.room is not None:
        least += [x / ports.room[pair] for pair, x in of.items()]
    return max(least)


# -- adversaries over all that is routable --------------------------------------------------------------------------


def _of_flows(work: Work, data: Mapping[str, Any]) -> list[Adversary | None]:
    """A flow of every channel's adversary, and those of the channels that symmetry takes it to."""
    network = work.network
    of = {}
    for item in data["flows"]:
        most = network.num_nodes * network.num_channels
        flow = unpack_ints(item["flow"], what="flow", max_items=most, wide=True).reshape(network.num_nodes, -1)
        used = flow.astype(object).sum(axis=0).tolist()
        weight = max((x / b for x, b in zip(used, network.bandwidth, strict=True) if x), default=Fraction(0))
        of[item["channel"]] = weight, [x for s in range(len(flow)) for x in _paths(network, s, flow[s].tolist())]
    source, sink = ({v: t for t, v in enumerate(ends.tolist())} for ends in (network.source, network.sink))
    found: list[Adversary | None] = [None] * network.num_channels
    for c, image in images(network, of, maps_of(work.context, data["symmetry"])).items():
        weight, paths = of[image.of]
        node, channel = image.node.tolist(), image.channel.tolist()
        moved = []
        sent: dict[Pair, Fraction] = {}
        for a, b, x, path in paths:
            there = [channel[e] for e in path]
            ends = (node[b], node[a]) if image.swap else (node[a], node[b])
            i, j = source[ends[0]], sink[ends[1]]
            sent[i, j] = sent.get((i, j), Fraction(0)) + x
            moved.append((i, j, x, there[::-1] if image.swap else there))
        found[c] = Adversary(Fraction(weight), sent, flow=moved) if weight else None
    return found


def _paths(network: Network, s: int, flow: list[int]) -> Iterator[tuple[int, int, int, list[int]]]:
    """(s, where it ends, amount, channels): a flow from node s as paths; what goes round in circles is left out."""
    tail, head = network.tail.tolist(), network.head.tolist()
    left: dict[int, list[int]] = {}
    stays = [0] * network.num_nodes
    for c, x in enumerate(flow):
        if x:
            left.setdefault(tail[c], []).append(c)
            stays[head[c]] += x
            stays[tail[c]] -= x
    stays[s] = 0
    while any(stays):
        at, path, seen = s, list[int](), {s: 0}
        while not stays[at]:
            c = next(c for c in left[at] if flow[c])
            path.append(c)
            at = head[c]
            if at in seen:  # a circle
                circle = path[seen[at] :]
                least = min(flow[e] for e in circle)
                for e in circle:
                    flow[e] -= least
                path = path[: seen[at]]
                seen = {s: 0, **{head[e]: k + 1 for k, e in enumerate(path)}}
            else:
                seen[at] = len(path)
        amount = min(stays[at], *(flow[e] for e in path))
        for e in path:
            flow[e] -= amount
        stays[at] -= amount
        yield s, at, amount, path
