"""One vocabulary: every quantity and every kind of evidence has its entry, and no unit is written anywhere else."""

from __future__ import annotations

import ast
import json
import re
import runpy
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from routeproof.claims.kind import YES_OR_NO, Kind
from routeproof.claims.kinds import KINDS
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.sampling.trial_intervals import FAILURE_QUANTITIES, LOAD_QUANTITIES, TRIAL_QUANTITIES
from routeproof.core.vocabulary import QUANTITIES, name_of_quantity, short_unit, unit_of
from routeproof.core.vocabulary.quantity import HOPS, OF_RATES, PER_BANDWIDTH, PER_TERMINAL, SHORT_UNITS
from routeproof.formats.documents.report import read_report
from routeproof.report.html.tables import claims_html
from routeproof.report.terminal.table import evidence_table, quantity_text
from true_reports import hose_report, report_on, table_report

SRC = ROOT / "src" / "routeproof"
VOCABULARY = SRC / "core" / "vocabulary"
REPORTS = sorted((ROOT / "tests" / "certificates" / "valid").glob("*.json"))
STATES_UNITS = SRC / "formats" / "documents" / "report.py"
EVIDENCE = {name: kind.sentence for name, kind in KINDS.own.items()}
UNITS = {unit for entry in QUANTITIES.values() for unit in (entry.unit, *entry.units.values()) if unit}
MANY_WORDS = {unit for unit in UNITS if " " in unit} | set(SHORT_UNITS.values())

NOT_VERIFIED = {
    "sampled": "an interval from random packets: the same command repeats it",
    "study": "the row of a study: the same command computes it again",
}
OF_STUDIES = {"study_row", "corners", "connected_pairs_fraction"}


def kinds() -> dict[str, Kind]:
    return {name: kind for name, kind in KINDS.own.items() if name not in NOT_VERIFIED}


def test_every_kind_of_evidence_has_a_checker_and_every_checker_a_kind() -> None:
    assert set(EVIDENCE) == set(kinds()) | set(NOT_VERIFIED)


def test_every_quantity_has_a_checker_and_every_checker_a_quantity() -> None:
    checked = {quantity for kind in kinds().values() for quantity in kind.states}
    assert set(QUANTITIES) == checked | OF_STUDIES
    assert set(LOAD_QUANTITIES) <= checked
    assert {x.name for x in (*FAILURE_QUANTITIES, *(x for some in TRIAL_QUANTITIES.values() for x in some))} <= checked


def test_questions_have_no_unit() -> None:
    """What "true" or "false" answers begins with "Whether", and has no unit."""
    for name, kind in kinds().items():
        for quantity, form in kind.states.items():
            if not form.words:
                continue
            assert set(form.words) <= set(YES_OR_NO)
            assert unit_of(quantity, evidence=name) == ""
            definition = QUANTITIES[quantity].definition
            assert definition.startswith("Whether") or ", whether" in definition


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_an_entry_is_complete(quantity: str) -> None:
    entry = QUANTITIES[quantity]
    assert re.fullmatch(r"[a-z][a-z0-9_]*", quantity)
    assert entry.name
    assert "_" not in entry.name
    assert entry.definition.endswith(".")
    assert entry.definition.count(". ") <= 1, "one or two sentences were expected"
    assert set(entry.units) <= {"hose", *kinds()}
    if entry.part_of is not None:
        assert entry.part_of[0] in QUANTITIES


@pytest.mark.parametrize("kind", EVIDENCE)
def test_a_kind_of_evidence_has_one_sentence(kind: str) -> None:
    sentence = EVIDENCE[kind]
    assert sentence.endswith(".")
    assert ". " not in sentence


def test_printed_names_are_told_apart() -> None:
    names = [entry.name for entry in QUANTITIES.values()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_what_reports_of_earlier_versions_claim(path: Path) -> None:
    _, claims = read_report(path)
    assert claims
    for claim in claims:
        assert claim.unit == unit_of(claim.quantity, evidence=claim.evidence.kind, about=claim.about)
        assert claim.evidence.kind in EVIDENCE


def test_there_are_reports_of_earlier_versions() -> None:
    assert len(REPORTS) > 5


def _claims_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("evidence"), dict) and "quantity" in value and "unit" in value:
            yield value
        value = list(value.values())
    for x in value if isinstance(value, list) else ():
        yield from _claims_in(x)


def test_everything_that_a_stored_report_claims() -> None:
    seen = set()
    for path in sorted((ROOT / "tests").rglob("*.json")):
        if path.parent.name in ("invalid", "malformed"):
            continue
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue  # what readers must refuse
        for entry in _claims_in(found):
            seen.add(entry["quantity"])
            assert entry["quantity"] in QUANTITIES, f"{path.name}: {entry['quantity']}"
            assert entry["evidence"].get("kind") in EVIDENCE, f"{path.name}: {entry['evidence'].get('kind')}"
    assert "worst_case_load" in seen


