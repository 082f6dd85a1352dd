"""The worst load by the number of packets, written out: every corner is a claim about its own set of demands."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from commanded_reports import made
from proofs import checked, checked_file, proof_of
from routeproof.cli.main import main


@pytest.mark.parametrize("name", ["curve", "curve of jobs"])
def test_every_corner_is_in_the_proof_both_ways(name: str) -> None:
    proof = proof_of(name)
    corners = [x for x in made(name)["claims"] if x["evidence"]["kind"] == "sparse-curve"]
    assert len(corners) > 1
    assert not proof["not_elaborated"]
    size = len(proof["network"]["terminals"])  # so many packets are all permutations
    for kind in ("worst-case-at-most", "worst-case-at-least"):
        mine = [x for x in proof["claims"] if x["kind"] == kind]
        stated = {(proof["demands"][x["demands"]].get("total") or size, Fraction(*x["value"])) for x in mine}
        assert {(min(x["packets"], size), Fraction(x["value"])) for x in corners} <= stated


def test_a_smaller_corner_does_not_hold() -> None:
    proof = proof_of("curve")
    claim = next(x for x in proof["claims"] if x["kind"] == "worst-case-at-most")
    claim["value"][0] -= 1
    assert checked(proof)[0] == 1


@pytest.mark.parametrize(
    ("topology", "routing", "rates"),
    [
        ("ring:6", "dor", "1 1\n0 1\n1 0\n1 1\n0 0\n1 1\n"),  # some send nothing, some receive nothing
        ("mesh:3x3,bandwidth=2x3/2", "romm", None),
        ("fat-tree:4", "dmodk", None),
        ("torus:3x3,concentration=2", "valiant", None),
    ],
)
def test_curves_on_other_networks(tmp_path: Path, topology: str, routing: str, rates: str | None) -> None:
    report, proof, more = tmp_path / "report.json", tmp_path / "proof.json", []
    if rates is not None:
        (tmp_path / "rates.txt").write_text(rates)
        more = ["--demands", f"hose:{tmp_path / 'rates.txt'}"]
    asked = ["worst-case", topology, "-r", routing, "--demands", "sparse:all", *more, "--json", str(report)]
    assert main(asked) == 0
    assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
    status, said = checked_file(proof)
    assert status == 0, said
    assert not json.loads(proof.read_text())["not_elaborated"]
