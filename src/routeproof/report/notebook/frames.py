"""Results in a notebook: pandas DataFrames, figures and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim, Interval
from ...core.errors import InputError

if TYPE_CHECKING:
    import pandas

    from ...studies.result import StudyResult


def frame_of_claims(claims: Iterable[Claim]) -> pandas.DataFrame:
    """A row for every claim; raises InputError where pandas is missing."""
    return frame_of_rows(_row(x) for x in claims)


def frame_of_study(result: StudyResult) -> pandas.DataFrame:
    """A row for every row of a study: what was computed beside what was published; raises InputError where pandas is
    missing."""
    columns = ("label", "computed", "grade", "published", "agrees", "note")
    return frame_of_rows({k: getattr(x, k) for k in columns} | {"grade": x.grade.value} for x in result.rows)


def frame_of_rows(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """A row for every mapping of columns to values; raises InputError where pandas is missing."""
    frame: pandas.DataFrame = _pandas().DataFrame(list(rows))
    return frame


def frame_of_table(table: Mapping[str, Mapping[str, Any]]) -> pandas.DataFrame:
    """A row for every name, with its columns; raises InputError where pandas is missing."""
    frame: pandas.DataFrame = _pandas().DataFrame.from_dict(table, orient="index")
    return frame


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise InputError("tables as DataFrames need pandas: pip install 'routeproof[notebook]'") from None
    return pandas


def _row(claim: Claim) -> dict[str, Any]:
    value = claim.value
    middle = value.best if isinstance(value, Interval) else value
    decimal = float(middle) if isinstance(middle, (Fraction, float)) else None
    about = {key: x for key, x in claim.about.items() if key != "digest"}
    row = {"quantity": claim.quantity, "relation": claim.relation, "value": value, "decimal": decimal}
    return {**row, "unit": claim.unit, "grade": claim.grade.value, **about}


_HIGH = 760  # pixels of a page in a notebook


@dataclass(frozen=True, repr=False)
class InlineFigure:
    """A figure that a notebook shows; ``svg`` is the file's text."""

    svg: str = field(repr=False)

    def __repr__(self) -> str:
        return f"<InlineFigure: {len(self.svg):,} characters of SVG>"  # a notebook stores this beside the figure

    def _repr_svg_(self) -> str:
        return self.svg[self.svg.index("<svg") :]


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
