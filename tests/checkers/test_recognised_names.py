"""Which names stand without quotation marks: just those of what they name, found from definitions alone."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

import pytest

from named_proofs import Data, by_loads, by_paths, changed_routing, on
from proofs import checked, checker, proof_of
from routeproof.claims.proofs.written import written_network
from routeproof.core.network import Network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

GRIDS = [
    "torus:3x3", "torus:4x4", "torus:5", "torus:2x4", "torus:2x2x2", "torus:3x2x3", "ring:2", "ring:6", "mesh:2",
    "mesh:3x4", "mesh:3x2x2", "hypercube:1", "hypercube:3", "hyperx:3x3", "hyperx:4x2", "complete:5",
]  # fmt: skip
OTHERS = ["petersen", "fat-tree:4", "kautz:2,2", "k-ary-tree:2,2", "torus:3x3,oneway", "dragonfly:1,2,1"]


def read(network: Network) -> Any:
    return checker().Network(written_network(network))


@pytest.mark.parametrize("name", GRIDS)
def test_what_is_as_its_name_is_defined_stands_without_quotation_marks(name: str) -> None:
    network = network_from_spec(name)
    known = read(network)
    assert known.marked == known.title == name
    for routing in on(network):
        for data in (by_loads(routing), by_paths(routing)):
            if data is not None:
                assert checker().Routing(known, data).title == routing.name


@pytest.mark.parametrize("name", OTHERS)
def test_other_networks_are_quoted_and_shortest_paths_on_them_are_known(name: str) -> None:
    network = network_from_spec(name)
    known = read(network)
    assert known.marked == f'"{name}"'
    for choice in ("per-hop", "per-path"):
        routing = routing_from_spec(f"minimal:choice={choice}", network)
        assert checker().Routing(known, by_loads(routing)).marked == routing.name


@pytest.mark.parametrize("name", GRIDS)
def test_no_routing_bears_the_name_of_another_one(name: str) -> None:
    network = network_from_spec(name)
    known, written = read(network), {x.name: by_loads(x) for x in on(network)}
    flows = {x: of_pairs(data) for x, data in written.items()}
    for own, data in written.items():
        for other in written:
            found = checker().Routing(known, {**data, "name": other})
            if flows[own] == flows[other]:
                assert found.marked == other
            else:
                assert found.marked == f'"{other}"'
                assert found.title == f'called "{other}" by the proof, and not as this name is defined'


def of_pairs(data: Data) -> dict[tuple[int, int], dict[int, Fraction]]:
    scale = int(data["scale"])
    return {(i, j): {c: Fraction(int(n), scale) for c, n in flow} for i, j, flow in data["loads"]}


def changed_network(data: Data, rng: random.Random) -> Data:
    """One thing of the network is another one."""
    data = copy.deepcopy(data)
    channels, terminals, nodes = data["channels"], data["terminals"], data["nodes"]
    kind = rng.choice(["end", "bandwidth", "swap", "turned", "lost", "added", "node", "terminal", "twice", "wider"])
    at = rng.randrange(len(channels))
    if kind == "end":
        side = rng.randrange(2)
        channels[at][side] = (channels[at][side] + rng.randrange(1, nodes)) % nodes
    elif kind == "bandwidth":
        channels[at][2] += 1
    elif kind == "swap":
        other = (at + rng.randrange(1, len(channels))) % len(channels)
        channels[at], channels[other] = channels[other], channels[at]
    elif kind == "turned":
        channels[at][:2] = channels[at][1::-1]
    elif kind == "lost":
        del channels[at]
    elif kind == "added":
        channels.append(list(channels[at]))
    elif kind == "node":
        data["nodes"] += 1
    elif kind == "terminal":
        one = rng.randrange(len(terminals))
        terminals[one][rng.randrange(2)] = (one + rng.randrange(1, nodes)) % nodes
    elif kind == "twice":
        terminals.append(list(terminals[0]))
    else:
        data["scale"] = 2
    return data


@pytest.mark.parametrize("name", GRIDS)
def test_a_network_with_one_change_is_quoted(name: str) -> None:
    data, rng = written_network(network_from_spec(name)), random.Random(name)
    for _ in range(150):
        found = checker().Network(changed_network(data, rng))
        assert found.marked == f'"{name}"'
        assert found.title == f'called "{name}" by the proof, and not as this name is defined'


@pytest.mark.parametrize("name", ["torus:3x3", "torus:2x4", "mesh:3x2", "hypercube:3", "ring:4", "hyperx:3x2"])
def test_a_routing_with_one_change_is_quoted(name: str) -> None:
    network = network_from_spec(name)
    known, rng = read(network), random.Random(name)
    for routing in on(network):
        for data in filter(None, (by_loads(routing), by_paths(routing))):
            for _ in range(20):
                changed = changed_routing(data, network.num_channels, rng)
                assert checker().Routing(known, changed).marked == f'"{routing.name}"'


SETS = {
    "permutations": {
        "kind": "transport", "scale": 1, "rows": [1] * 4, "columns": [1] * 4, "total": None, "pairs": None,
    },
    "sparse:3": {"kind": "transport", "scale": 2, "rows": [2] * 4, "columns": [2] * 4, "total": 6, "pairs": None},
    "uniform": {"kind": "matrices", "matrices": [
        {"name": "any", "scale": 4, "entries": [[i, j, 1] for i in range(4) for j in range(4) if i != j]}
    ]},
    "routable": {"kind": "routable"},
}  # fmt: skip


def set_called(data: Data, name: str) -> Any:
    known = read(network_from_spec("ring:4"))
    return checker().FAMILIES[data["kind"]](known, {**data, "name": name})


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_known_by_what_it_holds(name: str) -> None:
    assert set_called(SETS[name], name).title == name
    assert set_called(SETS[name], "my own").marked == name
    assert set_called(SETS[name], "my own").title == f'{name}, called "my own" by the proof'


def changed_sets() -> list[tuple[str, Data]]:
    found = []
    for name in ("permutations", "sparse:3"):
        data = SETS[name]
        for side in ("rows", "columns"):
            found.append((name, {**data, side: None}))
            found += [(name, {**data, side: [*data[side][:t], x, *data[side][t + 1 :]]})
                      for t in range(4) for x in (0, 3)]  # fmt: skip
        found += [(name, {**data, "scale": 3}), (name, {**data, "total": 0}), (name, {**data, "pairs": []})]
        found.append((name, {**data, "pairs": [[i, j, 0, None] for i in range(4) for j in range(4)]}))
    (matrix,) = SETS["uniform"]["matrices"]
    entries = matrix["entries"]
    for k, (i, j, n) in enumerate(entries):
        rest = [*entries[:k], *entries[k + 1 :]]
        other = ([], [[i, j, n + 1]], [[i, i, n]], [[i, j, n], [i, i, n]], [rest[0]], [[i, j, n], rest[0]])
        found += [("uniform", {"kind": "matrices", "matrices": [{**matrix, "entries": rest + x}]}) for x in other]
    found.append(("uniform", {"kind": "matrices", "matrices": [{**matrix, "scale": 3}]}))
    found.append(("uniform", {"kind": "matrices", "matrices": [matrix, {**matrix, "entries": entries[1:]}]}))
    return found


def test_a_set_with_one_change_is_quoted() -> None:
    for name, data in changed_sets():
        found = set_called(data, name)
        assert found.marked == f'"{name}"', data
        assert found.title == f'called "{name}" by the proof, and not as this name is defined'


@pytest.mark.parametrize("name", [
    "torus:3X3", "torus:03x3", "torus:3x3 ", " torus:3x3", "torus:3x3,", "torus:", "torus", "ring:9x1", "hypercube:9x9",
    "TORUS:3x3", "torus:3x3\n", "torus:３x3", "mesh:3x3", "torus:9", "torus:1x9", "hyperx:3x3", 'torus:3x3"',
])  # fmt: skip
def test_a_name_that_is_spelt_in_another_way_is_quoted(name: str) -> None:
    found = checker().Network({**written_network(network_from_spec("torus:4x4")), "name": name})
    assert found.marked.startswith('"')
    assert found.title.startswith('called "')


@pytest.mark.parametrize("name", [
    "dor:", "dor:order=xx", "dor:order=", "dor:order=x", "dor:tie=split", "dor:order=xy,tie=plus", "romm:order=xy",
    "romm:tie=plus", "valiant:order=random", "o1turn:order=xy", "minimal", "ecmp", "DOR", "dor,order=yx", "dor:tie",
    "dor:order=01", "romm:order=xy-", "romm:order=random",
])  # fmt: skip
def test_a_routing_that_is_spelt_in_another_way_is_quoted(name: str) -> None:
    network = network_from_spec("torus:3x3")
    known = read(network)
    for own in ("dor", "romm", "valiant", "minimal:choice=per-hop"):
        found = checker().Routing(known, {**by_loads(routing_from_spec(own, network)), "name": name})
        assert found.marked == f'"{name}"' or (name, own) == ("dor:tie=split", "dor")


def test_what_was_read_comes_first() -> None:
    status, said = checked(proof_of("worst case"))
    assert status == 0
    assert said.splitlines()[:4] == [
        "network torus:3x3: 9 nodes, 36 channels of bandwidth 1, 9 terminals",
        "routing 1 (dor): by loads between nodes",
        "set 1 (permutations): a terminal sends at most 1 and receives at most 1; all pairs may send",
        "set 2 (uniform): 1 matrix of 72 entries of 1/9, sum 8",
    ]
    assert "under routing 1 (dor), with demands of set 1 (permutations), no channel carries" in said


def test_a_narrower_channel_takes_the_marks_off_and_back() -> None:
    proof = proof_of("worst case")
    for channel in proof["network"]["channels"]:
        channel[2] = 2
    proof["network"]["scale"] = 2
    assert checked(proof)[1].startswith("network torus:3x3: ")
    proof["network"]["channels"][5][2] = 3
    head = checked(proof)[1].splitlines()[:2]
    start = 'network called "torus:3x3" by the proof, and not as this name is defined: '
    assert head[0] == f"{start}9 nodes, 36 channels of bandwidth 1 to 3/2, 9 terminals"
    assert head[1] == 'routing 1 (called "dor" by the proof): by loads between nodes'
