"""A table as text for other programs: CSV, LaTeX, Markdown.  What comes from files is made harmless in each."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence

from ..core.escape import printable

Rows = Sequence[Sequence[str]]

_MARKDOWN, _ESCAPED = re.compile(r"([\\`*_{}<>#|~])"), r"\\\1"
_LATEX = {
    **{x: f"\\{x}" for x in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def csv_text(heads: Sequence[str], rows: Rows) -> str:
    """Comma-separated values (RFC 4180), lines ended by one newline character.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([re.sub(r"^(?=[=+@\t]|-[^0-9])", "'", printable(x)) for x in row] for row in rows)
    return out.getvalue()


def markdown_text(heads: Sequence[str], rows: Rows) -> str:
    """A pipe table; the first column holds names, the others end at the right."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(_MARKDOWN.sub(_ESCAPED, printable(x)) for x in cells)} |"

    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join([line(heads), f"| {' | '.join(rule)} |", *map(line, rows)]) + "\n"


def latex_text(heads: Sequence[str], rows: Rows) -> str:
    """A ``tabular`` with the rules of booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(c, c) for c in printable(x)) for x in cells) + r" \\"

    body = [r"\toprule", line(heads), r"\midrule", *map(line, rows), r"\bottomrule"]
    columns = "l" + "r" * (len(heads) - 1)
    return "\n".join([r"% \usepackage{booktabs}", rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}", ""])


FORMS: Mapping[str, Callable[[Sequence[str], Rows], str]] = {
    "csv": csv_text,
    "latex": latex_text,
    "markdown": markdown_text,
}
