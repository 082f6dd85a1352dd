"""The worst of all pairs of links, or of cables, that fail together: a bound rules most out, the others are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...formats.documents.json_text import fraction_from_text
from ...kernel.reused_bounds import MAX_POTENTIALS, limits_of
from ...machine.deadlines import held_interrupts
from ...routing.base.two_failures import TwoFailures, both, pairs_of, seconds_each
from ...topologies.failures import MOST_FAILURES, Failure, number_of_failures
from ...worst.failures import num_potentials
from .claims import PairsJudged, failure_representatives

if TYPE_CHECKING:
    from ...core.spread import Progress
    from ...demand_sets.demand_set import DemandSet
    from ...routing.base.routing import Routing
    from ...symmetry.channel_classes import ChannelClasses
    from ...worst.failures import Base
    from .judging import Judge
    from .rules import Chosen

JUDGED_ALL = 2000
"""So many pairs are all judged: of more, those alone that a bound does not rule out."""
_MOST_SECONDS = 7200.0
_BEGIN = 40  # pairs that are judged before any is ruled out
_LOOKED_AT = 64  # parts whose pairs these are of


def pairs_asked(routing: Routing, chosen: Chosen, demands: DemandSet | None, counts: Mapping[str, int]) -> bool:
    """Are all failures of two links, or of two cables, asked for, too many to judge all, and are bounds known?"""
    two = sum(counts.values()) == 2 and 2 in (counts["links"], counts["cables"])
    if not two or demands is not None or number_of_failures(routing.network, **counts) <= JUDGED_ALL:
        return False
    known = chosen.repair in ("split", "installed-rule")
    known |= chosen.repair == "rebuild" and routing.remade in ("split", "per-hop")
    return known and num_potentials(routing) <= MAX_POTENTIALS


def judge_pairs(
    routing: Routing, base: Base, classes: ChannelClasses | None, judge: Judge, progress: Progress | None, *, of: str
) -> PairsJudged | None:
    """All pairs ``of`` "links" or "cables"; None where no bound is known, but all can be judged.

    ``classes``: the symmetry, which maps every pair to one with a member of ``failure_representatives``.  Interrupted,
    it answers with what was judged, and what no pair passes.  Raises InputError where it takes too long.
    """
    network, parts = routing.network, list(failure_representatives(routing, None, of=of))
    at = {x: k for k, x in enumerate(parts)}
    first = {at[x] for x in failure_representatives(routing, classes, of=of)}
    pairs = pairs_of(len(parts), first)
    count, todo = len(parts) * (len(parts) - 1) // 2, sum(map(len, pairs.values()))
    seconds = todo * seconds_each(network)
    if seconds > _MOST_SECONDS:
        raise InputError(
            f"{network.name}: bounds after {todo:,} pairs of failures would take about {seconds / 60:,.0f} minutes; at "
            f"most {_MOST_SECONDS / 60:.0f} are spent: --samples draws some of them"
        )
    try:
        two = TwoFailures(base.rerouting, base.potentials, base.rates.supply, base.rates.demand, parts)
    except InputError as error:
        if count <= MOST_FAILURES:
            return None
        raise InputError(
            f"all {count:,} pairs of {of} are not bounded: {error}; --samples draws some of them"
        ) from None
    results: dict[Failure, Mapping[str, Any]] = {}

    def judged(some: Sequence[tuple[int, int]]) -> Fraction:
        new = [x for x in (both(parts[e], parts[f]) for e, f in some) if x not in results]
        results.update(zip(new, judge(new, None), strict=True))
        loads = (fraction_from_text(x.get("load", "")) for x in results.values())
        return max((x for x in loads if x is not None), default=Fraction(0))

    with held_interrupts() as held:
        some = [*pairs][:: -(-len(pairs) // _LOOKED_AT)]
        likely = sorted((x, e, f) for e in some for x, f in two.likely(e, pairs[e]))
        best = judged([(e, f) for _, e, f in likely[-_BEGIN:]])
        left: list[tuple[float, int, int]] = []
        scale, width = base.potentials.scale, np.array([float(x) for x in network.bandwidth])
        limits = limits_of(network, best, scale)
        for done, e in enumerate(pairs):
            if held.happened:
                break
            if progress is not None:
                progress(done, len(pairs))
            for f, bound in two.after(e, pairs[e]):
                if bound is None or (bound > limits).any():
                    left.append((np.inf if bound is None else float((bound / width).max()), e, f))
            if len(left) > MOST_FAILURES:
                raise InputError(f"{network.name}: bounds leave over {MOST_FAILURES:,} pairs: --samples draws some")
        left.sort(reverse=True)
        for k in range(0, len(left), _BEGIN):
            if not held.happened:
                top = float(best * scale) * (1 - 1e-9)
                best = judged([(e, f) for bound, e, f in left[k : k + _BEGIN] if bound > top])
        return PairsJudged(results, of, count, two.most() if held.happened else None)
