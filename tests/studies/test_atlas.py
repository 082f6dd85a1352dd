"""The atlas: its cells are what the commands answer, its packed proofs are proofs."""

from __future__ import annotations

import hashlib
import json
import sys
import tarfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import pytest

from generators import generator
from proofs import checked_file
from routeproof import worst_case
from routeproof.core.errors import InputError
from routeproof.routing.named.spec import routing_from_spec
from routeproof.studies.atlas import COLUMNS, NETWORKS, ask, assembled, bounds
from routeproof.studies.registry import run_study
from routeproof.topologies.family import network_from_spec

DOCS = Path(__file__).parents[2] / "docs"
KEPT = json.loads((DOCS / "assets" / "atlas.json").read_text(encoding="utf-8"))


def test_a_cell_is_what_its_command_answers_with_its_report_and_proof(tmp_path: Path) -> None:
    found = run_study("atlas", networks=["petersen"], columns=["ecmp"], seconds=10_000, reports=str(tmp_path))
    (row,) = found.rows
    ecmp = routing_from_spec("ecmp", network_from_spec("petersen"))
    assert row.computed == worst_case(ecmp).throughput == Fraction(1, 2)
    assert row.data["command"] == "worst-case petersen --routing ecmp"
    proof = tmp_path / "petersen" / "ecmp.proof.json"
    assert row.data["proof"] == hashlib.sha256(proof.read_bytes()).hexdigest()
    assert checked_file(proof)[0] == 0


def test_a_command_that_ends_without_a_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.studies.atlas._ran", lambda *_: "")
    assert ask("worst-case petersen", tmp_path / "report.json", 1, proof=True)["why"] == "the command wrote no report"


def test_a_command_that_fails_says_why_and_the_others_stand() -> None:
    found = run_study("atlas", networks={"petersen": "dor"}, columns=["usual", "ecmp"], seconds=10_000)
    usual, ecmp = found.rows
    assert usual.computed == "none"
    assert "dor" in usual.data["why"]
    assert ecmp.computed == Fraction(1, 2)


def test_both_ends_of_virtual_channels_are_of_one_assignment() -> None:
    def claim(assignment: str, relation: str, value: str) -> dict[str, Any]:
        found = {"quantity": "virtual_channels", "assignment": assignment, "relation": relation, "value": value}
        return found | {"grade": "PROVED", "evidence": {"kind": "virtual-channels"}}

    hops, layers = claim("descents", "<=", "3"), claim("layers", ">=", "3")
    assert bounds(COLUMNS["lanes"], [hops, layers]) == {"high": "3"}
    assert bounds(COLUMNS["lanes"], [claim("layers", "<=", "3"), claim("hops", "<=", "4"), layers]) == {
        "low": "3",
        "high": "3",
    }
    assert bounds(COLUMNS["lanes"], [layers]) == {"low": "3"}


@pytest.mark.parametrize(
    ("value", "grade", "low"), [("false", "PROVED", "2"), ("true", "PROVED", None), ("false", "SAMPLED", None)]
)
def test_what_deadlocks_with_one_channel_needs_two_of_every_assignment(value: str, grade: str, low: str | None) -> None:
    plain = {"quantity": "deadlock_free", "relation": "==", "value": value, "grade": grade}
    plain |= {"evidence": {"kind": "channel-cycle"}}
    lanes = {"quantity": "virtual_channels", "assignment": "descents", "relation": "<=", "value": "2"}
    lanes |= {"grade": "PROVED", "evidence": {"kind": "virtual-channels"}}
    found = bounds(COLUMNS["lanes"], [plain, lanes])
    assert found == {"high": "2"} | ({} if low is None else {"low": low})


@pytest.mark.parametrize(("option", "name"), [("networks", "peterson"), ("columns", "ecpm")])
def test_what_the_atlas_has_not_is_named_with_the_nearest(option: str, name: str) -> None:
    with pytest.raises(InputError, match=rf"the atlas has no {option[:-1]} '{name}'; did you mean"):
        run_study("atlas", **{option: [name]})


