"""What a kind of claim makes of the numbers that it is given."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np

from routeproof.claims.kind import in_report
from routeproof.claims.routings.traffic import PATH_LENGTH
from routeproof.formats.documents.packed_ints import unpack_ints


def test_evidence_is_written_as_reports_have_it() -> None:
    given = {
        "rates": [(0, 1, Fraction(3, 2)), (1, 0, Fraction(2))],
        "image": np.array([1, 0]),
        "text": "x",
        "none": None,
    }
    written = in_report(given)
    assert json.loads(json.dumps(written)) == written
    assert written["rates"] == [[0, 1, "3/2"], [1, 0, "2"]]
    assert unpack_ints(written["image"], what="image", max_items=2).tolist() == [1, 0]
    assert (written["text"], written["none"]) == ("x", None)
    assert in_report(written) == written


def test_fractions_of_any_length_are_written() -> None:
    long = Fraction(10**5000 + 1, 3)
    claim = PATH_LENGTH.claim(long, {"average": long, "minimal": 1}, quantity="average_path_length", source="s")
    assert claim.evidence.data["average"].endswith("1/3")
