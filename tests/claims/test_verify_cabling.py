"""Reports about a fabric against its intent verify, and forged ones do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof import check, verify
from routeproof.core.errors import InputError, VerificationError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.formats.documents.report import digest
from routeproof.formats.format import write_network
from routeproof.topologies.family import network_from_spec
from true_reports import sealed


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "fabric.json"
    write_network(network_from_spec("fat-tree:4,dead-links=0-8"), path)
    return path


def test_reports_verify(broken: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    check(broken, intent="fat-tree:4").write(path)
    assert len(verify(path)) == len(json.loads(path.read_text())["claims"])


@pytest.mark.parametrize("what", ["fewer", "share", "short", "twice", "outside", "another", "intent"])
def test_forged_reports_do_not_verify(broken: Path, tmp_path: Path, what: str) -> None:
    path = tmp_path / "report.json"
    check(broken, intent="fat-tree:4").write(path)
    document = json.loads(path.read_text())
    claims = document["claims"]
    if what == "fewer":
        claim = next(x for x in claims if x["quantity"] == "cables_missing")
        claim["value"] = "0"
    elif what == "share":
        claim = next(x for x in claims if x["quantity"] == "worst_case_throughput" and x["day"] == "as it is")
        claim["value"] = "9/10"
    else:
        claim, subject = claims[0], document["subject"]
        own = list(range(20))
        wrong = {"short": own[:-1], "twice": [1, *own[1:]], "outside": [20, *own[1:]], "another": own[::-1]}
        if what == "intent":
            subject["intent"] = {"spec": "fat-tree:4,dead-links=0-8"}
        else:
            subject["matching"] = pack_ints(wrong[what])
    claim["digest"] = digest({key: x for key, x in claim.items() if key != "digest"})
    path.write_text(json.dumps(document))
    with pytest.raises((VerificationError, InputError)):
        verify(path)


@pytest.mark.parametrize(
    ("day", "other", "words"),
    [
        ("intended", "fat-tree:4,dead-links=0-8", "the network 'intended' is another one"),
        ("as it is", "fat-tree:4", "the network 'as it is' is another one"),
        ("intended, with deviation 1 alone", "fat-tree:4", "with deviation 1 alone' is another one"),
    ],
)
def test_guarantees_of_other_networks_are_refused(
    broken: Path, tmp_path: Path, day: str, other: str, words: str
) -> None:
    """Claims that are true of another network, under the name of one of these."""
    path = tmp_path / "report.json"
    check(broken, intent="fat-tree:4").write(path)
    document = json.loads(path.read_text())
    days = document["subject"]["days"]
    true_of = next(name for name in days if day != name and (name == "intended") == (other == "fat-tree:4"))
    claims = [x for x in document["claims"] if x.get("day") == true_of]
    document["claims"] = [x for x in document["claims"] if x.get("day") != day] + [{**x, "day": day} for x in claims]
    days[day] = {**days[true_of]}
    path.write_text(json.dumps(sealed(document)))
    with pytest.raises(VerificationError, match=words):
        verify(path)


@pytest.mark.parametrize(
    ("name", "words"), [("yesterday", "neither of the two networks"), ("as it is", "different rou")]
)
def test_other_names_and_other_routings_are_refused(broken: Path, tmp_path: Path, name: str, words: str) -> None:
    path = tmp_path / "report.json"
    check(broken, intent="fat-tree:4").write(path)
    document = json.loads(path.read_text())
    days = document["subject"]["days"]
    if name == "yesterday":
        days[name] = days.pop("as it is")
        for claim in document["claims"]:
            if claim.get("day") == "as it is":
                claim["day"] = name
    else:
        days[name]["routing"] = {"spec": "valiant"}
    path.write_text(json.dumps(sealed(document)))
    with pytest.raises(VerificationError, match=words):
        verify(path)
