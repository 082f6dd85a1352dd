"""Random small networks and routings, judged slowly and obviously: nothing here is the package's own arithmetic.

A routing is ``Ways``: for every pair of terminals on different nodes the weight of every path that its packets take,
as the document gives them.  Worst cases are taken over all permutations, deadlock is a cycle found by networkx among
the channels that follow one another on some path, capacity is a linear program.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

Path = tuple[int, ...]
Ways = dict[tuple[int, int], dict[Path, Fraction]]
Table = list[list[int]]
WIDTHS = [Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2), Fraction(2, 3), Fraction(5, 7)]


@dataclass(frozen=True)
class Plan:
    """A network in plain lists: ``ends[c]`` of every channel, ``source`` and ``sink`` of every terminal."""

    num_nodes: int
    ends: list[tuple[int, int]]
    width: list[Fraction]
    source: list[int]
    sink: list[int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Terminals whose packets enter the network."""
        everyone = range(len(self.source))
        return [(i, j) for i in everyone for j in everyone if self.source[i] != self.sink[j]]

    def leaving(self, node: int) -> list[int]:
        return [c for c, (u, _) in enumerate(self.ends) if u == node]

    def distances(self, target: int) -> dict[int, int]:
        graph = nx.DiGraph([(v, u) for u, v in self.ends])
        graph.add_nodes_from(range(self.num_nodes))
        return dict(nx.single_source_shortest_path_length(graph, target))


def random_plan(rng: random.Random) -> Plan:
    """3 to 6 nodes in a ring with chords and parallel channels, 2 to 6 terminals on some of the nodes.

    Half of them have every channel both ways alike, some have one bandwidth; in a quarter terminals send and receive at
    different nodes.
    """
    size = rng.randint(3, 6)
    around = rng.sample(range(size), size)
    ends = list(zip(around, around[1:] + around[:1], strict=True))
    for _ in range(rng.randint(0, size)):
        u, v = rng.sample(range(size), 2)
        ends.append((u, v))
    ends += [rng.choice(ends) for _ in range(rng.randint(0, 3))]
    widths = [Fraction(1)] if rng.random() < 0.3 else WIDTHS
    width = [rng.choice(widths) for _ in ends]
    if rng.random() < 0.5:
        ends, width = ends + [(v, u) for u, v in ends], width * 2
    order = rng.sample(range(len(ends)), len(ends))
    ends, width = [ends[c] for c in order], [width[c] for c in order]
    hosts = rng.sample(range(size), rng.randint(2, size))
    count = rng.randint(2, 6)
    source = [rng.choice(hosts) for _ in range(count)]
    source[:2] = hosts[:2]
    sink = [rng.choice(range(size)) for _ in source] if rng.random() < 0.25 else source
    if not any(u != v for u in source for v in sink):
        sink = source
    return Plan(size, ends, width, source, sink)


# -- routings -------------------------------------------------------------------------------------------------------


def _walk(rng: random.Random, plan: Plan, start: int, end: int) -> Path:
    """A random walk, mostly with its loops left out; a few go through their own end, or over a channel twice."""
    path: list[int] = []
    at = start
    plain = rng.random() < 0.9
    away = plan.distances(end)
    while at != end or (not plain and len(path) < 3):
        choices = plan.leaving(at)
        if len(path) > 8 and at != end:
            choices = [c for c in choices if away[plan.ends[c][1]] < away[at]]
        path.append(rng.choice(choices))
        at = plan.ends[path[-1]][1]
        if plain:
            nodes = [start, *(plan.ends[c][1] for c in path)]
            path = path[: nodes.index(at)]
    return tuple(path)


def _crossed(plan: Plan, one: dict[Path, Fraction]) -> dict[Path, Fraction]:
    """The same loads by other paths, where two paths of equal weight meet on the way: they change their ends."""
    for a, b in itertools.combinations(one, 2):
        for x, y in itertools.product(range(1, len(a)), range(1, len(b))):
            if one[a] == one[b] and plan.ends[a[x]][0] == plan.ends[b[y]][0]:
                rest = {path: w for path, w in one.items() if path not in (a, b)}
                for path in (a[:x] + b[y:], b[:y] + a[x:]):
                    rest[path] = rest.get(path, Fraction(0)) + one[a]
                return rest
    return one


