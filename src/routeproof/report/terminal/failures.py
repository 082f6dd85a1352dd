"""What channel failures do, on the terminal: the worst ones, and how many share a value."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...core.network import Network
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import OF_RATES, SHORT_UNITS
from ...questions.failures import FailuresAnswer
from .parts import number_table, quiet, title
from .table import claims_table

_SHOWN = 3
_RULES = {
    "reroute": "pairs that crossed what failed take the shortest paths of what is left, all alike",
    "rebuild": "the routing is made anew on what is left",
}


def _unit(report: FailuresAnswer) -> str:
    demands = report.more.get("demands")
    return SHORT_UNITS[OF_RATES] if demands is not None and is_factor({"demands": demands["text"]}) else "per terminal"


def _over(report: FailuresAnswer) -> str:
    demands = report.more.get("demands")
    return "" if demands is None else f"; demands: {printable(demands['text'])}"


def _named(network: Network, terminals: Sequence[int]) -> str:
    if network.terminal_labels is None or not terminals:
        return str(len(terminals))
    names = ", ".join(printable(network.terminal_label(t)) for t in terminals[:_SHOWN])
    return f"{len(terminals)}: {names}{', ...' if len(terminals) > _SHOWN else ''}"


def failure_parts(report: FailuresAnswer, *, top: int) -> list[RenderableType]:
    """Title, the whole network's worst case, failures from the worst on."""
    routing, network, judged = report.routing, report.routing.network, report.judged
    heads = ["failed", "alike", "worst case", "", "of the whole", "load"]
    by_name = network.labels is not None
    named = not by_name and any(x.failure.cables for x in judged)
    gone = any(x.failure.terminals(network) for x in judged[:top])
    if named:
        heads.insert(1, "cable")
    if gone:
        heads.insert(1, "hosts lost" if network.terminal_labels else "terminals lost")
    rows = []
    for failure, like, load, lost in judged[:top]:
        names = "; ".join(printable(network.channel_label(cable[0])) for cable in failure.cables)
        row = [printable(failure.named(network)) if by_name else failure.text]
        row += [
            *([_named(network, failure.terminals(network))] if gone else []),
            *([names] if named else []),
            str(like),
        ]
        if load is None:
            assert lost is not None
            way = printable(f"no path from {network.label(lost[0])} to {network.label(lost[1])}")
            if network.terminal_labels is not None:
                way += f"; cut off {_named(network, failure.cut_off(network))}"
            row += ["none", "", "", way]
        else:
            row += [fraction_text(1 / load), decimal_text(1 / load)]
            row += [decimal_text(report.whole / load), fraction_text(load)]
        rows.append(row)
    left, whole = [x.load for x in judged if x.load is not None], fraction_text(1 / report.whole)
    page: list[RenderableType] = [
        title(f"{printable(network.name)}: {printable(routing.name)} after failures"),
        quiet(f"{report.rest}; repair: {_RULES[report.repair]}{_over(report)}"),
        quiet(f"without a failure the worst case is {whole} {_unit(report)}, exact; every number is proved"),
        number_table(heads, rows, words=range(1 + named + gone)),
    ]
    if len(judged) > top:
        page.append(Text(f"... and {len(judged) - top} more (--top)"))
    cut = sum(x.like for x in judged if x.load is None)
    if cut:
        page.append(Text(f"{cut} of the failures separate terminals: they have no worst case"))
    if left:
        worst, least = fraction_text(1 / max(left)), fraction_text(1 / min(left))
        gone = any(x.failure.terminals(network) for x in judged)
        who = ", of the terminals that are left after each" if gone else ""
        page.append(Text(f"worst case of all of them{who}: {worst}; least harm: {least}"))
    if report.sampled:
        page += [Text(), claims_table(report.sampled), *map(Text, report.notes)]
    return page
