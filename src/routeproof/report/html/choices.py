"""The table of what a page compares: a row for every routing or failure, which chooses what the picture shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...claims.repair_words import rule_text
from ...claims.words import in_quotes, qualifiers_text, quantity_text, set_text, verdict_text
from ...core.claim import Claim, Grade
from ...core.display import decimal_text, fraction_text
from ...core.network import Network
from ...core.vocabulary import QUANTITIES
from ...topologies.failures import Failure
from ..terminal.table import value_texts
from .scenes import failed_text, failures_in
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
        return _failures(subject, claims, network, len(scenes), quoted)
    if isinstance(subject.get("routings"), Mapping):
        return _routings(list(subject["routings"]), claims, len(scenes), quoted)
    return ""


def _routings(names: Sequence[str], claims: Sequence[Claim], scenes: int, quoted: Collection[str]) -> str:
    """A row a routing, a column for all that is claimed of each."""
    of: dict[str, dict[str, dict[str, Claim]]] = {name: {} for name in names}  # by routing, column, cell
    heads: dict[str, None] = {}
    for claim in claims:
        name = claim.about.get("routing")
        if name not in of or "channel" in claim.about:
            continue
        entry = QUANTITIES.get(claim.quantity)
        if (entry is not None and entry.part_of is not None) or claim.quantity == "worst_case_load":
            continue  # the same number in another unit
        head = quantity_text(_without(claim, ("routing", *_IN_CELLS)), quoted)
        heads.setdefault(head)
        of[name].setdefault(head, {}).setdefault("; ".join(_cell(claim, quoted)), claim)
    rows: list[Row] = []
    for k, name in enumerate(names):
        cells = [(in_quotes(name, quoted), "")]
        for head in heads:
            known = [_cell(x, quoted) for x in of[name].get(head, {}).values()]
            cells.append(("; ".join(x for x, _ in known), "; ".join(x for _, x in known if x)))
        rows.append((k if k < scenes else None, cells))
    grades = {x.grade for some in of.values() for column in some.values() for x in column.values()}
    graded = f"; every number is {Grade.PROVED.value}" if grades == {Grade.PROVED} else ""
    return chooser_html("Side by side", f"A row shows its routing in the picture{graded}.", ("routing", *heads), rows)


_IN_CELLS = ("paths", "assignment")
"""What may differ from row to row of a column."""


def _without(claim: Claim, keys: Collection[str]) -> Claim:
    return replace(claim, about={key: x for key, x in claim.about.items() if key not in keys})


def _cell(claim: Claim, quoted: Collection[str]) -> tuple[str, str]:
    own = qualifiers_text({key: claim.about[key] for key in _IN_CELLS if key in claim.about}, quoted)
    if verdict_text(claim):
        return verdict_text(claim) + own, ""
    exact, decimal = value_texts(claim, limit=_LONG)
    if isinstance(claim.value, Fraction) and decimal:
        relation = "" if claim.relation == "==" else f"{claim.relation} "
        return relation + decimal + own, exact
    return exact + own, ""


_BESIDE = {
    "pairs_cut": "pairs cut", "throughput": "throughput under uniform traffic", "adaptive_load": "any routing, at most"
}  # fmt: skip
"""What stands beside the worst case of a failure."""


def _beside(claim: Claim | None) -> tuple[str, str]:
    if claim is None or not claim.number:
        return "", ""
    if claim.quantity == "pairs_cut":
        return f"{int(claim.number):,}", ""
    value = claim.number if claim.quantity == "throughput" else 1 / claim.number
    return decimal_text(value), fraction_text(value)


def _failures(
    subject: Mapping[str, Any], claims: Sequence[Claim], network: Network | None, scenes: int, quoted: Collection[str]
) -> str:
    some = [x for x in failures_in(claims) if Failure.of(x.evidence.data).text != "nothing"]
    if not some or network is None:
        return ""
    rows: list[Row] = []
    beside: dict[str, dict[Failure, Claim]] = {x: {} for x in _BESIDE}  # by quantity
    for claim in claims:
        if claim.evidence.kind == "failure" and claim.quantity in beside:
            beside[claim.quantity][Failure.of(claim.evidence.data)] = claim
    told = [x for x in _BESIDE if beside[x]]
    gone = any(Failure.of(x.evidence.data).terminals(network) for x in some[:_MOST_ROWS])
    pairs = {x.relation for x in claims if "at_once" in x.evidence.data}  # of all of two at once; some are stated
    for k, claim in enumerate(some[:_MOST_ROWS]):
        failure = Failure.of(claim.evidence.data)
        cells = [(failed_text(network, failure), failure.text)]
        if gone:
            cells.append((str(len(failure.terminals(network))), ""))
        if not pairs:
            cells.append((str(claim.evidence.data.get("like", 1)), ""))
        cells += [_beside(beside[x].get(failure)) for x in told]
        some_pairs = "that may send and" if "demands" in subject else "that"
        if claim.quantity == "pairs_cut":
            cells += [("0", ""), (f"every pair {some_pairs} takes a link loses packets", "")]
        elif claim.value == 0:
            cells += [("none", ""), (f"no pair {some_pairs} takes a link is left", "")]
        elif isinstance(claim.value, Fraction):
            left = 1 / claim.value
            cells += [
                (decimal_text(left), fraction_text(left)),
                (decimal_text(claim.value), fraction_text(claim.value)),
            ]
        else:
            i, j = claim.evidence.data["lost"]
            cells += [("0", ""), (f"no path from {network.label(i)} to {network.label(j)}", "")]
        rows.append((k if k < scenes - 1 else None, cells))
    of_all = "failures that were judged" if pairs else "failures"
    more = f" Of {len(some):,} {of_all} these are the worst {_MOST_ROWS:,}." if len(some) > _MOST_ROWS else ""
    if "==" in pairs:
        more += " The worst case is that of all pairs; some that were not judged may be worse than the next ones here."
    shown = (
        "A row shows its failure in the picture."
        if scenes > len(some)
        else f"The first {scenes - 1} rows show theirs in the picture."
    )
    of = sorted({set_text(x.about["demands"], quoted) for x in some if "demands" in x.about})
    over = f" over {' and '.join(of)}" if of else ""
    lost = ["hosts lost" if network.terminal_labels is not None else "terminals lost"] if gone else []
    heads = ["failed", *lost, *([] if pairs else ["alike"]), *(_BESIDE[x] for x in told)]
    heads += [f"worst-case throughput{over}", f"worst-case channel load{over}"]
    entries = next((int(x.number) for x in claims if x.quantity == "entries_by_rule"), None)
    rule = f"The rule: {rule_text(subject, entries)}. "
    words = f"{rule}{shown} Every number is PROVED.{more}" if scenes > 1 else f"{rule}Every number is PROVED.{more}"
    return chooser_html("After a failure", words, heads, rows)
