"""A bound within a limit says so: on the terminal, on the page, after ``verify``, and in the claim."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof.cli.main import main

_GRAPH = """graph [
  node [ id 0 label "a" ] node [ id 1 label "b" ] node [ id 2 label "c" ]
  node [ id 3 label "d" ] node [ id 4 label "e" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 2 target 3 ] edge [ source 3 target 0 ]
  edge [ source 0 target 2 ] edge [ source 3 target 4 ]
]
"""
_LENGTH = "whose average path length is at most"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--path-length", "1"], f"no routing {_LENGTH} 1 times minimal has a better one"),
        (
            ["--path-length", "1", "--demands", "sparse:2"],
            f"no routing {_LENGTH} 1 times minimal has a better one over",
        ),
        (["--path-length", "1", "--paths", "minimal"], f"no routing with paths minimal {_LENGTH} 1 times minimal has"),
        (["--paths", "minimal"], "no routing with paths minimal has a better one"),
        (["--paths", "minimal", "--entries", "2"], "no routing with paths minimal has a better one"),
        (
            ["--then", "path-length", "--demands", "sparse:2"],
            "no routing whose worst-case load over sparse:2 is at most",
        ),
    ],
)
def test_a_design_says_which_routings_it_is_the_best_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    graph, report, page = tmp_path / "ab.gml", tmp_path / "r.json", tmp_path / "p.html"
    graph.write_text(_GRAPH)
    assert main(["design", str(graph), "--objective", "worst-case", *options, "--json", str(report)]) == 0
    shown = capsys.readouterr().out
    assert words in shown
    if "--then" not in options:
        assert "no routing has a better one" not in shown
    assert main(["verify", str(report), "--html", str(page)]) == 0
    for claim in json.loads(report.read_text())["claims"]:
        evidence = claim["evidence"]
        assert "within" in claim or "within" not in evidence.get("adversary", evidence)
    text = page.read_text()
    if "--path-length" in options:
        assert "1 times minimal) makes it more than 2/3" in text
        assert "of all oblivious routings" not in text
    if "--paths" in options:
        assert "with paths minimal" in text
