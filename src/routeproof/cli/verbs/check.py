"""``routeproof check``: judge a document on its own."""

from __future__ import annotations

from typing import Annotated

from ..frame import outcome
from ..frame.arguments import JsonReport, argument, option


def check(
    document: Annotated[
        str, argument("DOCUMENT", "A network ({networks}), a routing, a destination graph, a permutation.")
    ],
    plot: Annotated[str | None, option("FILE", "Of a destination graph: draw its tree (.svg, .png or .pdf).")] = None,
    json: JsonReport = None,
) -> None:
    """Check a document on its own: does a routing deliver, with weights that sum to 1; is a list a permutation?

    The answer may be "false", with the first error; only a document that cannot be read is bad input.

    For example: routeproof check best.json
    """
    from rich.text import Text

    from ...core.escape import printable
    from ...questions.document import answer_document
    from ...report.terminal.table import claims_table, reasons
    from ...routing.files.table import foreign_format

    judged = answer_document(document)
    if plot is not None:
        from ...report.drawing.cubes import draw_document

        draw_document(judged, plot)
    title, claims = Text(printable(document), style="bold"), judged.claims()
    if (form := foreign_format(document)) is not None:
        title.append(f"\nread as: {form}", style="not bold")
    outcome.finish(judged, lambda _: [title, claims_table(claims), *reasons(claims)], json=json)
