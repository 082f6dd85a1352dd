"""``routeproof expansion``: exact claims for splitters, bounds for large ones, bad input in one line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.multistage.wiring import splitter_of
from routeproof.formats.documents.wiring import splitter_to_document
from routeproof.topologies.multistage.banyan import multibutterfly


def found(text: str, quantity: str, **about: Any) -> list[dict[str, Any]]:
    claims = json.loads(text)["claims"]
    return [x for x in claims if x["quantity"] == quantity and all(x.get(k) == v for k, v in about.items())]


@pytest.fixture
def splitter(tmp_path: Path) -> Path:
    document = splitter_to_document(splitter_of(multibutterfly(16, d=2, seed=7), level=0, block=0, direction=0))
    (tmp_path / "splitter.json").write_text(json.dumps(document))
    return tmp_path / "splitter.json"


def test_a_splitter_document(run: Any, splitter: Path) -> None:
    ran = run("expansion", str(splitter), "--json", "-")
    assert ran.status == 0, ran.err
    claims = found(ran.out, "least_neighbourhood")
    assert [x["subset_size"] for x in claims] == list(range(1, 17))
    assert {x["grade"] for x in claims} == {"EXHAUSTED"}
    adjacent = json.loads(splitter.read_text())["adjacent"]
    for x in claims:
        subset = x["evidence"]["subset"]
        assert len(subset) == x["subset_size"]
        assert len({j for i in subset for j in adjacent[i]}) == int(x["value"])
    betas = {x["alpha"]: Fraction(x["value"]) for x in found(ran.out, "expansion")}
    assert betas["1/4"] == min(Fraction(int(x["value"]), x["subset_size"]) for x in claims[:4])
    unique = found(ran.out, "unique_neighbour_fraction")
    assert [x["subset_size"] for x in unique][:3] == [1, 2, 3]


def test_a_network_is_as_bad_as_its_worst_splitter(run: Any) -> None:
    ran = run("expansion", "multibutterfly:16,d=2,seed=7", "--json", "-")
    one = run(
        "expansion", "multibutterfly:16,d=2,seed=7", "--level", "1", "--block", "1", "--direction", "up", "--json", "-"
    )
    for size in range(1, 9):
        (worst,) = found(ran.out, "least_neighbourhood", level=1, subset_size=size)
        (single,) = found(one.out, "least_neighbourhood", level=1, block=1, direction="up", subset_size=size)
        assert int(worst["value"]) <= int(single["value"])


def test_large_splitters_have_bounds_from_both_sides(run: Any) -> None:
    ran = run("expansion", "multibutterfly:128,d=2,seed=1", "--level", "0", "--unique", "0", "--json", "-")
    for size in (1, 5, 100):
        low, high = sorted(found(ran.out, "least_neighbourhood", subset_size=size), key=lambda x: x["relation"] == "<=")
        assert (low["relation"], high["relation"]) == (">=", "<=")
        assert int(low["value"]) <= int(high["value"])
        assert low["grade"] == high["grade"] == "PROVED"
    assert not found(ran.out, "expansion")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["butterfly:3", "--level", "3"], "levels 0 to 2"),
        (["butterfly:3", "--level", "7"], "levels 0 to 2"),
        (["butterfly:3", "--level", "-1"], "levels 0 to 2"),
        (["butterfly:3", "--block", "0"], "--block needs --level"),
        (["butterfly:3", "--level", "1", "--block", "2"], "blocks 0 to 1"),
        (["SPLITTER", "--level", "1"], "one splitter"),
        (["odd.json"], "even number"),
        (["wide.json"], "output from 0 to 0"),
        (["few.json"], "1 lists"),
        (["ring:5"], "levels and wires"),
    ],
)
def test_bad_input(
    arguments: list[str], words: str, run: Any, splitter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, inputs, adjacent in (("odd", 3, [[0]] * 3), ("wide", 2, [[0], [1]]), ("few", 2, [[0]])):
        text = json.dumps({"format": "routeproof/splitter", "inputs": inputs, "adjacent": adjacent})
        (tmp_path / f"{name}.json").write_text(text)
    ran = run("expansion", *(str(splitter) if x == "SPLITTER" else x for x in arguments))
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err
