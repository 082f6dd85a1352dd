"""Tables of two lids a host with path records: written, read back, refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.formats.infiniband.as_fabric import as_fabric
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import Lids
from routeproof.optimum.tables.exchange import usual_start
from routeproof.routing.files.table import routing_writer
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.pinned import PinnedRouting


@pytest.fixture(scope="module")
def fabric() -> FabricNetwork:
    plain = as_fabric(resolve_network("fat-tree:4,levels=2"))
    return as_fabric(replace(plain, hosts=tuple(replace(x, lid=0, lmc=1) for x in plain.hosts)))


@pytest.fixture
def written(fabric: FabricNetwork, tmp_path: Path) -> tuple[PinnedRouting, str]:
    size = fabric.num_terminals
    lid = np.random.default_rng(2).integers(0, 2, (size, size))
    parts = [x.forwarding_tables()[0][1] for _, x in usual_start(fabric, lids=Lids(2)).parts]
    routing = PinnedRouting(fabric, "own", [x.next_channel for x in parts], lid)
    assert "which lid" in routing_writer(tmp_path / "own.lft", fabric)(routing)
    return routing, f"{tmp_path / 'own.lft'},path-records={tmp_path / 'own.path-records'}"


def test_what_is_written_is_read_back(fabric: FabricNetwork, written: tuple[PinnedRouting, str]) -> None:
    routing, text = written
    again = routing_from_spec(text, fabric)
    assert (again.name, again.pinned is not None) == (text, True)
    for i in range(fabric.num_terminals):
        for j in range(fabric.num_terminals):
            assert again.paths(i, j) == routing.paths(i, j)


def test_each_pair_has_one_lid(fabric: FabricNetwork, written: tuple[PinnedRouting, str]) -> None:
    records = Path(written[1].partition("=")[2])
    first, *others = records.read_text().split("PathRecord dump:\n")
    last = others[-1]
    dlid = next(x for x in last.splitlines() if x.startswith("dlid"))
    other = fabric.hosts[-3].lid * 2 + 1 - int(dlid.rpartition(".")[2])
    for changed, reason in (
        (others[:-1], "it has no record; one lid"),
        ([*others, last.replace(dlid, f"dlid....{other}")], "it has records to the lids"),
    ):
        records.write_text("PathRecord dump:\n".join([first, *changed]))
        with pytest.raises(InputError, match=reason):
            routing_from_spec(written[1], fabric)


def test_records_go_with_tables_of_a_fabric(written: tuple[PinnedRouting, str]) -> None:
    records = written[1].partition(",")[2]
    with pytest.raises(InputError, match="give the output of ibnetdiscover"):
        routing_from_spec(f"ecmp,{records}", resolve_network("fat-tree:4,levels=2"))


def test_tables_without_as_many_lids_are_refused(written: tuple[PinnedRouting, str], tmp_path: Path) -> None:
    plain = as_fabric(resolve_network("fat-tree:4,levels=2"))
    routing = PinnedRouting(plain, "own", [x.next_channel for x in written[0].tables], written[0].lid)
    with pytest.raises(InputError, match="opensm -l"):
        routing_writer(tmp_path / "other.lft", plain)(routing)
