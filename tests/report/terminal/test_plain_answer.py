"""The sentence above the numbers of a fabric: what every host keeps, the hot link, the jobs that collide."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethernet_files import leaf_spine
from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main

LEAVES = str(ETHERNET / "leaf-spine")
RING = [str(INFINIBAND / "ring5.topo"), "--routing", str(INFINIBAND / "ring5.lft")]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["worst-case", *words]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_it_names_the_share_the_link_and_the_hosts(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, LEAVES)
    assert "Under the worst traffic every host keeps 6/7 of its speed" in text
    assert "if flows split as the routing says; the hot link is spine2[swp1] -> leaf1[swp2], crossed by " in text
    assert "Under the worst traffic and the worst hashes of whole flows every host keeps 1/2 of its speed" in text
    assert "the hot link is leaf1[swp1] -> spine1[swp1], crossed by " in text
    text = said(capsys, *RING)
    assert "every host keeps 1/2 of its speed (4 of 8 Gb/s)" in text


def test_where_nothing_can_be_lost_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, LEAVES, "--demands", "sparse:1")
    assert "Under the worst traffic of the set sparse:1 every host keeps its full speed" in text
    assert "the busiest link is " in text


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        ("17: h1 h3\n18: h2 h4\n", "Jobs collide: 18 can load a link that 17 also uses, with 2/3 of its bandwidth."),
        ("17: h1 h2\n18: h3 h4\n", "No two jobs share a link."),
    ],
)
def test_jobs_that_collide_are_named(jobs: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jobs").write_text(jobs)
    assert words in said(capsys, LEAVES, "--demands", f"within:{tmp_path / 'jobs'}")


def test_a_job_that_fills_a_link_of_another_takes_all_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "jobs").write_text("17: h0 h2 h4\n18: h1 h3 h5\n")
    ring = [str(INFINIBAND / "ring3.topo"), "--routing", str(INFINIBAND / "ring3.lft")]
    text = said(capsys, *ring, "--demands", f"within:{tmp_path / 'jobs'}")
    assert "Jobs collide: 17 can load a link that 18 also uses, with all of its bandwidth." in text


def test_the_unit_of_bandwidths_does_not_change_what_a_host_keeps(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, f"{RING[0]},bandwidth=gbps", *RING[1:])
    assert "every host keeps 1/2 of its speed (4 of 8 Gb/s)" in text


@pytest.mark.parametrize("words", [["torus:4x4", "--routing", "dor"], [*RING, "--demands", "hose:cables"]])
def test_where_there_is_no_host_with_one_speed_no_share_is_said(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, *words)
    assert "every host" not in text.split("quantity")[0]


@pytest.mark.parametrize(
    ("rate", "load", "factor"),
    [("1/4", "1/2 of its bandwidth", "2"), ("1/2", "all of its bandwidth", "1"), ("1", "2 times its bandwidth", "1/2")],
)
def test_of_given_rates_it_says_what_the_busiest_channel_carries_and_how_far_they_may_grow(
    rate: str, load: str, factor: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.csv").write_text(f"source,destination,rate\n0,2,{rate}\n1,2,{rate}\n")
    text = said(capsys, "mesh:3", "--routing", "dor", "--demands", f"matrix:{tmp_path / 'm.csv'}")
    assert (
        f"the busiest channel has to carry {load}; a channel is full when all rates are multiplied by {factor}" in text
    )
    assert "1 -> 2" in text.split("quantity")[0]


def test_loads_that_hashes_may_make_worse_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Under the worst traffic and the worst hashes of whole flows every host" in said(
        capsys, LEAVES, "--routing", "worst-hash:routes"
    )


def test_a_host_whose_speed_is_not_stated_does_not_keep_its_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one of four hosts the speed is stated: nobody knows what the others' full speed is."""
    text = said(capsys, leaf_spine(tmp_path, "l1,swp11,h1,eth0,100G\n"))
    assert "every host whose own cable allows it can send 100 Gb/s, if flows split as the routing says" in text
    assert "whole flows every host whose own cable allows it can send 50 Gb/s; the hot link" in text
    assert "of its speed" not in text


def test_gigabits_per_second_are_no_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, leaf_spine(tmp_path, ""))
    assert "every host whose own cable allows it can send 100 Gb/s, if flows" in text
    assert "full speed" not in text


def test_of_unequal_hosts_the_slowest_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rates = "".join(
        f"l{x},swp1{2 * x + y - 2},h{2 * x + y - 2},eth0,{25 * (1 + (x * y) // 4)}G\n" for x in (1, 2) for y in (1, 2)
    )
    text = said(capsys, leaf_spine(tmp_path, rates))
    assert "every host can send at the slowest host's speed (25 Gb/s)" in text


def test_of_equal_hosts_the_share_and_the_rate_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rates = "".join(f"l{x},swp1{2 * x + y - 2},h{2 * x + y - 2},eth0,100G\n" for x in (1, 2) for y in (1, 2))
    text = said(capsys, leaf_spine(tmp_path, rates))
    assert "every host keeps its full speed (100 Gb/s), if flows split as the routing says" in text
    assert "whole flows every host keeps 1/2 of its speed (50 of 100 Gb/s); the hot link" in text


def test_one_call_and_one_hang_up_are_not_plural(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "calls", "clos:3,3,2", "--strict", "--trials", "3"]) == 0
    text = capsys.readouterr().out
    assert "After 4 calls and 1 hang-up the on-line algorithm refuses" in text
    assert "3 calls cut idle input" in text
    assert main(["simulate", "calls", "clos:1,2,2", "--strict", "--trials", "3"]) == 0
    assert "1 call cuts idle input" in capsys.readouterr().out


def test_a_job_of_one_cycle_is_not_plural(tmp_path: Path) -> None:
    jobs, page = tmp_path / "jobs.txt", tmp_path / "jobs.html"
    jobs.write_text("a: 0 1\nb: 3 4\n", encoding="utf-8")
    words = ["mesh:6", "--routing", "dor", "--jobs", str(jobs), "--algorithm", "ring", "--html", str(page)]
    assert main(["collective", *words]) == 0
    assert "takes 1 cycle alone" in page.read_text(encoding="utf-8")