def claim(relation: str, value: str, kind: str) -> dict[str, Any]:
    return {
        "quantity": "worst_case_load",
        "relation": relation,
        "value": value,
        "grade": "PROVED",
        "evidence": {"kind": kind},
    }


def test_a_routing_that_was_found_bounds_the_best_from_one_side() -> None:
    both = [claim("==", "4", "worst-case"), claim(">=", "2", "adversary")]
    assert bounds(COLUMNS["oblivious"], both) == {"low": "1/4", "high": "1/2"}
    assert bounds(COLUMNS["oblivious"], both[:1]) == {"low": "1/4"}
    assert bounds(COLUMNS["oblivious"], [claim("==", "4", "optimum")]) == {"low": "1/4", "high": "1/4"}
    assert bounds(COLUMNS["tables"], both) == {}  # of another kind
    assert bounds(COLUMNS["oblivious"], [{**both[1], "grade": "SAMPLED"}]) == {}


def test_the_page_shows_the_run_that_is_kept() -> None:
    page = (DOCS / "atlas.md").read_text(encoding="utf-8")
    assert page == generator("atlas").with_tables(page), "run: python docs/generate/atlas.py"
    networks = {x["data"]["network"] for x in KEPT["rows"]}
    files = {f"docs/wan/{x.name}" for x in (DOCS / "wan").glob("*.json")}
    assert networks <= set(NETWORKS) | files
    assert len(networks) >= 30


def test_sizes_are_compared_per_bandwidth_of_all_channels() -> None:
    made = generator("atlas")
    rows = made.by_network(KEPT)
    for name in ("petersen", "dgx1", "kautz:2,3"):
        total = sum(network_from_spec(name).bandwidth)
        best = Fraction(rows[name]["oblivious"]["computed"])
        assert made.guaranteed(rows[name]) == best * network_from_spec(name).num_terminals / total
    second = made.tables(KEPT).split("### ")[2]
    shares = [float(x.split(" | ")[1]) for x in second.splitlines() if x.startswith("| [")]
    assert len(shares) == len(rows)
    assert shares == sorted(shares, reverse=True)


def kept_row(column: str, computed: Any, *, proof: bool = False) -> dict[str, Any]:
    data = {"network": "x", "column": column} | ({"proof": "abc"} if proof else {})
    return {"label": f"x, {column}", "computed": computed, "data": data, "note": ""}


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        ({"low": "1/2", "high": "1"}, "3/4", True),
        ("3/4", {"low": "1/2", "high": "1"}, False),
        ({"low": "1/2", "high": "1"}, {"low": "1/3", "high": "2/3"}, False),  # says more of one end, less of the other
        ("<= 3", "2", True),
        (">= 2", "<= 3", False),
        ("none", "<= 3", True),
        ("1", "1", False),
    ],
)
def test_a_row_of_another_run_is_taken_where_it_says_more(old: Any, new: Any, *, taken: bool) -> None:
    before = {"rows": [kept_row("ecmp", old)]}
    (row,) = generator("atlas").added(before, {"rows": [kept_row("ecmp", new)]})["rows"]
    assert row["computed"] == (new if taken else old)


def test_a_row_that_says_the_same_with_a_proof_is_taken_and_a_new_network_comes_last() -> None:
    other = kept_row("ecmp", "2") | {"data": {"network": "y", "column": "ecmp"}}
    rows = generator("atlas").added(
        {"rows": [kept_row("ecmp", "1")]}, {"rows": [other, kept_row("ecmp", "1", proof=True)]}
    )
    assert [x["data"].get("proof") for x in rows["rows"]] == ["abc", None]


