"""Studies for people and for programs: computed beside published, disagreements with their reason."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Grade
from ...studies.result import Row, StudyResult
from .escape import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from ...studies.registry import Study

__all__ = ["studies_table", "study_document", "study_parts"]

_VERDICTS = {True: ("agrees", "green"), False: ("DIFFERS", "bold red"), None: ("undecided", "yellow")}


def studies_table(studies: Mapping[str, Study]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("study", no_wrap=True)
    table.add_column("what it reproduces")
    for name, study in studies.items():
        table.add_row(Text(name), Text(study.help))
    return table


def study_parts(result: StudyResult) -> list[RenderableType]:
    """Title, table, and a paragraph for every published number that does not come out."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if result.sheet is not None:
        wide = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for k, head in enumerate(result.sheet.heads):
            wide.add_column(head, justify="left" if k in (0, 2) else "right", no_wrap=k > 2)
        before = ""
        for line in result.sheet.lines:
            same = line[0] == before
            before = line[0]
            wide.add_row(*(Text("" if same and k < 2 else printable(x)) for k, x in enumerate(line)))
        return [Text(result.title, style="bold"), Text(result.source, style="dim"), wide, Text(result.statement)]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "computed", "grade", "published", ""):
        table.add_column(name, no_wrap=name == "grade")
    for row in result.rows:
        table.add_row(
            Text(printable(row.label)),
            Text(printable(row.computed_text())),
            Text("SAMPLED (range)" if row.grade is Grade.SAMPLED else row.grade.value),
            Text(printable(row.published)),
            _verdict(row),
        )
    page: list[RenderableType] = [Text(result.title, style="bold"), Text(result.source, style="dim"), table]
    if result.disagreements:
        page += [Text(), Text("Where it differs or stays undecided, and why", style="bold")]
        page += [Text(f"- {printable(reason)}") for reason in result.disagreements]
    return page


def _verdict(row: Row) -> Text:
    from rich.text import Text

    if not row.published:
        return Text("")
    word, style = _VERDICTS[row.agrees]
    return Text(word, style=style)


def study_document(result: StudyResult) -> dict[str, Any]:
    """The result as JSON: the study's own rows, and the same as ``claims`` like those of every other verb."""
    return {"format": "routeproof/study", **result.to_json(), "claims": [_claim(result, row) for row in result.rows]}


def _claim(result: StudyResult, row: Row) -> dict[str, Any]:
    value: Any
    if isinstance(row.computed, tuple):
        low, high = row.computed
        value = {"low": float(low), "high": float(high), "exact": [str(low), str(high)]}
    else:
        value = str(row.computed) if isinstance(row.computed, (Fraction, int)) else row.computed
    return {
        "quantity": str(row.data.get("quantity", "study_row")),
        "label": row.label,
        "relation": "==",
        "value": value,
        "unit": str(row.data.get("unit", "")),
        "grade": row.grade.value,
        "published": row.published,
        "agrees": row.agrees,
        "evidence": {"kind": "study", "study": result.name, "row": row.label},
    }
