"""A study's independent pieces: one after the other in this process, or by an engine; the results are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine import Engine

__all__ = ["done_pieces"]


def done_pieces(
    function: Callable[..., Any],
    pieces: Mapping[str, Mapping[str, Any]],
    *,
    shared: Mapping[str, Any] | None = None,
    name: str = "pieces",
    engine: Engine | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """``function(**shared, **piece)`` for each of ``pieces``, by key and in their order.

    ``function``: of a module, from plain data to plain data (``engine.records``): an engine may do it elsewhere.
    ``progress`` is told the key of the piece that begins, or how many are done.
    """
    given = dict(shared or {})
    if engine is None:
        return dict(_here(function, pieces, given, progress))
    from ..engine import Work

    def report(done: int, total: int) -> None:
        if progress is not None:
            progress(f"{name}: {done} of {total}")

    return engine.run(Work(name, function, pieces, shared=given), progress=report)


def _here(
    function: Callable[..., Any],
    pieces: Mapping[str, Mapping[str, Any]],
    shared: Mapping[str, Any],
    progress: Callable[[str], None] | None,
) -> Iterator[tuple[str, Any]]:
    for key, piece in pieces.items():
        if progress is not None:
            progress(key)
        yield key, function(**shared, **piece)
