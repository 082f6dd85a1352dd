"""Routings side by side: bars of guaranteed throughput, and of throughput under the traffic that was judged."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim, Interval
from ...core.escape import printable
from ...core.vocabulary.quantity import PER_TERMINAL
from ...questions.compare import Comparison
from ...questions.ranked import by_column, load_claimed
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AVERAGE = ("average_case_throughput", "average_case_throughput_of_capacity")
_NAMES = {"worst_case_throughput": "worst case", "throughput": "uniform traffic"}


def compare_figure(comparison: Comparison, theme: Theme) -> Figure:
    """A group of bars for each routing, from top to bottom as in the table; sampled means have their interval.

    The dashed line: no oblivious routing guarantees more, where that bound is known.
    """
    columns = [by_column(claims) for claims in comparison.by_routing]
    shown = [x for x in columns[0] if x.split(" under ")[0] in (*_NAMES, *_AVERAGE)]
    count = len(columns)
    size = (6.5, 1.4 + 0.17 * count * (len(shown) + 1))
    figure, axes = one_axes(printable(comparison.network.name, limit=60), across=PER_TERMINAL, up="", size=size)
    thick = 0.8 / len(shown)
    for k, name in enumerate(shown):
        places = [i - 0.4 + thick * (k + 0.5) for i in range(count)]
        values = [_throughput(x, name) for x in columns]
        arms = [[best - low for low, best, _ in values], [high - best for _, best, high in values]]
        quantity, _, traffic = name.partition(" under ")
        words = f"average under {traffic}" if quantity in _AVERAGE else _NAMES.get(name, traffic)
        look: dict[str, Any] = {"color": theme.series[k % len(theme.series)], "ecolor": theme.ink, "capsize": 2}
        if any(map(sum, arms)):
            look["xerr"] = arms
        axes.barh(places, [x for _, x, _ in values], thick, label=printable(words, limit=40), **look)
    least = max(load_claimed(claims, ">=") for claims in comparison.by_routing)
    if least and comparison.demands is None:
        axes.axvline(
            float(1 / least), color=theme.ink, linestyle="--", linewidth=1.2, label="no routing guarantees more"
        )
    axes.set_yticks(range(count), [printable(x.name, limit=30) for x in comparison.routings])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(left=0)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _throughput(claims: Mapping[str, Claim], name: str) -> tuple[float, float, float]:
    """(low, best, high) in packets per cycle and terminal; nothing where there is no such claim."""
    value = claims[name].value if name in claims else None
    if isinstance(value, Interval):
        unit = claims["capacity"].value if "_of_capacity" in name else 1
        assert isinstance(unit, (int, Fraction))
        return value.low * float(unit), value.best * float(unit), value.high * float(unit)
    number = float(value) if isinstance(value, Fraction) else 0.0
    return number, number, number
