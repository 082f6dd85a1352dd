"""``routeproof verify``: check every claim of a report again, without a solver."""

from __future__ import annotations

import os.path
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from ..frame import inputs, outcome, progress, screen
from ..frame.arguments import argument, flag, option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...core.claim import Claim


_SHOWN = 10  # claims that are not in a proof


def verify(
    report: Annotated[str, argument("REPORT.json", "A report, as written by --json.")],
    routing: Annotated[
        str | None,
        option(
            "ROUTING",
            "Check against this routing (your own copy of a file or function) instead of the report's.",
            "--routing",
            "-r",
        ),
    ] = None,
    no_limit: Annotated[
        bool, flag("Repeat all runs, even if the report asks for more than ten minutes of work.", "--no-limit")
    ] = False,
    elaborate: Annotated[
        str | None,
        option("PROOF.json", "Write a proof: everything in full, for a checker of your own (docs/proof-format.md)."),
    ] = None,
    about: Annotated[
        str | None,
        option("SUBJECT.json", "With --elaborate: the proof must be about just this subject (docs/proof-format.md)."),
    ] = None,
    json: Annotated[str | None, option("FILE", "Write the verified claims; - for standard output.")] = None,
) -> None:
    """Check every claim of a report: loads are derived again from network and routing, nothing is searched for.

    Exit status 1, with one line, if a claim does not hold.

    For example: routeproof verify report.json
    """
    import time

    from rich.text import Text

    from ...core.display import seconds_text
    from ...core.errors import InputError
    from ...core.escape import printable
    from ...questions.answer import PlainAnswer
    from ...report.terminal.subject_words import given_names, subject_lines

    outcome.check_target(elaborate)
    if about is not None and elaborate is None:
        raise InputError("--about goes with --elaborate PROOF.json, whose subject it compares")
    start = time.perf_counter()
    subject, claims = _verified(report, routing, no_limit=no_limit)
    written = [] if elaborate is None else _elaborated(subject, claims, elaborate, routing, about)
    seconds = time.perf_counter() - start
    lines = [printable(report)]
    if routing is None:
        lines += subject_lines(subject, claims)
    else:
        lines += subject_lines({**subject, "routing": {"spec": routing}}, claims)
        lines.append("checked against this routing, in place of the report's")
        subject["routing"] = _in_place(routing, subject)
    quoted = given_names(subject, claims)
    count = f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'} verified in {seconds_text(seconds)}"
    shown = [
        Text(lines[0], style="bold"),
        *map(Text, lines[1:]),
        *_tables(claims, quoted),
        Text(),
        *map(Text, written),
        Text(count),
    ]
    answer = PlainAnswer(about={**subject, "verified": report}, stated=claims)
    # No file is looked for that the report names: a page would look for positions of the nodes in the topology's.
    plain = {key: x for key, x in answer.about.items() if key != "topology"}
    title = f"verified: {os.path.basename(report)}"
    outcome.finish(answer, lambda _: shown, json=json, about=plain, title=title, quoted=quoted)


def _verified(report: str, routing: str | None, *, no_limit: bool) -> tuple[dict[str, Any], Sequence[Claim]]:
    """The subject of the report, and its claims, all of which hold."""
    from ...claims.work import MOST_STEPS
    from ...core.claim import Grade
    from ...core.errors import InputError
    from ...formats.documents.report import read_report
    from ...formats.text_files import shown
    from ...verification import is_run_again, verify_claims

    if report != "-" and not os.path.exists(report):
        made = "routeproof worst-case torus:4x4 --routing dor --json report.json"
        raise InputError(f"there is no file {shown(report)}; a report was expected there (one is made by: {made})")
    with progress.bar("verifying") as report_done:
        subject, stated = read_report("/dev/stdin" if report == "-" else report)
        sampled = sum(claim.grade is Grade.SAMPLED and not is_run_again(claim) for claim in stated)
        if sampled:
            raise InputError(
                f"{sampled} of the {len(stated)} claims of {report} are sampled: an interval has no proof to verify; "
                f"run it again with its seed"
            )
        most = None if no_limit else MOST_STEPS
        with screen.results_only():
            return subject, verify_claims(subject, stated, routing=routing, progress=report_done, most_steps=most)


def _elaborated(
    subject: dict[str, Any], claims: Sequence[Claim], path: str, routing: str | None, about: str | None
) -> list[str]:
    """Write the proof; returns what to say of it."""
    from ...core.escape import printable
    from ...verification.elaborate import elaborate_claims

    with progress.bar("writing the proof") as done, screen.results_only():
        count, left_out = elaborate_claims(subject, claims, path, routing=routing, about=about, progress=done)
    said = [f"{printable(path)}: a proof of {count} {'claim' if count == 1 else 'claims'}"]
    if about is not None:
        said.append(f"it is about the network, the routings and the demands of {printable(about)}, and no others")
    said += [printable(f"not in the proof: {what}: {reason}") for what, reason in left_out[:_SHOWN]]
    more = len(left_out) - _SHOWN
    return [*said, *([f"... and {more} more, listed in the proof"] if more > 0 else [])]


def _tables(claims: Sequence[Claim], quoted: Collection[str]) -> list[RenderableType]:
    from rich.text import Text

    from ...report.terminal.table import claims_table, evidence_table

    whole = [x for x in claims if "channel" not in x.about]
    single = [x for x in claims if "channel" in x.about]
    worst = all(x.quantity == "worst_case_load" for x in single)
    what = (
        f"the worst cases of {len(single)} single channels" if worst else f"{len(single)} claims about single channels"
    )
    note = [Text(f"{what}: verified")] if single else []
    return [
        Text(),
        claims_table(whole, verdict="verified", quoted=quoted),
        *note,
        Text(),
        evidence_table(claims, quoted),
    ]


def _in_place(text: str, subject: Mapping[str, Any]) -> dict[str, Any]:
    """What the claims hold of: the routing of ``--routing``, as a report describes it."""
    from ...claims.subject import network_of
    from ...routing.named.described import describe_routing

    return describe_routing(inputs.routing_given(text, network_of(subject)))
