"""Work in independent pieces, here or wherever the caller can do it (``engine.Engine.spread``), and how long work tells
its caller which piece it is at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

Progress = Callable[[int, int], None]
Stage = Callable[[str], AbstractContextManager[Progress | None]]
Spread = Callable[..., Iterator[tuple[str, Any]]]
"""``engine.Engine.spread``: does pieces of work somewhere; (key, result) in their order."""


def silent(_: str) -> AbstractContextManager[Progress | None]:
    """The stage of which nobody hears."""
    return nullcontext()


def in_blocks(
    spread: Spread | None,
    name: str,
    function: Callable[..., Any],
    trials: tuple[int, int],
    size: int,
    *,
    shared: Mapping[str, Any],
    prepare: Callable[..., Any] | None = None,
    ready: Any = None,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """The results of ``function`` for blocks of ``size`` trials, numbers ``trials[0]`` to ``trials[1]`` - 1, in order.

    Elsewhere with ``spread``, or else here: ``function(**shared, first=, count=)``, or with ``prepare``
    ``function(prepare(**shared), first=, count=)``; here ``ready`` may stand for what ``prepare`` makes.  ``shared`` is
    plain data.  ``progress``: in blocks.
    """
    start, stop = trials
    what = name.split()[0]
    pieces = {f"{what} from {at}": {"first": at, "count": min(size, stop - at)} for at in range(start, stop, size)}
    if spread is not None:
        made = None if prepare is None else _name(prepare)
        results = spread(name, _name(function), pieces, shared=shared, prepare=made, progress=progress)
        yield from (result for _, result in results)
        return
    if prepare is not None:
        function = partial(function, prepare(**shared) if ready is None else ready)
    else:
        function = partial(function, **shared)
    for done, piece in enumerate(pieces.values(), 1):
        yield function(**piece)
        if progress is not None:
            progress(done, len(pieces))


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"
