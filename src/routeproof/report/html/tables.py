"""Tables as HTML: claims with their grade and how each is verified, and whatever a verb prints on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...core.claim import Claim, Interval
from ...core.display import percent_text
from ...core.vocabulary import EVIDENCE
from ..terminal.escape import printable
from ..terminal.numbers import decimal_text, fraction_text, trials_text
from ..terminal.table import in_quotes, quantity_text, unit_text, value_texts
from .numbers import unpacked

_MOST_CLAIMS = 400
_CARDS = 4
_LONG = 60  # characters of a fraction


def text_html(value: object, *, limit: int | None = None) -> str:
    """Foreign text as HTML: control characters made visible, markup escaped."""
    return escape(printable(str(value), limit=limit))


def table_html(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str = "", right: Sequence[int] = ()
) -> str:
    """A sortable table; ``rows`` hold plain text, ``right`` the columns of numbers."""
    title = f"<caption>{text_html(caption)}</caption>" if caption else ""
    return _table(heads, [_cells(row, right) for row in rows], right, title=title)


def _table(heads: Sequence[str], rows: Sequence[str], right: Sequence[int], *, title: str = "", name: str = "") -> str:
    """``rows``: their cells as HTML."""
    body, top = "".join(f"<tr>{row}</tr>" for row in rows), _cells(heads, right, 'th scope="col"')
    return (
        f'<div class="scroll" tabindex="0"><table class="sortable"{name}>{title}<thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(texts: Sequence[str], right: Sequence[int], tag: str = "td") -> str:
    looks = [' class="number"' if k in right else "" for k in range(len(texts))]
    return "".join(f"<{tag}{look}>{text_html(x)}</{tag[:2]}>" for look, x in zip(looks, texts, strict=True))


def cards_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """The first few claims, large: what people look at first; ``quoted`` as in ``terminal.table.claims_table``."""
    cards = []
    chosen = [x for x in claims if "channel" not in x.about]
    compared = [x for x in chosen if "routing" in x.about and x.quantity == "worst_case_throughput"]
    for claim in compared or chosen[:_CARDS]:
        exact, decimal = value_texts(claim, limit=_LONG)
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
        exact, decimal = value_texts(claim, limit=_LONG)
        body = _cells([quantity_text(claim, quoted), exact, decimal, unit_text(claim)], (1, 2))
        grade = escape(claim.grade.value)
        badge = f'<td><span class="grade {grade.lower()}">{grade}</span></td>'
        rows.append(f"{body}{badge}<td>{_how(claim)}</td>")
    left = len(chosen) - len(rows)
    more = f"<p>{left} more claims about single channels are in the JSON.</p>" if left > 0 else ""
    heads = ("quantity", "exact", "decimal", "unit", "grade", "how it is verified")
    return _table(heads, rows, (1, 2), name=' id="claims"') + more


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


def channel_table(view: Mapping[str, Any], most: int) -> str:
    """The ``most`` busiest channels under the first pattern of the first routing, for readers without JavaScript."""
    network, routing = view["network"], view["routings"][0]
    pattern = routing["patterns"][0]
    labels = network["labels"]
    tail, head, load = unpacked(network["tail"]), unpacked(network["head"]), unpacked(pattern["load"])
    exact = [Fraction(x.removeprefix("~")) for x in view["values"]]
    width = [Fraction(1)] * len(tail)
    if "bandwidth" in network:
        width = [exact[k] for k in unpacked(network["bandwidth"])]
    order = sorted(range(len(tail)), key=lambda c: (-exact[load[c]] / width[c], c))[:most]
    rows = [
        (str(c), f"{labels[tail[c]]} -> {labels[head[c]]}", fraction_text(exact[load[c]]), decimal_text(exact[load[c]]))
        for c in order
    ]
    more = "" if len(tail) <= most else f", the {most} busiest of {len(tail):,}"
    title = f"Channels of {routing['name']} under {pattern['name']}{more}"
    return table_html(("number", "channel", "load", "decimal"), rows, caption=title, right=(0, 2, 3))


def part_html(part: RenderableType) -> str:
    """A part of what a verb prints: tables as tables, text as paragraphs, nothing else."""
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
