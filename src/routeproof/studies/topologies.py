"""Topologies that people build, side by side: exact worst case, uniform throughput, capacity, best possible.

Nothing is quoted here: all numbers are ours.  Sizes are those of each family nearest to 64, 256 and 1,024 terminals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import shown
from ..core.traffic import Traffic
from ..core.vocabulary.quantity import PER_TERMINAL
from ..formats.documents.json_text import fraction_to_text
from ..optimum.capacity import capacity_if_possible
from ..optimum.worst_case import design_worst_case
from ..routing.base.routing import Routing
from ..routing.named.spec import routing_from_spec
from ..topologies.family import network_from_spec
from ..worst.capacity import candidate_lengths, permutation_bound
from ..worst.capacity import capacity as simple_capacity
from ..worst.deadlock.channels import deadlock
from ..worst.loads import Loads, channel_loads_under, throughput
from ..worst.locality import average_path_length
from ..worst.scan.exact import worst_case
from .result import HERE, Here, Row, Sheet, StudyResult, decimal

_TORUS = ("dor", "valiant", "ival")
_ANY = ("minimal", "valiant")
_TREE = ("minimal", "dmodk")
_GROUPS = ("dragonfly-minimal", "dragonfly-valiant", "dragonfly-valiant:local=valiant", "valiant")
_RANDOM = ("minimal", "ksp:k=8", "valiant")

_NETWORKS: Mapping[int, Mapping[str, tuple[str, ...]]] = {
    64: {
        "torus:8x8": _TORUS,
        "torus:4x4x4": _TORUS,
        "mesh:8x8": ("dor", "o1turn", "valiant"),
        "hypercube:6": _TORUS,
        "flattened-butterfly:4,3": ("dor", "valiant"),
        "k-ary-tree:4,3": _TREE,
        "dragonfly:2,4,2": _GROUPS,
        "slim-fly:3": _ANY,
        "jellyfish:16,ports=8,degree=4,seed=1": _RANDOM,
        "xpander:4,3,seed=1,concentration=4": _RANDOM,
        "bcube:8,1": _ANY,
        "dcell:8,1": _ANY,
    },
    256: {
        "torus:16x16": _TORUS,
        "torus:4x8x8": _TORUS,
        "twisted-torus:4x8x8": _ANY,
        "mesh:16x16": ("dor", "o1turn", "valiant"),
        "hypercube:8": ("dor", "valiant"),
        "flattened-butterfly:4,4": ("dor", "valiant"),
        "k-ary-tree:4,4": _TREE,
        "dragonfly:3,6,3": _GROUPS,
        "slim-fly:5": _ANY,
        "jellyfish:32,ports=16,degree=8,seed=1": _RANDOM,
        "xpander:8,4,seed=1,concentration=7": _RANDOM,
        "bcube:16,1": _ANY,
        "dcell:16,1": _ANY,
    },
    1024: {
        "torus:32x32": ("dor", "valiant"),
        "torus:8x8x16": ("dor", "valiant"),
        "twisted-torus:8x8x16": _ANY,
        "mesh:32x32": ("dor", "o1turn", "valiant"),
        "hypercube:10": ("dor", "valiant"),
        "flattened-butterfly:4,5": ("dor", "valiant"),
        "k-ary-tree:4,5": _TREE,
        "fat-tree:16": _TREE,
        "dragonfly:4,8,4": _GROUPS,
        "slim-fly:9": _ANY,
        "jellyfish:128,ports=20,degree=12,seed=1": _RANDOM,
        "bcube:32,1": _ANY,
        "dcell:32,1": _ANY,
    },
}

_DESIGNED_TERMINALS = 80
_DESIGNED_NODES = 64
_ANY_NODES = 100
_PAIRS_NODES = 400


@dataclass(frozen=True)
class _Best:
    """Every oblivious routing's worst case is at most ``high``; one reaches ``low``; ``how``: what ``low`` rests on."""

    low: Fraction
    high: Fraction
    how: str

    def text(self) -> str:
        costly = "" if self.how == "designed" else " (too costly)"
        ends = f"{decimal(self.low, 3)} to {decimal(self.high, 3)}{costly}"
        return _short(self.low) if self.low == self.high else ends

    def to_json(self) -> dict[str, str]:
        return {"low": fraction_to_text(self.low), "high": fraction_to_text(self.high), "how": self.how}


