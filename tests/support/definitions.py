"""Routings once more, straight from the words of the documentation: paths listed node by node, nothing shared.

``DEFINED[name](network, start, end)`` gives (probability, path) for a pair of nodes; None where nothing is defined.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from routeproof.core.network import Network

Weighted = list[tuple[Fraction, list[int]]]


def out_of(network: Network, v: int) -> list[tuple[int, int]]:
    offset, channels = network.out_channels
    return [(c, int(network.head[c])) for c in channels[offset[v] : offset[v + 1]].tolist()]


def steps_to(network: Network, end: int, open_: Callable[[int], bool]) -> dict[int, int]:
    """Fewest hops to ``end`` over nodes that are ``open_`` (of those where a path only begins, too)."""
    steps, queue = {end: 0}, deque([end])
    while queue:
        v = queue.popleft()
        for c in range(network.num_channels):
            u = int(network.tail[c])
            if network.head[c] == v and u not in steps and (v == end or open_(v)):
                steps[u] = steps[v] + 1
                queue.append(u)
    return steps


def shortest(network: Network, start: int, end: int, open_: Callable[[int], bool] = lambda _: True) -> list[list[int]]:
    """All shortest paths whose inner nodes are ``open_``; parallel channels make different paths."""
    steps = steps_to(network, end, open_)

    def onward(v: int) -> Iterable[list[int]]:
        if v == end:
            yield []
        else:
            for c, w in out_of(network, v):
                if steps.get(w) == steps[v] - 1 and (w == end or open_(w)):
                    yield from ([c, *rest] for rest in onward(w))

    return list(onward(start)) if start in steps else []


def alike(paths: list[list[int]]) -> Weighted:
    return [(Fraction(1, len(paths)), path) for path in paths]


def minimal(network: Network, start: int, end: int) -> Weighted:
    return alike(shortest(network, start, end))


def split(network: Network, start: int, end: int, share: Callable[[int], Fraction]) -> Weighted:
    steps = steps_to(network, end, lambda _: True)

    def onward(v: int) -> Iterable[tuple[Fraction, list[int]]]:
        if v == end:
            yield Fraction(1), []
            return
        near = [(c, w) for c, w in out_of(network, v) if steps.get(w) == steps[v] - 1]
        total = sum((share(c) for c, _ in near), Fraction(0))
        for c, w in near:
            yield from ((x * share(c) / total, [c, *rest]) for x, rest in onward(w))

    return list(onward(start))


def per_hop(network: Network, start: int, end: int) -> Weighted:
    return split(network, start, end, lambda _: Fraction(1))


def wcmp(network: Network, start: int, end: int) -> Weighted:
    return split(network, start, end, lambda c: network.bandwidth[c])


def valiant(network: Network, start: int, end: int) -> Weighted:
    sends, receives = set(network.source.tolist()), set(network.sink.tolist())
    middle = sorted(sends & receives)
    found = []
    for m in middle:
        for (x, one), (y, two) in itertools.product(minimal(network, start, m), minimal(network, m, end)):
            found.append((x * y / len(middle), one + two))
    return found


def first_simple_paths(network: Network, start: int, end: int, k: int) -> list[list[int]]:
    """By length, then by channel numbers: all walks without a node twice, one hop longer each time."""
    found: list[list[int]] = []
    walks = [([], (start,))] if start != end else []
    while walks and len(found) < k:
        longer = [([*path, c], (*seen, w)) for path, seen in walks for c, w in out_of(network, seen[-1])]
        longer = [(path, seen) for path, seen in longer if seen[-1] not in seen[:-1]]
        found += sorted(path for path, seen in longer if seen[-1] == end)
        walks = [(path, seen) for path, seen in longer if seen[-1] != end]
    return found[:k]


def ksp(network: Network, start: int, end: int) -> Weighted:
    return alike(first_simple_paths(network, start, end, 3))


def first_shortest(network: Network, start: int, end: int) -> Weighted:
    return alike(sorted(shortest(network, start, end))[:1])


def rail_local(network: Network, start: int, end: int, *, pxn: bool = True) -> Weighted:
    terminals = {*network.source.tolist(), *network.sink.tolist()}

    def is_nvswitch(v: int) -> bool:
        return "nvswitch" in network.label(v).lower()

    def over_nvlink(a: int, b: int) -> list[list[int]]:
        return [[c, d] for c, v in out_of(network, a) if is_nvswitch(v) for d, w in out_of(network, v) if w == b]

    def server(v: int) -> str:
        return network.label(v).rpartition(".")[0]

    def number(v: int) -> str:
        return network.label(v).rpartition("gpu")[2]

    if server(start) == server(end):
        return alike(over_nvlink(start, end))
    relay = start
    if pxn:
        relay = next(v for v in terminals if server(v) == server(start) and number(v) == number(end))
    first = [[]] if relay == start else over_nvlink(start, relay)
    second = shortest(network, relay, end, lambda v: v not in terminals and not is_nvswitch(v))
    return alike([one + two for one in first for two in second])


def dragonfly_minimal(network: Network, start: int, end: int) -> Weighted:
    assert network.groups is not None
    group = network.groups.tolist()

    def within(u: int, v: int) -> Weighted:
        return alike(shortest(network, u, v, lambda w: group[w] == group[u])) if u != v else [(Fraction(1), [])]

    if group[start] == group[end]:
        return within(start, end)
    ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    across = [(c, u, v) for c, (u, v) in enumerate(ends) if (group[u], group[v]) == (group[start], group[end])]
    return [
        (x * y / len(across), [*one, c, *two])
        for c, u, v in across
        for x, one in within(start, u)
        for y, two in within(v, end)
    ]


DEFINED: Mapping[str, Callable[[Network, int, int], Weighted]] = {
    "minimal": minimal,
    "ecmp:choice=per-path": minimal,
    "minimal:choice=per-path": minimal,
    "minimal:choice=per-hop": per_hop,
    "ecmp": per_hop,
    "ecmp:choice=per-hop": per_hop,
    "hashed-ecmp": per_hop,
    "wcmp": wcmp,
    "ksp:k=3": ksp,
    "lash": first_shortest,
    "rail-local": rail_local,
    "rail-local:pxn=no": lambda network, start, end: rail_local(network, start, end, pxn=False),
    "dragonfly-minimal": dragonfly_minimal,
}
ON_OTHERS = {"valiant": valiant}
"""On networks that are no grids."""
