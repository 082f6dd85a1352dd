"""A report means the set of demands that it names: forgeries that name another one, and sets at their edges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commanded_reports import Document, Forgery, check_forgery, forged, made, refusal
from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.kernel.shortest_paths import all_distances
from true_reports import sealed


def channels_over(name: str) -> Any:
    """Only what is said of single channels, as if it were of another set."""

    def change(document: Document) -> None:
        document["claims"] = [{**x, "demands": name} for x in document["claims"] if "channel" in x]

    return change


def renamed(before: str, after: str) -> Any:
    """Another name of the set, wherever it stands."""

    def change(document: Document) -> None:
        text = json.dumps(document)
        assert before in text
        document.update(json.loads(text.replace(before, after)))

    return change


def more_limits(*item: Any) -> Any:
    return lambda document: document["subject"]["demands"]["limits"].append(list(item))


FORGERIES: list[Forgery] = [
    ("permutations", channels_over("routable"), "is 'routable', which is not that of the report's subject"),
    ("permutations", channels_over("unbalanced"), "is 'unbalanced', which is not that of the report's subject"),
    ("matrix", renamed("matrix:", "matrix:a & sparse:1 & matrix:"), "the whole of a set that is called matrix:FILE"),
    ("box", renamed("margin=3/2", "margin=2"), "which is not the margin of"),
    ("box", renamed("margin=3/2", "margin=1"), "which is not the margin of"),
    ("box and rows", renamed("margin=3/2", "margin=2"), "which is not the margin of"),
    ("box", renamed("margin=3/2", "Margin=2"), "reads like another set than it is"),
    ("box", renamed("margin=3/2", "margin=3/2,MARGIN=4"), "reads like another set than it is"),
    ("box", renamed("margin=3/2", "\\uff4dargin=2"), "reads like another set than it is"),
    ("box", renamed("margin=3/2", "margin=3/2, m\\u0430rgin=2"), "reads like another set than it is"),
    ("two jobs", renamed("jobs.txt", "jobs.txt \\uff06 sparse:1"), "reads like another set than it is"),
    ("two jobs", renamed("jobs.txt", "jobs.txt &Sparse:1"), "reads like another set than it is"),
    ("best flow", renamed("matrix:", "matrix:a &permutations, "), "reads like another set than it is"),
    ("box", more_limits(2, 0, "0", "0"), "such a pair is left out"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)


def commanded(folder: Path, words: str) -> Document:
    path = folder / "report.json"
    assert main([*words.split(), "--quiet", "--json", str(path)]) == 0
    found: Document = json.loads(path.read_text())
    return found


def test_a_terminal_that_may_send_nothing_uses_no_channel(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("a: 0 1 3\nb: 2 4 5\n")
    (tmp_path / "cables").write_text("1 1\n1 1\n0 0\n1 1\n1 1\n1 1\n")
    document = commanded(
        tmp_path, f"worst-case ring:6 -r dor --demands within:{tmp_path}/jobs --demands hose:{tmp_path}/cables"
    )
    assert any("across" in x for x in document["claims"])
    assert refusal(document) is None
    claim = next(x for x in document["claims"] if x["quantity"] == "jobs_share_channels")
    claim["evidence"] |= {"jobs": ["b", "a"], "pairs": [[2, 4], [0, 1]]}
    assert "terminals 2 and 4 are not a pair" in str(refusal(sealed(document)))


@pytest.mark.parametrize("routing", ["dor", "valiant"])
def test_jobs_of_which_one_can_send_nothing_share_no_channel(routing: str, tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("a: 0 1\nb: 2 3\n")
    (tmp_path / "pairs").write_text("0 1\n1 0\n")
    document = commanded(
        tmp_path, f"worst-case ring:6 -r {routing} --demands within:{tmp_path}/jobs --demands pairs:{tmp_path}/pairs"
    )
    assert refusal(document) is None


@pytest.mark.parametrize("name", ["sparse:3", "sparse:all"])
def test_where_a_packet_to_oneself_crosses_channels_no_set_is_judged_that_has_none(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["worst-case", "butterfly:3", "-r", "minimal", "--demands", name]) == 2
    assert "a terminal sends nothing to itself, but terminal 0" in capsys.readouterr().err


def test_a_file_is_not_named_like_two_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a & sparse:1").write_text("a: 0 1 3\n")
    assert main(["worst-case", "ring:6", "-r", "dor", "--demands", f"within:{tmp_path}/a & sparse:1"]) == 2
    assert "stands between sets" in capsys.readouterr().err


def test_distances_between_too_many_nodes_are_not_held() -> None:
    size = (1 << 14) + 1
    network = Network.of("ring", size, [(v, (v + 1) % size) for v in range(size)])
    with pytest.raises(VerificationError, match="are not held"):
        all_distances(network, np.ones(size, dtype=np.int64))


def test_every_set_keeps_its_name() -> None:
    for name in ("box", "matrix", "permutations"):
        assert refusal(made(name)) is None


def test_what_cables_of_hosts_carry_is_for_a_fabric_to_say(tmp_path: Path) -> None:
    """A ring by name has no hosts with cables: limits of anyone's own are not theirs."""
    rates, net = tmp_path / "rates", tmp_path / "net.json"
    rates.write_text("1/2 1\n1 1\n1 1\n")
    ends = [[0, 1], [1, 2], [2, 0], [1, 0], [2, 1], [0, 2]]
    net.write_text(json.dumps({"format": "routeproof/network", "num_nodes": 3, "channels": ends}))
    for topology, says in (("ring:3", "ring:3 says nothing of such cables"), (net, "carries the same both ways")):
        document = commanded(tmp_path, f"worst-case {topology} -r minimal --demands hose:{rates}")
        assert refusal(document) is None
        renamed(f"hose:{rates}", "hose:cables")(document)
        assert says in str(refusal(sealed(document)))
