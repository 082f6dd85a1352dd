"""``check_proof.py PROOF.json --about SUBJECT.json``: a proof is about what its reader wrote down, or it is refused."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from named_proofs import by_loads, by_paths
from proofs import CORPUS, Proof, checker, proof_of
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification.about import check_about

Data = dict[str, Any]
NAMED = {"network": "torus:3x3", "routings": ["dor"], "demands": ["permutations", "uniform"], "graph": None}
TORNADO = {"kind": "matrices", "name": "", "matrices": [
    {"name": "", "scale": 1, "entries": [[3 * x + y, 3 * ((x + 1) % 3) + y, 1] for x in range(3) for y in range(3)]}
]}  # fmt: skip


def subject(**parts: Any) -> Data:
    return {"format": "routeproof/subject", "version": 1, **NAMED, "demands": [*NAMED["demands"], TORNADO], **parts}


def about(folder: Path, proof: Proof, data: Data | str) -> tuple[int, str]:
    """(exit status, the last line that is printed)."""
    paths = folder / "proof.json", folder / "subject.json"
    paths[0].write_text(json.dumps(proof))
    paths[1].write_text(data if isinstance(data, str) else json.dumps(data))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = checker().main([str(paths[0]), "--about", str(paths[1])])
    return status, said.getvalue().splitlines()[-1]


def in_full(proof: Proof) -> Data:
    keys = ("network", "routings", "demands", "graph", "schedule")
    parts = {key: copy.deepcopy(proof[key]) for key in keys if key in proof}
    return {"format": "routeproof/subject", "version": proof["version"], **parts}


def test_a_subject_by_names(tmp_path: Path) -> None:
    status, said = about(tmp_path, proof_of("worst case"), subject())
    assert status == 0
    assert said.endswith(f'claims hold, about the subject of "{tmp_path}/subject.json"')


def with_a_subject() -> list[Path]:
    """Proofs of the corpus that are not about numbers alone."""
    return [x for x in sorted((CORPUS / "correct").glob("*.json")) if json.loads(x.read_text())["version"] != 4]


@pytest.mark.parametrize("path", with_a_subject(), ids=lambda path: path.name)
def test_a_subject_in_full(path: Path, tmp_path: Path) -> None:
    proof = json.loads(path.read_text())
    assert about(tmp_path, proof, in_full(proof))[0] == 0


def test_numbers_alone_are_about_no_subject(tmp_path: Path) -> None:
    proof = json.loads((CORPUS / "correct" / "splits-of-flows.json").read_text())
    for data in (subject(), in_full(json.loads((CORPUS / "correct" / "destination-graph.json").read_text()))):
        assert about(tmp_path, proof, data)[0] == 1
        with pytest.raises(VerificationError, match="numbers alone"):
            check_about(proof, None, str(tmp_path / "subject.json"))


def test_a_subject_in_other_words(tmp_path: Path) -> None:
    """Names, scales and the order of pairs, of sets and of routings do not matter."""
    proof = proof_of("comparison")
    data = in_full(proof)
    data["network"]["name"] = "mine"
    data["network"]["scale"] = "7"
    for channel in data["network"]["channels"]:
        channel[2] *= 7
    data["routings"].reverse()
    data["demands"].reverse()
    for routing in data["routings"]:
        if routing["loads"]:
            routing["name"], routing["scale"] = "mine", 3 * int(routing["scale"])
            routing["loads"] = [[i, j, [[c, 3 * int(n)] for c, n in flow]] for i, j, flow in routing["loads"][::-1]]
    assert about(tmp_path, proof, data)[0] == 0


OTHERS: dict[str, tuple[Data, str]] = {
    "a larger network": ({"network": "torus:3x4"}, "another network"),
    "another family": ({"network": "mesh:3x3"}, "another network"),
    "another routing": ({"routings": ["valiant"]}, "routing 1 of the proof (dor) is none of the subject's"),
    "another order": ({"routings": ["dor:order=yx"]}, "routing 1 of the proof (dor) is none of the subject's"),
    "a routing more": ({"routings": ["dor", "romm"]}, "routing 2 of the subject is none of the proof's"),
    "no routing": ({"routings": []}, "routing 1 of the proof (dor) is none of the subject's"),
    "a set less": ({"demands": ["permutations", TORNADO]}, "set 2 of the proof (uniform) is none of the subject's"),
    "a set more": (
        {"demands": ["permutations", "uniform", TORNADO, "sparse:2"]}, "set 4 of the subject is none of the proof's"
    ),
    "a set for another": ({"demands": ["sparse:9", "uniform", TORNADO]}, "set 1 of the proof (permutations) is none"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_a_proof_about_something_else(name: str, tmp_path: Path) -> None:
    parts, why = OTHERS[name]
    status, said = about(tmp_path, proof_of("worst case"), subject(**parts))
    assert status == 1
    assert said.startswith("does not hold: ")
    assert why in said


def narrower(data: Data) -> None:
    data["network"]["scale"] = 2
    for channel in data["network"]["channels"]:
        channel[2] = 2
    data["network"]["channels"][7][2] = 1


def renumbered(data: Data) -> None:
    channels = data["network"]["channels"]
    channels[0], channels[1] = channels[1], channels[0]


def elsewhere(data: Data) -> None:
    data["network"]["terminals"][3] = [3, 4]


def tighter(data: Data) -> None:
    data["demands"][0]["rows"][5] = 0


def wider(data: Data) -> None:
    data["demands"][0]["columns"] = None


def another_rate(data: Data) -> None:
    data["demands"][2]["matrices"][0]["scale"] = 2


@pytest.mark.parametrize("change", [narrower, renumbered, elsewhere, tighter, wider, another_rate])
def test_a_proof_about_a_subject_with_one_change(change: Callable[[Data], None], tmp_path: Path) -> None:
    proof = proof_of("worst case")
    data = in_full(proof)
    change(data)
    status, said = about(tmp_path, proof, data)
    assert status in (1, 2)
    assert said.startswith("does not hold: ") or "--about: " in said


def test_a_schedule_and_its_network_are_the_subject(tmp_path: Path) -> None:
    proof = json.loads((CORPUS / "correct" / "schedule-on-a-network.json").read_text())
    data = in_full(proof)
    data["schedule"]["name"] = "mine"
    named = {**data, "network": "mesh:2", "routings": ["minimal:choice=per-path"], "demands": []}
    assert about(tmp_path, proof, named)[0] == 0
    check_about(proof, network_from_spec("mesh:2"), str(tmp_path / "subject.json"))
    data["schedule"]["scratch"] = [2, 1]
    assert about(tmp_path, proof, data) == (1, "does not hold: the proof is about another schedule")
    status, said = about(tmp_path, proof, {**in_full(proof), "network": None, "routings": [], "demands": []})
    assert (status, "another network, or none" in said) == (1, True)


@pytest.mark.parametrize(
    ("name", "on_lanes"),
    [
        ("deadlock-cycle", False), ("bubbles-on-rings", False), ("escapes-of-adaptive-routing", True),
        ("virtual-channels-that-paths-need", False),
    ],
)  # fmt: skip
def test_claims_about_deadlock_are_about_the_paths_of_the_subject(name: str, on_lanes: bool, tmp_path: Path) -> None:
    """``on_lanes``: some of its paths take another virtual channel than the only one of the subject's."""
    proof = json.loads((CORPUS / "correct" / f"{name}.json").read_text())
    network, known = network_from_spec("ring:4"), proof["routings"][0]["name"]
    routing = routing_from_spec(known, network)
    names = {**in_full(proof), "network": "ring:4"}
    assert about(tmp_path, proof, {**names, "routings": [known]})[0] == 0
    assert about(tmp_path, proof, {**names, "routings": [by_paths(routing)]})[0] == int(on_lanes)
    status, said = about(tmp_path, proof, {**names, "routings": [by_loads(routing)]})
    refused = f"routing 1 of the proof ({known}) is none of the subject's"
    assert (status, refused in said) == (1, True)
    with pytest.raises(VerificationError, match=re.escape(refused)):
        check_about(proof, network, str(tmp_path / "subject.json"))


