"""The exact curve of path length against worst case: corners, straight pieces, resuming, and what verify refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.engine import Engine
from routeproof.formats.documents.json_text import format_json
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import claims_to_document, digest
from routeproof.optimum import tradeoff as module
from routeproof.optimum.claims import corner_claims
from routeproof.optimum.tradeoff import worst_case_tradeoff
from routeproof.optimum.worst_case import design_worst_case
from routeproof.routing.named.described import describe_routing
from routeproof.worst.scan.exact import worst_case

CORNERS = {
    "torus:4x4": "1:27/20 37/36:187/144 17/16:5/4 7/6:55/48 4/3:25/24 3/2:1",
    "petersen": "1:39/25 9/7:43/35 7/5:29/25 2:1",
    "mesh:4x4": "2:1",
    "kautz:2,2": "4/3:31/24 3/2:9/8 2:1",
}


@pytest.mark.parametrize("text", CORNERS)
def test_the_corners(text: str) -> None:
    curve = worst_case_tradeoff(network(text))
    found = " ".join(f"{p.load}:{p.length / curve.minimal}" for p in curve.points)
    assert found == CORNERS[text]
    for point in curve.points:
        assert point.description() == describe_routing(point.routing)
        point.routing.check()
        assert worst_case(point.routing).load == point.load


def test_between_the_corners_the_curve_is_what_the_program_with_a_bound_finds() -> None:
    net = network("torus:4x4")
    curve = worst_case_tradeoff(net)
    for ratio in ("11/10", "6/5", "21/20"):
        made = design_worst_case(net, path_length=Fraction(ratio))
        assert curve.least_length(made.load) == Fraction(ratio) * curve.minimal
    assert curve.least_length(Fraction(99, 100)) is None
    assert curve.least_length(Fraction(5)) == curve.minimal


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net, path = network("petersen"), tmp_path / "kept.jsonl"
    whole = worst_case_tradeoff(net, checkpoint=str(path))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:4], lines[4][:20]]))  # killed while it wrote
    solved = 0
    real = module.solve

    def count(program: Any) -> Any:
        nonlocal solved
        solved += 1
        return real(program)

    monkeypatch.setattr(module, "solve", count)
    again = worst_case_tradeoff(net, checkpoint=str(path))
    assert [(p.load, p.length) for p in again.points] == [(p.load, p.length) for p in whole.points]
    assert solved == len(lines) - 4
    with pytest.raises(InputError, match="belongs to another network"):
        worst_case_tradeoff(network("mesh:3x3"), checkpoint=str(path))


def kept(path: Path, edit: Any) -> None:
    """A checkpoint of the curve of torus:4x4, edited: ``edit`` gets the lines as lists, without the header."""
    worst_case_tradeoff(network("torus:4x4"), checkpoint=str(path))
    header, *lines = (json.loads(x) for x in path.read_text().splitlines())
    edit(lines)
    path.write_text("".join(json.dumps(x) + "\n" for x in (header, *lines)))


def _swapped(lines: list[list[str]]) -> None:
    """The program of the lowest load gets the basis of another one, which is feasible, and not its optimum."""
    (load,) = (x for x in lines if x[0] == "load")
    (other,) = (x for x in lines if x[0] == "4096, 5")
    load[1:], other[1:] = other[1:], load[1:]


def _renamed(lines: list[list[str]]) -> None:
    (load,) = (x for x in lines if x[0] == "load, then length")
    load[0] = "length, then load"


def _unsigned(lines: list[list[str]]) -> None:
    for line in lines:
        del line[-1]


@pytest.mark.parametrize("edit", [_swapped, _renamed, _unsigned])
def test_a_basis_of_another_program_is_not_used(edit: Any, tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    kept(path, edit)
    curve = worst_case_tradeoff(network("torus:4x4"), checkpoint=str(path))
    assert " ".join(f"{p.load}:{p.length / curve.minimal}" for p in curve.points) == CORNERS["torus:4x4"]


def test_a_basis_of_another_network_is_not_used(tmp_path: Path) -> None:
    """Its lines do not match, though the header is put right."""
    theirs, mine = tmp_path / "theirs.jsonl", tmp_path / "mine.jsonl"
    worst_case_tradeoff(network("torus:4x4"), checkpoint=str(mine))
    worst_case_tradeoff(network("torus:4x4,bandwidth=2x1"), checkpoint=str(theirs))
    _, *lines = theirs.read_text().splitlines()
    theirs.write_text("\n".join([mine.read_text().splitlines()[0], *lines]) + "\n")
    curve = worst_case_tradeoff(network("torus:4x4"), checkpoint=str(theirs))
    assert " ".join(f"{p.load}:{p.length / curve.minimal}" for p in curve.points) == CORNERS["torus:4x4"]


def test_a_checkpoint_of_an_earlier_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(json.dumps({"format": "routeproof/checkpoint", "program": "0" * 64}) + "\n")
    with pytest.raises(InputError, match=r"was made by routeproof 0\.1, .*; remove it, and start again$"):
        worst_case_tradeoff(network("petersen"), checkpoint=str(path))


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "\xe9", "{"])
def test_a_checkpoint_that_is_none_is_refused_in_a_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=r"^checkpoint .*kept.jsonl cannot be used: [^\n]*$"):
        worst_case_tradeoff(network("petersen"), checkpoint=str(path))


def test_a_curve_begins_at_the_least_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that ends somewhere else than at the optimum makes no curve."""
    monkeypatch.setattr(module._Ask, "program", _heavier(module._Ask.program))
    with pytest.raises(InputError, match="the least load is lower than where the curve would begin"):
        worst_case_tradeoff(network("torus:4x4"))


