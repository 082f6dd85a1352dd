"""The sentence above the numbers of a fabric: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from pathlib import Path

import pytest

from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main

LEAVES = str(ETHERNET / "leaf-spine")
RING = [str(INFINIBAND / "ring5.topo"), "--routing", str(INFINIBAND / "ring5.lft")]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["worst-case", *words]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_it_names_the_share_the_link_and_the_hosts(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, LEAVES)
    assert "Under any permutation of the hosts every host keeps at least 6/7 of its speed" in text
    assert "the hot link is spine2[swp1] -> leaf1[swp2], crossed by " in text
    text = said(capsys, *RING)
    assert "every host keeps at least 1/2 of its speed (4 of 8 Gb/s)" in text


def test_where_nothing_can_be_lost_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, LEAVES, "--demands", "sparse:1")
    assert "Under any traffic of this set every host keeps its full speed; the busiest link is " in text


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        ("17: h1 h3\n18: h2 h4\n", "Jobs collide: 18 can put a load of 2/3 on a link that 17 uses, too."),
        ("17: h1 h2\n18: h3 h4\n", "No two jobs share a link."),
    ],
)
def test_jobs_that_collide_are_named(jobs: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jobs").write_text(jobs)
    assert words in said(capsys, LEAVES, "--demands", f"within:{tmp_path / 'jobs'}")


def test_the_unit_of_bandwidths_does_not_change_what_a_host_keeps(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, f"{RING[0]},bandwidth=gbps", *RING[1:])
    assert "every host keeps at least 1/2 of its speed (4 of 8 Gb/s)" in text


@pytest.mark.parametrize("words", [["torus:4x4", "--routing", "dor"], [*RING, "--demands", "hose:cables"]])
def test_where_there_is_no_host_with_one_speed_nothing_is_said(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, *words)
    assert "every host" not in text.split("quantity")[0]


def test_loads_that_hashes_may_make_worse_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert "any permutation of the hosts and any hashes every host" in said(
        capsys, LEAVES, "--routing", "worst-hash:routes"
    )
