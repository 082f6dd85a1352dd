"""What a table calls the quantities of documents."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from routeproof.cli.main import main
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.report.terminal.subject_words import given_names
from routeproof.report.terminal.table import MOST_VERIFIED, claims_table, quantity_text


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        ("num_nodes", "nodes"),
        ("num_edge_levels", "edge levels"),
        ("worst_case_load", "worst-case channel load"),
        ("valid_routing", "valid routing"),
        ("c1_prime", "C1'"),
    ],
)
def test_quantities_in_words(quantity: str, words: str) -> None:
    claim = Claim(quantity, "==", 3, Grade.EXHAUSTED, Evidence("counted", {}))
    assert quantity_text(claim) == words
    assert f"<th>{quantity}" not in claim._repr_html_()


def test_a_long_name_pushes_no_other_qualifier_off() -> None:
    about = {"traffic": "t" * 90, "routing": "r" * 90, "model": "unbalanced", "sample": "optimised"}
    claim = Claim("worst_case_throughput", "==", "1", Grade.PROVED, Evidence("derived", {}), about=about)
    for quoted in ((), ("t" * 90, "r" * 90)):
        words = quantity_text(claim, quoted)
        assert words.endswith(", unbalanced, sample optimised")
        assert words.count("…") == 0
        assert words.count("t" * 90) == words.count("r" * 90) == 1
        assert words.count("'") == 2 * len(quoted)


def test_paths_that_a_report_gives_stand_in_quotation_marks() -> None:
    """Their name is whatever their author calls them."""
    about = {"model": "balanced", "paths": "of any kind"}
    claim = Claim("worst_case_load", ">=", "1", Grade.PROVED, Evidence("adversary", {}), about=about)
    names = given_names({"paths": {"spec": "any kind", "document": {}}}, [claim])
    assert quantity_text(claim, names).endswith(", paths 'of any kind'")
    assert quantity_text(claim, given_names({"paths": {"spec": "dor"}}, [claim])).endswith(", paths of any kind")


def test_sizes_of_a_network_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document, report = tmp_path / "net.json", tmp_path / "report.json"
    assert main(["convert", "ring:4", str(document)]) == 0
    assert main(["check", str(document), "--json", str(report)]) == 0
    printed = capsys.readouterr().out
    for words in ("\nnodes ", "\nchannels ", "\nterminals "):
        assert words in printed
    assert "num" not in printed
    assert '"num_nodes"' in report.read_text()


@pytest.mark.parametrize("verdict", ["verified", None])
def test_of_many_verified_claims_the_last_ones_are_counted(verdict: str | None) -> None:
    one = Claim("worst_case_load", "==", Fraction(7, 13), Grade.PROVED, Evidence("failure", {}))
    claims = [one] * (MOST_VERIFIED + 1234)
    console = Console(width=100)
    with console.capture() as capture:
        console.print(claims_table(claims, verdict=verdict))
    printed = capture.get()
    assert printed.count("7/13") == MOST_VERIFIED + (0 if verdict else 1234)
    assert ("... and 1,234 more claims, verified" in printed) == bool(verdict)