@pytest.mark.parametrize(("parts", "why"), [
    ({"format": "routeproof/proof"}, "another format"), ({"version": 4}, "another format"),
    ({"version": 3, "schedule": None}, "version 3 is for schedules"),
    ({"network": None}, "one of network and graph"), ({"network": "petersen"}, "defines no network"),
    ({"network": "torus:9999x9999"}, "defines no network"), ({"routings": ["ecmp"]}, "defines no routing"),
    ({"routings": ["romn"]}, "defines no routing"), ({"demands": ["all"]}, "defines no set"),
    ({"more": 1}, "an object with the keys"), ({"routings": "dor"}, "a list was expected"),
])  # fmt: skip
def test_a_subject_that_cannot_be_read(parts: Data, why: str, tmp_path: Path) -> None:
    status, said = about(tmp_path, proof_of("worst case"), subject(**parts))
    assert status == 2
    assert said.startswith("unreadable: ")
    assert why in said


def other_version(data: Data) -> None:
    data["version"] = 1


def another_map(data: Data) -> None:
    data["routings"][0]["symmetry"].append([[0, 3, 2, 1], [1, 0, 7, 6, 5, 4, 3, 2], [0, 3, 2, 1]])


@pytest.mark.parametrize("change", [other_version, another_map])
def test_a_symmetry_that_does_not_belong_there_is_refused(change: Callable[[Data], None], tmp_path: Path) -> None:
    """Of a subject of version 1; and one that takes the loads of a sender to others: here both of a ring's ways."""
    proof = json.loads((CORPUS / "correct" / "a-ring-by-images.json").read_text())
    data = in_full(proof)
    change(data)
    assert about(tmp_path, proof, data)[0] == 2
    with pytest.raises(InputError, match="symmetry"):
        check_about(proof, network_from_spec("ring:4"), str(tmp_path / "subject.json"))


