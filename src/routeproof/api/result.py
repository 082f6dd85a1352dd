"""Results: an answer with its claims as a data frame, a page or a file; where there are figures, with ``plot``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ..core.claim import Claim, Interval
from ..core.display import short, small_table
from ..core.errors import InputError
from ..questions.answer import Answer
from ..questions.question import Question
from ..report.notebook.progress import setting_here
from ..report.shown import figure_of, page_of, routing_of
from ..routing.base.routing import Routing

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from ..report.figures.style import Theme
    from ..report.html.page import Page
    from ..report.notebook.frames import InlineFigure, InlinePage


A = TypeVar("A", bound=Answer, covariant=True)
TABLES = {".csv": "csv", ".tex": "latex", ".md": "markdown"}
"""How the names of tables end, and what they are."""


class Result(Generic[A]):
    """What a function of ``routeproof`` found; ``answer`` holds the objects that it was made from."""

    def __init__(self, answer: A, title: str, routing: Routing | None = None) -> None:
        self._answer, self._title, self._routing = answer, title, routing

    @classmethod
    def of(cls, asked: Question[A]) -> Self:
        """The answer of the question, asked in a notebook or a program."""
        answer = asked.answer(setting_here())
        return cls(answer, asked.title, routing_of(asked, answer))

    @property
    def answer(self) -> A:
        return self._answer

    def claims(self) -> Sequence[Claim]:
        """Every claim with its evidence, as in the report of ``--json``."""
        return self.answer.claims()

    def value(self, quantity: str, *, relation: str | None = None, **about: Any) -> Fraction | str | Interval:
        """The value of the claim about ``quantity``, such as "worst_case_load", with these qualifiers
        (``routing="dor"``, ``channel=3``) and this relation ("==", "<=" or ">=").

        A number is exact, or an ``Interval`` where it is sampled; a verdict is "true" or "false".  A claim that has
        the qualifiers of another one and more (one channel, one job) counts only where it is asked for, and a bound
        only where there is no exact value.
        Raises KeyError where there is no such claim, and InputError, with the qualifiers that tell them apart, where
        there are several with different values.
        """
        found = [x for x in self.claims() if x.quantity == quantity and about.items() <= dict(x.about).items()]
        found = [x for x in found if relation in (None, x.relation)]
        if not found:
            raise KeyError(quantity if not about else f"{quantity}, {', '.join(f'{k} {x}' for k, x in about.items())}")
        exact = [x for x in found if x.relation == "=="] or found
        exact = [x for x in exact if all(x.about.items() <= y.about.items() for y in exact)] or exact
        if any(x.value != exact[0].value for x in exact):
            raise InputError(f"{quantity} has several values: {_told_apart(quantity, exact)}")
        return exact[0].value

    def to_frame(self) -> pandas.DataFrame:
        """A row for every claim, as a pandas DataFrame.

        Values stay exact: ``Fraction`` in the column ``value``, its decimals in ``decimal``; a sampled value is an
        ``Interval``, with its middle as decimal.  Raises InputError where pandas is missing.
        """
        from ..report.notebook.frames import frame_of_claims

        return frame_of_claims(self.claims())

    def page(self) -> InlinePage:
        """The page to explore that ``--html`` writes, to be shown in a notebook."""
        from ..report.html.page import page_html
        from ..report.notebook.frames import InlinePage

        return InlinePage(page_html(self._page()))

    def write(self, path: str | Path) -> None:
        """Write the report (``.json``), the page (``.html``) or the table (``.csv``, ``.tex``, ``.md``) into a file,
        whole or not at all.

        Raises InputError for another kind of file, and if it cannot be written.
        """
        kind = Path(path).suffix.lower()
        if kind == ".json":
            self.answer.write(path)
        elif kind in (".html", ".htm"):
            from ..formats.text_files import write_text_atomic
            from ..report.html.page import page_html

            write_text_atomic(path, page_html(self._page()))
        elif kind in TABLES:
            from ..formats.text_files import write_text_atomic
            from ..report.files import FORMS

            write_text_atomic(path, FORMS[TABLES[kind]](*self._table()))
        else:
            raise InputError(
                f"{path}: the name of a report ends in .json, of a page in .html, of a table in {', '.join(TABLES)}"
            )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of the table that ``write`` writes: a row for every claim."""
        from ..claims.words import quantity_text
        from ..report.terminal.table import unit_text

        rows = []
        for claim in self.claims():
            decimal = f"{float(claim.value):.6g}" if isinstance(claim.value, Fraction) else ""
            rows.append([quantity_text(claim), claim.value_text(), decimal, unit_text(claim), claim.grade.value])
        return ["quantity", "exact", "decimal", "unit", "grade"], rows

    def _page(self) -> Page:
        from ..report.html.page import Page
        from ..verification.elaborate import proof_for_page

        own = page_of(self.answer)
        subject, claims = own.pop("subject", None) or self.answer.subject, self.claims()
        figure = figure_of(self.answer) if self.answer.shown.on_page else None
        return Page(
            subject, claims, routing=self._routing, network=self.answer.network,
            proof=proof_for_page(subject, claims), figure=figure, **own,
        )  # fmt: skip

    def _figure(self, theme: Theme) -> Figure:
        draw = figure_of(self.answer)
        if draw is None:
            raise InputError(f"{self._title}: a result of this kind has no figure")
        if self.answer.undrawable:
            raise InputError(f"{self.answer.undrawable}, so there is nothing to draw")
        return draw(theme)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._title}>"

    def _repr_html_(self) -> str:
        """For notebooks: the claims as a table."""
        from ..claims.words import quantity_text
        from ..report.terminal.table import unit_text

        rows = []
        for claim in self.claims():
            if "channel" in claim.about:
                continue
            decimal = f"{float(claim.value):.4g}" if isinstance(claim.value, Fraction) else ""
            rows.append((quantity_text(claim), claim.value_text(), decimal, unit_text(claim), claim.grade.value))
        return small_table(self._title, ("quantity", "exact", "decimal", "unit", "grade"), rows)


