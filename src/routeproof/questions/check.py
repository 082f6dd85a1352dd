"""A document, judged on its own; a fabric, against its intent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import InputError
from .answer import ALONE, Setting, timed
from .question import Question, argument, option, question, spelled
from .shared import JSON_REPORT

if TYPE_CHECKING:
    from .document import DocumentAnswer
    from .fabrics.cabling import CablingAnswer


@question
class Check(Question["DocumentAnswer | CablingAnswer"]):
    """Check a document on its own: does a routing deliver, with weights that sum to 1; is a list a permutation?

    With --intent, check a fabric against the network that it is meant to be: cables that are missing, extra, swapped,
    slow or one-sided, and what each costs. Switches are matched by their names, or else by structure.

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
    intent: str | None = option(
        "TOPOLOGY",
        "The network that a fabric is meant to be, such as fat-tree:32,levels=3, or a file.",
        default=None,
        complete="topology",
    )
    routing: str | None = option(
        "ROUTING",
        "With --intent: guarantees are those of this routing by name (ecmp:choice=per-hop).",
        "--routing",
        "-r",
        default=None,
        complete="routing",
    )
    costs: int | None = option(
        "N", "With --intent: judge at most N deviations alone (8; 0 for large networks).", default=None, min=0
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return str(self.path)

    @timed
    def answer(self, setting: Setting = ALONE) -> DocumentAnswer | CablingAnswer:
        from .document import answer_document
        from .fabrics.cabling import answer_cabling

        if self.intent is not None:
            return answer_cabling(str(self.path), self.intent, self.routing, self.costs, setting)
        if self.routing is not None or self.costs is not None:
            raise InputError("--routing and --costs go with --intent; a document is judged on its own")
        return answer_document(str(self.path))
