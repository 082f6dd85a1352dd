"""The cards on top of a page: the few numbers that people look at first, decimals large, the fraction on a click."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from html import escape

from ...claims.words import quantity_text, verdict_text
from ...core.claim import Claim, Interval
from ..terminal.table import unit_text, value_texts
from .text import text_html

_CARDS = 4
_LONG = 60  # characters of a fraction
_APART = frozenset({"channel", "routing", "job", "across", "packets"})
_LATER = frozenset({"worst_case_load", "c1_prime", "c2_prime", "minimum_routing"})  # where others say it better


def cards_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """The first few claims of different names, large; ``quoted`` as in ``terminal.table.claims_table``.

    Claims about one of several routings, jobs, numbers of packets or failures stand in a table, not here.
    """
    chosen = [x for x in claims if not _APART & set(x.about) and x.evidence.kind != "failure"]
    first = sorted((x for x in chosen if x.quantity not in _LATER), key=lambda x: x.quantity != "steps")
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
        f'<span class="grade {look}">{grade}</span></span></li>'
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
