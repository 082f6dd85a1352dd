"""The claims of a report, checked again without a solver; and the proof of them, written out."""

from __future__ import annotations

import os.path
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from ..claims.work import MOST_STEPS
from ..core.errors import InputError
from .answer import ALONE, PlainAnswer, Setting, Shown, timed
from .question import Question, argument, flag, option, question

if TYPE_CHECKING:
    from ..core.claim import Claim
    from ..verification.elaborate import Written


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class VerifyAnswer(PlainAnswer):
    """``report``: the file; ``stated_about``: its own subject; ``routing``: the text of the one in its place.

    ``proof``: what was written with ``--elaborate``.  ``refutations``: the files that those were written into.
    """

    shown = Shown("terminal.verified:verified_parts", page="terminal.verified:verified_page")

    report: str
    stated_about: dict[str, Any]
    routing: str | None
    proof: Written | None
    refutations: Sequence[str] = ()


@question
class Verify(Question[VerifyAnswer]):
    """Check a report: recompute the loads and check every proof. No solver is used.

    Exit status 1, with one line, if a claim does not hold.

    For example: routeproof verify report.json

    The function returns the claims.  Raises VerificationError naming the first claim that does not hold, InputError for
    a file that is not a report.
    """

    verb, place, function = "verify", 102, "verify"
    panel = "Check"

    report: str = argument("REPORT.json", "A report, as written by --json.")
    _: KW_ONLY
    routing: str | None = option(
        "ROUTING",
        "Check against this routing (your own copy of a file or function) instead of the report's.",
        "--routing",
        "-r",
        default=None,
    )
    most_steps: float | None = flag(
        "Repeat all runs, even if the report asks for more than ten minutes of work.",
        "--no-limit",
        default=MOST_STEPS,
        name="no_limit",
        command_default=False,
        read=lambda _, no_limit: None if no_limit else MOST_STEPS,
        python="Of work that the report may ask for, about a million a second; None for any amount.",
    )
    elaborate: str | None = option(
        "PROOF.json",
        "Write a proof: everything in full, for a checker of your own (docs/proof-format.md).",
        default=None,
    )
    about: str | None = option(
        "SUBJECT.json",
        "With --elaborate: the proof must be about just this subject (docs/proof-format.md).",
        default=None,
    )
    refutations: str | None = option(
        "FOLDER",
        "Write every refutation for other checkers: N.cnf has its clauses (DIMACS), N.drat its lemmas (drat-trim reads "
        "both).",
        default=None,
    )
    json: str | None = option("FILE", "Write the verified claims; - for standard output.", init=False)

    @timed
    def answer(self, setting: Setting = ALONE) -> VerifyAnswer:
        from ..formats.documents.clauses import write_refutations
        from ..kernel.refutation import kept_refutations

        if self.about is not None and self.elaborate is None:
            raise InputError("--about goes with --elaborate PROOF.json, whose subject it compares")
        report = str(self.report)
        written: Sequence[str] = ()
        with kept_refutations(self.refutations is not None) as found:
            stated_about, claims = self._verified(report, setting)
        if self.refutations is not None:
            written = write_refutations(self.refutations, found, report)
        proof = None if self.elaborate is None else self._elaborated(stated_about, claims, self.elaborate, setting)
        about = {**stated_about, "verified": report}
        if self.routing is not None:
            about["routing"] = _in_place(self.routing, stated_about)
        return VerifyAnswer(
            about=about,
            stated=claims,
            report=report,
            stated_about=stated_about,
            routing=self.routing,
            proof=proof,
            refutations=written,
        )

    def _verified(self, report: str, setting: Setting) -> tuple[dict[str, Any], Sequence[Claim]]:
        """The subject of the report, and its claims, all of which hold."""
        from ..core.claim import Grade
        from ..formats.documents.report import read_report
        from ..formats.text_files import shown
        from ..verification import is_run_again, verify_claims

        if report != "-" and not os.path.exists(report):
            made = "routeproof worst-case torus:4x4 --routing dor --json report.json"
            raise InputError(f"there is no file {shown(report)}; a report was expected there (one is made by: {made})")
        with setting.stage("verifying") as progress, redirect_stdout(sys.stderr):
            subject, stated = read_report("/dev/stdin" if report == "-" else report)
            sampled = sum(claim.grade is Grade.SAMPLED and not is_run_again(claim) for claim in stated)
            if sampled:
                raise InputError(
                    f"{sampled} of the {len(stated)} claims of {report} are sampled: an interval has no proof to "
                    f"verify; run it again with its seed"
                )
            return subject, verify_claims(
                subject, stated, routing=self.routing, progress=progress, most_steps=self.most_steps
            )

    def _elaborated(self, subject: dict[str, Any], claims: Sequence[Claim], path: str, setting: Setting) -> Written:
        from ..verification.elaborate import elaborate_claims

        with setting.stage("writing the proof") as progress, redirect_stdout(sys.stderr):
            return elaborate_claims(subject, claims, path, routing=self.routing, about=self.about, progress=progress)


def _in_place(text: str, subject: dict[str, Any]) -> dict[str, Any]:
    """What the claims hold of: the routing of ``--routing``, as a report describes it."""
    from ..claims.subject import network_of
    from ..routing.named.described import describe_routing
    from ..routing.named.spec import routing_from_spec

    with redirect_stdout(sys.stderr):
        return describe_routing(routing_from_spec(text, network_of(subject)))
