"""Small proofs whose routing is written by a symmetry, as large ones are."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from unittest.mock import patch

from proofs import Proof
from routeproof.claims.proofs import work
from routeproof.cli.main import main

ASKED = {
    "all channels": ["torus:3x3", "-r", "romm", "--all-channels"],
    "two orbits": ["torus:4x4", "-r", "valiant:order=yx", "--all-channels"],
    "two terminals": ["ring:5,concentration=2", "-r", "dor", "--all-channels"],
    "few packets": ["hyperx:3x3", "-r", "minimal", "--demands", "sparse:2", "--all-channels"],
    "routable": ["ring:5", "-r", "valiant", "--demands", "routable"],
    "cube": ["hypercube:3", "-r", "minimal", "--all-channels"],
}


@cache
def _text(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        report, proof = Path(folder) / "report.json", Path(folder) / "proof.json"
        assert main(["worst-case", *ASKED[name], "--quiet", "--json", str(report)]) == 0
        with patch.object(work, "_BY_SYMMETRY", 0):
            assert main(["verify", str(report), "--elaborate", str(proof)]) == 0
        return proof.read_text()


def symmetric_proof(name: str) -> Proof:
    found: Proof = json.loads(_text(name))
    return found
