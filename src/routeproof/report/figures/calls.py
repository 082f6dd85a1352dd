"""A figure of call failures against load: the sampled rows of a study, each series with its intervals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import InputError
from ...studies.result import StudyResult
from .style import (
    LIGHT,
    Theme,
    one_axes,
    write_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_series"]


def plot_series(
    result: StudyResult, path: str | Path, *, across: str, title: str, up: str, theme: Theme = LIGHT
) -> None:
    """Best values and intervals of all sampled rows whose ``data`` name a ``series``, over ``data[across]``.

    Raises InputError for a study without such rows, and as ``write_figure``.
    """
    series: dict[str, list[tuple[Fraction, ...]]] = {}
    for row in result.rows:
        if "series" in row.data and across in row.data and isinstance(row.computed, tuple):
            x = Fraction(str(row.data[across]))
            best = Fraction(row.data["hits"], row.data["trials"])
            series.setdefault(str(row.data["series"]), []).append((x, best, *row.computed))
    if not series:
        raise InputError(f"study {result.name} has no series over {across}")

    def make(theme: Theme) -> Figure:
        figure, axes = one_axes(title, across=across, up=up, size=(7.0, 4.2))
        spread = 0.008 * float(max(x for points in series.values() for x, *_ in points))
        for k, (name, points) in enumerate(series.items()):
            shift = (k - (len(series) - 1) / 2) * spread
            xs = [float(x) + shift for x, *_ in points]
            best_of = [float(best) for _, best, _, _ in points]
            below = [float(best - low) for _, best, low, _ in points]
            above = [float(high - best) for _, best, _, high in points]
            colour = theme.series[k % len(theme.series)]
            marker = theme.markers[k % len(theme.markers)]
            arms = [below, above]
            axes.errorbar(
                xs, best_of, yerr=arms, label=name, color=colour, marker=marker, markersize=4, capsize=2, lw=1
            )
        axes.set_ylim(-0.02, 1.02)
        axes.legend(fontsize=7, frameon=False)
        return figure

    write_figure(path, make, theme=theme)