def random_table(rng: random.Random, plan: Plan) -> Ways:
    """One to three weighted paths a pair; terminals of one node go by the same paths, by others with the same loads,
    or each by its own."""
    style = rng.choice(["same", "crossed", "crossed", "own"])
    known: Ways = {}
    ways: Ways = {}
    for i, j in plan.pairs:
        nodes = plan.source[i], plan.sink[j]
        if style == "own" or nodes not in known:
            part = rng.choice([[1], [1, 1], [1, 1], [2, 1], [1, 1, 1], [1, 2, 3]])
            made: dict[Path, Fraction] = {}
            for x in part:
                path = _walk(rng, plan, *nodes)
                made[path] = made.get(path, Fraction(0)) + Fraction(x, sum(part))
            known[nodes] = made
        ways[i, j] = _crossed(plan, known[nodes]) if style == "crossed" and rng.random() < 0.5 else known[nodes]
    return ways


def random_next_hops(rng: random.Random, plan: Plan, *, by_node: bool) -> Table:
    """``table[v][d]``: the channel at node v towards node (or terminal) d; a tree of random shape for every d.

    At nodes from which nothing is sent the entries are a tree's too, and -1 at the destination.
    """
    ends = range(plan.num_nodes) if by_node else plan.sink
    table = [[-1] * len(ends) for _ in range(plan.num_nodes)]
    for d, target in enumerate(ends):
        reached = [target]
        while len(reached) < plan.num_nodes:
            c = rng.choice([c for c, (u, v) in enumerate(plan.ends) if v in reached and u not in reached])
            table[plan.ends[c][0]][d] = c
            reached.append(plan.ends[c][0])
    return table


def followed(plan: Plan, table: Table, *, by_node: bool) -> Ways:
    ways: Ways = {}
    for i, j in plan.pairs:
        path, at = [], plan.source[i]
        while at != plan.sink[j]:
            path.append(table[at][plan.sink[j] if by_node else j])
            at = plan.ends[path[-1]][1]
        ways[i, j] = {tuple(path): Fraction(1)}
    return ways


def minimal_ways(plan: Plan, choice: str) -> Ways:
    """Every shortest path: alike (per-path), or with the product of the choices made at its nodes (per-hop)."""
    ways: Ways = {}
    for i, j in plan.pairs:
        away = plan.distances(plan.sink[j])
        found: dict[Path, Fraction] = {}
        todo: list[tuple[int, Path, Fraction]] = [(plan.source[i], (), Fraction(1))]
        while todo:
            at, path, weight = todo.pop()
            if at == plan.sink[j]:
                found[path] = weight
                continue
            nearer = [c for c in plan.leaving(at) if away.get(plan.ends[c][1], 99) < away[at]]
            todo += [(plan.ends[c][1], (*path, c), weight / len(nearer)) for c in nearer]
        if choice == "per-path":
            found = dict.fromkeys(found, Fraction(1, len(found)))
        ways[i, j] = found
    return ways


def mixed(parts: list[tuple[Fraction, Ways]]) -> Ways:
    result: Ways = {}
    for weight, ways in parts:
        for pair, paths in ways.items():
            total = result.setdefault(pair, {})
            for path, x in paths.items():
                total[path] = total.get(path, Fraction(0)) + weight * x
    return result


# -- judgements -----------------------------------------------------------------------------------------------------


