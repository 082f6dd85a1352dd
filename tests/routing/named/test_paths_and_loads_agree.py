"""Every registered routing on random networks: its paths, its loads and all else that it tells are one truth."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from tests.support.agreement import Flow, Pair, check_agreement, summed
from tests.support.definitions import DEFINED, ON_OTHERS
from tests.support.random_networks import KINDS, drawn

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.described import routing_from_description
from routeproof.routing.named.names import ROUTINGS
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

pytestmark = pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")

VALUES = {
    "choice": ["per-path", "per-hop"], "hash": ["same", "same-range"], "k": ["1", "3"], "limit": ["0", "2", "4"],
    "local": ["valiant"], "order": ["random", "yx", "xy-yx", "xyz"], "paths": ["one"], "phases": ["same"],
    "pxn": ["no"], "root": ["0", "1"], "samples": ["2"], "seed": ["3"], "start": ["virtual", "strict"],
    "tie": ["split", "plus", "union"], "traffic": ["sinkhorn"], "weight": ["metric"],
}  # fmt: skip
"""Values of every option of every routing: one that is new needs a line here."""

GRIDS, NETWORKS = 19, 5  # of grids, and of each other kind; thousands were gone through by hand
HOMES = {"routeproof.routing.grid": ("grid",)}
"""Kinds of networks that the routings of a room are made for; all kinds for the others."""
SPECIAL = {
    "rail-local": ("servers", "family"),
    "dragonfly-minimal": ("groups", "family"),
    "dragonfly-valiant": ("groups", "family"),
    "dmodk": ("tree", "family"),
    "smodk": ("tree", "family"),
    "valiant": tuple(KINDS),
}
SLOW = {"2turn", "2turna"}  # a linear program each time


def texts(name: str, rng: random.Random) -> Iterator[str]:
    """The routing as it is, with every value of every option, and with two options at once; mixed, and hashed."""
    options = list(ROUTINGS.own[name].options)
    single = [name, *(f"{name}:{key}={value}" for key in options for value in VALUES[key])]
    yield from single
    if len(options) > 1:
        yield name + ":" + ",".join(f"{key}={rng.choice(VALUES[key])}" for key in rng.sample(options, 2))
    yield f"mix:1/3*{rng.choice(single)}+2/3*{rng.choice(single)}"
    yield f"mix:1/3*{rng.choice(single)}+2/3*minimal"
    yield f"worst-hash:{rng.choice(single)}"


def check_definition(text: str, network: Network, loads: dict[Pair, Flow], ends: dict[Pair, Pair]) -> None:
    defined = DEFINED.get(text) or (ON_OTHERS.get(text) if network.grid is None else None)
    if defined is not None:
        for pair, flow in loads.items():
            assert flow == summed(defined(network, *ends[pair])), f"{text} is defined otherwise for {ends[pair]}"


def check_in_full(routing: Routing) -> None:
    """As a report gives it that does not name it: by its tables, paths or loads; and by its paths alone."""
    own = routing.pair_table()
    for paths in (False, True):
        try:
            data = routing.written_in_full(paths=paths)
        except InputError:  # rows that are neither nodes nor terminals
            continue
        again = routing_from_description({"spec": "given", **data}, routing.network)
        check_agreement(again)
        for i, j in itertools.product(range(routing.network.num_terminals), repeat=2):
            ends = (routing.row_of[i], routing.column_of[j]), (again.row_of[i], again.column_of[j])
            if routing.sends(*map(int, ends[0])):
                one, two = ([int(x)] for x in ends[0]), ([int(x)] for x in ends[1])
                assert own.pair_loads(*one).as_dict() == again.pair_loads(*two).as_dict(), "written in full"


def check_network(name: str, kind: str, seed: int) -> int:
    """How many routings were compared."""
    try:
        network = drawn(kind, seed)
    except InputError:  # a family without a path between two terminals, after failures
        return 0
    count = 0
    for text in texts(name, random.Random(f"{name}:{kind}:{seed}")):
        try:
            routing = routing_from_spec(text, network)
        except InputError:
            continue
        try:
            loads = check_agreement(routing)
            if seed % 4 == 0 and routing.whole_flows_of is None and not routing.parts:
                check_in_full(routing)
            ends = {(i, j): (int(routing.row_node[i]), int(routing.column_node[j])) for i, j in loads}
            check_definition(text, network, loads, ends)
        except AssertionError as error:
            raise AssertionError(f"{text} on drawn({kind!r}, {seed}): {str(error)[:400]}") from error
        count += 1
    return count


def kinds_of(name: str) -> tuple[str, ...]:
    room = next((homes for home, homes in HOMES.items() if type_room(name) == home), tuple(KINDS))
    return SPECIAL.get(name, room)


def type_room(name: str) -> str:
    return ROUTINGS.own[name].build.__module__.rpartition(".")[0]


@pytest.mark.parametrize("name", [name for name, entry in ROUTINGS.own.items() if not entry.of_fabric])
def test_everything_that_a_routing_tells_is_one_truth(name: str) -> None:
    number = 3 if name in SLOW else GRIDS if kinds_of(name) == ("grid",) else NETWORKS
    counts = [check_network(name, kind, seed) for kind in kinds_of(name) for seed in range(number)]
    assert sum(counts) >= min(number, 5), "hardly any network was accepted; other kinds of networks are needed"


def test_the_two_numbers_that_were_wrong() -> None:
    """Shortest paths through a third GPU were counted in loads: 2 for 1, though every packet has its own leaf."""
    labels = ["leaf0", "leaf1", "spine"]
    ends = [(0, 2), (1, 2)]
    for s in range(2):
        nvswitch = len(labels)
        labels += [f"server{s}.nvswitch0", f"server{s}.gpu0", f"server{s}.gpu1"]
        ends += [(nvswitch + 1, nvswitch), (nvswitch + 2, nvswitch), (nvswitch + 1, 0), (nvswitch + 2, 1)]
    ends.append((labels.index("server1.gpu0"), 1))
    gpus = [v for v, label in enumerate(labels) if "gpu" in label]
    ends += [(v, u) for u, v in ends]
    network = Network.of("two leaves", len(labels), ends, source=gpus, sink=gpus, labels=labels)
    routing = routing_from_spec("rail-local:pxn=no", network)
    loads = check_agreement(routing)
    for i, j in loads:
        for _, path in routing.paths(i, j):
            assert not {int(network.head[c]) for c in path[:-1]} & set(gpus)
    assert worst_case(routing).load == 1
