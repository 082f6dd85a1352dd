"""Work in independent pieces: here, or wherever the caller can do it (``engine.Engine.spread``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from .stage import Progress

__all__ = ["Spread", "in_blocks"]


class Spread(Protocol):
    """Does pieces of work somewhere: (key, result) in their order; ``engine.Engine.spread`` is one."""

    def __call__(
        self,
        name: str,
        function: str,
        pieces: Mapping[str, Mapping[str, Any]],
        *,
        shared: Mapping[str, Any],
        prepare: str,
        seconds: float | None = None,
        memory: int = 0,
        progress: Any = None,
    ) -> Iterator[tuple[str, Any]]: ...


def in_blocks(
    spread: Spread | None,
    name: str,
    function: Callable[..., Any],
    trials: tuple[int, int],
    size: int,
    *,
    shared: Mapping[str, Any],
    prepare: Callable[..., Any],
    ready: Any = None,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """``function(ready, first=, count=)`` for blocks of ``size``, trial ``trials[0]`` to ``trials[1]`` - 1, in order.

    Elsewhere with ``spread``, or else here.  ``ready``: what all blocks share, ``prepare(**shared)`` unless it is given
    (elsewhere it is always made from ``shared``, plain data).  ``progress``: in blocks.
    """
    start, stop = trials
    what = name.split()[0]
    pieces = {f"{what} from {at}": {"first": at, "count": min(size, stop - at)} for at in range(start, stop, size)}
    if spread is not None:
        named = [f"{x.__module__}:{x.__qualname__}" for x in (function, prepare)]
        results = spread(name, named[0], pieces, shared=shared, prepare=named[1], progress=progress)
        yield from (result for _, result in results)
        return
    ready = prepare(**shared) if ready is None else ready
    for done, piece in enumerate(pieces.values(), 1):
        yield function(ready, **piece)
        if progress is not None:
            progress(done, len(pieces))
