"""Tables of several lids a host: what counting proves, what the search knows, what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import design_tables
from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import Lids, count_at_exit, least_load_from
from routeproof.optimum.tables.bounds import counted_bound, meeting_bound
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


def least_between_two_nodes(senders: int, receivers: int, channels: int, lids: Lids) -> Fraction:
    """The least worst case of all tables, by enumeration: every channel for every lid, every lid for every pair."""
    each = range(channels)
    if lids.pinned:  # pairs of a receiver share as many channels as it has lids
        choices = [x for x in product(each, repeat=senders) if len(set(x)) <= lids.count]
        shares = (
            [[[int(x == c) for x in column] for column in made] for c in each]
            for made in product(choices, repeat=receivers)
        )
    else:
        choices = [*combinations_with_replacement(each, lids.count)]
        shares = ([[[x.count(c)] * senders for x in made] for c in each] for made in product(choices, repeat=receivers))
    many, few = max(senders, receivers), min(senders, receivers)

    def worst(share: list[list[int]]) -> int:
        table = np.array(share) if receivers >= senders else np.array(share).T
        return max(int(table[list(x), range(few)].sum()) for x in permutations(range(many), few))

    return Fraction(min(max(worst(x) for x in made) for made in shares), 1 if lids.pinned else lids.count)


@pytest.mark.parametrize("lids", [Lids(1), Lids(2), Lids(2, pinned=True), Lids(4)])
@pytest.mark.parametrize(
    ("senders", "receivers", "channels"), [(2, 2, 2), (2, 3, 2), (3, 2, 2), (3, 3, 2), (2, 3, 1), (2, 2, 3)]
)
def test_bounds_are_those_of_all_tables_between_two_nodes(
    lids: Lids, senders: int, receivers: int, channels: int
) -> None:
    size = max(senders, receivers)
    ends = [0] * senders + [1] * (size - senders), [1] * receivers + [0] * (size - receivers)
    net = Network.of("two nodes", 2, [(0, 1)] * channels + [(1, 0)], source=ends[0], sink=ends[1])
    least = least_between_two_nodes(senders, receivers, channels, lids)
    counted, meeting = counted_bound(net, lids), meeting_bound(net, lids)
    assert counted is not None
    assert counted.value == least
    assert meeting is None or meeting.value <= least


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