@pytest.mark.parametrize("name", ["dor", "minimal:choice=per-hop"])
def test_routings_on_grids_have_names_where_the_network_has(name: str, tmp_path: Path) -> None:
    proof = proof_of("worst case")
    for by_name in (False, True):
        data = {**in_full(proof), "routings": [name], **({"network": "torus:3x3"} if by_name else {})}
        status, _ = about(tmp_path, proof, data)
        known = by_name or name != "dor"
        assert status == (2 if not known else 0 if name == "dor" else 1)
        with contextlib.nullcontext() if status == 0 else pytest.raises(VerificationError if known else InputError):
            check_about(proof, network_from_spec("torus:3x3"), str(tmp_path / "subject.json"))


def test_a_subject_that_is_no_file(tmp_path: Path) -> None:
    assert about(tmp_path, proof_of("worst case"), "{")[0] == 2
    assert checker().main([str(tmp_path / "proof.json"), "--about"]) == 2
    assert checker().main([str(tmp_path / "proof.json"), "--about", str(tmp_path / "none.json")]) == 2


def test_elaborating_compares_with_a_subject_before_it_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, proof, mine = (str(tmp_path / x) for x in ("report.json", "proof.json", "subject.json"))
    assert main(["worst-case", "torus:4x4", "--routing", "romm", "--json", report, "--quiet"]) == 0
    told = {**subject(), "network": "torus:4x4", "routings": ["romm"], "demands": ["permutations", "uniform"]}
    Path(mine).write_text(json.dumps(told))
    capsys.readouterr()
    assert main(["verify", report, "--elaborate", proof, "--about", mine]) == 0
    assert "it is about the subject of" in " ".join(capsys.readouterr().out.split())
    assert checker().main([proof, "--about", mine]) == 0
    Path(proof).unlink()
    Path(mine).write_text(json.dumps({**told, "routings": ["valiant"]}))
    capsys.readouterr()
    assert main(["verify", report, "--elaborate", proof, "--about", mine]) == 1
    assert "routing 1 of the proof (romm) is none of the subject's" in " ".join(capsys.readouterr().err.split())
    assert not Path(proof).exists()
    assert main(["verify", report, "--about", mine]) == 2
    assert "--about goes with --elaborate" in capsys.readouterr().err
    Path(mine).write_text("{}")
    assert main(["verify", report, "--elaborate", proof, "--about", mine]) == 2


@pytest.mark.parametrize("name", [*OTHERS, "the same"])
def test_the_package_compares_as_the_checker_does(name: str, tmp_path: Path) -> None:
    proof, data = proof_of("worst case"), subject(**OTHERS[name][0] if name in OTHERS else {})
    status, said = about(tmp_path, proof, data)
    found = "does not hold: "
    try:
        check_about(proof, network_from_spec("torus:3x3"), str(tmp_path / "subject.json"))
    except VerificationError as error:
        found += str(error)
    assert (status == 0) == (found == "does not hold: ")
    assert status == 0 or said.split(":")[1][:30] == found.split(":")[1][:30]


@pytest.mark.parametrize(
    "path",
    [x for x in with_a_subject() if "hidden" not in x.name],
    ids=lambda path: path.name,
)
def test_the_package_takes_a_subject_in_full(path: Path, tmp_path: Path) -> None:
    proof, mine = json.loads(path.read_text()), tmp_path / "subject.json"
    mine.write_text(json.dumps(in_full(proof)))
    network = None if proof["network"] is None else network_from_spec("ring:3")
    check_about(proof, network, str(mine))
    other = in_full(proof)
    if "schedule" in other:
        other["schedule"]["ranks"][0][0]["channel"] += 1
        assert about(tmp_path, proof, other)[0] in (1, 2)
    elif network is not None:
        other["network"]["nodes"] += 1
    else:
        other["graph"]["paths"] = other["graph"]["paths"][::-1]
    mine.write_text(json.dumps(other))
    with pytest.raises(VerificationError, match="another"):
        check_about(proof, network, str(mine))
