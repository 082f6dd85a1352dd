"""Every report that the package makes is verified."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from true_reports import Document, hose_report, report, report_on, table_report, user_function, verify

SUBJECTS = [
    ("torus:9x9", "romm", ("tornado", "transpose", "random:seed=3")),
    ("torus:9x9", "dor", ("bit-complement",)),
    ("torus:6x5", "valiant", ("neighbor",)),
    ("torus:4x4x3", "romm:tie=union", ()),
    ("torus:4x4", "dor:tie=plus", ("tornado",)),
    ("torus:5x4,bandwidth=2x1", "dor", ("tornado",)),
    ("torus:5x5,bandwidth=3/2x1", "valiant", ()),
    ("torus:4x4,dead-links=0-1;5-6", "minimal:choice=per-path", ()),
    ("torus:4x4,dead-links=0-1;5-6", "valiant", ()),
    ("ring:5,oneway", "dor", ("neighbor",)),
    ("ring:2", "dor", ()),
    ("mesh:5x4", "o1turn", ("bit-complement",)),
    ("mesh:4x2", "valiant", ()),
    ("hypercube:4", "dor", ("bit-reversal", "shuffle", "bit-complement")),
    ("hyperx:3x4", "romm", ()),
    ("complete:6", "minimal", ("random:seed=1",)),
    ("petersen", "minimal:choice=per-path", ()),
    ("kautz:2,2", "minimal:choice=per-path", ("random:seed=1",)),
    ("kautz:2,2", "minimal:choice=per-hop", ()),
    ("random-regular:32,degree=4,seed=5", "minimal:choice=per-path", ("shuffle",)),
    ("random-regular:20,degree=3,seed=5", "minimal:choice=per-hop", ()),
    ("torus:5x5", "turns:limit=4,start=virtual", ()),
    ("torus:4x4", "rlb", ("tornado",)),
    ("torus:5x4", "rlbth:order=xy", ()),
    ("torus:5x4", "ival:order=random", ()),
    ("mesh:4x4", "u2turn", ()),
    ("torus:4x4", "w2turn", ()),
    ("torus:5x3", "mix:1/3*dor+1/3*romm+1/3*valiant", ("tornado",)),
    ("petersen", "mix:1/7*minimal+6/7*valiant", ()),
]  # fmt: skip


@pytest.mark.parametrize(("topology", "routing", "traffic"), SUBJECTS, ids=[f"{x}-{y}" for x, y, _ in SUBJECTS])
def test_balanced(topology: str, routing: str, traffic: tuple[str, ...]) -> None:
    assert verify(report_on(topology, routing, traffic=traffic)) >= 5


@pytest.mark.parametrize("symmetry", ["auto", "none"])
@pytest.mark.parametrize(
    ("topology", "routing"),
    [
        ("torus:4x4", "romm"),
        ("torus:4x3", "valiant"),
        ("mesh:5", "dor"),
        ("kautz:2,2", "minimal"),
        ("complete:4,bandwidth=9", "minimal"),
        ("torus:4x3,kill-links=2,kill-seed=7", "minimal:choice=per-hop"),
        ("hyperx:4,bandwidth=3/2", "dor"),
    ],
)  # fmt: skip
def test_unbalanced(topology: str, routing: str, symmetry: str) -> None:
    assert verify(report_on(topology, routing, model="unbalanced", symmetry=symmetry))


@pytest.mark.parametrize(
    "topology", ["torus:4x3", "petersen", "kautz:2,2", "torus:3x3,bandwidth=2x1", "mesh:3x2,dead-channels=3"]
)
@pytest.mark.parametrize("symmetry", ["auto", "none"])
def test_every_channel(topology: str, symmetry: str) -> None:
    verify(report_on(topology, "minimal", all_channels=True, symmetry=symmetry))
    verify(report_on(topology, "valiant", all_channels=True, symmetry=symmetry))


@pytest.mark.parametrize(
    "made",
    [table_report, hose_report, lambda: report(user_function()), lambda: report(user_function(), all_channels=True)],
)
def test_what_is_written_out_in_full(made: Callable[[], Document]) -> None:
    document = made()
    assert verify(document) >= 5


def test_without_symmetry_and_with_it_the_same_claims() -> None:
    with_it, without = (report_on("torus:4x3", "romm", symmetry=x) for x in ("auto", "none"))
    assert verify(with_it) == verify(without)
    assert [x["value"] for x in with_it["claims"]] == [x["value"] for x in without["claims"]]
