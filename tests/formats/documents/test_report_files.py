"""Reports: what is written is read again, and whatever is changed is caught and named."""

import copy
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_files import write_report
from routeproof.core.claim import Claim, Evidence, Grade, Interval
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import claims_to_document, digest, document_to_claims, read_report

SUBJECT = {"network": {"spec": "torus:3x3"}, "routing": {"spec": "dor"}}
CLAIMS = [
    Claim(
        "worst_case_throughput", "==", Fraction(25, 144), Grade.PROVED,
        Evidence("potentials", {"potentials": "i1:0:eJwDAAAAAAE=", "permutation": [2, 0, 1], "nested": {"deep": [1]}}),
        unit="packets per cycle", source="Towles & Dally 2002, sec. 2.2", about={"traffic": "tornado", "channel": 3},
    ),
    Claim("valid_many_one", "==", "true", Grade.EXHAUSTED, Evidence("table")),
    Claim("average_delay", ">=", Interval(0.25, 0.5, 1.0, 100, 7), Grade.SAMPLED, Evidence("trials", {"seeds": [1]})),
    Claim("capacity", "<=", Fraction(-3), Grade.PROVED, Evidence("none")),
]  # fmt: skip


def test_reports_survive(tmp_path):
    write_report(tmp_path / "r.json", SUBJECT, CLAIMS)
    assert read_report(tmp_path / "r.json") == (SUBJECT, CLAIMS)
    document = json.loads((tmp_path / "r.json").read_text())
    assert list(document) == ["format", "version", "subject", "claims", "environment"]
    first = document["claims"][0]
    assert (first["value"], first["traffic"], first["channel"]) == ("25/144", "tornado", 3)
    assert first["evidence"]["kind"] == "potentials"
    assert document["claims"][2]["value"] == {
        "low": 0.25, "best": 0.5, "high": 1.0, "trials": 100, "seed": 7, "confidence": 0.99,
    }  # fmt: skip
    assert document["environment"]["python"]


def test_numpy_and_fractions_become_plain():
    claim = Claim(
        "capacity", "==", Fraction(1), Grade.PROVED,
        Evidence("x", {"a": np.arange(3), "b": np.int64(4), "c": (Fraction(1, 3), True), "d": np.float64(0.5)}),
    )  # fmt: skip
    _, (again,) = document_to_claims(json.loads(json.dumps(claims_to_document({}, [claim]))))
    assert again.evidence.data == {"a": [0, 1, 2], "b": 4, "c": ["1/3", True], "d": 0.5}


def test_values_longer_than_python_converts_by_default(tmp_path):
    long = Fraction(3**30_000, 2**47_000)
    write_report(tmp_path / "r.json", {}, [Claim("capacity", "==", -long, Grade.PROVED, Evidence("x", {"y": long}))])
    _, (claim,) = read_report(tmp_path / "r.json")
    assert claim.value == -long


@pytest.mark.parametrize(
    "claim",
    [
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x"), about={"digest": 1}),
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x", {"kind": 1})),
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x", {"a": object()})),
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x", {"a": float("nan")})),
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x", {"a": 10**5000})),
        Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence("x", {"a": {1: 2}})),
        Claim("steps", "==", Fraction(1), Grade.SAMPLED, Evidence("x")),
        Claim("steps", "==", "0.5", Grade.PROVED, Evidence("x")),
        Claim("steps", "==", Interval(0.0, 0.5, 1.0, 1, 1), Grade.PROVED, Evidence("x")),
        Claim("steps", "==", Interval(0.7, 0.5, 1.0, 1, 1), Grade.SAMPLED, Evidence("x")),
    ],
)
def test_claims_that_a_report_cannot_hold_are_not_written(claim, tmp_path):
    with pytest.raises(InputError, match=r"claims\[0\] \(steps\)"):
        write_report(tmp_path / "r.json", SUBJECT, [claim])
    assert not list(tmp_path.iterdir())


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from leaves(item, (*path, k))
    else:
        yield path


GOOD = json.loads(json.dumps(claims_to_document(SUBJECT, CLAIMS)))