def test_the_units_of_new_reports() -> None:
    plain = report_on("ring:5", "dor", traffic=("tornado",), all_channels=True)
    for document, throughput in ((plain, PER_TERMINAL), (hose_report(), OF_RATES), (table_report(), PER_TERMINAL)):
        units = {entry["quantity"]: entry["unit"] for entry in document["claims"]}
        assert units["worst_case_load"] == PER_BANDWIDTH
        assert units["worst_case_throughput"] == throughput
        assert units["average_path_length"] == HOPS
        assert all(entry["evidence"]["kind"] in EVIDENCE for entry in document["claims"])


def test_a_unit_that_depends_on_the_model_or_the_evidence() -> None:
    assert unit_of("worst_case_throughput", about={"model": "hose"}) == OF_RATES
    assert unit_of("worst_case_throughput", about={"model": "unbalanced"}) == PER_TERMINAL
    kinds_of_run = ("packet-run", "circuit-run", "pipelined-circuit-run")
    assert [unit_of("stages", evidence=x) for x in kinds_of_run] == ["stages", "levels", "phases"]
    assert [unit_of("connected", evidence=x) for x in ("document", "failure", "call-run")] == ["", "", "calls"]


def test_a_quantity_without_an_entry_is_refused_unless_its_unit_is_given() -> None:
    with pytest.raises(ValueError, match=r"'beauty' is not in core/vocabulary"):
        Claim("beauty", "==", Fraction(1), Grade.PROVED, Evidence("seen"))
    claim = Claim("beauty", "==", Fraction(1), Grade.PROVED, Evidence("seen"), unit="helens")
    assert (claim.unit, quantity_text(claim)) == ("helens", "beauty")
    assert name_of_quantity("inner_beauty") == "inner beauty"


def test_the_page_and_the_terminal_show_the_sentence_of_every_kind() -> None:
    claims = [Claim("steps", "==", Fraction(1), Grade.PROVED, Evidence(kind)) for kind in EVIDENCE]
    page = claims_html(claims)
    (_, sentences) = (list(column.cells) for column in evidence_table([*claims, *claims]).columns)
    assert [str(x) for x in sentences] == list(EVIDENCE.values())
    for kind, sentence in EVIDENCE.items():
        assert f"<summary>{kind}</summary>{escape(sentence)}" in page
    assert "in the JSON" not in page


def test_units_that_are_too_long_for_a_table_have_a_short_form() -> None:
    assert set(SHORT_UNITS) <= UNITS
    assert max(len(short_unit(unit)) for unit in UNITS) <= 22


def test_the_glossary_has_every_entry() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate" / "glossary.py"))
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert page == made["with_vocabulary"](page), "run docs/generate/glossary.py"
    assert all(f"`{name}`" in page for name in (*QUANTITIES, *EVIDENCE))


# -- units are written nowhere else ------------------------------------------------------------------------------------

ELSEWHERE = [path for path in sorted(SRC.rglob("*.py")) if VOCABULARY not in path.parents]


def test_there_are_modules_to_look_at() -> None:
    assert len(ELSEWHERE) > 500
    assert STATES_UNITS in ELSEWHERE


def test_no_unit_is_written_elsewhere() -> None:
    """A unit of several words is no text of any other module, and a long one no part of a text."""
    found = []
    for path, tree in parsed():
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                written = node.value in MANY_WORDS or PER_TERMINAL in node.value or PER_BANDWIDTH in node.value
                found += [f"{path.relative_to(SRC)}:{node.lineno}: {node.value!r}"] if written else []
    assert not found


def test_claims_take_their_unit_from_the_vocabulary_and_their_words_have_entries() -> None:
    """Only what reads a report gives a unit; a quantity or a kind of evidence that is named has its entry."""
    found = []
    for path, tree in parsed():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            known = {"Claim": QUANTITIES, "Evidence": EVIDENCE}.get(node.func.id)
            gives_unit = known is QUANTITIES and "unit" in {keyword.arg for keyword in node.keywords}
            if (gives_unit and path != STATES_UNITS) or (
                known is not None and first is not None and first not in known
            ):
                found.append(f"{path.relative_to(SRC)}:{node.lineno}: {ast.unparse(node)[:80]}")
    assert not found


def parsed() -> Iterator[tuple[Path, ast.Module]]:
    for path in ELSEWHERE:
        yield path, ast.parse(path.read_text(encoding="utf-8"))
