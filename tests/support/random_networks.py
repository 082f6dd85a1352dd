"""Small random networks of every kind that routings are made for, with terminals anywhere."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from routeproof.core.network import Network
from routeproof.formats.documents.network import network_from_document, network_to_document
from routeproof.topologies.family import network_from_spec

Ends = list[tuple[int, int]]
_WIDTHS = [Fraction(1), Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2)]


def drawn(kind: str, seed: int) -> Network:
    """Network ``seed`` of a kind of ``KINDS``: always the same."""
    rng = random.Random(f"{kind}:{seed}")
    network = KINDS[kind](rng)
    if rng.random() < 0.2:
        network = network_from_document(network_to_document(network), what="net.json")  # as read from a file
    return network


def _network(rng: random.Random, size: int, ends: Ends, *, of: list[int] | None = None, **more: object) -> Network:
    """Terminals at nodes of ``of``, several at some; sometimes they send and receive at different nodes."""
    rng.shuffle(ends)
    places = list(range(size)) if of is None else of
    count = rng.randint(2, max(2, min(7, len(places) + 2)))
    source = [rng.choice(places) for _ in range(count)]
    sink = source if rng.random() < 0.7 else [rng.choice(places) for _ in range(count)]
    one = rng.random() < 0.5
    widths = [Fraction(1) if one else rng.choice(_WIDTHS) for _ in ends]
    if rng.random() < 0.5:  # both ways alike, as cables are
        by_ends: dict[tuple[int, int], Fraction] = {}
        widths = [by_ends.setdefault((min(e), max(e)), w) for e, w in zip(ends, widths, strict=True)]
    attributes = {"metric": [rng.choice([1, 1, 2, 3]) for _ in ends]}
    made = Network.of("drawn", size, ends, bandwidth=widths, source=source, sink=sink, **more)  # type: ignore[arg-type]
    return replace(made, channel_attributes=attributes)


def _both(ends: Ends) -> Ends:
    return [*ends, *((v, u) for u, v in ends)]


def _any_graph(rng: random.Random) -> Network:
    """A tree or a ring and more channels, parallel ones and one-way ones among them; some nodes have no terminals."""
    size = rng.randint(2, 8)
    if rng.random() < 0.6:
        ends = _both([(v, rng.randrange(v)) for v in range(1, size)])
    else:
        ends = [(v, (v + 1) % size) for v in range(size)]
    for _ in range(rng.randint(0, size)):
        u, v = rng.sample(range(size), 2)
        ends += [(u, v)] if rng.random() < 0.4 else _both([(u, v)])
    if rng.random() < 0.4:
        ends += [rng.choice(ends) for _ in range(rng.randint(1, 3))]
    of = rng.sample(range(size), rng.randint(2, size))
    return _network(rng, size, ends, of=of)


def _tree(rng: random.Random) -> Network:
    """Hosts below one or more levels of switches; hosts and switches with several uplinks, parallel ones too."""
    levels = [rng.randint(2, 5), *(rng.randint(1, 3) for _ in range(rng.randint(1, 2)))]
    first = np.cumsum([0, *levels]).tolist()
    ends: Ends = []
    for low in range(len(levels) - 1):
        for v in range(first[low], first[low + 1]):
            above = range(first[low + 1], first[low + 2])
            for u in rng.sample(above, rng.randint(1, len(above))):
                ends += [(v, u)] * rng.choice([1, 1, 1, 2])
    ends = _both(ends)
    for _ in range(rng.choice([0, 0, 1, 2])):
        ends.remove(rng.choice(ends))
    if not ends:
        ends = [(0, first[1]), (first[1], 0)]
    made = _network(rng, first[-1], ends, of=list(range(levels[0])))
    every = np.unique([*made.source.tolist(), *range(levels[0])])
    return replace(made, source=every, sink=every) if rng.random() < 0.7 else made


def _groups(rng: random.Random) -> Network:
    """Groups of nodes, each a path, a ring or a clique; global channels, some of them parallel, from any node."""
    number = rng.randint(2, 4)
    groups, ends = [], []
    members: list[list[int]] = []
    for k in range(number):
        own = list(range(len(groups), len(groups) + rng.randint(1, 3)))
        members.append(own)
        groups += [k] * len(own)
        ends += _both(list(pairwise(own)))
        if len(own) > 2 and rng.random() < 0.5:
            ends += _both([(own[0], own[-1])])
    for a in range(number):
        for b in range(a):
            for _ in range(rng.choice([1, 1, 2])):
                ends += _both([(rng.choice(members[a]), rng.choice(members[b]))])
    if rng.random() < 0.3:
        ends.append(rng.choice(ends))
    return _network(rng, len(groups), ends, groups=np.array(groups, dtype=np.int32))


def _servers(rng: random.Random) -> Network:
    """Servers of GPUs around NVSwitches; a GPU has one leaf or two, some links are parallel, one-way or dead."""
    labels: list[str] = []

    def node(label: str) -> int:
        labels.append(label)
        return len(labels) - 1

    leaves = [node(f"leaf{k}") for k in range(rng.randint(1, 3))]
    spines = [node(f"spine{k}") for k in range(rng.randint(0, 2))]
    ends = _both([(u, v) for u in leaves for v in spines])
    gpus = []
    numbers = rng.randint(1, 3)
    for s in range(rng.randint(2, 3)):
        switches = [node(f"server{s}.nvswitch{k}") for k in range(rng.choice([1, 1, 2]))]
        for x in range(numbers):
            gpu = node(f"server{s}.gpu{x}")
            gpus.append(gpu)
            ends += _both([(gpu, v) for v in switches for _ in range(rng.choice([1, 1, 2]))])
            for leaf in rng.sample(leaves, min(len(leaves), rng.choice([1, 2, 2, 3]))):
                link = _both([(gpu, leaf)])
                if rng.random() < 0.15:
                    link = link[: rng.randint(0, 1)]  # one way, or dead
                ends += link * rng.choice([1, 1, 2])
    if rng.random() < 0.3:
        ends.remove(rng.choice(ends))
    made = _network(rng, len(labels), ends, of=gpus, labels=labels)
    return made if rng.random() < 0.3 else replace(made, source=np.array(gpus), sink=np.array(gpus))


_GRIDS = [
    "torus:3x3", "mesh:3x3", "ring:4", "mesh:3x2", "torus:4x3", "mesh:4x2", "hyperx:3x2", "ring:5", "torus:2x2",
    "mesh:2x2", "hyperx:4x2", "ring:4,oneway", "torus:4x2", "ring:2", "mesh:3x2x2", "torus:3x2x2", "hypercube:3",
    "torus:5x2", "torus:3x3,concentration=2",
]  # fmt: skip


def _grid(rng: random.Random) -> Network:
    """Tori, meshes and HyperX, with terminals and bandwidths that are not the family's."""
    spec = rng.choice(_GRIDS)
    made = network_from_spec(spec)
    if rng.random() < 0.3:
        return made
    count = rng.randint(2, 7)
    source = [rng.randrange(made.num_nodes) for _ in range(count)]
    sink = source if rng.random() < 0.6 else [rng.randrange(made.num_nodes) for _ in range(count)]
    width = made.bandwidth if rng.random() < 0.5 else [rng.choice(_WIDTHS) for _ in made.bandwidth]
    return replace(
        made,
        name="drawn",
        spec=None,
        symmetry=None,
        source=np.array(source, dtype=np.int32),
        sink=np.array(sink, dtype=np.int32),
        bandwidth=tuple(width),
    )


