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
    module and function of this room.  ``display``: options of the command that say how much is shown; ``drawn``: fields
    of the question that say what is drawn;
    ``table``, ``numbers``: heads and rows of the table for people and for programs."""

    parts: str
    figure: str | None = None
    on_page: bool = False
    display: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    table: str | None = None
    numbers: str | None = None


SHOWN: Mapping[str, Shown] = {
    "AdaptiveAnswer": Shown("terminal.adaptive:adaptive_parts"),
    "DeadlockAnswer": Shown("terminal.deadlock:deadlock_parts"),
    "FailuresAnswer": Shown("terminal.failures:failure_parts", display=("top",)),
    "HashingAnswer": Shown("terminal.hashing:hashing_parts"),
    "AverageTradeoffAnswer": Shown(
        "terminal.tradeoff:average_tradeoff_parts", "figures.tradeoff:tradeoff_figure", on_page=True
    ),
    "TradeoffAnswer": Shown("terminal.tradeoff:tradeoff_parts", "figures.tradeoff:tradeoff_figure", on_page=True),
    "Comparison": Shown(
        "terminal.compare:comparison_parts",
        "figures.compare:compare_figure",
        table="terminal.compare:comparison_table",
        numbers="terminal.compare:comparison_numbers",
    ),
    "TablesAnswer": Shown("terminal.designed:tables_parts"),
    "DesignAnswer": Shown("terminal.designed:parts_of_design"),
    "ExpansionAnswer": Shown("terminal.expansion:expansion_parts"),
    "CallsAnswer": Shown("terminal.simulated:calls_parts"),
    "CubeAnswer": Shown("terminal.simulated:cube_parts"),
    "CubeTrialsAnswer": Shown("terminal.simulated:cube_trials_parts"),
    "LoadAnswer": Shown("terminal.simulated:load_parts", "figures.load:load_figure", on_page=True),
    "RepeatedAnswer": Shown("terminal.simulated:trials_parts"),
    "SearchAnswer": Shown("terminal.simulated:search_parts"),
    "WiredAnswer": Shown("terminal.simulated:packets_parts"),
    "SplitAnswer": Shown("terminal.hashing:split_parts"),
    "WorstCaseAnswer": Shown(
        "terminal.summary:worst_case_parts", "figures.worst_case:asked_figure", display=("top",), drawn=("figure",)
    ),
}


def shown(answer: Answer) -> Shown:
    """Of the answer's class, or of what it is derived from."""
    return next(SHOWN[x.__name__] for x in type(answer).__mro__ if x.__name__ in SHOWN)


def parts_of(answer: Answer, options: Mapping[str, Any]) -> Sequence[RenderableType]:
    """What a terminal shows of the answer; ``options``: of the command."""
    entry = shown(answer)
    found: Sequence[RenderableType] = _function(entry.parts)(answer, **{x: options[x] for x in entry.display})
    return found


def figure_of(answer: Answer, asked: object = None) -> Callable[[Theme], Figure] | None:
    """Its figure by theme; None where it has none; ``asked``: the question, which may say what is drawn."""
    entry = shown(answer)
    name, more = entry.figure, {x: getattr(asked, x) for x in entry.drawn if hasattr(asked, x)}
    return None if name is None else lambda look: _function(name)(answer, look, **more)


def table_of(answer: Answer, form: str) -> str:
    """Its table as a text: "csv", "latex" or "markdown"."""
    from .files import FORMS

    entry = shown(answer)
    name = entry.numbers if form == "csv" else entry.table
    assert name is not None
    return FORMS[form](*_function(name)(answer))


def _function(text: str) -> Callable[..., Any]:
    module, _, name = text.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return found
