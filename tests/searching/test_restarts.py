"""Tries of a search as pieces of work: the same graph whoever makes them."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.cube.conditions import judge_conditions
from routeproof.engine import Engine
from routeproof.formats.documents.destination_graph import graph_to_document
from routeproof.searching.permutation import anneal_on_engine, anneal_permutation
from routeproof.searching.question import SearchQuestion


def test_an_engine_finds_what_one_try_after_the_other_finds() -> None:
    alone = anneal_permutation(2, 6, 6, minimum=True, seed=1, time_limit=inf)
    with Engine(workers=1) as engine:
        found = anneal_on_engine(engine, SearchQuestion("permutation", 2, 6, 6, minimum=True, seed=1, time_limit=inf))
    assert alone.graph is not None
    assert found.graph is not None
    assert found.tries == alone.tries
    assert graph_to_document(found.graph) == graph_to_document(alone.graph)
    assert judge_conditions(found.graph).permutation.holds


def test_one_try_says_how_near_it_came() -> None:
    found = anneal_permutation(2, 7, 7, minimum=True, seed=1, iterations=1000, time_limit=inf, most_tries=1)
    assert found.tries == 1


def test_the_command_spreads_tries_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["search", "permutation", "--radix", "2", "--dimensions", "6", "--steps", "6", "--fresh", "--quiet"]
    command += ["--time-limit", "1e9"]
    graphs = []
    for more in (
        ["--workers", "1"],
        ["--workers", "2", "--run", str(tmp_path / "run")],
        ["--run", str(tmp_path / "run")],
    ):
        target = tmp_path / "graph.json"
        assert main([*command, *more, "--output", str(target)]) == 0
        graphs.append(json.loads(target.read_text())["paths"])
    assert graphs[0] == graphs[1] == graphs[2]
    capsys.readouterr()
    state = ["--run", str(tmp_path / "other"), "--state", str(tmp_path / "state")]
    assert main([*command, *state]) == 2
    assert "one of them was expected" in capsys.readouterr().err
