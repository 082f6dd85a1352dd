"""Studies for people and for programs: computed beside published, disagreements with their reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Grade
from ...core.escape import printable
from ...questions.study import StudiesAnswer, StudyAnswer
from ...studies.registry import STUDIES
from ...studies.result import Row
from .parts import bare_table, number_table, quiet, title

_VERDICTS = {True: ("agrees", "green"), False: ("DIFFERS", "bold red"), None: ("undecided", "yellow")}


def studies_parts(_: StudiesAnswer) -> list[RenderableType]:
    """Every study, with what it reproduces."""
    rows = [(name, study.help) for name, study in STUDIES.items()]
    return [number_table(("study", "what it reproduces"), rows, words=(0, 1))]


def study_page(answer: StudyAnswer) -> dict[str, Any]:
    return {"title": answer.result.title, "document": answer.document(), "summary": _summary(answer.result.rows)}


def _summary(rows: Sequence[Row]) -> str:
    """How many of the published values come out."""
    found = [row.agrees for row in rows if row.published]
    if not found:
        return ""
    text = f"Of {len(found)} published values, {found.count(True)} agree with what was computed"
    differ = "differs" if found.count(False) == 1 else "differ"
    rest = [f"{found.count(x)} {word}" for x, word in ((False, differ), (None, "undecided")) if x in found]
    return f"{text}; {', '.join(rest)}." if rest else f"{text}."


def study_parts(answer: StudyAnswer) -> list[RenderableType]:
    """Title, table, and a paragraph for every published number that does not come out."""
    result = answer.result
    page: list[RenderableType] = [title(result.title), quiet(result.source)]
    table = bare_table()
    if result.sheet is not None:
        for k, head in enumerate(result.sheet.heads):
            table.add_column(head, justify="left" if k in (0, 2) else "right", no_wrap=k > 2)
        before: tuple[str, ...] = ()
        for line in result.sheet.lines:
            again = [k < 2 and line[: k + 1] == before[: k + 1] for k in range(len(line))]
            before = line
            table.add_row(*(Text("" if same else printable(x)) for same, x in zip(again, line, strict=True)))
        return [*page, table, Text(result.statement)]
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
    page.append(table)
    if result.disagreements:
        page += [Text(), title("Where it differs or stays undecided, and why")]
        page += [Text(f"- {printable(reason)}") for reason in result.disagreements]
    return page


def _verdict(row: Row) -> Text:
    if not row.published:
        return Text("")
    word, style = _VERDICTS[row.agrees]
    return Text(word, style=style)