def _told_apart(quantity: str, claims: Sequence[Claim]) -> str:
    """How to ask for one of them."""
    every = [{**x.about, "relation": x.relation} for x in claims]
    keys = [k for k in every[0] if any(x.get(k) != every[0][k] for x in every)] or ["relation"]
    ask = ", ".join(f"{k}={every[0][k]!r}" for k in keys)
    others = "; ".join(", ".join(f"{k} {x.get(k)}" for k in keys) for x in every[:4])
    return f"of {short(others, 200)}; value({quantity!r}, {ask}) is one of them"


class DrawnResult(Result[A]):
    """A result with a figure, which may be all that its page has to show."""

    def plot(
        self,
        *,
        path: str | Path | None = None,
        theme: str = "light",
        title: str | None = None,
        size: tuple[float, float] | None = None,
    ) -> InlineFigure:
        """The figure, to be shown in a notebook; ``theme`` light or dark.

        ``path``: also write it into this file (.svg, .png or .pdf); ``title``, ``size`` in inches: instead of its own.
        Raises InputError where there is nothing to draw.
        """
        from ..report.figures.style import drawn_as

        with drawn_as(title=title, size=size):
            return drawn(self._figure, path=path, theme=theme)


def drawn(figure: Callable[[Theme], Figure], *, path: str | Path | None, theme: str) -> InlineFigure:
    """The figure for a notebook, also in the file ``path``."""
    from ..report.figures.style import check_figure, figure_bytes, theme_named, write_figure
    from ..report.notebook.frames import InlineFigure

    look = theme_named(theme)
    if path is not None:
        check_figure(str(path))
        write_figure(path, figure, theme=look)
    return InlineFigure(figure_bytes(figure, ".svg", theme=look).decode("utf-8"))
