"""Tables as HTML: claims with their grade and how each is verified, and whatever a verb prints on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim, Interval
from ...core.display import estimate_text, outward_text, percent_text
from ...core.vocabulary import EVIDENCE
from ..terminal.escape import printable
from ..terminal.numbers import decimal_text, fraction_text, trials_text
from ..terminal.table import in_quotes, quantity_text, unit_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

__all__ = ["cards_html", "claims_html", "part_html", "table_html", "text_html"]

_MOST_CLAIMS = 400
_CARDS = 4


def text_html(value: object, *, limit: int | None = None) -> str:
    """Foreign text as HTML: control characters made visible, markup escaped."""
    return escape(printable(str(value), limit=limit))


def table_html(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str = "", right: Sequence[int] = ()
) -> str:
    """A sortable table; ``rows`` hold plain text, ``right`` the columns of numbers."""
    cells = [f'<th scope="col"{_right(k, right)}>{text_html(x)}</th>' for k, x in enumerate(heads)]
    body = [
        "<tr>" + "".join(f"<td{_right(k, right)}>{text_html(x)}</td>" for k, x in enumerate(row)) + "</tr>"
        for row in rows
    ]
    title = f"<caption>{text_html(caption)}</caption>" if caption else ""
    return (
        f'<div class="scroll" tabindex="0"><table class="sortable">{title}<thead><tr>{"".join(cells)}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _right(k: int, right: Sequence[int]) -> str:
    return ' class="number"' if k in right else ""


def cards_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """The first few claims, large: what people look at first; ``quoted`` as in ``table.claims_table``."""
    cards = []
    chosen = [x for x in claims if "channel" not in x.about]
    compared = [x for x in chosen if "routing" in x.about and x.quantity == "worst_case_throughput"]
    for claim in compared or chosen[:_CARDS]:
        exact, decimal = _values(claim)
        grade = escape(claim.grade.value)
        name = in_quotes(str(claim.about["routing"]), quoted) if compared else quantity_text(claim, quoted)
        cards.append(
            f'<li><span class="what">{text_html(name)}</span><span class="big">{text_html(exact)}</span>'
            f'<span class="quiet">{text_html(decimal)} {text_html(unit_text(claim))}</span>'
            f'<span class="grade {grade.lower()}">{grade}</span></li>'
        )
    return f'<ul class="cards">{"".join(cards)}</ul>' if cards else ""


def claims_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """Every claim, but single channels' beyond the first hundreds: quantity, value, decimals, unit, grade, why."""
    chosen = [x for x in claims if "channel" not in x.about]
    chosen += [x for x in claims if "channel" in x.about]
    rows = []
    for claim in chosen[:_MOST_CLAIMS]:
        exact, decimal = _values(claim)
        cells = [quantity_text(claim, quoted), exact, decimal, unit_text(claim)]
        body = "".join(f"<td{_right(k, (1, 2))}>{text_html(x)}</td>" for k, x in enumerate(cells))
        grade = escape(claim.grade.value)
        badge = f'<td><span class="grade {grade.lower()}">{grade}</span></td>'
        rows.append(f"<tr>{body}{badge}<td>{_how(claim)}</td></tr>")
    heads = "".join(
        f'<th scope="col"{_right(k, (1, 2))}>{x}</th>'
        for k, x in enumerate(("quantity", "exact", "decimal", "unit", "grade", "how it is verified"))
    )
    left = len(chosen) - len(rows)
    more = f"<p>{left} more claims about single channels are in the JSON.</p>" if left > 0 else ""
    return (
        f'<div class="scroll" tabindex="0"><table class="sortable" id="claims"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{more}"
    )


def _values(claim: Claim) -> tuple[str, str]:
    relation = "" if claim.relation == "==" else f"{claim.relation} "
    value = claim.value
    if isinstance(value, Interval):
        return f"{relation}{outward_text(value.low, value.high)}", f"about {estimate_text(value.best)}"
    if isinstance(value, Fraction):
        return f"{relation}{fraction_text(value, limit=60)}", "" if value.denominator == 1 else decimal_text(value)
    return f"{relation}{value}", ""


def _how(claim: Claim) -> str:
    kind = claim.evidence.kind
    words = [EVIDENCE.get(kind, f"Evidence of the kind '{printable(kind, limit=40)}', in the JSON.")]
    if isinstance(claim.value, Interval):
        x = claim.value
        own = claim.about.get("sample") == "optimised"  # a fact about that sample
        how = "The mean of these samples themselves" if own else f"{percent_text(x.confidence)} interval"
        words.append(f"{how}, {trials_text(x.trials)}, seed {x.seed}.")
    witness = claim.evidence.data.get("witness")
    if isinstance(witness, str):
        words.append(f"Witness: {printable(witness, limit=400)}.")
    if claim.source:
        words.append(f"Source: {printable(claim.source, limit=200)}.")
    return f"<details><summary>{text_html(kind, limit=40)}</summary>{escape(' '.join(words))}</details>"


def part_html(part: RenderableType) -> str:
    """A part of what a verb prints: tables as tables, text as paragraphs, nothing else."""
    from rich.table import Table
    from rich.text import Text

    if isinstance(part, Table):
        return _rich_table(part)
    if isinstance(part, (Text, str)):
        words = part.plain if isinstance(part, Text) else part
        return f"<p>{text_html(words.strip())}</p>" if words.strip() else ""
    return ""


def _rich_table(table: Table) -> str:
    heads = [_plain(column.header) for column in table.columns]
    columns = [[_plain(x) for x in column.cells] for column in table.columns]
    rows = list(zip(*columns, strict=True))
    right = [k for k, column in enumerate(table.columns) if column.justify == "right"]
    if any(heads):
        return table_html(heads, rows, right=right)
    entries = "".join(f"<dt>{text_html(row[0])}</dt><dd>{text_html(' '.join(row[1:]))}</dd>" for row in rows)
    return f"<dl>{entries}</dl>"


def _plain(cell: Any) -> str:
    return str(getattr(cell, "plain", cell))
