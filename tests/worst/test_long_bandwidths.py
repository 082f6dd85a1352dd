"""Bandwidths of more digits than 64 bits hold: exact, or one line that names the channel and what to do."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main

WIDTHS = {
    "dec": ("0.12345678901234567890123", "3.1415926535897932384626433", "2.718281828459045235360287", "100"),
    "apart": ("0.3", "1/1000000000000000000000007", "1/3", "1000000000000000000000000000001"),
}


@pytest.fixture(params=sorted(WIDTHS))
def square(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, list[Fraction]]:
    """A ring of four nodes, its links of the bandwidths in order."""
    texts = WIDTHS[request.param]
    nodes = " ".join(f'node [ id {k} label "{name}" ]' for k, name in enumerate("ABCD"))
    edges = " ".join(f'edge [ source {k} target {(k + 1) % 4} bandwidth "{x}" ]' for k, x in enumerate(texts))
    file = tmp_path / f"{request.param}.gml"
    file.write_text(f"graph [ {nodes} {edges} ]")
    return str(file), [Fraction(x) for x in texts]


@pytest.mark.parametrize("verb", ["worst-case", "failures", "design", "design capacity", "compare"])
def test_what_can_be_exact_is(
    square: tuple[str, list[Fraction]], verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, widths = square
    report = tmp_path / "report.json"
    words = {
        "worst-case": ["--routing", "minimal"], "failures": ["--routing", "minimal"], "compare": ["minimal", "valiant"],
        "design": ["--objective", "worst-case", "--paths", "tables", "--seed", "1"],
        "design capacity": ["--objective", "capacity"],
    }[verb]  # fmt: skip
    if verb == "design capacity" and file.endswith("apart.gml"):
        assert main([verb.split()[0], file, *words]) == 2
        assert "rates and bandwidths are too far apart" in capsys.readouterr().err
        return
    assert main([verb.split()[0], file, *words, "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    capsys.readouterr()
    if verb == "worst-case":
        # A link carries a packet to the neighbour, or halves of two to the nodes opposite: at most 1.
        claims = {x["quantity"]: x["value"] for x in json.loads(report.read_text())["claims"]}
        assert Fraction(claims["worst_case_load"]) == 1 / min(widths)


@pytest.mark.parametrize(
    "words",
    [
        ["worst-case", "--routing", "minimal", "--model", "unbalanced"],
        ["tradeoff", "--against", "worst-case", "--routing", "minimal"],
        ["simulate", "load", "--routing", "minimal"],
    ],
)
def test_what_cannot_names_the_channel_and_the_remedy(
    square: tuple[str, list[Fraction]], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, _ = square
    at = 2 if words[0] == "simulate" else 1
    assert main([*words[:at], file, *words[at:]]) == 2
    (line,) = [x for x in capsys.readouterr().err.splitlines() if x.startswith("error")]
    assert "that of " in line
    assert " -> " in line
    assert "fewer digits" in line or "simpler fractions" in line
    assert "C long" not in line