_FAMILIES = [
    "xgft:2x2,w=1x2", "k-ary-tree:2,2", "fat-tree:4", "leaf-spine:2,2,2", "three-tier-clos:2,2,2,1,2", "mlfm:2",
    "dragonfly:1,2,1", "dragonfly:1,2,1,hosts", "dragonfly-plus:1,1,1,1", "fat-clique:1,2,2,2",
    "rail-optimized:2,2,nvlink=9", "rail-optimized:2,2,nvlink=9,spines=2", "rail-optimized:3,2,nvlink=5/2,spines=1",
    "rail-optimized:2,2,nvlink=9,spines=1,planes=2", "bcube:2,1", "dcell:2,1", "kautz:2,2", "petersen", "dring:5,1",
    "random-regular:8,degree=3,seed=1", "jellyfish:6,ports=4,degree=3,seed=7", "xpander:3,2,seed=7", "polarfly:2",
    "hypercube:3", "flattened-butterfly:2,2", "butterfly:2", "benes:2", "clos:2,2,2", "ring:6", "torus:3x3",
    "torus:3x3,hosts", "mesh:4x2", "hyperx:3x3", "complete:4", "twisted-torus:2x2x4",
]  # fmt: skip


def _family(rng: random.Random) -> Network:
    """A family by name, sometimes with several terminals a node, or with dead nodes and links."""
    spec = rng.choice(_FAMILIES)
    if rng.random() < 0.3:
        spec += f",kill-links={rng.randint(1, 2)},kill-seed={rng.randrange(99)}"
    elif rng.random() < 0.2:
        spec += f",dead-nodes={rng.randrange(4)}"
    elif rng.random() < 0.2:
        spec += ",concentration=2"
    return network_from_spec(spec)


KINDS: Mapping[str, Callable[[random.Random], Network]] = {
    "graph": _any_graph,
    "tree": _tree,
    "groups": _groups,
    "servers": _servers,
    "grid": _grid,
    "family": _family,
}
