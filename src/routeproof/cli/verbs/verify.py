"""``routeproof verify``: check every claim of a report again, without a solver."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["verify"]


def verify(
    report: Annotated[str, typer.Argument(metavar="REPORT.json", help="A report, as written by --json.")],
    routing: Annotated[
        str | None,
        typer.Option(
            "--routing",
            "-r",
            metavar="ROUTING",
            help="Check against this routing (your own copy of a file or function) instead of the report's.",
        ),
    ] = None,
    no_limit: Annotated[
        bool,
        typer.Option("--no-limit", help="Repeat all runs, even if the report asks for more than ten minutes of work."),
    ] = False,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the verified claims; - for standard output.")
    ] = None,
) -> None:
    """Check every claim of a report: loads are derived again from network and routing, nothing is searched for.

    Exit status 1, with one line, if a claim does not hold.

    For example: routeproof verify report.json
    """
    import time

    from rich.text import Text

    from ...answers.answer import PlainAnswer
    from ...core.claim import Grade
    from ...core.errors import InputError
    from ...formats.documents.report import read_report
    from ...formats.text_files import shown as shown_name
    from ...report.terminal.escape import printable
    from ...report.terminal.numbers import seconds_text
    from ...report.terminal.subject_words import given_names, subject_lines
    from ...report.terminal.table import claims_table, evidence_table
    from ...verification import is_run_again, verify_claims
    from ...verification.work import MOST_STEPS
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    check_target(json)
    if report != "-" and not os.path.exists(report):
        made = "routeproof worst-case torus:4x4 --routing dor --json report.json"
        raise InputError(f"there is no file {shown_name(report)}; a report was expected there (one is made by: {made})")
    start = time.perf_counter()
    with counted("verifying") as progress:
        subject, stated = read_report("/dev/stdin" if report == "-" else report)
        sampled = sum(claim.grade is Grade.SAMPLED and not is_run_again(claim) for claim in stated)
        if sampled:
            raise InputError(
                f"{sampled} of the {len(stated)} claims of {report} are sampled: an interval has no proof to verify; "
                f"run it again with its seed"
            )
        with results_only():
            claims = verify_claims(
                subject, stated, routing=routing, progress=progress, most_steps=None if no_limit else MOST_STEPS
            )
    seconds = time.perf_counter() - start
    title = Text(printable(report), style="bold")
    named = subject
    if routing is not None:
        named = {**subject, "routing": {"spec": routing}}
        subject["routing"] = _in_place(routing, subject)
    about = [Text(x) for x in subject_lines(named, claims)]
    if routing is not None:
        about.append(Text("checked against this routing, in place of the report's"))
    total = Text(f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'} verified in {seconds_text(seconds)}")
    quoted = given_names(subject, claims)
    table = claims_table([x for x in claims if "channel" not in x.about], verdict="verified", quoted=quoted)
    shown: list[RenderableType] = [title, *about, Text(), table]
    single = sum("channel" in x.about for x in claims)
    if single:
        shown.append(Text(f"the worst cases of {single} single channels: verified"))
    shown += [Text(), evidence_table(claims), Text(), total]
    told = {**subject, "verified": report}
    # No file is looked for that the report names: a page would look for positions of the nodes in the topology's.
    plain = {key: x for key, x in told.items() if key != "topology"}
    title_of_page = f"verified: {os.path.basename(report)}"
    finish(
        PlainAnswer(about=told, stated=claims), json=json, shown=shown, about=plain, title=title_of_page, quoted=quoted
    )


def _in_place(text: str, subject: Mapping[str, Any]) -> dict[str, Any]:
    """What the claims hold of: the routing of ``--routing``, as a report describes it."""
    from ...routing.named.report_entry import describe_routing
    from ...routing.named.spec import routing_from_spec
    from ...verification.subject import network_of

    return describe_routing(routing_from_spec(text, network_of(subject)))
