"""Packets that leave their job: against all permutations, by every router, and in reports that verify."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof import mesh, named_routing, network
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.demands.pairs import between_jobs
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.worst.scan.exact import worst_case_over

JOBS = "a: 0 1\nb: 2 5\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jobs").write_text(JOBS)
    (tmp_path / "one").write_text("a: 0 1\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["dor", "valiant", "minimal"])
def test_the_worst_of_all_permutations_that_leave_their_jobs(name: str) -> None:
    net = mesh(3, 2)
    routing = named_routing(name, net)
    job = {0: "a", 1: "a", 2: "b", 5: "b"}
    worst = Fraction(0)
    for image in itertools.permutations(range(6)):
        sent = [(i, j) for i, j in enumerate(image) if i in job and j in job and job[i] != job[j]]
        block = routing.pair_loads([i for i, _ in sent], [j for _, j in sent])
        load = [Fraction(0)] * net.num_channels
        for k in range(len(sent)):
            for c, x in block.as_dict(k).items():
                load[c] += x
        worst = max(worst, *load)
    assert worst_case_over(routing, demands_from_spec(["between:jobs"], net)).load == worst  # type: ignore[arg-type]


def test_what_is_no_set() -> None:
    with pytest.raises(InputError, match="0 pairs between 1 jobs; two jobs at least"):
        demands_from_spec(["between:one"], mesh(3, 2))
    with pytest.raises(InputError, match="pairs at most, were expected"):
        between_jobs([range(3000), range(3000, 6000)], 6000)
    with pytest.raises(InputError, match="no pair of terminals may send"):
        demands_from_spec(["between:jobs", "within:jobs"], mesh(3, 2))


@pytest.mark.parametrize(
    "command",
    [
        "worst-case mesh:3x2 --routing valiant",
        "worst-case mesh:3x2 --routing worst-hash:minimal",
        "design mesh:3x2 --objective worst-case",
        "adaptive mesh:3x2",
        "failures mesh:3x2 --routing minimal",
        "compare mesh:3x2 dor valiant",
        "tradeoff mesh:3x2 --against worst-case",
    ],
)
def test_every_router_answers_and_verifies(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--demands", "between:jobs", "--json", "r.json", "--quiet"]) == 0
    document = json.loads(Path("r.json").read_text())
    assert any(x.get("demands") == "between:jobs" for x in document["claims"])
    assert main(["verify", "r.json", "--quiet"]) == 0
    document["subject"]["demands"]["text"] = "permutations"
    Path("forged.json").write_text(json.dumps(document))
    assert main(["verify", "forged.json", "--quiet"]) != 0
    capsys.readouterr()


def test_a_set_of_both_names() -> None:
    found = demands_from_spec(["between:jobs", "sparse:1"], network("mesh:3x2"))
    assert found.text == "between:jobs & sparse:1"
