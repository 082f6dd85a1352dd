"""Tables as HTML: claims with their grade and how each is verified, and whatever a verb prints on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...claims.words import evidence_sentence, quantity_text
from ...core.claim import Claim, Interval
from ...core.display import decimal_text, fraction_text, percent_text, trials_text
from ...core.escape import printable
from ...core.network import Network
from ..terminal.table import unit_text, value_texts
from .evidence import evidence_text
from .numbers import unpacked
from .text import text_html

_MOST_CLAIMS = 400
_LONG = 60  # characters of a fraction
_HEADS = ("quantity", "exact", "decimal", "unit", "grade", "how it is verified")
_NUMBER = ' class="number"'


def table_html(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str = "", right: Sequence[int] = ()
) -> str:
    """A sortable table; ``rows`` hold plain text, ``right`` the columns of numbers."""
    title = f"<caption>{text_html(caption)}</caption>" if caption else ""
    return _table(heads, [_cells(row, right) for row in rows], right, title=title)


def _table(
    heads: Sequence[str],
    rows: Sequence[str],
    right: Sequence[int],
    *,
    title: str = "",
    name: str = "",
    look: str = "sortable",
) -> str:
    """``rows``: their cells as HTML; ``look``: classes, "stacked" for a table that a phone shows row below row."""
    body, top = "".join(f"<tr>{row}</tr>" for row in rows), _cells(heads, right, 'th scope="col"')
    return (
        f'<div class="scroll" tabindex="0"><table class="{look}"{name}>{title}<thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(texts: Sequence[str], right: Collection[int], tag: str = "td") -> str:
    looks = [' class="number"' if k in right else "" for k in range(len(texts))]
    return "".join(f"<{tag}{look}>{text_html(x)}</{tag[:2]}>" for look, x in zip(looks, texts, strict=True))


def claims_html(claims: Sequence[Claim], quoted: Collection[str] = (), network: Network | None = None) -> str:
    """Every claim, but single channels' beyond the first hundreds: quantity, value, decimals, unit, grade, why.

    ``network``: whose channels and terminals the evidence names.
    """
    chosen = [x for x in claims if "channel" not in x.about]
    chosen += [x for x in claims if "channel" in x.about]
    rows = []
    for claim in chosen[:_MOST_CLAIMS]:
        exact, decimal = value_texts(claim, limit=_LONG)
        texts = [quantity_text(claim, quoted), exact, decimal, unit_text(claim)]
        body = "".join(
            f'<td{look} data-label="{head}">{text_html(x)}</td>'
            for look, head, x in zip(("", _NUMBER, _NUMBER, ""), _HEADS, texts, strict=False)
        )
        grade = escape(claim.grade.value)
        look = "against" if claim.value == "false" else grade.lower()
        badge = f'<td data-label="grade"><span class="grade {look}">{grade}</span></td>'
        rows.append(f'{body}{badge}<td data-label="{_HEADS[-1]}">{_how(claim, network, quoted)}</td>')
    left = len(chosen) - len(rows)
    more = f"<p>{left} more claims about single channels are in the report that can be saved below.</p>"
    table = _table(_HEADS, rows, (1, 2), name=' id="claims"', look="sortable stacked")
    return table + (more if left > 0 else "")


def _how(claim: Claim, network: Network | None, quoted: Collection[str]) -> str:
    kind = claim.evidence.kind
    words = [evidence_sentence(kind, [claim], quoted) or "Evidence of a kind that this version does not know."]
    words += evidence_text(claim, network)
    if isinstance(claim.value, Interval):
        x = claim.value
        own = claim.about.get("sample") == "optimised"  # a fact about that sample
        how = "The mean of these samples themselves" if own else f"{percent_text(x.confidence)} interval"
        words.append(f"{how}, {trials_text(x.trials)}, seed {x.seed}.")
    if claim.source:
        words.append(f"Source: {printable(claim.source, limit=200)}.")
    return f"<details><summary>{text_html(kind, limit=40)}</summary>{escape(' '.join(words))}</details>"


def chooser_html(
    title: str, words: str, heads: Sequence[str], rows: Sequence[tuple[int | None, Sequence[tuple[str, str]]]]
) -> str:
    """A section with a table whose rows choose a scene of the explorer; ``rows`` hold (text, its title) in cells."""
    right = range(1, len(heads))
    body = []
    for scene, cells in rows:
        texts = []
        for k, (text, more) in enumerate(cells):
            look = ' class="number"' if k in right else ""
            hint = f' title="{text_html(more)}"' if more else ""
            texts.append(f"<td{look}{hint}>{text_html(text)}</td>")
        chosen = "" if scene is None else f' data-scene="{scene}"'
        body.append(f"<tr{chosen}>{''.join(texts)}</tr>")
    top = _cells(heads, right, 'th scope="col"')
    return (
        f'<section aria-labelledby="choices-title" id="choices"><h2 id="choices-title">{text_html(title)}</h2>'
        f'<p class="quiet">{text_html(words)}</p><div class="scroll" tabindex="0"><table class="sortable sticky">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(body)}</tbody></table></div></section>"
    )


def channel_table(view: Mapping[str, Any], most: int) -> str:
    """The ``most`` busiest channels under the first pattern of the first routing, for readers without JavaScript."""
    network, routing = view["network"], view["routings"][0]
    pattern = routing["patterns"][0]
    labels, names = network["labels"], network.get("channels")
    tail, head, load = unpacked(network["tail"]), unpacked(network["head"]), unpacked(pattern["load"])
    exact = [Fraction(x.removeprefix("~")) for x in view["values"]]
    width = [Fraction(1)] * len(tail)
    if "bandwidth" in network:
        width = [exact[k] for k in unpacked(network["bandwidth"])]
    rates = network.get("gbps")
    of: list[int] = unpacked(rates["of"]).tolist() if rates else []
    order = sorted(range(len(tail)), key=lambda c: (-exact[load[c]] / width[c], c))[:most]
    rows = [
        (
            str(c),
            names[c] if names else f"{labels[tail[c]]} -> {labels[head[c]]}",
            fraction_text(exact[load[c]]),
            decimal_text(exact[load[c]]),
            *([rates["rates"][of[c]]] if rates else []),
        )
        for c in order
    ]
    more = "" if len(tail) <= most else f", the {most} busiest of {len(tail):,}"
    title = f"Channels of {routing['name']} under {pattern['name']}{more}"
    heads = ("number", "channel", "load", "decimal", *(("Gb/s of the channel",) if rates else ()))
    return table_html(heads, rows, caption=title, right=(0, 2, 3, 4)[: len(heads) - 1])


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
