"""What channel failures do, on the terminal: the worst ones, and how many share a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...answers.failures import FailuresAnswer
from .escape import printable
from .numbers import decimal_text, fraction_text

if TYPE_CHECKING:
    from rich.console import RenderableType


__all__ = ["failure_parts"]


def failure_parts(report: FailuresAnswer, *, top: int) -> list[RenderableType]:
    """Title, the whole network's worst case, failures from the worst on."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    routing, network = report.routing, report.routing.network
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("failed", overflow="fold")
    named = any(x.failure.cables for x in report.judged)
    if named:
        table.add_column("cable", overflow="fold")
    for head in ("alike", "worst case", "", "of the whole", "load"):
        table.add_column(head, justify="right")
    for failure, like, load, lost in report.judged[:top]:
        names = "; ".join(printable(network.channel_label(cable[0]), limit=80) for cable in failure.cables)
        begin = [failure.text, *([names] if named else []), str(like)]
        if load is None:
            assert lost is not None
            way = f"no path from {network.label(lost[0])} to {network.label(lost[1])}"
            table.add_row(*map(Text, [*begin, "none", "", "", printable(way)]))
            continue
        row = [fraction_text(1 / load), decimal_text(1 / load), decimal_text(report.whole / load), fraction_text(load)]
        table.add_row(*map(Text, [*begin, *row]))
    left, whole = [x.load for x in report.judged if x.load is not None], fraction_text(1 / report.whole)
    page: list[RenderableType] = [
        Text(f"{printable(network.name, limit=60)}: {printable(routing.name, limit=40)} after failures", style="bold"),
        Text(f"{report.rest}; repair: {_RULES[report.repair]}", style="dim"),
        Text(f"without a failure the worst case is {whole} per terminal, exact; every number is proved", style="dim"),
        table,
    ]
    if len(report.judged) > top:
        page.append(Text(f"... and {len(report.judged) - top} more (--top)"))
    cut = sum(x.like for x in report.judged if x.load is None)
    if cut:
        page.append(Text(f"{cut} of the failures separate terminals: they have no worst case"))
    if left:
        worst, least = fraction_text(1 / max(left)), fraction_text(1 / min(left))
        page.append(Text(f"worst case of all of them: {worst}; least harm: {least}"))
    return page


_RULES = {
    "reroute": "pairs that crossed what failed take the shortest paths of what is left, all alike",
    "rebuild": "the routing is made anew on what is left",
}
