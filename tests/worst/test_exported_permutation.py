"""The worst permutation for other tools: filled, and renumbered."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.traffic import Permutation, Traffic
from routeproof.questions.worst_case import answer_worst_case
from routeproof.routing.base.routing import Routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.loads import channel_loads_under, largest_load
from routeproof.worst.scan.exact import worst_case
from routeproof.worst.worst_traffic import column_major_terminals, exported_permutation, filled, renumbered

CASES = [
    ("torus:5x5", "dor"),
    ("torus:4x4", "romm"),
    ("mesh:3x3", "valiant"),
    ("petersen", "minimal"),
    ("fat-tree:4", "dmodk"),
    ("torus:3x3,concentration=2", "dor"),
]


def on(text: str, routing: str) -> Routing:
    return routing_from_spec(routing, network_from_spec(text))


def load(routing: Routing, permutation: Permutation) -> Fraction:
    return largest_load(channel_loads_under(routing, Traffic.of_permutation(permutation)), routing.network)


@pytest.mark.parametrize(("text", "name"), CASES)
def test_nobody_idles_and_the_load_stays(text: str, name: str) -> None:
    routing = on(text, name)
    network, worst = routing.network, worst_case(routing)
    assert worst.permutation is not None
    permutation, idle = filled(routing, worst.channel, worst.permutation)
    assert load(routing, permutation) == worst.load
    at_home = [i for i in range(len(permutation)) if network.source[i] == network.sink[permutation.image[i]]]
    assert at_home == idle == []


def test_senders_that_must_idle_are_named() -> None:
    """Of three senders at one node two have no receiver elsewhere."""
    network = Network.of("two", 2, [(0, 1), (1, 0)], source=[0, 0, 0, 1], sink=[0, 0, 0, 1])
    document = answer_worst_case(routing_from_spec("minimal", network)).document()
    permutation, notes = exported_permutation(document, what="it", fill=True)
    idle = [i for i, j in enumerate(permutation.image.tolist()) if i < 3 and j < 3]
    assert len(idle) == 2
    assert notes == [f"idle all the same: {idle[0]}, {idle[1]}; whatever they send takes load off the worst channel"]


@pytest.mark.parametrize("text", ["torus:4x4", "mesh:3x3x3", "torus:4x4,concentration=2"])
def test_the_first_coordinate_fastest_is_the_other_order(text: str) -> None:
    """As BookSim has it: dimension 0, which is routed first, is the least significant digit."""
    ours = on(text, "dor")
    order = "".join(reversed("xyz"[: ours.network.grid.num_dimensions])) if ours.network.grid is not None else ""
    theirs = on(text, f"dor:order={order}")
    permutation = worst_case(ours).permutation
    assert permutation is not None
    assert load(theirs, renumbered(ours.network, permutation)) == load(ours, permutation) == worst_case(theirs).load
    number = column_major_terminals(ours.network)
    assert number[number].tolist() == list(range(len(number)))  # of grids with equal sides: twice is nothing


def test_numbers_of_unequal_sides() -> None:
    assert column_major_terminals(network_from_spec("mesh:2x3")).tolist() == [0, 2, 4, 1, 3, 5]
    with pytest.raises(InputError, match="column-major numbers are for grids"):
        column_major_terminals(network_from_spec("petersen"))


def test_the_command_converts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, file = str(tmp_path / "report.json"), tmp_path / "worst.txt"
    assert main(["worst-case", "torus:5x5", "--routing", "dor", "--json", report]) == 0
    assert main(["convert", report, str(file), "--fill", "--numbering", "column-major"]) == 0
    assert "first coordinate fastest" in " ".join(capsys.readouterr().out.split())
    image = [int(x) for x in file.read_text().split()]
    assert sorted(image) == list(range(25))
    assert all(i != j for i, j in enumerate(image))
    capsys.readouterr()
    other = ["worst-case", "torus:5x5", "--routing", "dor:order=yx", "--traffic", str(file), "--json", "-"]
    assert main(other) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    value = {(x["quantity"], x.get("traffic")): x["value"] for x in claims}
    assert value["throughput", str(file)] == value["worst_case_throughput", None]
    for words in (["--fill"], ["--numbering", "column-major"]):
        assert main(["convert", "torus:5x5", str(tmp_path / "net.json"), *words]) == 2
        assert f"{words[0]} is for the worst permutation of a report" in capsys.readouterr().err
    assert main(["compare", "ring:5", "dor", "valiant", "--json", report]) == 0
    assert main(["convert", report, str(file), "--fill"]) == 2
    assert "about several routings" in capsys.readouterr().err


def test_patterns_that_go_around_in_all_dimensions() -> None:
    from routeproof.topologies.patterns import traffic_pattern

    network = network_from_spec("torus:5x4")
    for name, steps in (("tornado", (2, 1)), ("neighbor", (1, 1))):
        traffic = traffic_pattern(f"{name}:dimensions=all", network)
        assert network.grid is not None
        assert traffic.permutation is not None
        moved = (network.grid.coordinates[traffic.permutation.image] - network.grid.coordinates) % (5, 4)
        assert np.array_equal(moved, np.tile(steps, (20, 1)))
        assert traffic_pattern(f"{name}:dimensions=first", network).name == name
    with pytest.raises(InputError, match="first or all was expected"):
        traffic_pattern("tornado:dimensions=x", network)
