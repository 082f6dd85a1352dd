"""Accepted against offered traffic, as far as the loads alone tell: without queues, up to the first full channel.

Until a channel is full, all that is offered is accepted.  Beyond that the curve shows what is still accepted where all
terminals hold back alike: the throughput itself.  Real networks do worse there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ...core.display import fraction_text
from ...core.errors import InputError
from ...core.escape import printable
from ...core.vocabulary.quantity import PER_TERMINAL
from .style import Theme, one_axes
from .worst_case import AnalysisFigure, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...questions.worst_case import WorstCaseAnswer


def accepted_figure(title: str, throughput: Mapping[str, Fraction], theme: Theme) -> Figure:
    """``throughput``: for every kind of traffic the rate at which its busiest channel is full.

    Raises InputError where there is none.
    """
    if not throughput:
        raise InputError("no throughput is known, so there is no curve to draw")
    figure, axes = one_axes(title, across=f"offered, {PER_TERMINAL}", up="accepted, the same unit")
    end = 1.15 * max(float(x) for x in throughput.values())
    axes.plot([0, end], [0, end], color=theme.edge, linewidth=0.8, linestyle=(0, (1, 2)))
    for k, (name, value) in enumerate(sorted(throughput.items(), key=lambda x: -x[1])):
        rate, look = float(value), theme.look(k)
        axes.plot([0, rate, end], [0, rate, rate], label=f"{name}: {fraction_text(value)}", **look)
        axes.plot([rate], [rate], marker=theme.marker(k), color=look["color"])
    axes.set_xlim(0, end)
    axes.set_ylim(0, 1.25 * max(float(x) for x in throughput.values()))
    axes.legend(loc="upper left")
    return figure


def _rates(analysis: WorstCaseAnswer) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for claim in analysis.stated:
        if isinstance(claim.value, Fraction) and claim.relation == "==" and "channel" not in claim.about:
            if claim.quantity == "worst_case_throughput":
                found["worst case (guaranteed)"] = claim.value
            elif claim.quantity == "throughput":
                found[printable(str(claim.about.get("traffic")), limit=30)] = claim.value
    return found


ACCEPTED = AnalysisFigure(
    "accepted",
    "accepted against offered traffic, as the loads bound it",
    lambda analysis, theme, _: accepted_figure(f"accepted traffic: {title_of(analysis)}", _rates(analysis), theme),
)
