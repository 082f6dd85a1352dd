"""How every answer is shown: its tables on a terminal, and its figure; by the answer's class."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from ..questions.answer import Answer
    from .figures.style import Theme


@dataclass(frozen=True)
class Shown:
    """``parts(answer)``: what a terminal shows; ``figure(answer, theme)``, ``on_page``: the page shows it, too; both as
    module and function of this room."""

    parts: str
    figure: str | None = None
    on_page: bool = False


SHOWN: Mapping[str, Shown] = {
    "AdaptiveAnswer": Shown("terminal.adaptive:adaptive_parts"),
    "DeadlockAnswer": Shown("terminal.deadlock:deadlock_parts"),
}


def shown(answer: Answer) -> Shown:
    """Of the answer's class."""
    return SHOWN[type(answer).__name__]


def parts_of(answer: Answer, **display: Any) -> Sequence[RenderableType]:
    """What a terminal shows of the answer; ``display``: what the command was asked about that."""
    found: Sequence[RenderableType] = _function(shown(answer).parts)(answer, **display)
    return found


def figure_of(answer: Answer) -> Callable[[Theme], Figure] | None:
    """Its figure by theme; None where it has none."""
    name = shown(answer).figure
    return None if name is None else lambda look: _function(name)(answer, look)


def _function(text: str) -> Callable[..., Any]:
    module, _, name = text.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return found
