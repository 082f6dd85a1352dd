"""A study's independent pieces: one after the other in this process, or by an engine; the results are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..engine import Engine, Work
from .result import Row

Progress = Callable[[str], None]
"""Hears what begins, or how much is done."""


def silent(_: str) -> None:
    """Progress that nobody hears."""


def done_pieces(
    function: Callable[..., Any],
    pieces: Mapping[str, Mapping[str, Any]],
    *,
    shared: Mapping[str, Any] | None = None,
    name: str = "pieces",
    engine: Engine | None = None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """``function(**shared, **piece)`` for each of ``pieces``, by key and in their order.

    ``function``: of a module, from plain data to plain data (``engine.records``): an engine may do it elsewhere.
    ``progress`` is told the key of the piece that begins, or how many are done.
    """
    given = dict(shared or {})
    if engine is not None:
        work = Work(name, function, pieces, shared=given)
        return engine.run(work, progress=lambda done, total: progress(f"{name}: {done} of {total}"))
    found = {}
    for key, piece in pieces.items():
        progress(key)
        found[key] = function(**given, **piece)
    return found


def rows_by_figure(figures: Sequence[Callable[[], Sequence[Row]]], progress: Progress) -> tuple[Row, ...]:
    """The rows of all ``figures``; ``progress`` hears the name of each (``_figure_1``: "figure 1") as it begins."""
    rows: list[Row] = []
    for figure in figures:
        progress(figure.__name__.strip("_").replace("_", " "))
        rows += figure()
    return tuple(rows)
