"""Tables of several lids a host: what counting proves, what the search knows, what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import design_tables
from routeproof.cli.main import main
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import Lids, count_at_exit, least_load_from
from routeproof.optimum.tables.bounds import counted_bound
from routeproof.optimum.tables.exchange import _State, improve_tables, usual_start
from routeproof.optimum.tables.tables import tables_of
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.tables.pinned import PinnedRouting
from routeproof.worst.scan.exact import worst_case
from true_reports import sealed

NETWORK = "fat-tree:4,levels=2"  # two uplinks and two hosts a leaf


@pytest.mark.parametrize(("lids", "least"), [(Lids(1), 4), (Lids(2), 2), (Lids(2, True), 2), (Lids(4, True), 1)])
def test_counting_with_lids(lids: Lids, least: int) -> None:
    bound = counted_bound(resolve_network("fat-tree:8,levels=2"), lids)
    assert bound is not None
    assert bound.value == least


def test_what_counting_lacks() -> None:
    net = resolve_network(NETWORK)
    assert count_at_exit(net, [0], 0, Fraction(1), Lids(2, True)) is None
    assert "2 channels have room for all sources" in str(count_at_exit(net, [0], 0, Fraction(2), Lids(2, True)))
    assert "lids of destinations" in str(count_at_exit(net, [0], 0, Fraction(3, 2), Lids(2)))
    assert least_load_from(net, Fraction(5, 8), Lids(4)) == Fraction(3, 4)


@pytest.mark.parametrize("pinned", [True, False])
def test_no_tables_are_below_the_bound_and_the_search_knows_their_loads(pinned: bool) -> None:
    """Random shortest tables, pinned at random for each pair; and the kernel against the exact worst case."""
    net, rng = resolve_network(NETWORK), np.random.default_rng(1)
    bound = counted_bound(net, Lids(2, pinned))
    assert bound is not None
    start = usual_start(net, lids=Lids(2, pinned))
    for seed in range(3):
        found = improve_tables(net, start, proposals=40, seed=seed, lids=Lids(2, pinned)).routing
        assert worst_case(found).load >= bound.value
        parts = [part for _, part in found.parts]
        if found.pinned is not None:
            parts = [*found.pinned[0]]
            anyhow = rng.integers(0, 2, found.pinned[1].shape)
            free = PinnedRouting(net, "free", [x.next_channel for x in parts], anyhow)
            assert worst_case(free).load >= bound.value
        tables = tables_of(Mixture([(Fraction(1, 2), x) for x in parts]), pinned=pinned)
        state = _State(net, tables, tables.gathered([*tables.parts]), minimal=False, ordered=False, seed=0)
        exact = worst_case(found, all_channels=True).channel_loads
        assert exact == [Fraction(x, tables.scale) for x in state.search.value.tolist()]


def test_two_pinned_lids_reach_a_half_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = design_tables(resolve_network("fat-tree:8,levels=2"), lids=2, path_selection="pinned")
    about = {"model": "balanced", "among": "tables", "lids": 2, "selection": "pinned"}
    [best] = [x for x in made.claims() if x.quantity == "worst_case_throughput" and dict(x.about) == about]
    assert (best.relation, best.number) == ("==", Fraction(1, 2))
    report = tmp_path / "report.json"
    made.write(report)
    assert main(["verify", str(report)]) == 0
    capsys.readouterr()
    for change, reason in (
        ({"selection": "spread"}, "is not a table"), ({"lids": 4}, "does not prove"), ({"lids": 3}, "3 lids"),
    ):  # fmt: skip
        found: dict[str, Any] = json.loads(report.read_text())
        for claim in found["claims"]:
            if "lids" in claim:
                claim.update(change)
        changed = tmp_path / "changed.json"
        changed.write_text(json.dumps(sealed(found)))
        assert main(["verify", str(changed)]) == 1
        assert reason in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--lids", "3"], "--lids is 3; an LMC of m gives a port 2^m LIDs: 1, 2, 4, ..., 128 was expected"),
        (["--lids", "256"], "--lids is 256"),
        (["--path-selection", "pinned"], "--lids N says how many"),
        (["--lids", "2", "--start", "dor"], "dor"),
    ],
)
def test_what_is_refused(options: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["design", NETWORK, "--objective", "worst-case", "--paths", "tables", *options]
    assert main(command) == 2
    assert reason in capsys.readouterr().err
