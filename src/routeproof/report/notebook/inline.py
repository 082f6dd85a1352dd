"""Figures and pages inside a notebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from ...questions.worst_case import WorstCaseAnswer
from ..figures.style import figure_bytes, theme_named
from ..figures.worst_case import figure_of

_HIGH = 760  # pixels of a page in a notebook


@dataclass(frozen=True, repr=False)
class InlineFigure:
    """A figure that a notebook shows; ``svg`` is the file's text."""

    svg: str = field(repr=False)

    def __repr__(self) -> str:
        return f"<InlineFigure: {len(self.svg):,} characters of SVG>"  # a notebook stores this beside the figure

    def _repr_svg_(self) -> str:
        return self.svg[self.svg.index("<svg") :]


def inline_figure(analysis: WorstCaseAnswer, figure: str = "flows", theme: str = "light") -> InlineFigure:
    """One of ``figures.worst_case.FIGURES``, to be shown in a notebook; raises InputError as ``draw_analysis`` does."""
    return InlineFigure(figure_bytes(figure_of(analysis, figure), ".svg", theme=theme_named(theme)).decode("utf-8"))


@dataclass(frozen=True, repr=False)
class InlinePage:
    """The page that ``--html`` writes, inside a notebook: in a frame of its own, cut off from the notebook."""

    html: str = field(repr=False)

    def __repr__(self) -> str:
        return f"<InlinePage: {len(self.html):,} characters of HTML>"  # a notebook stores this beside the page

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" title="routeproof report" '
            f'style="width:100%;height:{_HIGH}px;border:1px solid #d0d7de"></iframe>'
        )
