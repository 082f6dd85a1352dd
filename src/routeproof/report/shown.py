"""How answers are shown: on a terminal, as a figure, as a table; an answer's class says which functions do it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..questions.answer import Answer, RoutingAnswer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from ..questions.question import Question
    from ..routing.base.routing import Routing
    from .figures.style import Theme


def function(text: str) -> Callable[..., Any]:
    """That of this room which a question or an answer names, as module and name."""
    module, _, name = text.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return found


def parts_of(answer: Answer, options: Mapping[str, Any]) -> Sequence[RenderableType]:
    """What a terminal shows of the answer; ``options``: of the command."""
    entry = answer.shown
    found: Sequence[RenderableType] = function(entry.parts)(answer, **{x: options[x] for x in entry.display})
    return found


def page_of(answer: Answer) -> dict[str, Any]:
    """What its page has of its own: title, summary, table or subject, by the names of ``report.html.page.Page``."""
    return {} if answer.shown.page is None else function(answer.shown.page)(answer)


def figure_of(answer: Answer, asked: object = None) -> Callable[[Theme], Figure] | None:
    """Its figure by theme; None where it has none; ``asked``: the question, which may say what is drawn."""
    entry = answer.shown
    name, more = entry.figure, {x: getattr(asked, x) for x in entry.drawn if hasattr(asked, x)}
    return None if name is None else lambda look: function(name)(answer, look, **more)


def routing_of(asked: Question[Any], answer: Answer) -> Routing | None:
    """The routing that was asked about; none that was found."""
    about = any(x.type == "Routing" for x in fields(asked))  # type: ignore[arg-type]
    return answer.routing if about and isinstance(answer, RoutingAnswer) else None


def table_of(answer: Answer, form: str) -> str:
    """Its table as a text: "csv", "latex" or "markdown"."""
    from .files import FORMS

    name = answer.shown.numbers if form == "csv" else answer.shown.table
    assert name is not None
    return FORMS[form](*function(name)(answer))
