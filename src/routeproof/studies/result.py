"""What a study returns: what we computed, beside what was published, and where the two part; and where it is run: its
independent pieces one after the other in this process, or by an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from ..core.claim import Grade
from ..core.display import small_table
from ..core.rational import shown
from ..engine import Engine, Work
from ..formats.documents.json_text import fraction_to_text

Computed = Fraction | int | str | tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Row:
    """One line of a study.

    - ``computed``: an exact value, a word, or a range (low, high) over samples; its kind is ``grade``.
    - ``published``: the text of the publication, quoted, "" where it says nothing.
    - ``agrees``: True or False where that can be decided; None where nothing was published, or the publication does not
      say enough.
    - ``note``: why, wherever ``agrees`` is not True.
    """

    label: str
    computed: Computed
    published: str = ""
    agrees: bool | None = None
    note: str = ""
    grade: Grade = Grade.PROVED
    data: Mapping[str, Any] = field(default_factory=dict)

    def computed_text(self) -> str:
        """``25/144 (0.1736)``, a range, or the word itself."""
        if isinstance(self.computed, tuple):
            low, high = self.computed
            return f"{decimal(low)} to {decimal(high)}" if low < high else f"{shown(low)} ({decimal(low)})"
        if isinstance(self.computed, Fraction) and self.computed.denominator > 1:
            return f"{shown(self.computed)} ({decimal(self.computed)})"
        return str(self.computed)

    def to_json(self) -> dict[str, Any]:
        if isinstance(self.computed, tuple):
            computed: Any = {"low": fraction_to_text(self.computed[0]), "high": fraction_to_text(self.computed[1])}
        else:
            computed = fraction_to_text(self.computed) if isinstance(self.computed, Fraction) else str(self.computed)
        return {
            "label": self.label,
            "computed": computed,
            "grade": self.grade.value,
            "published": {"quoted": self.published} if self.published else None,
            "agrees": self.agrees,
            "note": self.note,
            "data": dict(self.data),
        }


@dataclass(frozen=True)
class Sheet:
    """A study's own table, for people: heads, and lines of as many cells."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Chart:
    """How a study is drawn: rows whose ``data`` hold ``series`` and ``x`` are points, their computed values upwards.

    ``across``, ``up``: what the axes say; ``logarithmic``: the axis upwards.  ``best`` in the data of a sampled row is
    its estimate, else the middle of its interval.
    """

    across: str
    up: str
    logarithmic: bool = False


@dataclass(frozen=True)
class StudyResult:
    """A table or figure of a publication, computed again."""

    title: str
    source: str
    statement: str
    rows: tuple[Row, ...]
    sheet: Sheet | None = None
    chart: Chart | None = None
    name: str = ""

    def _repr_html_(self) -> str:
        """For notebooks."""
        if self.sheet is not None:
            return small_table(self.title, self.sheet.heads, list(self.sheet.lines))
        verdict = {True: "agrees", False: "DIFFERS", None: ""}
        rows = [(x.label, x.computed_text(), x.grade.value, x.published, verdict[x.agrees]) for x in self.rows]
        return small_table(self.title, ("", "computed", "grade", "published", ""), rows)

    @property
    def disagreements(self) -> tuple[str, ...]:
        """Every published number that does not come out or cannot be decided, with the reason."""
        return tuple(_reason(row) for row in self.rows if row.published and row.agrees is not True)

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.name,
            "title": self.title,
            "source": self.source,
            "statement": self.statement,
            "rows": [row.to_json() for row in self.rows],
            "disagreements": list(self.disagreements),
        }

    def row(self, label: str) -> Row:
        """The row with this label; KeyError otherwise."""
        for row in self.rows:
            if row.label == label:
                return row
        raise KeyError(label)


def _reason(row: Row) -> str:
    return f"{row.label}: computed {row.computed_text()}, published {row.published}: {row.note or 'no reason known'}"


def decimal(value: Fraction, places: int = 4) -> str:
    """``value`` rounded half up to ``places`` decimals, computed in integers."""
    scaled = (2 * value.numerator * 10**places + value.denominator) // (2 * value.denominator)
    sign, digits = ("-", str(-scaled)) if scaled < 0 else ("", str(scaled))
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def rounds_to(value: Fraction, published: str) -> bool:
    """Is ``published`` (such as "0.278" or "1") what ``value`` rounds to?  Half a unit either way counts as well."""
    places = len(published.partition(".")[2])
    return abs(value - Fraction(published)) <= Fraction(1, 2 * 10**places)


def compared(label: str, value: Fraction, published: str, reason: str = "", **data: Any) -> Row:
    """``value`` beside a printed decimal, or "" for none; ``reason``: why, where it does not round to that."""
    agrees = rounds_to(value, published) if published else None
    return Row(label, value, published, agrees, reason if agrees is False else "", data=data)


def checked(label: str, holds: bool, published: str = "", reason: str = "", **data: Any) -> Row:
    """yes or no; ``published``: what says yes, "" for nothing; ``reason``: why it is no."""
    agrees = holds if published else None
    return Row(label, "yes" if holds else "no", published, agrees, "" if holds else reason, data=data)


def sampled(label: str, ends: Iterable[float], **data: Any) -> Row:
    """The interval between two floats, rounded to short fractions."""
    low, high = (Fraction(x).limit_denominator(10**6) for x in ends)
    return Row(label, (low, high), grade=Grade.SAMPLED, data=data)


Progress = Callable[[str], None]
"""Hears what begins, or how much is done."""


def silent(_: str) -> None:
    """Progress that nobody hears."""


@dataclass(frozen=True)
class Here:
    """``engine``: what does the pieces, if not this process; the results are the same.  ``name``: the study's."""

    progress: Progress = silent
    engine: Engine | None = None
    name: str = ""

    def done(
        self,
        name: str,
        function: Callable[..., Any],
        pieces: Mapping[str, Mapping[str, Any]],
        *,
        prepare: Callable[..., Any] | None = None,
        **shared: Any,
    ) -> dict[str, Any]:
        """``function(**shared, **piece)`` for each of ``pieces``, by key and in their order.

        ``function``: of a module, from plain data to plain data (``engine.records``): an engine may do it elsewhere;
        ``prepare``: as in ``engine.Work``.  ``progress`` is told the key of the piece that begins, or how many are
        done.
        """
        if self.engine is not None:
            work = Work(name, function, pieces, shared=shared, prepare=prepare)
            return self.engine.run(work, progress=lambda done, total: self.progress(f"{name}: {done} of {total}"))
        call = partial(function, **shared) if prepare is None else partial(function, prepare(**shared))
        found = {}
        for key, piece in pieces.items():
            self.progress(key)
            found[key] = call(**piece)
        return found


HERE = Here()


def rows_by_figure(figures: Sequence[Callable[[], Sequence[Row]]], progress: Progress) -> tuple[Row, ...]:
    """The rows of all ``figures``; ``progress`` hears the name of each (``_figure_1``: "figure 1") as it begins."""
    rows: list[Row] = []
    for figure in figures:
        progress(figure.__name__.strip("_").replace("_", " "))
        rows += figure()
    return tuple(rows)
