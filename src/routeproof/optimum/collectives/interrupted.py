"""Ctrl-C while trees are packed: the bound that is known already is worth stating."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...core.spread import Progress, Stage
from ...machine.deadlines import held_interrupts


class InterruptedPacking(Exception):  # noqa: N818  # the user's wish, and no error
    """Somebody has interrupted."""


@contextmanager
def interruptible(stage: Stage) -> Iterator[Stage]:
    """``stage``, whose progress raises InterruptedPacking after the first interrupt; the second one ends it at once."""
    with held_interrupts() as held:

        @contextmanager
        def step(name: str) -> Iterator[Progress | None]:
            with stage(name) as show:

                def progress(done: int, total: int) -> None:
                    if held.happened:
                        raise InterruptedPacking
                    if show is not None:
                        show(done, total)

                yield progress

        yield step
