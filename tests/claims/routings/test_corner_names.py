"""A report that is about several routings given in full has a name for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from true_reports import sealed, verify


def test_a_corner_does_not_bear_the_name_of_the_reports_own_routing(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    command = "tradeoff ring:5 --against average-case --samples 4 --seed 2"
    assert main([*command.split(), "--quiet", "--json", str(path)]) == 0
    document = json.loads(path.read_text())
    assert verify(document) == len(document["claims"])
    own = document["subject"]["routing"]["spec"]
    corner = [x for x in document["claims"] if x.get("routing") == f"{own} 1"]
    assert len(corner) == 2
    for claim in corner:
        claim["routing"] = claim["evidence"]["routing"]["spec"] = own
    with pytest.raises(VerificationError, match="holds a routing called 'designed', the name of the report's own"):
        verify(sealed(document))
