"""What ``hashing`` and ``split`` print."""

from __future__ import annotations

from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from ...core.display import decimal_text, fraction_text
from ...core.escape import printable
from ...core.vocabulary.quantity import PER_BANDWIDTH, SHORT_UNITS
from ...kernel.independent_flows import Chance
from ...questions.hashing import HashingAnswer, SplitAnswer
from .parts import number_table, quiet, title, units_text
from .table import claims_table


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
        title("the probability that a channel carries at least this load"),
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
