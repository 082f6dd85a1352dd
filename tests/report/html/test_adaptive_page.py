"""The page and the words of ideal adaptive routing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.network import Network
from routeproof.formats.documents.network import network_to_document

EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 4)]


@pytest.fixture
def bull(tmp_path: Path) -> str:
    network = Network.of("bull", 5, [x for a, b in EDGES for x in ((a, b), (b, a))])
    path = tmp_path / "bull.json"
    path.write_text(json.dumps(network_to_document(network)))
    return str(path)


def test_the_page_shows_the_hard_demand_and_says_what_it_means(bull: str, tmp_path: Path) -> None:
    page = tmp_path / "bull.html"
    assert main(["adaptive", bull, "--quiet", "--html", str(page)]) == 0
    text = page.read_text()
    assert "No routing, however adaptive, has a worst-case load over permutations below 1" in text
    assert "The best oblivious routing has 8/7 times that load." in text
    assert "A demand that is hard for every routing" in text
    assert "The demand: " in text
    assert "picture is left out" not in text


def test_a_page_of_few_paths_speaks_of_these_paths_alone(bull: str, tmp_path: Path) -> None:
    page = tmp_path / "bull.html"
    assert main(["adaptive", bull, "--paths", "minimal", "--quiet", "--html", str(page)]) == 0
    text = page.read_text()
    assert "No routing with paths minimal, however adaptive, has a worst-case load over permutations below" in text
    assert "A demand that is hard for every routing with paths minimal" in text
    assert "No routing, however adaptive" not in text


def test_a_page_of_matrices_shows_the_worst_of_them(bull: str, tmp_path: Path) -> None:
    matrix, page = tmp_path / "m.csv", tmp_path / "m.html"
    matrix.write_text("0,3,1\n3,4,1/3\n1,2,3\n")
    assert main(["adaptive", bull, "--demands", f"matrix:{matrix}", "--quiet", "--html", str(page)]) == 0
    assert "A demand that is hard for every routing" in page.read_text()


@pytest.mark.parametrize("demands", ["matrix:{}", "box:{},margin=2"])
def test_a_page_of_a_design_draws_the_traffic_that_it_was_designed_for(bull: str, tmp_path: Path, demands: str) -> None:
    matrix, page = tmp_path / "m.csv", tmp_path / "m.html"
    matrix.write_text("0,3,1\n3,4,1/3\n1,2,3\n")
    asked = ["--objective", "worst-case", "--demands", demands.format(matrix)]
    assert main(["design", bull, *asked, "--quiet", "--html", str(page)]) == 0
    assert f'"name":"worst {demands.split(":")[0]}' in page.read_text().replace('": "', '":"')


def test_the_terminal_says_what_is_ideal(bull: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adaptive", bull, "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "rates may depend on the whole demand, no queues" in out
    assert "a flow of its own for each extreme demand of the set" in out


def test_the_hard_demand_and_its_bottleneck_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    network, matrix = tmp_path / "line.gml", tmp_path / "m.csv"
    nodes = " ".join(f'node [ id {k} label "{name}" ]' for k, name in enumerate(("Oslo", "Bergen", "Moss")))
    network.write_text(f"graph [ {nodes} edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]")
    matrix.write_text("Oslo,Bergen,1\nOslo,Moss,2\nMoss,Bergen,1\n")
    assert main(["adaptive", str(network), "--demands", f"matrix:{matrix}", "--quiet"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "the demand Oslo => Bergen, Oslo => Moss (2), Moss => Bergen" in out
    assert "1 for 1 channel: Oslo -> Bergen" in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--demands", "unbalanced"], "hose:FILE says what each terminal sends"),
        (["--demands", "sparse:all"], "sparse:16 is one of them"),
        (["--time-limit", "-1"], "time-limit"),
        (["--paths", "nowhere"], "nowhere"),
        (["--paths", "minimal", "--demands", "routable"], "true of all paths, not of paths minimal"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(bull: str, words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adaptive", bull, *words, "--quiet"]) == 2
    found = capsys.readouterr().err.strip().splitlines()
    assert len(found) == 1
    assert reason in found[0]
