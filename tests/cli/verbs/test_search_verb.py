"""``routeproof search``: graphs that are found are right; bounds are the answer where there can be none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

PATIENT = ("--time-limit", "1e9")  # on the slowest machine


def found(text: str) -> dict[str, str]:
    return {x["quantity"] + x["relation"]: x["value"] for x in json.loads(text)["claims"]}


def test_the_open_question_of_the_paper_has_the_answer_yes(run: Any, tmp_path: Path) -> None:
    graph, report = str(tmp_path / "graph.json"), str(tmp_path / "report.json")
    wanted = ["--radix", "2", "--dimensions", "6", "--steps", "11", "--minimum", "--fresh", *PATIENT]
    ran = run("search", "many-one", *wanted, "--output", graph, "--json", report)
    assert ran.status == 0, ran.err
    claims = found(Path(report).read_text())
    assert claims["valid_many_one=="] == claims["minimum_routing=="] == "true"
    assert claims["steps=="] == claims["steps>="] == "11"
    assert run("verify", report).status == 0
    checked = found(run("check", graph, "--json", "-").out)
    assert checked["valid_many_one=="] == "true"
    assert checked["steps=="] == "11"


@pytest.mark.parametrize(("d", "radix", "steps"), [(5, 2, 5), (7, 2, 7), (4, 3, 4), (3, 4, 4)])
def test_permutation_graphs_are_found(d: int, radix: int, steps: int, run: Any, tmp_path: Path) -> None:
    graph = str(tmp_path / "graph.json")
    wanted = ["--radix", str(radix), "--dimensions", str(d), "--steps", str(steps), "--minimum", "--fresh", *PATIENT]
    ran = run("search", "permutation", *wanted, "--output", graph)
    assert ran.status == 0, ran.err
    checked = found(run("check", graph, "--json", "-").out)
    assert checked["valid_permutation=="] == checked["minimum_routing=="] == "true"
    assert int(checked["steps=="]) <= steps


def test_a_seed_gives_the_same_graph_again(run: Any, tmp_path: Path) -> None:
    texts = []
    for name in ("a.json", "b.json"):
        path = tmp_path / name
        wanted = ["--radix", "2", "--dimensions", "6", "--steps", "6", "--seed", "5", "--fresh", *PATIENT]
        assert run("search", "permutation", *wanted, "--output", str(path)).status == 0
        texts.append(path.read_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("kind", "radix", "d", "steps", "bound"),
    [
        ("many-one", 2, 6, 10, 11),
        ("permutation", 2, 13, 13, 14),
        ("permutation", 4, 4, 4, 5),
        ("permutation", 2, 3, 2, 3),
    ],
)
def test_a_bound_is_an_answer(kind: str, radix: int, d: int, steps: int, bound: int, run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    wanted = ["--radix", str(radix), "--dimensions", str(d), "--steps", str(steps), *PATIENT]
    ran = run("search", kind, *wanted, "--json", report)
    assert ran.status == 0
    assert "there are none" in ran.out
    assert found(Path(report).read_text()) == {"steps>=": str(bound)}
    assert run("verify", report).status == 0
    document = json.loads(Path(report).read_text())
    from routeproof.formats.documents.report import digest

    claim = document["claims"][0]
    claim["value"] = str(bound + 1)
    claim["digest"] = digest(claim)
    Path(report).write_text(json.dumps(document))
    ran = run("verify", report)
    assert ran.status == 1
    assert "claims[0] (steps)" in ran.err


def test_a_search_without_an_answer_says_so(run: Any) -> None:
    ran = run("search", "permutation", "--radix", "2", "--dimensions", "11", "--steps", "11", "--time-limit", "0")
    assert ran.status == 1
    assert ran.err.startswith("not found")
    assert "nothing is proved; --first-try 1 goes on" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["many-one", "--radix", "1", "--dimensions", "3", "--steps", "3"], "radix >= 2"),
        (["many-one", "--radix", "2", "--dimensions", "30", "--steps", "3"], "too large"),
        (["many-one", "--radix", "2", "--dimensions", "3", "--steps", "0"], "at least 1"),
        (["one-many", "--radix", "2", "--dimensions", "3", "--steps", "3"], "one-many"),
        (
            [
                "permutation",
                "--radix",
                "2",
                "--dimensions",
                "6",
                "--steps",
                "6",
                "--symmetry",
                "mirror",
                "--fresh",
                *PATIENT,
            ],
            "symmetry is 'mirror'; one of",
        ),
        (
            ["permutation", "--radix", "2", "--dimensions", "6", "--steps", "6", "--symmetry", "mirror"],  # catalogue
            "symmetry is 'mirror'; one of",
        ),
        (
            ["many-one", "--radix", "2", "--dimensions", "6", "--steps", "11", "--symmetry", "rotation-2"],
            "for permutation graphs",
        ),
        (
            ["permutation", "--radix", "2", "--dimensions", "6", "--steps", "6", "--output", "/no/such/place.json"],
            "no directory",
        ),
    ],
)
def test_bad_requests(arguments: list[str], words: str, run: Any) -> None:
    ran = run("search", *arguments)
    assert ran.status == 2
    assert words in ran.err
