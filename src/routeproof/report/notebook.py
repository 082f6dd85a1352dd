"""Results in notebooks: tables as pandas DataFrames, figures and pages inside the notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim, Interval
from ..core.display import small_table
from ..core.errors import InputError
from .style import figure_bytes, theme_named
from .table import quantity_text, unit_text

if TYPE_CHECKING:
    import pandas

    from ..studies.result import StudyResult
    from .analyse import Analysis
    from .compare import Comparison
    from .html import Page

__all__ = ["InlineFigure", "InlinePage", "analysis_html", "inline_figure", "inline_page", "to_frame"]

_HIGH = 760  # pixels of a page in a notebook


def to_frame(result: Analysis | Comparison | StudyResult | Sequence[Claim]) -> pandas.DataFrame:
    """``result`` as a pandas DataFrame: a row for every claim, compared routing, or row of a study.

    Values stay exact: ``Fraction`` in the column ``value``, its decimals in ``decimal``; a sampled value is an
    ``Interval`` there, with its middle as decimal.  Raises InputError where pandas is missing.
    """
    try:
        import pandas
    except ImportError:
        raise InputError("tables as DataFrames need pandas: pip install 'routeproof[notebook]'") from None
    from ..studies.result import StudyResult
    from .compare import Comparison

    if isinstance(result, StudyResult):
        rows: list[dict[str, Any]] = [
            {
                "label": x.label,
                "computed": x.computed,
                "grade": x.grade.value,
                "published": x.published,
                "agrees": x.agrees,
                "note": x.note,
            }
            for x in result.rows
        ]
        return pandas.DataFrame(rows)
    if isinstance(result, Comparison):
        table = {
            routing.name: {x.quantity: x.value for x in claims if "channel" not in x.about}
            for routing, claims in zip(result.routings, result.claims, strict=True)
        }
        return pandas.DataFrame.from_dict(table, orient="index")
    claims = result if isinstance(result, Sequence) else result.claims
    return pandas.DataFrame([_row(x) for x in claims])


def _row(claim: Claim) -> dict[str, Any]:
    value = claim.value
    middle = value.best if isinstance(value, Interval) else value
    decimal = float(middle) if isinstance(middle, (Fraction, float)) else None
    about = {key: x for key, x in claim.about.items() if key != "digest"}
    return {
        "quantity": claim.quantity,
        "relation": claim.relation,
        "value": value,
        "decimal": decimal,
        "unit": claim.unit,
        "grade": claim.grade.value,
        **about,
    }


@dataclass(frozen=True)
class InlineFigure:
    """A figure that a notebook shows; ``svg`` is the file's text."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg[self.svg.index("<svg") :]


def inline_figure(analysis: Analysis, figure: str = "flows", theme: str = "light") -> InlineFigure:
    """One of ``figure_worst_case.FIGURES``, to be shown in a notebook; raises InputError as ``draw_analysis`` does."""
    from .figure_worst_case import figure_of

    return InlineFigure(figure_bytes(figure_of(analysis, figure), ".svg", theme=theme_named(theme)).decode("utf-8"))


@dataclass(frozen=True)
class InlinePage:
    """The page that ``--html`` writes, inside a notebook: in a frame of its own, cut off from the notebook."""

    html: str

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" title="routeproof report" '
            f'style="width:100%;height:{_HIGH}px;border:1px solid #d0d7de"></iframe>'
        )


def inline_page(page: Page) -> InlinePage:
    from .html import page_html

    return InlinePage(page_html(page))


def analysis_html(analysis: Analysis) -> str:
    """The claims as a small table, and the picture of the worst case where one can be drawn."""
    name = f"{analysis.routing.name} on {analysis.network.name}"
    rows = []
    for claim in analysis.claims:
        if "channel" in claim.about:
            continue
        decimal = f"{float(claim.value):.4g}" if isinstance(claim.value, Fraction) else ""
        value = claim.value_text()
        rows.append((quantity_text(claim).strip(), value, decimal, unit_text(claim), claim.grade.value))
    table = small_table(name, ("quantity", "exact", "decimal", "unit", "grade"), rows)
    try:
        picture = inline_figure(analysis)._repr_svg_()
    except (InputError, ArithmeticError):  # no matplotlib, too many channels, nothing saturates: the numbers are there
        picture = ""
    return table + picture
