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
    assert "No routing, however adaptive, has a worst-case load below 1" in text
    assert "The best oblivious routing is 8/7 times as bad." in text
    assert "A demand that is hard for every routing" in text
    assert "picture is left out" not in text


def test_a_page_of_matrices_shows_the_worst_of_them(bull: str, tmp_path: Path) -> None:
    matrix, page = tmp_path / "m.csv", tmp_path / "m.html"
    matrix.write_text("0,3,1\n3,4,1/3\n1,2,3\n")
    assert main(["adaptive", bull, "--demands", f"matrix:{matrix}", "--quiet", "--html", str(page)]) == 0
    assert "A demand that is hard for every routing" in page.read_text()


def test_the_terminal_says_what_is_ideal(bull: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adaptive", bull, "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "rates may depend on the whole demand, no queues" in out
    assert "a flow of its own for each extreme demand of the set" in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--demands", "unbalanced"], "hose:FILE says what each terminal sends"),
        (["--demands", "sparse:all"], "sparse:16 is one of them"),
        (["--time-limit", "-1"], "time-limit"),
        (["--paths", "nowhere"], "nowhere"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(bull: str, words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adaptive", bull, *words, "--quiet"]) == 2
    found = capsys.readouterr().err.strip().splitlines()
    assert len(found) == 1
    assert reason in found[0]
