"""Routings by name: registered where they are defined, and by other packages, whose reports stand on their own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.core.symmetry import Automorphism
from routeproof.routing.base.entry import RoutingEntry
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.base.tabled import TabledRouting
from routeproof.routing.grid.dor import DOR
from routeproof.routing.grid.valiant import ROMM
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.routing.named.names import ROUTINGS, help_lines, is_taken
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHopRouting
from routeproof.routing.tables.path_tables import TableRouting
from routeproof.topologies.family import network_from_spec

TORUS = network_from_spec("torus:4x4")


class Boastful(TabledRouting):
    """Loads of dimension order, and a symmetry that they do not have."""

    def respects(self, g: Automorphism) -> bool:
        return True

    def respects_reversal(self) -> bool:
        return True

    def channel_representatives(self) -> Any:
        return np.zeros(self.network.num_channels, dtype=np.int32)


def _boastful(network: Network, _: dict[str, Any]) -> Routing:
    return Boastful(network, "dor", DOR(order="yx").on(network).pair_table())


def _lossy(network: Network, _: dict[str, Any]) -> Routing:
    table = DOR().on(network).pair_table()
    half = table.load
    half.num[:] = 0
    return TabledRouting(network, "lossy", table)


def _fails(network: Network, _: dict[str, Any]) -> Routing:
    raise ZeroDivisionError("no\nway")


def _elsewhere(network: Network, _: dict[str, Any]) -> Routing:
    return DOR().on(network_from_spec("torus:4x4"))


ZIGZAG = RoutingEntry(
    name="zigzag",
    help="y first, a test",
    build=lambda network, options: DOR(order="yx", **options).on(network),
    options={"tie": "split or plus"},
)
MIXED = RoutingEntry(
    name="mixed",
    help="of two",
    build=lambda network, _: Mixture([("1/2", DOR().on(network)), ("1/2", ROMM().on(network))]),
)
BOASTFUL = RoutingEntry(name="boastful", help="says too much", build=_boastful)
LOSSY = RoutingEntry(name="lossy", help="delivers nothing", build=_lossy)
FAILING = RoutingEntry(name="failing", help="raises", build=_fails)
ELSEWHERE = RoutingEntry(name="elsewhere", help="on another network", build=_elsewhere)
DOR_LIKE = RoutingEntry(name="d0r", help="reads like dor", build=lambda network, _: DOR().on(network))
ANYTHING = RoutingEntry(name="anything", help="no routing", build=lambda network, _: SimpleNamespace())  # type: ignore[return-value, arg-type]
OTHERS = {"missing": "nowhere_at_all:ENTRY", "misnamed": f"{__name__}:ZIGZAG"}
OTHERS.update({x.name: f"{__name__}:{k}" for k, x in list(globals().items()) if isinstance(x, RoutingEntry)})


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {name: [EntryPoint(name, value, "routeproof.routings")] for name, value in OTHERS.items()}
    monkeypatch.setattr(ROUTINGS, "others", points)


def test_entries_are_complete_and_make_what_they_are_called() -> None:
    for name, entry in ROUTINGS.own.items():
        assert name == entry.name
        assert entry.help
        assert "\n" not in entry.help
        assert entry.whole_numbers <= set(entry.options)
        assert all(is_taken(x) for x in (name, name.upper(), *entry.aliases))


def test_finding_them_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom routeproof.routing.named.names import ROUTINGS\nROUTINGS.own\n"
        "print(sorted({'numba', 'networkx', 'igraph', 'scipy', 'matplotlib', 'typer'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.usefixtures("others")
def test_the_routing_of_another_package_is_judged_as_its_report_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "report.json"
    assert main(["worst-case", "torus:4x4", "-r", "zigzag:tie=plus", "--json", str(report)]) == 0
    assert main(["worst-case", "torus:4x4", "-r", "dor:order=yx,tie=plus", "--json", str(tmp_path / "own.json")]) == 0
    made, own = (json.loads(x.read_text()) for x in (report, tmp_path / "own.json"))
    assert made["subject"]["routing"]["spec"] == "zigzag:tie=plus"
    assert {"loads", "rows", "columns"} <= set(made["subject"]["routing"])
    values = [{(x["quantity"], x["relation"]): x["value"] for x in some["claims"]} for some in (made, own)]
    assert values[0] == values[1]
    deadlock = tmp_path / "deadlock.json"
    assert main(["deadlock", "torus:4x4", "-r", "zigzag", "--json", str(deadlock)]) == 0
    assert [x["paths"] for x in json.loads(deadlock.read_text())["claims"]] == ["own"]
    monkeypatch.setattr(ROUTINGS, "others", {})  # elsewhere, where the package is not
    capsys.readouterr()
    assert main(["verify", str(report)]) == 0
    assert main(["verify", str(deadlock)]) == 0


@pytest.mark.usefixtures("others")
def test_nothing_that_it_says_of_itself_is_trusted() -> None:
    made = routing_from_spec("boastful", TORUS)
    assert type(made) is TabledRouting
    assert made.name == "boastful"
    assert made.channel_representatives() is None
    assert TORUS.symmetry is not None
    assert not all(made.respects(g) for g in TORUS.symmetry.generators)
    assert type(routing_from_spec("zigzag", TORUS)) is TableRouting
    mixture = routing_from_spec("mixed", TORUS)
    assert [type(part) for _, part in mixture.parts] == [TableRouting, TableRouting]
    again = routing_from_description(describe_routing(mixture), TORUS)
    assert again.name == mixture.name == "mixed"
    assert again.pair_loads([0], [5]).as_dict() == mixture.pair_loads([0], [5]).as_dict()


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("lossy", "does not deliver|must be positive"),
        ("failing", "routing failing of the package .*: build raised ZeroDivisionError: no way"),
        ("elsewhere", "makes a routing on another network"),
        ("anything", "build made a SimpleNamespace; a Routing was expected"),
        ("d0r", "not read like a name of this package"),
        ("missing", "routing missing of the package .* cannot be loaded: ModuleNotFoundError"),
        ("misnamed", "a RoutingEntry of that name was expected"),
        ("zigzag:order=xy", "zigzag: unknown option 'order'; did you mean 'tie'|zigzag: unknown option 'order'"),
        ("zigzg", "zigzag"),
    ],
)
def test_what_is_broken_is_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part) as caught:
        routing_from_spec(text, TORUS)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("others")
def test_they_are_listed_and_a_report_builds_none_of_them() -> None:
    lines = dict(help_lines())
    assert lines["zigzag"] == "y first, a test"
    assert "cannot be loaded" in lines["missing"]
    assert [x for x, _ in help_lines("dragonfly")] == ["dragonfly-minimal", "dragonfly-valiant"]
    with pytest.raises(InputError, match="'zigzag' names no built-in routing"):
        routing_from_description({"spec": "zigzag"}, TORUS)
    assert not is_taken("zigzag")  # a report says the same where the package is not


def test_a_routing_of_ones_own_is_written_in_full() -> None:
    """What does not declare that its name makes it again is in reports with its loads, whatever it is called."""

    class Mine(Routing):
        def channel_loads(self, channels: Any, *, rows: Any = None) -> Any:
            return inner.channel_loads(channels, rows=rows)

        def pair_loads(self, rows: Any, columns: Any) -> Any:
            return inner.pair_loads(rows, columns)

    inner = DOR().on(TORUS)
    described = describe_routing(Mine(TORUS, "dor"))
    assert described["spec"] == "./dor"
    again = routing_from_description(described, TORUS)
    assert again.pair_loads([0], [5]).as_dict() == inner.pair_loads([0], [5]).as_dict()
    with pytest.raises(VerificationError, match="a name of this package's own routings"):
        routing_from_description({**described, "spec": "dor"}, TORUS)
    assert not Mine(TORUS, "mine").has_explicit_paths
    with pytest.raises(InputError, match="given by its loads"):
        Mine(TORUS, "mine").paths(0, 1)


@pytest.mark.usefixtures("others")
def test_forwarding_tables_stay_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = network_from_spec("fat-tree:4")
    entry = RoutingEntry(name="tabular", help="a table", build=lambda network, _: routing_from_spec("dmodk", network))
    monkeypatch.setattr(ROUTINGS, "find", lambda name: entry)
    monkeypatch.setattr(ROUTINGS, "others", {"tabular": [EntryPoint("tabular", "x:y", "routeproof.routings")]})
    made = routing_from_spec("tabular", tree)
    assert type(made) is NextHopRouting
    assert describe_routing(made).keys() == {"spec", "next_hop"}


def test_designed_tables_keep_their_name_though_a_fabric_has_tables(tmp_path: Path) -> None:
    """Reports of 0.1.0 call them so."""
    report = tmp_path / "report.json"
    asked = ["mesh:3x3", "--objective", "worst-case", "--paths", "tables", "--proposals", "50", "--json", str(report)]
    assert main(["design", *asked]) == 0
    assert json.loads(report.read_text())["subject"]["routing"]["spec"] == "tables"
    assert main(["verify", str(report)]) == 0
    assert is_taken("tables")  # no other package's routing may be called so
