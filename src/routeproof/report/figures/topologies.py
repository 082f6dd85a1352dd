"""The figure of the study of topologies: worst cases by routing, beside the best possible and the capacity."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...studies.result import Row, StudyResult
from .study import StudyFigure
from .style import Theme, one_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def study_figure(result: StudyResult, theme: Theme) -> Figure:
    """One line for every network: a mark for each routing's worst case, a bar from what is reached to the bound of the
    best oblivious one, a tick for the capacity.  Raises InputError for a study without such numbers."""
    rows = [row for row in result.rows if "topology" in row.data]
    if not rows:
        raise InputError(f"study {result.name} has no figure")
    networks: dict[str, list[Row]] = {}
    for row in rows:
        networks.setdefault(str(row.data["topology"]), []).append(row)
    names = list(dict.fromkeys(str(row.data["routing"]) for row in rows))
    title, across = "Worst cases of common topologies (terminals)", "throughput per terminal in the worst case, exact"
    figure, axes = one_axes(title, across=across, up="", size=(7.5, 1.2 + 0.26 * len(networks)))
    drawn: set[str] = set()
    for y, some in enumerate(networks.values()):
        best, capacity = some[0].data["best_oblivious"], some[0].data["capacity"]
        if best is not None:
            low, high = float(Fraction(best["low"])), float(Fraction(best["high"]))
            label = "best oblivious, certified" if not y else None
            axes.plot([low, high], [y, y], color=theme.edge, linewidth=5, alpha=0.5, solid_capstyle="butt", label=label)
            axes.plot([low, high], [y, y], "|", color=theme.edge, markersize=8)
        if capacity is not None:
            label = None if y else "capacity"
            axes.plot(float(Fraction(capacity)), y, "|", color=theme.ink, markersize=10, label=label)
        for row in some:
            name = str(row.data["routing"])
            k = names.index(name)
            assert isinstance(row.computed, Fraction)
            look = theme.look(k) | {"linestyle": "none", "marker": theme.marker(k)}
            look["fillstyle"] = "full" if k < len(theme.series) else "none"
            axes.plot(float(row.computed), y, label=None if name in drawn else name, **look)
            drawn.add(name)
    axes.set_yticks(range(len(networks)), [f"{x} ({some[0].data['terminals']})" for x, some in networks.items()])
    axes.invert_yaxis()
    axes.set_xscale("log")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


TOPOLOGIES = StudyFigure("topologies", study_figure)
