"""``routeproof verify``: check every claim of a report again, without a solver."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["verify"]


def verify(
    report: Annotated[str, typer.Argument(metavar="REPORT.json", help="A report, as written by --json.")],
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the verified claims; - for standard output.")
    ] = None,
) -> None:
    """Check every claim of a report: loads are derived again from network and routing, nothing is searched for.

    Exit status 1, with one line, if a claim does not hold.
    """
    import time

    from rich.text import Text

    from ..report.numbers import seconds_text
    from ..report.table import claims_table
    from ..verification import verify_report
    from .outcome import check_target, finish

    check_target(json)
    start = time.perf_counter()
    claims = list(verify_report(report))
    seconds = time.perf_counter() - start
    table = claims_table(claims, title=report, verdict="verified")
    total = f"{len(claims)} claims verified in {seconds_text(seconds)}"
    finish({"verified": report}, claims, json=json, shown=[table, Text(total)])
