"""Results as files of other programs: tables as CSV, LaTeX or Markdown."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..core.errors import InputError
from ..core.escape import printable
from ..formats.text_files import is_stream


def check_writable(path: str | Path) -> None:
    """Raise InputError if a file at ``path`` cannot be written."""
    if not str(path):
        raise InputError("the name of the file to write is empty; a file name was expected")
    target = Path(path)
    try:
        parent, stream = target.resolve().parent, is_stream(target)
        problem = ""
        if target.is_dir():
            problem = "it is a directory; a file name was expected"
        elif not stream and not parent.is_dir():
            problem = f"there is no directory {parent}"
        elif not os.access(target if stream or target.exists() else parent, os.W_OK):
            problem = "permission denied"
    except (OSError, ValueError) as error:  # names that are too long, or hold a zero byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot write '{str(path)[:200]}': {reason}") from None
    if problem:
        raise InputError(f"cannot write '{path}': {problem}")


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
