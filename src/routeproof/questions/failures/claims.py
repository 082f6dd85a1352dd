"""Failures of links, cables and switches as claims: which ones are equivalent under symmetry, and what each proves;
what a sample says of all of them, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...claims.kind import Kind
from ...claims.routings.failures import DRAWN_FAILURES, EVERY_FAILURE, FAILURE, KEPT
from ...core.arrays import Bools, Int64
from ...core.claim import Claim, Interval
from ...core.errors import InputError
from ...core.network import Network
from ...core.sampling.stopping import Stopping
from ...core.sampling.trial_intervals import FAILURE_QUANTITIES, TRIAL_METHODS, trial_interval
from ...core.symmetry import Automorphism
from ...formats.documents.json_text import fraction_from_text
from ...formats.documents.packed_ints import pack_ints
from ...routing.base.routing import Routing
from ...symmetry.channel_classes import ChannelClasses
from ...topologies.failures import Failure, alike_failures
from ...topologies.two_nodes import cable_of

_KEYS = {"worst-case": "worst_case", "matrices": "matrices", "box": "box", "routable": "routable"}
"""By kind of evidence of a worst case: where it stands in that of a failure."""


def failure_representatives(
    routing: Routing,
    classes: ChannelClasses | None,
    *,
    of: str,
    same: Callable[[Automorphism, str, Int64], Bools] | None = None,
) -> dict[Failure, int]:
    """Single failures of "links", "cables" or "switches", one of each class under ``classes``, with the number of its
    members.

    Cables that symmetry tears apart, where parallel channels are mapped one way and their opposites another, are
    judged each by itself.  ``same``: as of ``alike_failures``.
    """
    network = routing.network
    kept = classes is not None and (of != "cables" or cables_kept(network, classes))
    label = alike_failures(network, of, classes.generators if classes is not None and kept else (), same)
    first = {kind: x for x, kind in reversed(label.items())}
    return {first[kind]: count for kind, count in Counter(label.values()).items()}


def cables_kept(network: Network, classes: ChannelClasses) -> bool:
    """Does symmetry map both channels of every cable to those of one cable?"""
    opposite = cable_of(network)
    images = [g.channel for g in classes.generators]
    if classes.reversal and network.reverse is not None:
        images.append(network.reverse)
    return all(np.array_equal(opposite[image], image[opposite]) for image in images)


class Judged(NamedTuple):
    """``like``: how many failures are equivalent to this one; ``load`` after it: None where it separates terminals,
    ``lost``: two of them; where it cuts all pairs, or leaves ``nothing``: no pair that loads a channel; and where the
    rule does not say what it does to the nodes ``undecided``.

    ``cut``: how many pairs of terminals lose packets, of which ``load`` does not speak; ``uniform``: the load of
    uniform traffic; ``bound``: the load below which no routing goes.
    """

    failure: Failure
    like: int
    load: Fraction | None
    lost: tuple[int, int] | None = None
    undecided: tuple[int, int] | None = None
    cut: int = 0
    uniform: Fraction | None = None
    bound: Fraction | None = None
    nothing: bool = False

    @property
    def is_answered(self) -> bool:
        """Is it known what the failure does?"""
        return self.undecided is None

    @property
    def harm(self) -> tuple[Any, ...]:
        """What sorts failures, the worst last."""
        return self.lost is not None, self.undecided is not None, self.cut, self.load or 0


@dataclass(frozen=True, eq=False)
class PairsJudged:
    """``results`` of the pairs that were judged, as of ``worst.failures.solve_failures``; ``count``: how many pairs
    ``of`` "links" or "cables" there are; ``most``: where this was interrupted, a load that none of them passes."""

    results: Mapping[Failure, Mapping[str, Any]]
    of: str
    count: int
    most: Fraction | None = None

    @property
    def text(self) -> str:
        """What was done with them."""
        done = "interrupted before all were bounded" if self.most else "all others alike or ruled out by bounds"
        return f"all {self.count:,} pairs of {self.of}: {len(self.results):,} judged, {done}"


def failure_claims(
    network: Network,
    failures: Mapping[Failure, int],
    results: Sequence[Mapping[str, Any]],
    *,
    every: str | None,
    classes: ChannelClasses | None,
    demands: str | None = None,
    pairs: PairsJudged | None = None,
) -> tuple[list[Judged], list[Claim]]:
    """The results of ``worst.failures``, in the order of ``failures``: the worst first, and as claims.

    ``every``: "links", "cables" or "switches" where these are all single failures, up to symmetry, or, with ``pairs``,
    those of two at once that no bound rules out; ``demands``: the set that the worst cases are over, where they are not
    over all permutations.
    """
    judged: list[Judged] = []
    claims: list[Claim] = []
    more: list[Claim] = []
    of_all = any("load" in x or x.get("cut") for x in results) and not any("undecided" in x for x in results)
    for (failure, like), result in zip(failures.items(), results, strict=True):
        if "refused" in result:
            after = "without a failure" if failure == Failure() else f"after {failure.text}"
            hint = "" if failure == Failure() else "; --repair none says what is lost"
            raise InputError(f"{after} the routing cannot be made again: {result['refused']}{hint}")
        data: dict[str, Any] = {"nodes": list(failure.nodes), "links": [list(x) for x in failure.links]}
        data["like"] = like if every is None or of_all else 1
        if failure.cables:
            data["cables"] = [list(x) for x in failure.cables]
        bound = result.get("bound", {})
        least = fraction_from_text(bound.get("load", ""))
        uniform, cut = fraction_from_text(result.get("uniform", "")), int(result.get("cut", 0))
        what = {"failed": failure.text}
        if least is not None:
            evidence, about = {**data, **bound["evidence"]}, {**what, "model": "balanced"}
            more.append(FAILURE.claim(least, evidence, about, quantity="adaptive_load", source=""))
        if "undecided" in result:
            i, j = result["undecided"]
            judged.append(Judged(failure, like, None, undecided=(i, j), bound=least))
            continue
        if "lost" in result:
            i, j = result["lost"]
            judged.append(Judged(failure, like, None, (i, j), bound=least))
            lost = {**data, "lost": [i, j]}
            claims.append(FAILURE.claim("false", lost, what, quantity="connected", source=""))
            continue
        if "nothing" in result:
            judged.append(Judged(failure, like, None, bound=least, nothing=True))
            claims.append(_load_after(FAILURE, Fraction(0), data, failure.text, demands, cut=False))
            continue
        if cut:
            claims.append(FAILURE.claim(cut, data, what, quantity="pairs_cut", source=""))
        load = fraction_from_text(result.get("load", ""))
        judged.append(Judged(failure, like, load, cut=cut, uniform=uniform, bound=least))
        if uniform:
            about = {**what, "traffic": "uniform", **({"pairs": KEPT} if cut else {})}
            more.append(FAILURE.claim(1 / uniform, data, about, quantity="throughput", source=""))
        if load is None:
            continue
        data = dict(data)
        if "routing" in result:
            data["routing"] = result["routing"]
        if "evidence" in result:
            data[_KEYS[result.get("kind", "worst-case")]] = result["evidence"]
        else:
            data["witness"] = {"channel": result["channel"], "permutation": result["permutation"]}
            data |= {"bounds": result["bounds"], "exact": result["exact"]}
        claims.append(_load_after(FAILURE, load, data, failure.text, demands, cut=cut > 0))
    claims += more
    known = [x.load for x in judged if x.load is not None]
    if every is not None and of_all:
        data = {"of": every, "symmetry": _symmetry(classes)}
        if every == "cables":
            data["opposite"] = pack_ints(cable_of(network))
            if classes is not None and not cables_kept(network, classes):
                data["symmetry"] = _symmetry(None)
        most, text = max(x.cut for x in judged), f"any of the {every}"
        if pairs is not None:
            data, text = {**data, "at_once": 2}, f"any 2 of the {every}"
        elif most:
            claims.insert(0, EVERY_FAILURE.claim(most, data, {"failed": text}, quantity="pairs_cut", source=""))
        if known:
            bounds = {"==": max(known)} if pairs is None or pairs.most is None else {">=": max(known), "<=": pairs.most}
            claims[:0] = [
                _load_after(EVERY_FAILURE, load, data, text, demands, cut=most > 0, relation=relation)
                for relation, load in bounds.items()
            ]
    judged.sort(key=lambda x: x.harm, reverse=True)
    return [x for x in judged if x.failure != Failure()], claims


def _load_after(
    kind: Kind,
    load: Fraction,
    data: dict[str, Any],
    failed: str,
    demands: str | None,
    *,
    cut: bool,
    relation: str = "==",
) -> Claim:
    about = {"model": "balanced"} if demands is None else {"demands": demands}
    about |= {"failed": failed, **({"pairs": KEPT} if cut else {})}
    return kind.claim(load, data, about, quantity="worst_case_load", relation=relation)


def _symmetry(classes: ChannelClasses | None) -> dict[str, Any]:
    if classes is None:
        return {"declared": [], "reversal": False}
    if classes.found:
        return {"found": [pack_ints(g.node) for g in classes.generators], "reversal": classes.reversal}
    return {"declared": [g.name for g in classes.generators], "reversal": classes.reversal}


def sampled_failure_intervals(
    loads: Sequence[Fraction | None], whole: Fraction, seed: int, stopping: Stopping | None = None
) -> list[Interval]:
    """The probability that a failure leaves all terminals connected, and the mean of the worst-case throughput that is
    left, as a fraction (at most 1) of that of the whole network; 0 where terminals are separated.

    ``loads``: worst-case loads after the failures in the order drawn, None where terminals are separated; ``whole``:
    that of the whole network; ``stopping``: when sampling could end.
    """
    confidence = 0.99 if stopping is None else stopping.confidence(len(loads))
    connected = [0.0 if x is None else 1.0 for x in loads]
    retained = [0.0 if x is None else min(1.0, float(whole / x)) for x in loads]
    columns = {"connected_probability": connected, "retained_throughput": retained}
    return [trial_interval(x.kind, columns[x.name], confidence=confidence, seed=seed) for x in FAILURE_QUANTITIES]


def sampled_failure_claims(
    network: Network,
    counts: Mapping[str, int],
    intervals: Sequence[Interval],
    failed: str,
    stopping: Stopping | None = None,
) -> list[Claim]:
    """``connected_probability`` and ``retained_throughput`` of failures of ``counts`` links, switches and cables."""
    claims = []
    for what, interval in zip(FAILURE_QUANTITIES, intervals, strict=True):
        data = {**counts, "method": TRIAL_METHODS[what.kind], **({} if stopping is None else stopping.data())}
        if counts.get("cables"):
            data["opposite"] = pack_ints(cable_of(network))
        claims.append(DRAWN_FAILURES.claim(interval, data, {"failed": failed}, quantity=what.name))
    return claims