def run(
    here: Here = HERE,
    *,
    sizes: Sequence[int] = (64, 256, 1024),
    networks: Mapping[str, Sequence[str]] | None = None,
    designed: int = _DESIGNED_TERMINALS,
    seconds: float = 20.0,
) -> StudyResult:
    """The study for ``sizes`` (or for ``networks``: topology -> routings).

    The best oblivious worst case is designed up to ``designed`` terminals, or 64 nodes, for at most ``seconds`` each;
    elsewhere it lies between the best routing of the table and a bound by the capacity or by distances, and the
    cell says that more was too costly.
    """
    if networks is None:
        unknown = [x for x in sizes if x not in _NETWORKS]
        if unknown or not sizes:
            asked = f"study {here.name} was asked for the sizes {list(sizes)}"
            raise InputError(f"{asked}; of 64, 256 and 1024 was expected")
        networks = {name: x for size in sizes for name, x in _NETWORKS[size].items()}
    pieces = {topology: {"topology": topology, "routings": list(x)} for topology, x in networks.items()}
    found = here.done("topologies", judged, pieces, designed=designed, seconds=seconds)
    every = [x for some in found.values() for x in some]
    heads = ("network", "T", "routing", "worst case", "uniform", "capacity", "best oblivious", "hops", "deadlock-free")
    return StudyResult(
        "Throughput per terminal of common topologies and routings, exact",
        "all numbers are ours: witness and potentials each; best oblivious: certified from both sides",
        "1 is the bandwidth of every channel, and of a terminal's own link, which is not part of the network",
        tuple(Row(label, worst, data=data) for label, worst, data, _ in every),
        Sheet(heads, tuple(tuple(line) for *_, line in every)),
    )


def judged(designed: int, seconds: float, topology: str, routings: Sequence[str]) -> list[list[Any]]:
    """[label, worst case, data of the row, line of the table] for every routing."""
    network = network_from_spec(topology)
    traffic = Traffic.uniform(network.num_terminals)
    made = {name: routing_from_spec(name, network) for name in routings}
    worsts = {name: worst_case(routing) for name, routing in made.items()}
    first = made[routings[0]]
    claim = simple_capacity(network, first) or capacity_if_possible(network)
    capacity = claim.value if claim is not None and isinstance(claim.value, Fraction) else None
    high = _bound(network, channel_loads_under(first, traffic), capacity)
    best = _best(network, max(x.throughput for x in worsts.values()), high, designed, seconds)
    sizes = {"terminals": network.num_terminals, "nodes": network.num_nodes, "channels": network.num_channels}
    result: list[list[Any]] = []
    for name, routing in made.items():
        worst, hops, free = worsts[name].throughput, average_path_length(routing), _deadlock(routing)
        uniform = throughput(channel_loads_under(routing, traffic, orbits=worsts[name].classes.label), network)
        data = {
            "quantity": "worst_case_throughput",
            "unit": PER_TERMINAL,
            "topology": topology,
            "routing": name,
            **sizes,
            "throughput_uniform": fraction_to_text(uniform),
            "capacity": None if capacity is None else fraction_to_text(capacity),
            "best_oblivious": None if best is None else best.to_json(),
            "average_path_length": fraction_to_text(hops),
            "deadlock_free": free,
        }
        bounds = ["too costly" if capacity is None else _short(capacity), "too costly" if best is None else best.text()]
        line = [topology, str(network.num_terminals), name, _short(worst), _short(uniform), *bounds]
        result.append([f"{topology}, {name}", worst, data, [*line, decimal(hops, 3), free]])
    return result


def _best(network: Network, reached: Fraction, high: Fraction | None, designed: int, seconds: float) -> _Best | None:
    """From both sides: a routing's own worst case; the adversary of the linear program, or ``high``."""
    low, how = reached, "a routing of the table; capacity or distances under a permutation"
    if low != high and (network.num_terminals <= designed or network.num_nodes <= _DESIGNED_NODES):
        try:
            found = design_worst_case(network, time_limit=seconds)
        except InputError:
            pass  # too large for the program: what is known without it stays
        else:
            how = "designed"
            low = max(low, 1 / found.load)
            if found.least_load:
                high = 1 / found.least_load if high is None else min(high, 1 / found.least_load)
    return None if high is None else _Best(low, high, how)


def _bound(network: Network, uniform: Loads, capacity: Fraction | None) -> Fraction | None:
    """The least of the capacity and of what distances under one permutation leave to any routing."""
    some = [] if capacity is None else [capacity]
    bounds = (permutation_bound(network, x) for _, x in candidate_lengths(network, uniform))
    return min([*some, *(found[0] for found in bounds if found is not None)], default=None)


def _deadlock(routing: Routing) -> str:
    """Whether it is free of deadlock, where that is judged in seconds."""
    network = routing.network
    nodes, grid, name = network.num_nodes, network.grid, routing.name.partition(":")[0]
    few_paths = name in ("dor", "o1turn") and (nodes <= _PAIRS_NODES or (grid is not None and grid.kind != "mesh"))
    by_loads = name == "minimal" and nodes <= _PAIRS_NODES
    if not (nodes <= _ANY_NODES or few_paths or by_loads or routing.holds_paths):
        return "too costly"
    try:
        return "yes" if deadlock(routing).free else "no"
    except InputError:
        return "too costly"


def _short(value: Fraction) -> str:
    text = shown(value)
    return text if len(text) <= 7 else decimal(value, 4)
