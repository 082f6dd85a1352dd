"""A document, judged on its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .answer import ALONE, Setting
from .question import Question, argument, option, question, spelled
from .shared import JSON_REPORT

if TYPE_CHECKING:
    from .document import DocumentAnswer


@question
class Check(Question["DocumentAnswer"]):
    """Check a document on its own: does a routing deliver, with weights that sum to 1; is a list a permutation?

    The answer may be "false", with the first error; only a document that cannot be read is bad input.

    For example: routeproof check best.json

        >>> import routeproof as rp
        >>> rp.write_network(rp.torus(3, 3), "torus.json")
        >>> rp.check("torus.json").value("connected")
        'true'

    Raises InputError for a file that cannot be read or understood.
    """

    verb, place, function = "check", 104, "check"
    panel = "Check"

    path: str | Path = argument(
        "DOCUMENT",
        "A network in any format (docs/formats.md), a routing, a destination graph, a wiring or a permutation.",
        name="document",
        kind=str,
        python="The file of a network, a routing, a destination graph, a wiring or a permutation.",
    )
    plot: str | None = option("FILE", "Of a destination graph: draw its tree (.svg, .png or .pdf).", init=False)
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return str(self.path)

    def answer(self, setting: Setting = ALONE) -> DocumentAnswer:  # noqa: ARG002  # it takes no time
        from .document import answer_document

        return answer_document(str(self.path))