@pytest.mark.parametrize("path", list(leaves(GOOD)), ids=lambda path: ".".join(map(str, path)))
def test_a_change_of_any_single_entry_is_caught_and_named(path):
    document = copy.deepcopy(GOOD)
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    parent[path[-1]] = old + 1 if type(old) in (int, float) else old[:-1] + ("0" if old[-1:] != "0" else "1")
    place = {"claims": r"claims\[{}\]", "subject": "subject", "environment": "environment"}
    if path[0] in place:
        with pytest.raises(VerificationError, match=place[path[0]].format(path[1])) as caught:
            document_to_claims(document)
        assert "does not match its digest" in str(caught.value)
        if path[:1] == ("claims",) and path[2] != "quantity":
            assert f"claims[{path[1]}] ({CLAIMS[path[1]].quantity})" in str(caught.value)
    else:
        with pytest.raises(InputError, match=str(path[0])):
            document_to_claims(document)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("version",), 2, "version is 2; 1 was expected"),
        (
            ("format",),
            "routeproof/network",
            '"routeproof/report" was expected; documents of that kind are judged by routeproof check',
        ),
        (("claims",), {}, "claims is an object; a list"),
        (("claims", 0), 7, r"claims\[0\] is 7; an object"),
        (("claims", 0, "value"), "25/0", "value is '25/0'; a fraction string"),
        (("claims", 0, "value"), "0.5", "value is '0.5'"),
        (("claims", 0, "value"), 3, "value is 3"),
        (("claims", 0, "value"), {}, "value is an object"),
        (("claims", 0, "grade"), "PROVEN", "grade is 'PROVEN'"),
        (("claims", 0, "grade"), "SAMPLED", "an object with low, best, high"),
        (("claims", 0, "relation"), "<", "relation is '<'; one of ==, <=, >= was expected"),
        (("claims", 0, "relation"), 1, "relation is 1; a string"),
        (("claims", 0, "evidence"), [], "evidence is"),
        (("claims", 0, "evidence", "kind"), 1, "a string 'kind'"),
        (("claims", 2, "value", "trials"), 1.5, "trials is 1.5"),
        (("claims", 2, "value", "low"), 0.75, "is not an interval"),
        (("claims", 2, "value", "low"), "0", "low is '0'"),
        (("claims", 2, "value", "confidence"), 1, "is not an interval"),
    ],
)
def test_malformed_reports_with_fresh_digests_are_refused(path, value, message):
    document = copy.deepcopy(GOOD)
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    if path[0] == "claims" and len(path) > 2:
        document["claims"][path[1]]["digest"] = digest(document["claims"][path[1]])
    with pytest.raises(InputError, match=message):
        document_to_claims(document)


def test_missing_parts_are_named():
    for key in ("quantity", "relation", "value", "unit", "grade", "evidence", "source"):
        document = copy.deepcopy(GOOD)
        del document["claims"][1][key]
        document["claims"][1]["digest"] = digest(document["claims"][1])
        with pytest.raises(InputError, match=rf"claims\[1\] has no key '{key}'"):
            document_to_claims(document)
    document = copy.deepcopy(GOOD)
    del document["claims"][1]["digest"]
    with pytest.raises(InputError, match=r"claims\[1\] has no digest"):
        document_to_claims(document)
    with pytest.raises(InputError, match="an object was expected"):
        document_to_claims([])


# -- packed integers ------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_integers_survive_packing(values):
    text = pack_ints(values)
    again = unpack_ints(text, what="x", max_items=len(values))
    assert again.dtype == np.int64
    assert again.tolist() == values


def test_packing_is_small_and_strict():
    assert pack_ints(np.arange(100)).startswith("i1:100:")
    assert len(pack_ints(np.zeros(10**6, dtype=np.int64))) < 2000
    with pytest.raises(OverflowError):
        pack_ints([2**63])
    for wrong in ([0.5], [[1]], ["a"]):
        with pytest.raises(TypeError):
            pack_ints(wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (7, "of type int"),
        ("", "begins with"),
        ("i2:01:", "begins with"),
        ("f8:1:AAAA", "begins with"),
        ("i1:1000000000:eJw=", "holds 1000000000 integers; at most 100"),
        ("i1:3:!!!!", "damaged"),
        ("i1:3:é", "damaged"),
        ("i1:3:AAAA", "damaged"),
        (pack_ints([1, 2, 3])[:-6] + "AAAA==", "damaged|does not hold"),
        (pack_ints([1, 2, 3]).replace("i1:3", "i1:4"), "does not hold exactly 4"),
        (pack_ints([1, 2, 3]).replace("i1:3", "i1:2"), "does not hold exactly 2"),
        (pack_ints(np.zeros(10**7, dtype=np.int8)).replace("10000000", "1"), "does not hold exactly 1"),
        (pack_ints([]).replace("i1:0", "i1:1"), "does not hold exactly 1"),
    ],
)
def test_damaged_packed_integers_are_refused(text, message):
    with pytest.raises(VerificationError, match=f"u is not a packed list of integers: .*({message})"):
        unpack_ints(text, what="u", max_items=100)
