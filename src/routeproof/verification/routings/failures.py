"""Reports about failures: every failure's worst case checked again, by potentials of the whole network and its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.symmetry import orbit_labels
from ...topologies.failures import Failure, switches_of
from ..kind import EXACT, Kind, States
from ..reading import Report, errors_of
from ..shapes import ANY, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape, Word
from ..subject import routing_of
from .drawn_failures import cables_of_evidence, check_drawn
from .repaired import Rebuild, Repair, Reroute
from .worst_case_shapes import BALANCED, BOUNDS_OF_GROUP, PERMUTATION, POTENTIALS, SYMMETRY, WORST_CASE

__all__ = ["KINDS", "verify_failures"]


def verify_failures(report: Report) -> None:
    """Check every claim about a failure, and what is said of all of them."""
    subject, claims = report.subject, report.claims
    whole = routing_of(subject)
    repair = Reroute(whole, subject) if subject["repair"] == "reroute" else Rebuild(whole, subject)
    known: dict[Failure, Fraction | None] = {}
    for number, claim in enumerate(claims):
        with errors_of(number, claim):
            if claim.evidence.kind == "failure":
                failure = _failure(claim.evidence.data, whole.network.num_nodes)
                known[failure] = _check(repair, claim, failure)
        if report.progress is not None:
            report.progress(number + 1, len(claims))
    stands_for: dict[Failure, int] = {}

    def check_all(claim: Claim) -> None:
        if claim.evidence.kind == "drawn-failures":
            stands_for.update(check_drawn(whole.network, claim, known))
        elif claim.evidence.kind == "every-failure":
            stands_for.update(_check_all(repair, claim, known))

    def check_number(claim: Claim) -> None:
        if claim.evidence.kind != "failure":
            return
        like = claim.evidence.data.get("like", 1)
        own = stands_for.get(_failure(claim.evidence.data, whole.network.num_nodes), 1)
        if like != own:
            raise VerificationError(f"it stands for {str(like)[:20]} failures, it says; {own} was expected")

    report.check_each(check_all)
    report.check_each(check_number)


def _failure(data: Mapping[str, Any], num_nodes: int) -> Failure:
    nodes, links, cables = data["nodes"], data["links"], data.get("cables", [])
    if min((*nodes, *(x for part in (*links, *cables) for x in part)), default=0) < 0:
        raise VerificationError("the failed nodes, links and cables must be numbers of nodes and channels")
    if any(len(link) != 2 or link[0] >= link[1] for link in links):
        raise VerificationError("a failed link must be two nodes, the lower first")
    if any(len(x) not in (1, 2) or x != sorted(set(x)) for x in cables):
        raise VerificationError("a failed cable must be a channel and its opposite, the lower first, or one channel")
    failure = Failure(tuple(nodes), tuple((u, v) for u, v in links), tuple(tuple(x) for x in cables))
    if any(len(set(some)) != len(some) for some in (failure.nodes, failure.links, failure.cables)):
        raise VerificationError("one of the failed nodes, links and cables is stated twice")
    if max(nodes, default=0) >= num_nodes:
        raise VerificationError(f"node {max(nodes)} is outside the network")
    return failure


def _check(repair: Repair, claim: Claim, failure: Failure) -> Fraction | None:
    """The load of a failure, None where it separates terminals."""
    if claim.about["failed"] != failure.text:
        raise VerificationError(f"it is about {claim.about['failed'][:60]!r}, not {failure.text!r}")
    if claim.quantity == "connected":
        lost = repair.lost(failure)
        if lost is None:
            raise VerificationError("every terminal still reaches every other")
        if claim.evidence.data.get("lost", list(lost)) != list(lost):
            raise VerificationError(f"the first pair of nodes that it separates is {list(lost)}")
        return None
    assert isinstance(claim.value, Fraction)
    repair.check(claim, failure, claim.value)
    return claim.value


def _check_all(repair: Repair, claim: Claim, known: Mapping[Failure, Fraction | None]) -> dict[Failure, int]:
    """The largest load over every single link (cable, switch): each one is stated, or symmetry maps it to one that is.

    Returns how many failures each one that is stated stands for.
    """
    what = claim.evidence.data["of"]
    if claim.about["failed"] != f"any of the {what}":
        raise VerificationError(f"it must be about any of the {what}")
    if (what == "cables") != ("opposite" in claim.evidence.data):
        raise VerificationError("which channels make a cable belongs to claims about cables, and only to those")
    kinds = _kinds(repair, claim.evidence.data, what)
    some = {f: x for f, x in known.items() if f in kinds}
    covered = {kinds[f] for f in some}
    for failure, kind in kinds.items():
        if kind not in covered:
            raise VerificationError(f"nothing is stated about {failure.text}, or a failure that is alike")
    if claim.value != max((x for x in some.values() if x is not None), default=None):
        raise VerificationError("it is not the largest load of the failures that are stated")
    size = Counter(kinds.values())
    return {failure: size[kinds[failure]] for failure in some}


def _kinds(repair: Repair, data: Mapping[str, Any], what: str) -> dict[Failure, int]:
    """Every single failure, and a number that is the same for those that checked symmetry maps to each other."""
    network = repair.routing.network
    of_channels, of_nodes = repair.symmetries(data["symmetry"])
    if what == "switches":
        label = orbit_labels(network.num_nodes, of_nodes)
        return {Failure(nodes=(v,)): int(label[v]) for v in switches_of(network)}
    label = orbit_labels(network.num_channels, of_channels)
    if what == "links":
        key = np.minimum(network.tail, network.head).astype(np.int64) * network.num_nodes
        key += np.maximum(network.tail, network.head)
        order = np.lexsort((label, key))
        first = order[np.nonzero(np.diff(key[order], prepend=-1))[0]]
        return {Failure(links=(divmod(int(key[c]), network.num_nodes),)): int(label[c]) for c in first.tolist()}
    opposite = cables_of_evidence(network, data)
    if not all(np.array_equal(opposite[image], image[opposite]) for image in of_channels):
        raise VerificationError("the symmetry does not map cables to cables")
    cables = [(c,) if c == d else (c, d) for c, d in enumerate(opposite.tolist()) if c <= d]
    return {Failure(cables=(x,)): min(int(label[c]) for c in x) for x in cables}


_SOURCES = frozenset({"Towles & Dally 2002 (SPAA), sec. 3, on what is left"})
_FAILURE: Mapping[str, Shape] = {"nodes": ListOf(WHOLE), "links": ListOf(ListOf(WHOLE))}
_LIKE: Mapping[str, Shape] = {"like": WHOLE, "cables": ListOf(ListOf(WHOLE))}
_REBUILT = Keys({**_FAILURE, "worst_case": WORST_CASE}, _LIKE)
_REROUTED = Keys(
    {**_FAILURE, "witness": PERMUTATION, "bounds": ListOf(BOUNDS_OF_GROUP), "exact": ListOf(POTENTIALS)}, _LIKE
)
_ABOUT = Keys({"failed": TEXT, "model": BALANCED})
KINDS: Mapping[str, Kind] = {
    "failure": Kind(
        ANY,
        {
            "connected": States(
                EXACT,
                Grade.PROVED,
                Keys({"failed": TEXT}),
                Keys(_FAILURE, {**_LIKE, "lost": ListOf(WHOLE)}),
                ("false",),
            ),
            "worst_case_load": States(EXACT, Grade.PROVED, _ABOUT, Either("worst_case", _REBUILT, _REROUTED)),
        },
        _SOURCES,
    ),
    "every-failure": Kind(
        Keys({"of": Word("links", "switches", "cables"), "symmetry": SYMMETRY}, {"opposite": NUMBERS}),
        {"worst_case_load": States(EXACT, Grade.PROVED, _ABOUT)},
        _SOURCES,
    ),
}
