"""Where a study is run: its independent pieces one after the other in this process, or by an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..engine import Engine, Work
from .result import Row

Progress = Callable[[str], None]
"""Hears what begins, or how much is done."""


def silent(_: str) -> None:
    """Progress that nobody hears."""


@dataclass(frozen=True)
class Here:
    """``engine``: what does the pieces, if not this process; the results are the same.  ``name``: the study's."""

    progress: Progress = silent
    engine: Engine | None = None
    name: str = ""

    def done(
        self,
        name: str,
        function: Callable[..., Any],
        pieces: Mapping[str, Mapping[str, Any]],
        *,
        prepare: Callable[..., Any] | None = None,
        **shared: Any,
    ) -> dict[str, Any]:
        """``function(**shared, **piece)`` for each of ``pieces``, by key and in their order.

        ``function``: of a module, from plain data to plain data (``engine.records``): an engine may do it elsewhere;
        ``prepare``: as in ``engine.Work``.  ``progress`` is told the key of the piece that begins, or how many are
        done.
        """
        if self.engine is not None:
            work = Work(name, function, pieces, shared=shared, prepare=prepare)
            return self.engine.run(work, progress=lambda done, total: self.progress(f"{name}: {done} of {total}"))
        call = partial(function, **shared) if prepare is None else partial(function, prepare(**shared))
        found = {}
        for key, piece in pieces.items():
            self.progress(key)
            found[key] = call(**piece)
        return found


HERE = Here()


def rows_by_figure(figures: Sequence[Callable[[], Sequence[Row]]], progress: Progress) -> tuple[Row, ...]:
    """The rows of all ``figures``; ``progress`` hears the name of each (``_figure_1``: "figure 1") as it begins."""
    rows: list[Row] = []
    for figure in figures:
        progress(figure.__name__.strip("_").replace("_", " "))
        rows += figure()
    return tuple(rows)
