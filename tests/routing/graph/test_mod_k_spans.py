"""D-mod-K's spans: from and to how many terminals packets cross each channel, and what they say of the worst case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from commanded_reports import refusal
from routeproof.worst.scan.exact import worst_case
from routeproof.worst.scan.scan import SettledRatios
from true_reports import sealed

TREES = [
    "fat-tree:4",
    "fat-tree:8",
    "fat-tree:4,kill-links=4,kill-seed=2",
    "fat-tree:6,oversubscription=2",
    "k-ary-tree:3,2",
    "fat-tree:6,pods=3",
    "leaf-spine:4,3,2",
    "xgft:3x3x2,w=2x2x1",
    "fat-tree:4,bandwidth=1x3/2",
]


@pytest.mark.parametrize("topology", TREES)
def test_spans_are_counts_of_the_pair_loads(topology: str) -> None:
    network = rp.network(topology)
    spans = rp.named_routing("dmodk", network).spans
    routing = rp.named_routing("dmodk", network)
    table = routing.pair_table()  # by way of all columns at once
    for c in range(network.num_channels):
        part = slice(table.offset[c], table.offset[c + 1])
        assert spans.columns[c] == len(np.unique(table.column[part]))
        assert spans.pairs[c] == network.supply[table.row[part]].sum()
        assert spans.sources[c] >= network.supply[np.unique(table.row[part])].sum()


@pytest.mark.parametrize("topology", ["fat-tree:8", "fat-tree:6,kill-links=3,kill-seed=1"])
def test_a_few_channels_are_read_off_a_few_columns(topology: str) -> None:
    network = rp.network(topology)
    alone, whole = (rp.named_routing("dmodk", network) for _ in range(2))
    assert len(whole.crossings.of)
    rows, rng = np.arange(network.num_nodes) % 3 > 0, np.random.default_rng(1)
    few = np.flatnonzero(alone.spans.columns < network.num_terminals // 24)
    for asked in (few[:1], rng.permutation(few)[:2], np.zeros(0, dtype=np.int32)):
        for some in (None, rows):
            mine, theirs = (x.channel_loads(asked, rows=some) for x in (alone, whole))
            for name in ("channel", "offset", "row", "column"):
                assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name
    assert "crossings" not in vars(alone)
    assert "next_channel" not in vars(alone)


@pytest.mark.parametrize("topology", TREES)
def test_the_worst_case_is_that_of_judging_every_channel(topology: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = rp.network(topology)
    routing = rp.named_routing("dmodk", network)
    known = worst_case(routing)
    assert known.load == max(worst_case(routing, all_channels=True).channel_loads or [])
    monkeypatch.setattr(SettledRatios, "take_spans", lambda _, channels, spans: channels.tolist())
    judged = worst_case(rp.named_routing("dmodk", network))
    assert (known.load, known.channel, known.permutation) == (judged.load, judged.channel, judged.permutation)
    assert set(judged.worst_channels) <= set(known.worst_channels)


def test_channels_without_potentials_are_checked_by_their_spans(tmp_path: Path) -> None:
    """Some channels of the broken tree may carry more by their spans: those have potentials, and need them."""
    for topology, count in (("fat-tree:4", 0), ("xgft:3x3x2,w=2x2x1,kill-links=2,kill-seed=0", 6)):
        result = rp.worst_case(rp.named_routing("dmodk", rp.network(topology)))
        assert len(result.worst_case.bounds.channel) == count
        result.write(tmp_path / "report.json")
        document = json.loads((tmp_path / "report.json").read_text())
        assert refusal(document) is None
    document["claims"][0]["evidence"]["bounds"] = []
    assert "has no proof in the evidence" in str(refusal(sealed(document)))
