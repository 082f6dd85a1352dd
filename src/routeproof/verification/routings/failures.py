"""Reports about failures: every failure's worst case checked again, by potentials of the whole network and its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...topologies.failures import Failure, links_of, switches_of
from ..context import Context, Progress
from ..kind import EXACT, Kind, States
from ..reading import as_list, as_mapping
from ..shapes import ANY, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape, Word
from .drawn_failures import cables_told, check_drawn
from .repaired import Judge, Rebuild, Reroute
from .worst_case_shapes import BALANCED, BOUNDS_OF_GROUP, PERMUTATION, POTENTIALS, SYMMETRY, WORST_CASE

__all__ = ["KINDS", "verify_failures"]


def verify_failures(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim about a failure, and what is said of all of them; arguments as in ``verify_claims``."""
    from ..subject import routing_of

    del routing  # failures are of the report's own
    whole = routing_of(subject)
    judge = Reroute(whole, subject) if subject["repair"] == "reroute" else Rebuild(whole, subject)
    known: dict[Failure, Fraction | None] = {}
    for number, claim in enumerate(claims):
        try:
            if claim.evidence.kind == "failure":
                failure = _failure(claim.evidence.data)
                if max(failure.nodes, default=0) >= whole.network.num_nodes:
                    raise VerificationError(f"node {max(failure.nodes)} is outside the network")  # noqa: TRY301
                known[failure] = _check(judge, claim, failure)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
        if progress is not None:
            progress(number + 1, len(claims))
    alike: dict[Failure, int] = {}
    for number, claim in enumerate(claims):
        if claim.evidence.kind != "failure":
            try:
                if claim.evidence.kind == "drawn-failures":
                    alike |= check_drawn(whole.network, claim, known)
                else:
                    alike |= _check_all(judge, claim, known)
            except (VerificationError, InputError) as error:
                raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    for number, claim in enumerate(claims):
        like = claim.evidence.data.get("like", 1)
        if claim.evidence.kind == "failure" and like != alike.get(_failure(claim.evidence.data), 1):
            raise VerificationError(
                f"claims[{number}] ({claim.quantity[:80]}): it stands for {str(like)[:20]} failures, it says; "
                f"{alike.get(_failure(claim.evidence.data), 1)} was expected"
            )
    return list(claims)


def _failure(data: Mapping[str, Any]) -> Failure:
    nodes, links = as_list(data, "nodes"), as_list(data, "links")
    cables = as_list(data, "cables") if "cables" in data else []
    whole = [*nodes, *(x for part in (*links, *cables) if isinstance(part, list) for x in part)]
    if any(isinstance(x, bool) or not isinstance(x, int) or x < 0 for x in whole):
        raise VerificationError("the failed nodes, links and cables must be numbers of nodes and channels")
    if any(not isinstance(link, list) or len(link) != 2 or link[0] >= link[1] for link in links):
        raise VerificationError("a failed link must be two nodes, the lower first")
    if any(not isinstance(x, list) or len(x) not in (1, 2) or x != sorted(set(x)) for x in cables):
        raise VerificationError("a failed cable must be a channel and its opposite, the lower first, or one channel")
    for some in (nodes, links, cables):
        if len({str(x) for x in some}) != len(some):
            raise VerificationError("one of the failed nodes, links and cables is told twice")
    return Failure(tuple(nodes), tuple((u, v) for u, v in links), tuple(tuple(x) for x in cables))


def _check(judge: Judge, claim: Claim, failure: Failure) -> Fraction | None:
    """The load of a failure, None where it separates terminals."""
    if claim.about.get("failed") != failure.text:
        raise VerificationError(f"it is about {str(claim.about.get('failed'))[:60]!r}, not {failure.text!r}")
    if claim.quantity == "connected":
        lost = judge.lost(failure)
        if lost is None:
            raise VerificationError("every terminal still reaches every other")
        if claim.evidence.data.get("lost", list(lost)) != list(lost):
            raise VerificationError(f"the first pair of nodes that it separates is {list(lost)}")
        return None
    assert isinstance(claim.value, Fraction)
    judge.check(claim, failure, claim.value)
    return claim.value


def _check_all(judge: Judge, claim: Claim, known: Mapping[Failure, Fraction | None]) -> dict[Failure, int]:
    """The largest load over every single link (cable, switch): each one is stated, or alike to one that is.

    Returns how many failures each one that is stated stands for.
    """
    what = claim.evidence.data["of"]
    if claim.about["failed"] != f"any of the {what}":
        raise VerificationError(f"it must be about any of the {what}")
    if (what == "cables") != ("opposite" in claim.evidence.data):
        raise VerificationError("which channels make a cable belongs to claims about cables, and only to those")
    kinds = _kinds(judge, claim, what)
    some = {f: x for f, x in known.items() if f in kinds}
    covered = {kinds[f] for f in some}
    for failure, kind in kinds.items():
        if kind not in covered:
            raise VerificationError(f"nothing is stated about {failure.text}, or a failure that is alike")
    if claim.value != max((x for x in some.values() if x is not None), default=None):
        raise VerificationError("it is not the largest load of the failures that are stated")
    size = Counter(kinds.values())
    return {failure: size[kinds[failure]] for failure in some}


def _kinds(judge: Judge, claim: Claim, what: str) -> dict[Failure, int]:
    """Every single failure, and a number that is the same for those that checked symmetry makes alike."""
    network = judge.routing.network
    if what == "cables":
        return _kinds_of_cables(judge, claim)
    if isinstance(judge, Rebuild):
        if what == "links":
            return {Failure(links=(x,)): k for k, x in enumerate(links_of(network))}
        return {Failure(nodes=(v,)): v for v in switches_of(network)}
    if what == "switches":
        of_node = judge.node_classes(claim)
        return {Failure(nodes=(v,)): int(of_node[v]) for v in switches_of(network)}
    label = judge.classes(claim)
    low = np.minimum(network.tail, network.head).astype(np.int64)
    key = low * network.num_nodes + np.maximum(network.tail, network.head)
    order = np.lexsort((label, key))
    first = order[np.nonzero(np.diff(key[order], prepend=-1))[0]]
    return {Failure(links=(divmod(int(key[c]), network.num_nodes),)): int(label[c]) for c in first.tolist()}


def _kinds_of_cables(judge: Judge, claim: Claim) -> dict[Failure, int]:
    """Every cable, and a number that is the same for those that checked symmetry makes alike."""
    network, data = judge.routing.network, claim.evidence.data
    opposite = cables_told(network, data)
    own = np.arange(network.num_channels)
    label = own if isinstance(judge, Rebuild) else judge.classes(claim)
    if isinstance(judge, Reroute):
        images = [g.channel for g in Context(judge.routing, []).generators(as_mapping(data, "symmetry"))]
        if as_mapping(data, "symmetry").get("reversal") and network.reverse is not None:
            images.append(network.reverse)
        if not all(np.array_equal(opposite[image], image[opposite]) for image in images):
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
