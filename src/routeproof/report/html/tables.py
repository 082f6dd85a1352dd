"""Tables and cards as HTML: claims, each with its grade and how it is verified, and whatever a terminal shows."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...claims.words import evidence_sentence, in_quotes, quantity_text, verdict_text
from ...core.claim import Claim, Grade, Interval
from ...core.display import decimal_text, fraction_text, percent_text, trials_text
from ...core.escape import printable
from ...core.network import Network
from ..terminal.table import unit_text, value_texts
from .evidence import channel_of, evidence_text
from .numbers import unpacked

_MOST_CLAIMS = 400
_LONG = 60  # characters of a fraction
_HEADS = ("quantity", "exact", "decimal", "unit", "grade", "how it is verified")


def table_html(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str = "",
    right: Sequence[int] = (),
    stacked: bool = False,
) -> str:
    """A sortable table; ``rows`` hold plain text, ``right`` the columns of numbers; ``stacked``: on a phone, every row
    is a list."""
    title = f"<caption>{text_html(caption)}</caption>" if caption else ""
    more = [f' data-label="{text_html(head)}"' for head in heads] if stacked else ()
    look = "sortable stacked" if stacked else "sortable"
    return _table(heads, [f"<tr>{_cells(row, right, more=more)}</tr>" for row in rows], right, title=title, look=look)


def _table(
    heads: Sequence[str],
    rows: Sequence[str],
    right: Collection[int],
    *,
    title: str = "",
    name: str = "",
    look: str = "sortable",
) -> str:
    """``rows``: as HTML; ``look``: classes, "stacked" for a table that a phone shows row below row."""
    top = _cells(heads, right, tag='th scope="col"')
    return (
        f'<div class="scroll" tabindex="0"><table class="{look}"{name}>{title}<thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cells(texts: Sequence[str], right: Collection[int], *, tag: str = "td", more: Sequence[str] = ()) -> str:
    """``more``: further attributes of each."""
    cells = []
    for k, text in enumerate(texts):
        look = ' class="number"' if k in right else ""
        cells.append(f"<{tag}{look}{more[k] if more else ''}>{text_html(text)}</{tag[:2]}>")
    return "".join(cells)


def claims_html(claims: Sequence[Claim], quoted: Collection[str] = (), network: Network | None = None) -> str:
    """Every claim, but single channels' beyond the first hundreds: quantity, value, decimals, unit, grade, why.

    ``network``: whose channels and terminals the evidence names.
    """
    chosen = [x for x in claims if "channel" not in x.about]
    chosen += [x for x in claims if "channel" in x.about]
    rows = []
    for row, claim in enumerate(chosen[:_MOST_CLAIMS], start=1):
        exact, decimal = value_texts(claim, limit=_LONG)
        texts = [quantity_text(claim, quoted), exact, decimal, unit_text(claim)]
        body = _cells(texts, (1, 2), more=[f' data-label="{head}"' for head in _HEADS])
        grade = escape(claim.grade.value)
        look = "against" if claim.value == "false" else grade.lower()
        badge = f'<td data-label="grade"><span class="grade {look}">{grade}</span></td>'
        how = f'<td data-label="{_HEADS[-1]}">{_how(claim, network, quoted)}</td>'
        rows.append(f"<tr{_place(claim, row, quoted)}>{body}{badge}{how}</tr>")
    left = len(chosen) - len(rows)
    more = f"<p>{left} more claims about single channels are in the report that can be saved below.</p>"
    table = _table(_HEADS, rows, (1, 2), name=' id="claims"', look="sortable stacked")
    return table + (more if left > 0 else "")


def _place(claim: Claim, row: int, quoted: Collection[str]) -> str:
    """Where links from the picture of its channel lead."""
    channel, name = channel_of(claim), claim.about.get("routing")
    if channel is None:
        return ""
    of = "" if name is None else f' data-routing="{text_html(in_quotes(str(name), quoted))}"'
    return f' id="claim-{row}" data-proves="{channel}"{of}'


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
    return f"<details><summary>{text_html(kind, limit=40)}</summary>{text_html(' '.join(words))}</details>"


def chooser_html(
    title: str, words: str, heads: Sequence[str], rows: Sequence[tuple[int | None, Sequence[tuple[str, str]]]]
) -> str:
    """A section with a table whose rows choose a scene of the explorer; ``rows`` hold (text, its title) in cells."""
    right = range(1, len(heads))
    body = []
    for scene, cells in rows:
        hints = [f' title="{text_html(more)}"' if more else "" for _, more in cells]
        chosen = "" if scene is None else f' data-scene="{scene}"'
        body.append(f"<tr{chosen}>{_cells([x for x, _ in cells], right, more=hints)}</tr>")
    return (
        f'<section aria-labelledby="choices-title" id="choices"><h2 id="choices-title">{text_html(title)}</h2>'
        f'{_table(heads, body, right, look="sortable sticky")}<p class="quiet">{text_html(words)}</p></section>'
    )


def channel_table(view: Mapping[str, Any], most: int) -> str:
    """The ``most`` busiest channels under the first pattern of the first routing, for readers without JavaScript."""
    network, routing = view["network"], view["routings"][0]
    pattern = routing["patterns"][0]
    labels, names = network["labels"], network.get("channels")
    tail, head, load = unpacked(network["tail"]), unpacked(network["head"]), unpacked(pattern["load"])
    exact = [Fraction(x.removeprefix("~")) for x in view["values"]]
    width = [Fraction(1)] * len(tail)
    own = "bandwidth" in routing  # not that of the network that is drawn
    if own or "bandwidth" in network:
        width = [exact[k] for k in unpacked((routing if own else network)["bandwidth"])]
    rates = None if own else network.get("gbps")
    of: list[int] = unpacked(rates["of"]).tolist() if rates else []
    use = {(k, x): exact[k] / x for k, x in set(zip(load.tolist(), width, strict=True))}
    order = heapq.nsmallest(most, range(len(tail)), key=lambda c: (-use[load[c], width[c]], c))
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
        return table_html(heads, rows, right=right, stacked=True)
    entries = "".join(f"<dt>{text_html(row[0])}</dt><dd>{text_html(' '.join(row[1:]))}</dd>" for row in rows)
    return f"<dl>{entries}</dl>"


def _plain(cell: Any) -> str:
    return str(getattr(cell, "plain", cell))


_CARDS = 3
_APART = frozenset({"channel", "routing", "job", "across", "packets"})
_PLACES = {"steps": 0, "capacity": 2}  # of cards: what is asked first, and what is known of the network alone
_LATER = frozenset({"worst_case_load", "c1_prime", "c2_prime", "minimum_routing"})  # where others say it better


def cards_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """The first few claims of different names, large; ``quoted`` as in ``terminal.table.claims_table``.

    Claims about one of several routings, jobs, numbers of packets or failures stand in a table, not here.
    """
    chosen = [x for x in claims if not _APART & set(x.about) and x.evidence.kind != "failure"]
    first = sorted((x for x in chosen if x.quantity not in _LATER), key=lambda x: _PLACES.get(x.quantity, 1))
    named: dict[object, Claim] = {}
    for claim in first or chosen:
        same = named.setdefault(_base(claim), claim)
        if len(claim.about) < len(same.about):
            named[_base(claim)] = claim
    shown = list(named.values())[:_CARDS]
    cards = [_card(quantity_text(claim, quoted), claim, _other_end(claim, chosen)) for claim in shown]
    return f'<ul class="cards">{"".join(cards)}</ul>' if cards else ""


def _base(claim: Claim) -> tuple[str, frozenset[tuple[str, str]]]:
    """What a card is about, whichever routings or graphs a bound is about."""
    return claim.quantity, frozenset((key, str(x)) for key, x in claim.about.items() if key not in ("paths", "graphs"))


def _other_end(claim: Claim, claims: Sequence[Claim]) -> Claim | None:
    """The tightest claim that bounds the same number from the other side, where its words are the same."""
    other = {"<=": ">=", ">=": "<="}.get(claim.relation)
    found = [
        x for x in claims if x.relation == other and (x.quantity, dict(x.about)) == (claim.quantity, dict(claim.about))
    ]
    found.sort(key=lambda x: x.value if isinstance(x.value, Fraction) else 0, reverse=other == ">=")
    return found[0] if found else None


_MEANING = {
    Grade.PROVED: "a witness and a proof, checked in exact arithmetic",
    Grade.EXHAUSTED: "an enumeration that can be run again",
    Grade.SAMPLED: "an interval from random trials, no proof",
}


def _card(name: str, claim: Claim, other: Claim | None) -> str:
    grade = escape(claim.grade.value)
    look = grade.lower()
    value, more = _value(claim), ""
    if verdict_text(claim):
        value = escape(verdict_text(claim))
        look = look if claim.value == "true" else "against"
    if other is not None:
        more = f'<span class="quiet">and {_value(other)}</span>'
    return (
        f'<li><span class="what">{text_html(name)}</span><span class="big">{value}</span>{more}'
        f'<span class="foot"><span class="quiet">{text_html(unit_text(claim))}</span>'
        f'<abbr class="grade {look}" tabindex="0" title="{_MEANING[claim.grade]}">{grade}</abbr></span></li>'
    )


def _value(claim: Claim) -> str:
    """Decimals, and the exact fraction behind them."""
    exact, decimal = value_texts(claim, limit=_LONG)
    if isinstance(claim.value, Interval) or not isinstance(claim.value, Fraction) or not decimal:
        return text_html(exact)
    relation = "" if claim.relation == "==" else f"{claim.relation} "
    return (
        f'<details class="number"><summary title="the exact fraction">{text_html(relation + decimal)}</summary>'
        f"<span>{text_html(exact)}</span></details>"
    )


def text_html(value: object, *, limit: int | None = None) -> str:
    """Foreign text as HTML: control characters made visible, markup escaped; arrows as a page writes them."""
    return escape(with_arrows(printable(str(value), limit=limit)))


def with_arrows(text: str) -> str:
    """``a -> b`` of a channel and ``a => b`` of a pair with the signs of a page, which a terminal may lack."""
    return text.replace(" -> ", " \u2192 ").replace(" => ", " \u21d2 ")
