"""What channel failures do, on the terminal: the worst ones, and how many share a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from ...claims.repair_words import rule_text
from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...core.network import Network
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import OF_RATES, SHORT_UNITS
from ...questions.failures.claims import Judged
from ...questions.failures.every_failure import FailuresAnswer
from .parts import number_table, quiet, title
from .table import claims_table

_SHOWN = 3


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


def _rule(report: FailuresAnswer) -> str:
    """The rule that the numbers are under, what is known of it, and why it was chosen."""
    entries = next((int(x.number) for x in report.stated if x.quantity == "entries_by_rule"), None)
    return rule_text(report.more, entries) + (f" ({printable(report.why)})" if report.why else "")


def failure_parts(report: FailuresAnswer, *, top: int) -> list[RenderableType]:
    """Title, the rule, the whole network's worst case, failures from the worst on."""
    routing, network, judged = report.routing, report.routing.network, report.judged
    by_name = network.labels is not None
    shown = judged[:top]
    named = not by_name and any(x.failure.cables for x in judged)
    gone = any(x.failure.terminals(network) for x in shown)
    cut, bound, uniform = any(x.cut for x in judged), any(x.bound for x in judged), any(x.uniform for x in judged)
    heads = ["failed"]
    heads += ["hosts lost" if network.terminal_labels else "terminals lost"] if gone else []
    heads += ["cable"] if named else []
    words = len(heads)
    heads += [*([] if report.pairs else ["alike"]), *(["pairs cut"] if cut else []), "worst case", "", "of the whole"]
    heads += [*(["uniform"] if uniform else []), *(["any routing"] if bound else []), "load"]
    rows = []
    for x in shown:
        names = "; ".join(printable(network.channel_label(cable[0])) for cable in x.failure.cables)
        row = [printable(x.failure.named(network)) if by_name else x.failure.text]
        row += [_named(network, x.failure.terminals(network))] if gone else []
        row += [*([names] if named else []), *([] if report.pairs else [str(x.like)])]
        row += [f"{x.cut:,}" if x.is_answered and x.lost is None else ""] if cut else []
        way = "" if x.load is None else fraction_text(x.load)
        if x.load is None:
            row += ["none" if x.is_answered else "not known", "", ""]
            way = _why_none(network, x, "that may send " if "demands" in report.more else "")
        else:
            row += [fraction_text(1 / x.load), decimal_text(1 / x.load), decimal_text(report.whole / x.load)]
        row += [decimal_text(1 / x.uniform) if x.uniform else ""] if uniform else []
        row += [f"<= {fraction_text(1 / x.bound)}" if x.bound else ""] if bound else []
        rows.append([*row, way])
    left, whole = [x for x in judged if x.load is not None], fraction_text(1 / report.whole)
    page: list[RenderableType] = [
        title(f"{printable(network.name)}: {printable(routing.name)} after failures"),
        quiet(f"{report.rest}{_over(report)}"),
        quiet(f"rule ({report.repair}): {_rule(report)}"),
        quiet(f"without a failure the worst case is {whole} {_unit(report)}, exact; every number is proved"),
        number_table(heads, rows, words=range(words)),
    ]
    if len(judged) > top:
        page.append(Text(f"... and {len(judged) - top} more (--top)"))
    page += map(Text, _told(report))
    if left:
        loads = [x.load for x in left if x.load is not None]
        worst, least = fraction_text(1 / max(loads)), fraction_text(1 / min(loads))
        who = ", of the terminals that are left after each" if any(x.failure.terminals(network) for x in judged) else ""
        who += ", of the pairs that lose no packets" if cut else ""
        those = "all of them" if len(left) == len(judged) else "those that have one"
        end = f"; least harm: {least}" if report.pairs is None else ""
        if report.pairs is not None and report.pairs.most is not None:
            keeps = fraction_text(1 / report.pairs.most)
            those, end = "those judged", f"; no pair that separates nothing leaves less than {keeps}"
        page.append(Text(f"worst case of {those}{who}: {worst}{end}"))
    if report.sampled:
        page += [Text(), claims_table(report.sampled), *map(Text, report.notes)]
    return page


def _why_none(network: Network, x: Judged, some: str = "") -> str:
    """Why a failure has no load; ``some``: which pairs there are, where not all."""
    if x.nothing:
        return f"no pair {f'{some}and' if some else 'that'} takes a link is left"
    pair = x.lost or x.undecided
    if pair is None:
        return f"every pair {f'{some}and' if some else 'that'} takes a link loses packets"
    i, j = (network.label(v) for v in pair)
    if x.lost is None:
        return printable(f"paths from {i} to {j} get longer")
    way = f"no path from {i} to {j}"
    if network.terminal_labels is not None:
        way += f"; cut off {_named(network, x.failure.cut_off(network))}"
    return printable(way)


def _told(report: FailuresAnswer) -> Iterator[str]:
    """What the table does not say of all failures."""
    judged, size = report.judged, report.routing.network.num_terminals
    of = "failures" if report.pairs is None else "failures judged"
    nothing = sum(x.like for x in judged if x.nothing)
    if nothing:
        which = "that may send and takes" if "demands" in report.more else "that takes"
        yield f"{nothing} of the {of} leave no pair of terminals {which} a link: they have no worst case"
    apart = sum(x.like for x in judged if x.lost is not None)
    if apart:
        yield f"{apart} of the {of} separate terminals: they have no worst case"
    some = sum(x.like for x in judged if x.cut)
    if some:
        most = max(x.cut for x in judged)
        yield (
            f"{some} of the {of} cut pairs of terminals, at most {most:,} of {size * (size - 1):,}: these lose "
            f"packets, and the numbers are of the others"
        )
    open_ = sum(x.like for x in judged if not x.is_answered)
    if open_:
        yield (
            f"{open_} of the {of} make shortest paths longer: whether the devices take those (with OSPF, or with "
            f"BGP and an AS number of its own for each device) is not seen in these routes, so no number is given"
        )
    if (open_ or nothing) and "drawn with seed" in report.rest:
        yield "so nothing is said of all failures from this sample, only of each one that was drawn"
    if report.pairs is not None and report.pairs.most is None and len({x.load for x in judged}) > 1:
        yield "the worst case is that of all pairs; some that were not judged may be worse than the next ones here"
    if any(x.bound for x in judged):
        yield "any routing: what no rerouting can beat after it, however adaptive (a bound, perhaps not reached)"
    if report.repair == "split":
        yield "split is a hypothesis: no device reroutes like that, and a real fabric may keep less"
