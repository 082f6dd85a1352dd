"""``--demands`` by the command: every set is proved, relations hold, and what is wrong is one line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main

FILES = {
    "jobs.txt": "a: 0 1 2 3\nb: 8 9 10 11\n",
    "queue.txt": "JOBID NODELIST\n17 n[0-3]\n18 (Resources)\n19 n7\n",
    "pairs.txt": "0 5\n5 0\n3 9\n",
    "rates.txt": "2 2\n" * 16,
    "ones.txt": "1 1\n" * 16,
    "low.csv": "0,5,1/4\n3,9,1/2\n",
    "high.csv": "0,5,1\n3,9,1\n",
    "one.txt": "a: 0\nb: 1 2\n",
    "twice.txt": "a: 0 1\nb: 1 2\n",
    "far.txt": "a: 0 99\n",
    "negative.csv": "0,5,-1\n",
    "self.csv": "0,0,1\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def load(*sets: str, topology: str = "torus:4x4", routing: str = "valiant") -> Fraction:
    """The worst-case load over all of the sets, from a report that verifies."""
    options = [word for x in sets for word in ("--demands", x)]
    assert main(["worst-case", topology, "--routing", routing, *options, "--json", "r.json", "--quiet"]) == 0
    assert main(["verify", "r.json", "--quiet"]) == 0
    claims = json.loads(Path("r.json").read_text())["claims"]
    text = " & ".join(sets)
    found = [x for x in claims if x["quantity"] == "worst_case_load" and x.get("demands") == text and "job" not in x]
    return Fraction(found[-1]["value"])


def test_the_numbers_relate() -> None:
    every = load("permutations")
    assert load("sparse:1") <= load("sparse:2") <= load("sparse:16") == every
    assert load("sparse:all") == every
    assert load("within:jobs.txt") <= every
    assert load("pairs:pairs.txt") <= every
    assert load("within:jobs.txt", "sparse:2") <= min(load("within:jobs.txt"), load("sparse:2"))
    assert load("hose:ones.txt") == every
    assert load("hose:rates.txt") == 2 * every
    assert load("matrix:low.csv") <= load("box:low.csv,high.csv") == load("matrix:high.csv")
    assert load("box:high.csv,margin=2") == 2 * load("matrix:high.csv") == load("matrix:high.csv,unit=2")
    assert load("box:high.csv,margin=2", "hose:ones.txt") <= load("box:high.csv,margin=2")
    assert load("routable") >= 1


def test_the_least_rate_that_saturates_is_the_model_of_that_name() -> None:
    main(["worst-case", "torus:4x4", "-r", "dor", "--model", "unbalanced", "--json", "a.json", "--quiet"])
    main(["worst-case", "torus:4x4", "-r", "dor", "--demands", "unbalanced", "--json", "b.json", "--quiet"])
    one, other = (json.loads(Path(x).read_text())["claims"][0] for x in ("a.json", "b.json"))
    assert one["value"] == other["value"]
    assert (one.get("model"), other.get("demands")) == ("unbalanced", "unbalanced")


def test_jobs_alone_and_together(capsys: pytest.CaptureFixture[str]) -> None:
    together = load("within:jobs.txt", routing="dor")
    claims = json.loads(Path("r.json").read_text())["claims"]
    alone = {x["job"]: Fraction(x["value"]) for x in claims if "job" in x and "across" not in x}
    assert set(alone) == {"a", "b"}
    assert max(alone.values()) <= together <= sum(alone.values())
    assert any(x["quantity"] == "jobs_share_channels" for x in claims)
    capsys.readouterr()
    assert main(["worst-case", "torus:4x4", "-r", "dor", "--demands", "within:jobs.txt"]) == 0
    assert "jobs: the worst load of each alone" in capsys.readouterr().out


@pytest.mark.parametrize("figure", ["packets", "jobs", "flows"])
def test_figures(figure: str) -> None:
    demands = "sparse:all" if figure == "packets" else "within:jobs.txt"
    words = ["worst-case", "torus:4x4", "-r", "dor", "--demands", demands, "--plot", "x.svg", "--quiet"]
    assert main([*words, *(["--figure", figure] if figure == "flows" else [])]) == 0
    assert "<svg" in Path("x.svg").read_text()


def test_compare_over_a_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "torus:4x4", "dor", "valiant", "--demands", "sparse:2", "--json", "c.json"]) == 0
    assert "worst case over the demands: sparse:2" in capsys.readouterr().out
    assert main(["verify", "c.json", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (["sparce:2"], "did you mean 'sparse'?"),
        (["sparse:0"], "a number of packets from 1"),
        (["sparse"], "was expected"),
        (["within:one.txt"], "two at least"),
        (["within:twice.txt"], "is in the jobs a and b"),
        (["within:far.txt"], "99"),
        (["within:absent.txt"], "absent.txt"),
        (["within:jobs.txt", "pairs:pairs.txt"], "jobs.txt"),
        (["matrix:negative.csv"], "cannot be negative"),
        (["matrix:self.csv"], "diagonal"),
        (["box:high.csv,low.csv"], "at least"),
        (["box:high.csv,margin=1/2"], "at least 1 was expected"),
        (["box:low.csv"], "margin"),
        (["routable", "sparse:2"], "cannot be combined"),
        (["matrix:low.csv", "permutations"], "cannot be combined"),
    ],
)
def test_what_is_wrong_is_one_line(sets: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = [word for x in sets for word in ("--demands", x)]
    assert main(["worst-case", "torus:4x4", "-r", "dor", *options]) == 2
    error = capsys.readouterr().err.strip()
    assert said in error
    assert error.count("\n") == 0 or error.splitlines()[-1].startswith("error: ")


def test_a_model_and_a_set_are_not_both_given(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["worst-case", "torus:4x4", "-r", "dor", "--demands", "permutations", "--model", "unbalanced"]
    assert main(words) == 2
    assert "one of them was expected" in capsys.readouterr().err
