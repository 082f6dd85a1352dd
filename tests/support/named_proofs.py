"""Networks, routings and sets that are what their names say, and such that are not; small proofs of them."""

from __future__ import annotations

import copy
import random
from typing import Any

from routeproof.claims.proofs.written import (
    common,
    head_of,
    number,
    pairs_of,
    written_network,
    written_paths,
)
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

Data = dict[str, Any]
ROUTINGS = [
    "dor", "dor:tie=plus", "dor:order=yx", "dor:order=random", "dor:tie=plus,order=yx", "dor:order=zyx", "valiant",
    "valiant:tie=plus", "valiant:order=yx", "romm", "romm:tie=union", "romm:order=xy-yx", "romm:tie=union,order=xy-xy",
    "o1turn", "o1turn:tie=plus", "minimal:choice=per-hop", "minimal:choice=per-path",
]  # fmt: skip
MIXED = ["torus:3x3", "torus:4x2", "mesh:3x2", "hypercube:3", "hyperx:3x2", "ring:5", "mesh:2x2x2"]


def by_loads(routing: Routing) -> Data:
    pairs = list(pairs_of(routing))
    block = routing.pair_loads([row for _, _, row, _ in pairs], [column for *_, column in pairs])
    loads, offset = block.load.fractions(), block.offset.tolist()
    scale = common(loads)
    entries = [[c, number(int(x * scale))] for c, x in zip(block.channel.tolist(), loads, strict=True)]
    flows = [entries[offset[k] : offset[k + 1]] for k in range(len(pairs))]
    found = [[i, j, flow] for (i, j, *_), flow in zip(pairs, flows, strict=True)]
    return {**head_of(routing, scale), "loads": found, "paths": None}


def by_paths(routing: Routing) -> Data | None:
    try:
        scale, pairs = written_paths(routing)
    except InputError:
        return None
    return {**head_of(routing, scale), "loads": None, "paths": pairs}


def on(network: Network) -> list[Routing]:
    found = []
    for name in ROUTINGS:
        try:
            found.append(routing_from_spec(name, network))
        except InputError:  # the routing is of other networks
            continue
    return found


def changed_routing(data: Data, channels: int, rng: random.Random) -> Data:
    """One thing of the routing is another one."""
    data = copy.deepcopy(data)
    pairs = data["loads"] or data["paths"]
    at = rng.randrange(len(pairs))
    flow = pairs[at][2]
    kind = rng.choice(["weight", "channel", "lost", "added", "pair", "swap", "scale"])
    if kind == "weight":
        entry = rng.choice(flow)
        entry[1 if data["loads"] else 0] = int(entry[1 if data["loads"] else 0]) + rng.choice([1, 7])
    elif kind == "channel":
        place, index = (rng.choice(flow), 0) if data["loads"] else (rng.choice(flow)[1], 0)
        place[index] = (place[index] + rng.randrange(1, channels)) % channels
    elif kind == "lost":
        flow.remove(rng.choice(flow))
    elif kind == "added":
        flow.append(copy.deepcopy(rng.choice(flow)))
    elif kind == "pair":
        del pairs[at]
    elif kind == "swap":
        other = (at + 1) % len(pairs)
        pairs[at][2], pairs[other][2] = pairs[other][2], pairs[at][2]
    else:
        data["scale"] = int(data["scale"]) + 1
    return data


def proof_of_everything(name: str, seed: int) -> Data:
    """A proof whose routings and sets are as their names say, and others; its only claim is false."""
    network, rng = network_from_spec(name), random.Random(seed)
    routings = [data for x in on(network) for data in (by_loads(x), by_paths(x)) if data is not None]
    routings += [changed_routing(rng.choice(routings), network.num_channels, rng) for _ in range(20)]
    routings += [{**rng.choice(routings), "name": rng.choice(ROUTINGS)} for _ in range(5)]
    size = network.num_terminals
    every = [[i, j, 1] for i in range(size) for j in range(size) if i != j]
    one = {"kind": "transport", "scale": 3, "rows": [3] * size, "columns": [3] * size, "total": None, "pairs": None}
    some = [[i, j, n % 2, None if n % 3 else n + 5] for n, (i, j, _) in enumerate(every)]
    demands: list[Data] = [
        {**one, "name": "permutations"}, {**one, "name": "my own", "total": 9}, {**one, "name": "sparse:9", "total": 8},
        {**one, "name": "x\u202e", "pairs": some, "rows": None}, {**one, "name": "y", "pairs": [], "columns": None},
        {"kind": "routable", "name": "whatever"},
        {"kind": "matrices", "name": "uniform", "matrices": [{"name": "m", "scale": size, "entries": every}]},
        {"kind": "matrices", "name": "uniform", "matrices": [{"name": "m", "scale": size + 1, "entries": every}]},
        {"kind": "matrices", "name": "two", "matrices": [
            {"name": "m", "scale": 5, "entries": every[:2]}, {"name": "n", "scale": 7, "entries": every[1:]},
        ]},
        {"kind": "matrices", "name": "nothing", "matrices": [{"name": "m", "scale": 5, "entries": []}]},
    ]  # fmt: skip
    return {
        "format": "routeproof/proof", "version": 1, "network": written_network(network), "routings": routings,
        "demands": demands, "graph": None, "not_elaborated": [],
        "claims": [{"kind": "minimal-path-length", "value": [0, 1], "distances": []}],
    }  # fmt: skip