def _heavier(real: Any) -> Any:
    """The first program asks for hops, too."""

    def program(asked: Any, model: Any) -> Any:
        return real(replace(asked, across=4096, down=5) if asked.name == "load" else asked, model)

    return program


def test_two_processes_give_the_same_claims_to_the_byte() -> None:
    net = network("kautz:2,2")
    with Engine(workers=2) as engine:
        shared = corner_claims(worst_case_tradeoff(net, engine=engine))
    alone = corner_claims(worst_case_tradeoff(net))
    assert format_json(claims_to_document({}, shared)["claims"]) == format_json(claims_to_document({}, alone)["claims"])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tradeoff")
    options = ["--against", "worst-case", "--routing", "dor", "--routing", "valiant", "--routing", "romm"]
    files = ["--json", str(folder / "report.json"), "--plot", str(folder / "curve.svg")]
    assert main(["tradeoff", "torus:4x4", *options, *files]) == 0
    assert (folder / "curve.svg").read_text().count("<svg") == 1
    return folder / "report.json"


def changed(report: Path, edit: Any) -> str:
    document = json.loads(report.read_text())
    edit(document["claims"])
    for entry in document["claims"]:
        entry["digest"] = digest(entry)
    path = report.with_name("changed.json")
    path.write_text(json.dumps(document))
    return str(path)


def test_the_report_is_verified(report: Path) -> None:
    assert main(["verify", str(report)]) == 0
    claims = json.loads(report.read_text())["claims"]
    assert [x["value"] for x in claims if x["relation"] == "=="][:2] == ["27/10", "187/72"]
    assert sum(x["relation"] == "<=" for x in claims) == 3


def _shorter(claims: Any) -> None:
    claims[1]["value"] = "5/2"


def _another_load(claims: Any) -> None:
    claims[1]["within"] = "worst_case_load <= 1"


def _assumed(claims: Any) -> None:
    claims[1]["evidence"]["adversary"]["within"] = {"worst_case_load": "1"}


def _other_routing(claims: Any) -> None:
    claims[1]["evidence"]["routing"] = claims[2]["evidence"]["routing"]


def _weak(claims: Any) -> None:
    pair = claims[1]["evidence"]["adversary"]["pairs"][-1]
    traffic = unpack_ints(pair["traffic"], what="traffic", max_items=64)
    traffic[:] = 0  # the pair can go round the only channel that is left
    traffic[0] = 10**9
    pair["traffic"] = pack_ints(traffic)


def _point(claims: Any) -> None:
    point = next(x for x in claims if x["relation"] == "<=")
    point["value"] = "1"


@pytest.mark.parametrize("edit", [_shorter, _another_load, _assumed, _other_routing, _weak, _point])
def test_corrupted_curves_are_refused(edit: Any, report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", changed(report, edit)]) == 1
    assert "not verified" in capsys.readouterr().err
