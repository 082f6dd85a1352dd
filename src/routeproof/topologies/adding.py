"""New cables between free ports: how many ports are free, the network with every cable that fits, which of these are
alike under symmetry, and what no set of so many can pass.

The network with every cable that fits stands for an intent; then its cables are missing ones, as ``mending`` has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import check_automorphism, from_node_image, orbit_labels
from .cabling import Deviation, in_unit
from .failures import cables_of, switches_of
from .mending import plugged_in

MOST_ADDED = 20_000
LABEL_FREE = frozenset({"minimal", "minimal:choice=per-hop", "minimal:choice=per-path"})
"""Routings by name that go by hops alone: what a symmetry of the network takes to one another, they use alike."""


def free_ports(network: Network, ports: Sequence[int]) -> list[int]:
    """By node, of switches with so many ``ports``; 0 at hosts.  A terminal takes a port.

    Raises InputError for a switch with more cables and hosts than ports.
    """
    used = np.maximum(network.supply, network.demand).astype(np.int64)
    for cable in cables_of(network):
        used[[network.tail[cable[0]], network.head[cable[0]]]] += 1
    free = [0] * network.num_nodes
    for v in switches_of(network):
        if used[v] > ports[v]:
            raise InputError(
                f"{network.label(v)} has {used[v]} cables and hosts, and a switch of {network.name} {ports[v]} ports; "
                f"at least {used.max()} were expected"
            )
        free[v] = int(ports[v] - used[v])
    return free


def with_all_cables(network: Network, free: Sequence[int], most: int) -> Network:
    """The network with ``most`` cables more between every two switches, fewer where fewer ports are free.

    A new cable is as the slowest one between the two switches; where there is none, as most cables are.  Raises
    InputError where no cable fits, or too many do.
    """
    first = [x[0] for x in cables_of(network)]
    count = Counter(network.bandwidth[c] for c in first)
    usual = min(count, key=lambda x: (-count[x], x))
    slowest: dict[tuple[int, int], Fraction] = {}
    for c in first:
        u, v = sorted((int(network.tail[c]), int(network.head[c])))
        slowest[u, v] = min(slowest.get((u, v), network.bandwidth[c]), network.bandwidth[c])
    new = [
        (u, v)
        for u, v in combinations([v for v, x in enumerate(free) if x > 0], 2)
        for _ in range(min(most, free[u], free[v]))
    ]
    if not new:
        raise InputError(f"no cable fits: fewer than two switches of {network.name} have a free port")
    if len(new) > MOST_ADDED:
        raise InputError(f"{len(new):,} cables could be added to {network.name}; at most {MOST_ADDED:,} are tried")
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    width = list(network.bandwidth)
    for u, v in new:
        ends += [(u, v), (v, u)]
        width += [slowest.get((u, v), usual)] * 2
    return Network.of(
        "every cable that fits", network.num_nodes, ends, bandwidth=width, source=network.source, sink=network.sink,
        labels=network.labels,
    )  # fmt: skip


def alike_under(
    choices: Mapping[int, Deviation],
    network: Network,
    intent: Network,
    node: Int64,
    images: Sequence[npt.NDArray[np.integer]],
) -> dict[int, int]:
    """By number the first missing cable that symmetries of ``network`` take it to; ``images``: of nodes, for each.

    Raises InputError for an image that is no symmetry, and for one that takes a choice to none.
    """
    keys = {k: plugged_in(x, intent, node) for k, x in choices.items() if not x.found}
    first: dict[object, int] = {}
    for k, key in keys.items():
        first.setdefault(key, k)
    numbers = list(first.values())
    place = {k: x for x, k in enumerate(numbers)}
    moves = []
    for n, image in enumerate(images):
        if len(image) != network.num_nodes or sorted(image.tolist()) != list(range(network.num_nodes)):
            raise InputError(f"symmetry {n} is not a permutation of the {network.num_nodes} nodes")
        check_automorphism(network, from_node_image(network, image, name=str(n)))
        moved = [tuple(sorted((int(image[u]), int(image[v]), w) for u, v, w in keys[k])) for k in numbers]
        if any(x not in first for x in moved):
            raise InputError(f"symmetry {n} takes a cable that can be plugged in to one that cannot")
        moves.append(np.array([place[first[x]] for x in moved]))
    label = orbit_labels(len(numbers), moves)
    return {k: numbers[label[place[first[keys[k]]]]] if k in keys else k for k in choices}


def most_across(
    inside: npt.NDArray[np.bool_],
    choices: Mapping[int, Deviation],
    size: int,
    fabric: Network,
    intent: Network,
    node: Int64,
) -> Fraction | None:
    """What no routing passes, with any ``size`` of the choices mended: the bandwidth that leaves the nodes ``inside``,
    for each packet of a permutation that takes as many as it can out of them; None where no packet has to leave."""
    own = in_unit(fabric, intent, node)
    packets = min(int(inside[own.source].sum()), int((~inside[own.sink]).sum()))
    if not packets:
        return None
    leaves = np.flatnonzero(inside[own.tail] & ~inside[own.head]).tolist()
    width = sum((own.bandwidth[c] for c in leaves), Fraction(0))
    gains = []
    for x in choices.values():
        more = sum((w for u, v, w in plugged_in(x, intent, node) if inside[u] and not inside[v]), Fraction(0))
        less = [own.bandwidth[c] for y in x.found for c in y if inside[own.tail[c]] and not inside[own.head[c]]]
        gains.append(max(more - sum(less, Fraction(0)), Fraction(0)))
    return (width + sum(sorted(gains, reverse=True)[:size], Fraction(0))) / packets
