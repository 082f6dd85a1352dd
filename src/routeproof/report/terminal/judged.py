"""What is judged beside the worst case, on the terminal: deadlock, failures, hashing, expansion of splitters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...core.escape import printable
from ...core.network import Network
from ...core.numerals import decimal_text, fraction_text
from ...core.vocabulary import is_factor
from ...core.vocabulary.quantity import OF_RATES, PER_BANDWIDTH, SHORT_UNITS
from ...kernel.independent_flows import Chance
from ...questions.deadlock import DeadlockAnswer
from ...questions.expansion import ExpansionAnswer
from ...questions.failures import FailuresAnswer
from ...questions.hashing import HashingAnswer, SplitAnswer
from ...routing.dependencies.channels import ends_of_packet
from ...routing.infiniband.lane_dependencies import place_of_lane
from ...worst.deadlock.channels import Deadlock
from ...worst.deadlock.lanes import LaneDeadlock
from ...worst.expansion.claims import Expansion, theorem_needs
from .parts import number_table, quiet, sizes_text, title, units_text
from .table import claims_table

_CYCLE_SHOWN = 12


def deadlock_parts(report: DeadlockAnswer) -> list[RenderableType]:
    """What to print, in order: title, sizes, the verdicts, and the packets of every cycle."""
    network, routing = report.routing.network, report.routing
    page: list[RenderableType] = [
        title(f"{printable(routing.name)} on {printable(network.name)}"),
        quiet(sizes_text(network)),
    ]
    if report.levels is not None and report.by_level is not None:
        page.append(quiet(_levels_text(report.by_level)))
    page += [Text(), claims_table(report.stated)]
    if report.by_level is not None:
        page += [Text(), *_lane_lines(report.by_level)]
    page += [Text(), *_single_lines(report.single, alone=report.by_level is None)]
    hint = _hint(report)
    return [*page, Text(), quiet(hint)] if hint else page


def _hint(report: DeadlockAnswer) -> str:
    """What to ask next, where packets can deadlock and nothing has been said of how to free them."""
    if report.single.free or report.by_level is not None or len(report.stated) > 1:
        return ""
    ask = "--virtual-channels looks for virtual channels that free them"
    if report.routing.network.terminal_labels is None:
        return ask
    return f"--service-levels FILE (saquery -p) judges the lanes that a subnet manager gave out; {ask}"


def _levels_text(verdict: LaneDeadlock) -> str:
    """``service levels 0 to 2 on lanes 0 to 2; the lane is the level``."""
    levels = verdict.levels
    lanes = "by SL2VL tables" if levels.lane is not None else "the lane is the level (no SL2VL tables are given)"
    text = f"service levels {_range(levels.used())} on virtual lanes {_range(verdict.dependencies.lanes)}; {lanes}"
    if levels.replies:
        text += "; answers go back on the level of the request, too"
    if levels.missing:
        text += f"; {levels.missing:,} pairs without a path record send nothing"
    return text


def _range(values: Sequence[int]) -> str:
    """``0``, ``0 to 3``, or ``0, 2, 5``."""
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values)) or "none"


def _lane_lines(verdict: LaneDeadlock) -> list[RenderableType]:
    count = len(verdict.dependencies.first)
    if verdict.free:
        return [Text(f"By service level: no cycle in the {count:,} dependencies between lanes of channels.")]
    name = verdict.routing.network.terminal_label
    rows = [
        (name(p.source), name(p.destination), f"{place_of_lane(verdict.routing, x)} (level {p.level})")
        for x, p in zip(verdict.cycle, verdict.packets, strict=True)
    ]
    return _cycle_lines("By service level", rows)


def _single_lines(verdict: Deadlock, *, alone: bool) -> list[RenderableType]:
    fabric = verdict.routing.network.terminal_labels is not None
    begin = "Without virtual channels" if alone and not fabric else "All on one lane"
    if not verdict.dependencies.by_paths:
        begin += ", on any paths with these loads" if verdict.free else ", for packets that forward by these loads"
    if verdict.free:
        return [Text(f"{begin}: no cycle in the {len(verdict.dependencies):,} dependencies between channels.")]
    network = verdict.routing.network
    rows = [
        (*ends_of_packet(verdict.routing, *packet), network.channel_label(c))
        for c, packet in zip(verdict.cycle, verdict.packets, strict=True)
    ]
    return _cycle_lines(begin, rows)


def _cycle_lines(begin: str, rows: Sequence[tuple[str, str, str]]) -> list[RenderableType]:
    """A heading, and a line for every packet of the cycle."""
    each = "Each holds its channel and asks for the one in the next line, the last for the first:"
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for source, end, place in rows[:_CYCLE_SHOWN]:
        pair = f"  {printable(source)} => {printable(end)}"
        table.add_row(Text(pair), Text(f"holds {printable(place)}"))
    if len(rows) > _CYCLE_SHOWN:
        table.add_row(Text(f"  and {len(rows) - _CYCLE_SHOWN} more; --json has them all"), Text(""))
    return [Text(f"{begin}: {len(rows)} packets can deadlock. {each}"), table]


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
    """How many hosts, and the first of them."""
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


def hashing_parts(answer: HashingAnswer) -> list[RenderableType]:
    """The ideal split, the mean of the largest load, then one row for every load."""
    network, flows = answer.network, answer.flows
    count = sum(x[2] for x in flows.pairs)
    each = "one flow" if flows.each == 1 else f"{flows.each} flows of size 1/{flows.each}"
    how = f"{each} of every pair of {printable(answer.traffic.name)} traffic, {count} in all"
    page: list[RenderableType] = [
        title(f"{printable(answer.routing.name)} on {printable(network.name)}, hashed at random"),
        quiet(f"{units_text(network)}; {how}"),
        Text(),
        claims_table([x for x in answer.stated if x.quantity not in ("overload_probability", "next_channel_share")]),
        Text(),
        title("the probability that a channel carries at least so much"),
    ]
    own = printable(network.channel_label(answer.channel))
    rows = [
        (fraction_text(least), _chance(chance), _number(one), "" if chance.low == chance.high else "PROVED bounds")
        for least, chance, one in answer.rows
    ]
    page.append(number_table((SHORT_UNITS[PER_BANDWIDTH], "some channel", own, ""), rows, words=(3,)))
    if answer.pair is not None:
        page += [Text(), *_tiers(answer)]
    return page


def _tiers(answer: HashingAnswer) -> list[RenderableType]:
    """A row for every first channel, a column for every share that follows."""
    network = answer.network
    assert answer.pair is not None
    i, j = (printable(network.terminal_label(t)) for t in answer.pair)
    rows = [
        (
            printable(network.channel_label(x.about["given"])),
            printable(network.channel_label(x.about["channel"])),
            fraction_text(x.value) if isinstance(x.value, Fraction) else "",
        )
        for x in answer.stated
        if x.quantity == "next_channel_share"
    ]
    heads = ("flows that take", "go on by", "share of them")
    return [title(f"the second choice after the first, from {i} to {j}"), number_table(heads, rows, words=(0, 1))]


def _chance(chance: Chance) -> str:
    return _number(chance.low) if chance.low == chance.high else f"{_number(chance.low)} .. {_number(chance.high)}"


def _number(value: Fraction) -> str:
    text = fraction_text(value)
    return text if len(text) <= 9 else decimal_text(value)


def split_parts(answer: SplitAnswer) -> list[RenderableType]:
    """The split, what was expected, and whether chance explains it."""
    n, total = sum(answer.counts), sum(answer.weights)
    shares = ":".join(decimal_text(Fraction(n * w, total)) for w in answer.weights)
    level = decimal_text(100 * answer.level)
    low, high = answer.chance
    within = "within chance" if low > answer.level else "not chance" if high <= answer.level else "not decided"
    how = _chance(answer.chance) if low == high else f"between {decimal_text(low)} and {decimal_text(high)}"
    page: list[RenderableType] = [
        title(f"{':'.join(map(str, answer.counts))} of {n} flows; a fair hash gives {shares} on average"),
        Text(),
        claims_table([x for x in answer.stated if isinstance(x.value, Fraction)]),
        Text(),
        Text(f"{within} at {level} %: a fair hash does this, or worse, with probability {how}"),
        quiet(f"in at most {level} % of all cases some member is {answer.tolerated} flows or more away from its share"),
    ]
    return page


def expansion_parts(answer: ExpansionAnswer) -> list[RenderableType]:
    """Level by level, then what the theorems would need."""
    parts: list[RenderableType] = [title(printable(answer.topology))]
    for level, result in answer.found:
        where = "" if level is None else f"level {level}, "
        many = "one splitter" if len(result.splitters) == 1 else f"worst of {len(result.splitters)} splitters"
        grade = "EXHAUSTED: all sets of outputs" if result.exact else "PROVED bounds, not exact"
        parts.append(Text(f"\n{where}{result.inputs} inputs, {many} ({grade})"))
        parts.append(_table(result))
    if answer.found:
        parts += _needs([x for _, x in answer.found], answer.degree)
    return parts


def _needs(found: Sequence[Expansion], degree: int) -> list[RenderableType]:
    rows = []
    for need in theorem_needs(found, degree):
        here = ("no subset of any size", "", "")
        if need.beta is not None:
            here = (f"alpha < {need.below}", str(need.beta), need.gives)
        rows.append((need.theorem, need.condition, *here))
    how = "measured" if all(x.exact for x in found) else "proved bounds"
    rest = "For a network they need it of all its splitters, of every size: of those not gone through it is assumed."
    return [
        title(f"\nwhat the theorems would need, against these splitters (d = {degree}; {how})"),
        number_table(("theorem on", "needs", "holds here for", "beta there", "then"), rows, words=range(5), gap=2),
        Text(rest),
    ]


def _table(result: Expansion) -> Table:
    rows = []
    for k in _sizes(result.inputs):
        least = result.worst.least[k - 1]
        text = str(least) if result.exact else f"<= {least}"
        if result.below:
            text = f"{result.below[k - 1]} .. {least}"
        own = result.unique
        fraction = "" if own is None or k > len(own.least) else str(Fraction(own.least[k - 1], k))
        rows.append((str(k), text, str(Fraction(least, k)) if result.exact else "", fraction))
    return number_table(("subset size", "least neighbourhood", "per input", "unique neighbours"), rows)


def _sizes(inputs: int) -> list[int]:
    """1 to 8, then about four sizes for each doubling."""
    sizes = list(range(1, min(inputs, 8) + 1))
    while sizes[-1] < inputs:
        sizes.append(min(inputs, sizes[-1] + max(1, sizes[-1] // 4)))
    return sizes
