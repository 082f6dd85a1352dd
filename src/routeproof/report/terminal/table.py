"""Claims as a table for the terminal.  Grades are never printed alike; names from files are made harmless first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...claims.words import evidence_sentence, quantity_text
from ...core.claim import Claim, Grade, Interval
from ...core.display import decimal_text, estimate_text, fraction_text, outward_text, percent_text, trials_text
from ...core.escape import printable
from ...core.vocabulary import QUANTITIES, short_unit
from ...questions.answer import Answer
from .parts import bare_table, facts_table, fits, title

if TYPE_CHECKING:
    from ...questions.document import DocumentAnswer

MOST_VERIFIED = 1000
"""Rows of a table of verified claims: a row costs milliseconds."""
_LONG_NAME = 80  # characters of a name that wraps
_STEPS = 3  # what a table can leave out, one after the other, to fit
_LOOKS = {Grade.PROVED: "bold green", Grade.EXHAUSTED: "bold cyan", Grade.SAMPLED: "bold yellow"}


def claims_table(
    claims: Sequence[Claim], *, verdict: str | None = None, quoted: Collection[str] = ()
) -> RenderableType:
    """One row a claim: quantity, exact value, decimals, unit, grade; ``verdict`` adds a column that says so.

    ``quoted``: names of routings and traffic that stand in quotation marks, because a report gives them.

    Of more than MOST_VERIFIED claims with a verdict, the others are counted.  Where the terminal is too narrow, the
    details of samples go below the table, then the units go, then the decimals, and at last long fractions are folded;
    an exact value is never cut.
    """
    most = MOST_VERIFIED if verdict else len(claims)
    table = _ClaimsTable(tuple(claims[:most]), verdict, frozenset(quoted))
    more = f"... and {len(claims) - most:,} more claims, {verdict}"
    return Group(table, Text(more, style="green")) if len(claims) > most else table


@dataclass(frozen=True)
class _ClaimsTable:
    claims: tuple[Claim, ...]
    verdict: str | None
    quoted: frozenset[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for left_out in range(_STEPS + 1):
            table = self._table(left_out)
            if fits(table, console, options):
                break
        yield table
        if left_out:
            yield from self._details()

    def _table(self, left_out: int) -> Table:
        """``left_out``: nothing, the details of samples, units too, decimals too (and then long names wrap)."""
        table = bare_table()
        short, units, decimals = left_out > 0, left_out < 2, left_out < 3
        names = [quantity_text(x, self.quoted) for x in self.claims]
        wrap = not decimals or max(map(len, names), default=0) > _LONG_NAME
        table.add_column(
            "quantity",
            no_wrap=not wrap,
            overflow="fold",
            min_width=30 if wrap else None,
            max_width=_LONG_NAME if wrap and decimals else None,
        )
        table.add_column("exact", justify="right", overflow="fold", min_width=5)
        if decimals:
            table.add_column("decimal", justify="right", no_wrap=True)
        if units:
            table.add_column("unit", overflow="fold")
        table.add_column("grade", no_wrap=True)
        if self.verdict:
            table.add_column("", no_wrap=True)
        for above, claim, name in zip((None, *self.claims), self.claims, names, strict=False):
            exact, decimal = value_texts(claim)
            cells = [Text(_short_text(claim, above) or name), Text(exact)]
            if decimals:
                cells.append(Text(decimal))
            if units:
                cells.append(Text(unit_text(claim)))
            cells.append(Text(claim.grade.value, style=_LOOKS[claim.grade]) if short else grade_text(claim))
            if self.verdict:
                cells.append(Text(self.verdict, style="green"))
            table.add_row(*cells)
        return table

    def _details(self) -> list[Text]:
        """What the grades of samples say in full, each once."""
        found = {(text := grade_text(x)).plain: text for x in self.claims if isinstance(x.value, Interval)}
        return list(found.values())


def plain_parts(answer: Answer) -> list[RenderableType]:
    """Claims and notes, of an answer that has no tables of its own."""
    return [claims_table(answer.claims()), *map(Text, answer.notes)]


def document_parts(answer: DocumentAnswer) -> list[RenderableType]:
    """What ``check`` prints."""
    name, claims = title(printable(answer.path)), answer.claims()
    if answer.form is not None:
        name.append(f"\nread as: {answer.form}", style="not bold")
    notes = [Text(), *(Text(printable(x)) for x in answer.notes)] if answer.notes else []
    return [name, claims_table(claims), *reasons(claims), *notes]


def evidence_table(claims: Sequence[Claim], quoted: Collection[str] = ()) -> Table:
    """Every kind of evidence that occurs, each once, with its sentence."""
    kinds = dict.fromkeys(claim.evidence.kind for claim in claims)
    return facts_table(((printable(x), evidence_sentence(x, claims, quoted)) for x in kinds), style="")


def reasons(claims: Sequence[Claim]) -> list[Text]:
    """A line for every claim that says "false": why."""
    witnesses = ((x, x.evidence.data.get("witness")) for x in claims if x.value == "false")
    return [Text(f"not {quantity_text(claim)}: {printable(why)}") for claim, why in witnesses if isinstance(why, str)]


def _short_text(claim: Claim, above: Claim | None) -> str | None:
    """The short name of a quantity that stands below the one that it belongs to; else None."""
    entry = QUANTITIES.get(claim.quantity)
    if above is None or entry is None or entry.part_of is None:
        return None
    base, short = entry.part_of
    stands_above = (above.quantity, above.relation, dict(above.about))
    return short if stands_above == (base, claim.relation, dict(claim.about)) else None


def unit_text(claim: Claim) -> str:
    """The unit, short enough for a table."""
    return printable(short_unit(claim.unit), limit=30)


def grade_text(claim: Claim) -> Text:
    words = claim.grade.value
    if isinstance(claim.value, Interval) and claim.about.get("sample") == "optimised":
        words += f": the mean of these {claim.value.trials} samples themselves, seed {claim.value.seed}"
    elif isinstance(claim.value, Interval):
        x = claim.value
        words += f", no proof: {percent_text(x.confidence)} interval, {trials_text(x.trials)}, seed {x.seed}"
    return Text(words, style=_LOOKS[claim.grade])


def normal_text(claim: Claim) -> str:
    """What the normal approximation says, where the evidence has it: narrower, and without a proof of its coverage."""
    low, high = claim.evidence.data["normal_approximation"]
    return f"normal approximation, whose coverage is not proved: {low:.4f} .. {high:.4f}"


def value_texts(claim: Claim, *, limit: int = 26) -> tuple[str, str]:
    """The exact value, of at most ``limit`` characters, and its decimals."""
    relation = "" if claim.relation == "==" else f"{claim.relation} "
    value = claim.value
    if isinstance(value, Interval):
        return f"{relation}{outward_text(value.low, value.high)}", f"about {estimate_text(value.best)}"
    if isinstance(value, Fraction):
        decimal = "" if value.denominator == 1 else decimal_text(value)
        return f"{relation}{fraction_text(value, limit=limit)}", decimal
    return f"{relation}{printable(value)}", ""