class Judged:
    """What is true of a routing: its loads and everything that follows from them."""

    def __init__(self, plan: Plan, ways: Ways) -> None:
        self.plan, self.ways = plan, ways
        self.loads: dict[tuple[int, int], dict[int, Fraction]] = {}
        for pair, paths in ways.items():
            assert sum(paths.values()) == 1
            load = self.loads.setdefault(pair, {})
            for path, weight in paths.items():
                for c in path:
                    load[c] = load.get(c, Fraction(0)) + weight

    def worst_load(self) -> Fraction:
        """The largest load per bandwidth over all permutations: in whole numbers, all permutations at once."""
        plan, size = self.plan, len(self.plan.source)
        over = {(i, j, c): x / plan.width[c] for (i, j), some in self.loads.items() for c, x in some.items()}
        scale = math.lcm(*(x.denominator for x in over.values()))
        assert scale * max(over.values(), default=0) * size < 1 << 60
        load = np.zeros((size, size, len(plan.ends)), dtype=np.int64)
        for place, x in over.items():
            load[place] = int(x * scale)
        images = np.array(list(itertools.permutations(range(size))))
        total = sum(load[i, images[:, i]] for i in range(size))
        return Fraction(int(np.max(total)), scale)

    def uniform_load(self) -> Fraction:
        total: dict[int, Fraction] = {}
        for some in self.loads.values():
            for c, x in some.items():
                total[c] = total.get(c, Fraction(0)) + x / len(self.plan.source)
        return max(x / self.plan.width[c] for c, x in total.items())

    def average_length(self) -> Fraction:
        return sum((x for some in self.loads.values() for x in some.values()), Fraction(0)) / len(self.plan.source) ** 2

    def edges(self, paths: str) -> set[tuple[int, int]]:
        """Which channel follows which: on the paths as given ("own"), or on all that the loads of a pair allow."""
        if paths == "own":
            return {edge for some in self.ways.values() for path in some for edge in itertools.pairwise(path)}
        ends = self.plan.ends
        return {(c, d) for x in self.loads.values() for c, d in itertools.product(x, x) if ends[c][1] == ends[d][0]}

    def deadlock_free(self, paths: str) -> bool:
        return bool(nx.is_directed_acyclic_graph(nx.DiGraph(self.edges(paths))))

    def lanes_needed(self, number: list[int]) -> int | None:
        """How many lanes packets use that change to the next one where ``number`` descends; None if those lanes have a
        cycle."""
        edges, most = set(), 0
        for path in {path for some in self.ways.values() for path in some}:
            lane, here = 0, (path[0], 0)
            for c in path[1:]:
                lane += number[c] <= number[here[0]]
                edges.add((here, (c, lane)))
                here = (c, lane)
            most = max(most, lane)
        return most + 1 if nx.is_directed_acyclic_graph(nx.DiGraph(edges)) else None


def capacity(plan: Plan) -> float:
    """The largest throughput of any routing under uniform traffic: a flow for every node that sends, by HiGHS."""
    count, size = len(plan.ends), len(plan.source)
    senders = sorted(set(plan.source))
    rows: list[tuple[int, int, float]] = []  # (equation, variable, factor); the last variable is the throughput
    last = len(senders) * count
    for k, s in enumerate(senders):
        sent = [plan.source.count(s) * plan.sink.count(v) * (v != s) for v in range(plan.num_nodes)]
        for v in range(plan.num_nodes):
            equation = k * plan.num_nodes + v
            for c, (tail, head) in enumerate(plan.ends):
                if v in (tail, head):
                    rows.append((equation, k * count + c, 1.0 if v == head else -1.0))
            rows.append((equation, last, (sum(sent) if v == s else -sent[v]) / size))
    at, which, factor = zip(*rows, strict=True)
    shape = (len(senders) * plan.num_nodes, last + 1)
    balance = coo_array((factor, (at, which)), shape=shape).tocsr()
    each = [(c, k * count + c) for k in range(len(senders)) for c in range(count)]
    use = coo_array((np.ones(last), tuple(zip(*each, strict=True))), shape=(count, last + 1)).tocsr()
    gain = np.zeros(last + 1)
    gain[last] = -1.0
    found = linprog(
        gain, A_ub=use, b_ub=[float(x) for x in plan.width], A_eq=balance, b_eq=np.zeros(shape[0]), method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    assert found.status == 0, found.message
    return float(-found.fun)
