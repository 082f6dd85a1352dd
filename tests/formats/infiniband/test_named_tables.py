"""Routings by name, written as the tables that OpenSM loads, on the lids of a real dump, and read back."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import NO_PORT
from routeproof.formats.resolve import resolve_network
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.fabrics.forwarding_tables import forwarding_ports
from routeproof.routing.files.table import routing_writer
from routeproof.routing.named.spec import routing_from_spec


def by_name(routing: Routing) -> dict[tuple[str, str, str], Fraction]:
    """What every pair of hosts loads, all by name."""
    network, found = routing.network, dict[tuple[str, str, str], Fraction]()
    for i in range(network.num_terminals):
        for j in range(network.num_terminals):
            loads = routing.pair_loads([int(routing.row_of[i])], [int(routing.column_of[j])]).as_dict()
            for c, load in loads.items():
                found[network.terminal_label(i), network.terminal_label(j), network.channel_label(c)] = load
    return found


def ring(name: str) -> Network:
    return resolve_network(str(INFINIBAND / f"{name}.topo"))


@pytest.mark.parametrize("fabric", ["ring3", "ring3-lmc1"])
@pytest.mark.parametrize("name", ["sssp", "updown:paths=one", "random-path:seed=7", "lash"])
def test_named_routings_come_back_as_they_went(fabric: str, name: str, tmp_path: Path) -> None:
    net, path = ring(fabric), str(tmp_path / "out.lft")
    routing = routing_from_spec(name, net)
    assert main(["convert", str(INFINIBAND / f"{fabric}.topo"), "--routing", name, path]) == 0
    assert by_name(routing_from_spec(path, net)) == by_name(routing)


def test_every_switch_has_an_entry_for_every_lid() -> None:
    """OpenSM chooses for itself where there is none."""
    net = ring("ring3-lmc1")
    assert isinstance(net, FabricNetwork)
    ports = forwarding_ports(net, routing_from_spec("sssp", net))
    lids = [lid for x in (*net.switches, *net.hosts) for lid in x.lids]
    assert (ports[:, lids] != NO_PORT).all()


def test_mixtures_take_as_many_lids_as_their_weights_need(tmp_path: Path) -> None:
    net = ring("ring3-lmc1")
    one, other = (routing_from_spec(f"random-path:seed={k}", net) for k in (1, 2))
    assert by_name(one) != by_name(other)
    even, path = Mixture([(Fraction(1, 2), one), (Fraction(1, 2), other)]), str(tmp_path / "even.lft")
    routing_writer(path)(even)
    assert by_name(routing_from_spec(path, net)) == by_name(even)
    nested = Mixture([(Fraction(1, 2), even), (Fraction(1, 2), one)])  # 3/4 and 1/4: four lids a port
    with pytest.raises(InputError, match="by different ways, and its port has 2 of the lids needed"):
        routing_writer(path)(nested)
    with pytest.raises(InputError, match=r"take 3 lids of equal weight a port; .* 2 lids each \(opensm -l\)"):
        routing_writer(path)(Mixture([(Fraction(1, 3), one), (Fraction(2, 3), other)]))


@pytest.mark.parametrize("name", ["ecmp", "updown", "valiant"])
def test_what_switches_cannot_hold_is_refused_with_the_ports(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out.lft"
    assert main(["convert", str(INFINIBAND / "ring3.topo"), "--routing", name, str(path)]) == 2
    told = capsys.readouterr().err
    assert "is not a forwarding table: at s" in told
    assert "leave by the ports " in told
    assert told.count("\n") == 1
    assert not path.exists()
