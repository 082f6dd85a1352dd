"""The cards on top of a page: the few numbers that people look at first, decimals large, the fraction on a click."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from html import escape

from ...core.claim import Claim, Interval
from ...core.vocabulary import QUANTITIES
from ..terminal.table import quantity_text, unit_text, value_texts
from .text import text_html

_CARDS = 4
_LONG = 60  # characters of a fraction
_LATER = frozenset({"worst_case_load", "c1_prime", "c2_prime", "minimum_routing"})  # where others say it better


def cards_html(claims: Sequence[Claim], quoted: Collection[str] = ()) -> str:
    """The first few claims of different names, large; ``quoted`` as in ``terminal.table.claims_table``.

    Claims about one of several routings or failures stand in a table of their own, not here.
    """
    chosen = [x for x in claims if not {"channel", "routing"} & set(x.about) and x.evidence.kind != "failure"]
    first = sorted((x for x in chosen if x.quantity not in _LATER), key=lambda x: x.quantity != "steps")
    named: dict[str, Claim] = {}
    for claim in first or chosen:
        if all(_base(claim) != _base(x) for x in named.values()):
            named.setdefault(quantity_text(claim, quoted), claim)
    cards = [_card(name, claim, _other_end(claim, chosen)) for name, claim in list(named.items())[:_CARDS]]
    return f'<ul class="cards">{"".join(cards)}</ul>' if cards else ""


def _base(claim: Claim) -> tuple[str, object, object]:
    """What a card is about, whatever else qualifies it."""
    return claim.quantity, claim.about.get("traffic"), claim.about.get("model")


def _other_end(claim: Claim, claims: Sequence[Claim]) -> Claim | None:
    """The claim that bounds the same number from the other side."""
    other = {"<=": ">=", ">=": "<="}.get(claim.relation)
    return next((x for x in claims if x.relation == other and _base(x) == _base(claim)), None)


def _card(name: str, claim: Claim, other: Claim | None) -> str:
    grade = escape(claim.grade.value)
    look = grade.lower()
    value, more = _value(claim), ""
    if claim.value in ("true", "false"):
        entry = QUANTITIES.get(claim.quantity)
        yes, no = ("yes", "no") if entry is None else entry.verdicts
        value = escape(yes if claim.value == "true" else no)
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