def test_hops_go_with_the_routing_whose_they_are() -> None:
    before = {"rows": [kept_row("oblivious", {"low": "1/2", "high": "1"}), kept_row("hops", "<= 3")]}
    better = {"rows": [kept_row("oblivious", "1"), kept_row("hops", "<= 4")]}
    worse = {"rows": [kept_row("oblivious", {"low": "1/3", "high": "1"}), kept_row("hops", "2")]}
    added = generator("atlas").added
    assert [x["computed"] for x in added(before, better)["rows"]] == ["1", "<= 4"]
    assert [x["computed"] for x in added(before, worse)["rows"]] == [x["computed"] for x in before["rows"]]


def test_no_column_contradicts_another_and_open_rows_have_the_closest_ends() -> None:
    made = generator("atlas")
    for name, row in made.by_network(KEPT).items():
        for column in row:
            low, high = made.with_neighbours(row, column)
            assert low is None or high is None or low <= high, (name, column)
    row = {"oblivious": kept_row("oblivious", {"low": "1/4", "high": "1"}), "adaptive": kept_row("adaptive", "1/2")}
    assert made.with_neighbours(row, "oblivious") == (Fraction(1, 4), Fraction(1, 2))
    row = {"tables": kept_row("tables", "1/3"), "adaptive": kept_row("adaptive", {"low": "1/9", "high": "1/2"})}
    assert made.with_neighbours(row, "adaptive") == (Fraction(1, 3), Fraction(1, 2))


def test_rows_without_an_answer_have_a_reason() -> None:
    shown = generator("atlas").unanswered(KEPT)
    assert len(shown) == sum(x["computed"] == "none" for x in KEPT["rows"])
    assert all(x[-1] for x in shown)


def test_every_packed_proof_is_one_and_is_in_the_manifest(tmp_path: Path) -> None:
    with tarfile.open(DOCS / "assets" / "atlas-proofs.tar.xz") as archive:
        archive.extractall(tmp_path, **({"filter": "data"} if sys.version_info >= (3, 12) else {}))
    folder = tmp_path / "atlas-proofs"
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    named = {x["data"].get("proof") for x in KEPT["rows"]}
    assert lines
    for line in lines[1::2]:  # after the command that gave it
        digest, name = line.split("  ")
        assert digest in named
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert checked_file(folder / name)[0] == 0


def test_a_proof_that_is_made_again_is_the_same_and_is_read(tmp_path: Path) -> None:
    made = generator("atlas_proofs")
    (row,) = (x for x in KEPT["rows"] if (x["data"]["network"], x["data"]["column"]) == ("petersen", "ecmp"))
    kept = row["data"]["proof"]
    row = {**row, "data": {k: x for k, x in row["data"].items() if k not in ("checked", "checker", "proof")}}
    assert made.again([row], tmp_path, asking=False) == "no proof is there"
    assert made.again([row], tmp_path, asking=True).startswith("the same proof, holds, ")
    assert row["data"]["proof"] == kept
    assert row["data"]["checked"] > 0
    assert row["data"]["checker"] == hashlib.sha256(made.CHECKER.read_bytes()).hexdigest()
    other = {**row, "data": {**row["data"], "proof": "0" * 64}}
    del other["data"]["checker"]
    assert made.again([other], tmp_path, asking=False).startswith("another proof, holds, ")
    assert "checker" not in other["data"]


@pytest.mark.parametrize("computed", ["2/3", {"low": "1/3", "high": "2/3"}])  # the answer is 1/2
def test_a_new_answer_is_kept_only_where_it_says_no_less(computed: Any, tmp_path: Path) -> None:
    made = generator("atlas_proofs")
    (row,) = (x for x in KEPT["rows"] if (x["data"]["network"], x["data"]["column"]) == ("petersen", "ecmp"))
    row = {**row, "computed": computed, "data": {**row["data"], "proof": "0" * 64}}
    said = made.again([row], tmp_path, asking=True)
    taken = computed != "2/3"
    assert said.startswith("the same proof, holds, " if taken else "another proof, holds, ")
    assert row["computed"] == ("1/2" if taken else computed)


