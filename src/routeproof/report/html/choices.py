"""The table of what a page compares: a row for every routing or failure, which chooses what the picture shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Grade
from ...core.network import Network
from ...core.vocabulary import QUANTITIES
from ..terminal.numbers import decimal_text, fraction_text
from ..terminal.table import in_quotes, quantity_text, value_texts
from .scenes import failed_text, failure_of, failures_in
from .tables import chooser_html

_LONG = 26
_MOST_ROWS = 1000
Row = tuple[int | None, Sequence[tuple[str, str]]]  # the scene that it chooses, and (text, its title) of every cell


def choices_html(
    subject: Mapping[str, Any],
    claims: Sequence[Claim],
    network: Network | None,
    view: Mapping[str, Any] | None,
    quoted: Collection[str],
) -> str:
    """The table as HTML; the empty text where nothing is compared."""
    scenes = [] if view is None or view.get("kind") != "network" else view["routings"]
    if subject.get("kind") == "failures":
        return _failures(claims, network, len(scenes))
    if isinstance(subject.get("routings"), Mapping):
        return _routings(list(subject["routings"]), claims, len(scenes), quoted)
    return ""


def _routings(names: Sequence[str], claims: Sequence[Claim], scenes: int, quoted: Collection[str]) -> str:
    """A row a routing, a column for all that is claimed of each."""
    of: dict[str, dict[str, Claim]] = {name: {} for name in names}
    heads: dict[str, None] = {}
    for claim in claims:
        name = claim.about.get("routing")
        if name not in of or "channel" in claim.about:
            continue
        entry = QUANTITIES.get(claim.quantity)
        if (entry is not None and entry.part_of is not None) or claim.quantity == "worst_case_load":
            continue  # the same number in another unit
        head = quantity_text(_plain(claim), quoted)
        heads.setdefault(head)
        of[name].setdefault(head, claim)
    rows: list[Row] = []
    for k, name in enumerate(names):
        cells = [(in_quotes(name, quoted), "")]
        for head in heads:
            known = of[name].get(head)
            cells.append(("", "") if known is None else _cell(known))
        rows.append((k if k < scenes else None, cells))
    grades = {x.grade for some in of.values() for x in some.values()}
    graded = f"; every number is {Grade.PROVED.value}" if grades == {Grade.PROVED} else ""
    return chooser_html("Side by side", f"A row shows its routing below{graded}.", ("routing", *heads), rows)


def _plain(claim: Claim) -> Claim:
    """Without the words that all rows of a column share."""
    from dataclasses import replace

    return replace(claim, about={k: x for k, x in claim.about.items() if k not in ("routing", "paths", "assignment")})


def _cell(claim: Claim) -> tuple[str, str]:
    exact, decimal = value_texts(claim, limit=_LONG)
    if claim.value in ("true", "false"):
        entry = QUANTITIES.get(claim.quantity)
        yes, no = ("yes", "no") if entry is None else entry.verdicts
        return (yes if claim.value == "true" else no), ""
    if isinstance(claim.value, Fraction) and decimal:
        relation = "" if claim.relation == "==" else f"{claim.relation} "
        return relation + decimal, exact
    return exact, ""


def _failures(claims: Sequence[Claim], network: Network | None, scenes: int) -> str:
    """A row a failure, the worst first."""
    some = [x for x in failures_in(claims) if failure_of(x).text != "nothing"]
    if not some or network is None:
        return ""
    rows: list[Row] = []
    for k, claim in enumerate(some[:_MOST_ROWS]):
        like = str(claim.evidence.data.get("like", 1))
        cells = [(failed_text(network, failure_of(claim)), failure_of(claim).text), (like, "")]
        if isinstance(claim.value, Fraction) and claim.value:
            left = 1 / claim.value
            cells += [
                (decimal_text(left), fraction_text(left)),
                (decimal_text(claim.value), fraction_text(claim.value)),
            ]
        else:
            i, j = claim.evidence.data["lost"]
            cells += [("0", ""), (f"no path from {network.label(i)} to {network.label(j)}", "")]
        rows.append((k if k < scenes - 1 else None, cells))
    more = f" Of {len(some):,} failures these are the worst {_MOST_ROWS:,}." if len(some) > _MOST_ROWS else ""
    shown = (
        "A row shows its failure below." if scenes > len(some) else f"The first {scenes - 1} rows show theirs below."
    )
    heads = ("failed", "alike", "worst-case throughput", "worst-case channel load")
    words = f"{shown} Every number is PROVED.{more}" if scenes > 1 else f"Every number is PROVED.{more}"
    return chooser_html("After a failure", words, heads, rows)
