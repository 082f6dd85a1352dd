"""The grid routings once more, slowly: every path written out, straight from the definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from routeproof.core.network import Network

UNIT = math.lcm(*range(1, 25)) ** 3  # probabilities are whole numbers of 1/UNIT: exact, and faster than fractions

Path = tuple[int, list[tuple[int, ...]]]


def line_ways(net: Network, m: int, a: int, b: int, tie: str) -> list[tuple[int, list[int]]]:
    """Minimal ways from coordinate a to b of dimension m: (probability in 1/UNIT, coordinates visited)."""
    grid = net.grid
    k = grid.radix[m]
    if a == b:
        return [(UNIT, [a])]
    if grid.kind == "hyperx":
        return [(UNIT, [a, b])]
    if grid.kind == "mesh":
        return [(UNIT, list(range(a, b + 1)) if a < b else list(range(a, b - 1, -1)))]
    plus = [(a + x) % k for x in range((b - a) % k + 1)]
    minus = [(a - x) % k for x in range((a - b) % k + 1)]
    if grid.oneway or k == 2 or len(plus) < len(minus) or (len(plus) == len(minus) and tie == "plus"):
        return [(UNIT, plus)]
    if len(minus) < len(plus):
        return [(UNIT, minus)]
    return [(UNIT // 2, plus), (UNIT // 2, minus)]


def stitch(start: tuple[int, ...], ways: list[list[int]], order: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The nodes visited when the dimensions' ways are taken one after the other."""
    nodes, here = [start], list(start)
    for m in order:
        for x in ways[m][1:]:
            here[m] = x
            nodes.append(tuple(here))
    return nodes


def dor_paths(net: Network, s: tuple[int, ...], t: tuple[int, ...], tie: str, order: tuple[int, ...]) -> list[Path]:
    choices = [line_ways(net, m, s[m], t[m], tie) for m in range(len(s))]
    return [
        (_product(x for x, _ in pick), stitch(s, [way for _, way in pick], order))
        for pick in itertools.product(*choices)
    ]


def dor(
    net: Network, s: tuple[int, ...], t: tuple[int, ...], tie: str, orders: list[tuple[int, ...]]
) -> Iterator[Path]:
    for order in orders:
        for x, path in dor_paths(net, s, t, tie, order):
            yield share(x, len(orders)), path


def valiant(net: Network, s: tuple[int, ...], t: tuple[int, ...], tie: str) -> Iterator[Path]:
    """The paths of the two phases, one phase after the other: expected crossings add up."""
    natural = tuple(range(len(s)))
    for w in map(tuple, net.grid.coordinates.tolist()):
        for x, path in dor_paths(net, s, w, tie, natural) + dor_paths(net, w, t, tie, natural):
            yield share(x, net.num_nodes), path


def romm(
    net: Network, s: tuple[int, ...], t: tuple[int, ...], tie: str, orders: list[list[tuple[int, ...]]]
) -> Iterator[Path]:
    """The paths of the two phases; ``orders``: the equally likely orders of either phase."""
    choices = [line_ways(net, m, s[m], t[m], "split") for m in range(len(s))]
    if tie == "union":
        reach = [sorted({x for _, way in ways for x in way}) for ways in choices]
        every = list(itertools.product(*reach))
        for w in every:
            for ends, phase in zip(((s, w), (w, t)), orders, strict=True):
                for order in phase:
                    for x, path in dor_paths(net, *ends, "split", order):
                        yield share(x, len(every) * len(phase)), path
        return
    for pick in itertools.product(*choices):
        cuts = list(itertools.product(*[range(len(way)) for _, way in pick]))
        direction = _product(x for x, _ in pick)
        for cut in cuts:
            w = tuple(way[c] for (_, way), c in zip(pick, cut, strict=True))
            before = [way[: c + 1] for (_, way), c in zip(pick, cut, strict=True)]
            after = [way[c:] for (_, way), c in zip(pick, cut, strict=True)]
            for start, ways, phase in ((s, before, orders[0]), (w, after, orders[1])):
                for order in phase:
                    yield share(direction, len(cuts) * len(phase)), stitch(start, ways, order)


def share(x: int, parts: int) -> int:
    assert x % parts == 0
    return x // parts


def _product(values: Iterator[int]) -> int:
    result = UNIT
    for x in values:
        result = result * x // UNIT  # factors are UNIT or UNIT / 2
    return result


def enumerated_loads(net: Network, name: str) -> dict[tuple[int, int], dict[int, Fraction]]:
    """{(i, j): {channel: load}} of the routing called ``name``, for all pairs of different nodes."""
    kind, _, text = name.partition(":")
    options = dict(piece.split("=") for piece in text.split(",") if piece)
    tie = options.get("tie", "split")
    dims = net.grid.num_dimensions
    everything = list(itertools.permutations(range(dims)))
    number = {ends: c for c, ends in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True))}
    if kind == "o1turn" or options.get("order") == "random":
        orders = everything
    else:
        orders = [_read(options.get("order", "xyzw"[:dims]).partition("-")[0])]
    if kind == "romm" and "order" in options:
        phases = [[_read(text)] for text in options["order"].split("-")]
    else:
        phases = [everything, everything]
    result = {}
    nodes = [tuple(x) for x in net.grid.coordinates.tolist()]
    for (i, s), (j, t) in itertools.product(enumerate(nodes), enumerate(nodes)):
        if i == j:
            continue
        if kind == "valiant":
            paths = valiant(net, s, t, tie)
        elif kind == "romm":
            paths = romm(net, s, t, tie, phases)
        else:
            paths = dor(net, s, t, tie, orders)
        loads: dict[int, int] = {}
        for x, path in paths:
            for u, v in itertools.pairwise(path):
                c = number[net.grid.node(u), net.grid.node(v)]
                loads[c] = loads.get(c, 0) + x
        result[i, j] = {c: Fraction(x, UNIT) for c, x in loads.items()}
    return result


def _read(text: str) -> tuple[int, ...]:
    return tuple("xyzw".index(c) for c in text)