def test_a_number_without_a_whole_proof_file_has_its_reason() -> None:
    made = generator("atlas")
    rows = [kept_row("ecmp", "1"), kept_row("usual", "1"), kept_row("tables", "none"), kept_row("failure", "1")]
    rows[0]["data"]["unproved"] = "too large"
    rows[1]["data"] |= {"proof": "abc", "checked": 1.5, "checker": "f" * 64}
    rows[3]["data"] |= {"proof": "abd", "checked": 1.5, "checker": "f" * 64, "left_out": "not in the format"}
    shown = [["`x`", "ecmp", "no proof file: too large"], ["`x`", "failure", "not in the file: not in the format"]]
    assert made.unread({"rows": rows}) == shown
    said = made.proofs_read({"rows": rows})
    assert "2 were read, and hold," in said
    assert "of 1 numbers a part is not in the file that was read" in said


@pytest.mark.parametrize(
    ("command", "column", "why"),
    [
        ("failures petersen --routing ecmp", "failure", ""),
        ("failures petersen --routing ecmp:choice=per-path", "failure", "of all failures the format has minimal"),
        ("collective petersen --operation all-gather", "all-gather", ""),  # only its bandwidths are left out
    ],
)
def test_what_a_proof_leaves_out_of_a_number_is_said(command: str, column: str, why: str, tmp_path: Path) -> None:
    ask(command, tmp_path / "x.json", 10_000, proof=True)
    left = generator("atlas_proofs").left_out(column, tmp_path / "x.proof.json")
    assert left.startswith(why) if why else not left


@pytest.mark.parametrize(
    ("high", "said"), [("7/3", "<= 7/3"), ("30001/10000", "<= 3.0001"), ("4001/2999", "<= 1.3342")]
)
def test_a_bound_from_one_side_is_kept_exactly_and_shown_rounded_outwards(high: str, said: str) -> None:
    columns = {"hops": COLUMNS["hops"]}
    found = assembled({"x": "dor"}, columns, {"x": [[1, 1, 0, "0"], {"high": high, "seconds": 1.0}]})
    assert found.rows[0].computed == f"<= {high}"
    assert found.sheet is not None
    assert found.sheet.lines[0][3] == said


def test_surprises_are_what_quick_commands_answer(tmp_path: Path) -> None:
    made = generator("atlas")
    rows = made.by_network(KEPT)
    cells = [rows[x][y] for shown in made.SURPRISES.values() for x, y in shown]
    assert all(x["data"]["seconds"] < 100 for x in cells)
    for cell in (cells[0], cells[2]):
        known = cell["data"]
        answer = ask(known["command"], tmp_path / "report.json", 10_000, proof=False)["claims"]
        assert bounds(COLUMNS[known["column"]], answer) == {"low": cell["computed"], "high": cell["computed"]}


@pytest.mark.parametrize("k", [3, 5])
def test_open_questions_quote_what_their_commands_answer(k: int, tmp_path: Path) -> None:
    kept = json.loads((DOCS / "assets" / "open-questions.json").read_text(encoding="utf-8"))
    answers = {x["command"]: x["answer"] for rows in kept.values() for x in rows}
    for command in (
        f"design twisted-torus:{k}x{2 * k} --objective worst-case",
        f"deadlock torus:{k}x{k} --routing sssp --virtual-channels",
    ):
        claims = ask(command, tmp_path / "report.json", 10_000, proof=False)["claims"]
        assert answers[command] in {x["value"] for x in claims if x["relation"] == "=="}


def test_a_network_of_a_file_has_a_row(tmp_path: Path) -> None:
    graph = tmp_path / "square.edges.graphml"
    networkx.write_graphml(networkx.cycle_graph(4), graph)
    found = run_study("atlas", networks=str(graph), columns=["usual"], seconds=10_000)
    (row,) = found.rows
    assert row.computed == 1
    assert row.data["command"] == f"worst-case {graph} --routing ecmp"
