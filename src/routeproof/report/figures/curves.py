"""Curves of one answer: the distribution of a load under hashing, and how a search for tables came to its best."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from ...core.display import fraction_text
from ...core.escape import printable
from ...core.vocabulary.quantity import PER_BANDWIDTH, SHORT_UNITS
from ...questions.designing import TablesAnswer
from ...questions.hashing import HashingAnswer
from .chart import tell
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def hashing_figure(answer: HashingAnswer, theme: Theme) -> Figure:
    """The probability that some channel, and that one channel, carries at least a load; arms are proved bounds."""
    title = f"{printable(answer.routing.name)}, {printable(answer.traffic.name)} traffic, hashed at random"
    figure, axes = one_axes(
        title, across=SHORT_UNITS[PER_BANDWIDTH], up="probability of this load or more", size=(6.5, 3.8)
    )
    some = [(float(x), float(chance.low), float(chance.high)) for x, chance, _ in answer.rows if chance.low]
    own = [(float(x), float(one), fraction_text(one)) for x, _, one in answer.rows if one]
    look: dict[str, Any] = {"marker": "o", "markersize": 5, "linestyle": "None"}  # between these loads it is a step
    highest = [high for _, _, high in some]
    axes.errorbar(
        [x for x, _, _ in some], highest, yerr=[[high - low for _, low, high in some], [0.0] * len(some)],
        label="some channel", color=theme.series[0], capsize=2, **look,
    )  # fmt: skip
    channel = printable(answer.network.channel_label(answer.channel), limit=60)
    tell(
        axes.plot([x for x, _, _ in own], [y for _, y, _ in own], label=channel, color=theme.series[1], **look),
        [text for _, _, text in own],
    )
    least = min((float(x) for _, x, *_ in (*some, *own) if x), default=1.0)
    axes.set_yscale("log")
    axes.set_ylim(10.0 ** (math.ceil(math.log10(least)) - 1), 1.25)  # a decade or more, for its ticks; none above 1
    axes.legend(loc="upper right")
    return figure


def search_figure(answer: TablesAnswer, theme: Theme) -> Figure:
    """The worst-case load of the best tables so far against the number of proposals; dashed: what no tables are
    below, where it is proved."""
    found = answer.made
    title = f"{printable(answer.routing.network.name, limit=60)}: the best tables so far"
    figure, axes = one_axes(title, across="proposals", up=answer.measure, size=(6.5, 3.8))
    curve = [*found.curve, (found.proposals, answer.judged.worst_case.load)]
    steps = curve[:1]
    for (_, before), (done, load) in itertools.pairwise(curve):
        steps += [(done, before), (done, load)]
    line = axes.plot([x for x, _ in steps], [float(y) for _, y in steps], color=theme.series[0], label="best so far")
    tell(line, [fraction_text(y) for _, y in steps])
    bounds = [
        x.number
        for x in answer.stated
        if x.quantity == "worst_case_load" and (x.relation == ">=" or (x.relation == "==" and "among" in x.about))
    ]
    if bounds:
        least = max(bounds)
        look: dict[str, Any] = {"color": theme.series[2], "linestyle": "--"}
        tell(
            axes.plot([0, found.proposals], [float(least)] * 2, label="no tables are below this", **look),
            [fraction_text(least)] * 2,
        )
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper right")
    return figure
