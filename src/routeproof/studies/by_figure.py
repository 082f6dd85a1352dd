"""Studies of a paper's figures, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .result import Row

__all__ = ["rows_by_figure"]


def rows_by_figure(
    figures: Sequence[Callable[[], Sequence[Row]]], progress: Callable[[str], None] | None
) -> tuple[Row, ...]:
    """The rows of all ``figures``; ``progress`` hears the name of each (``_figure_1``: "figure 1") as it begins."""
    rows: list[Row] = []
    for figure in figures:
        if progress is not None:
            progress(figure.__name__.strip("_").replace("_", " "))
        rows += figure()
    return tuple(rows)
