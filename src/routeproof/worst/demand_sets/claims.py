"""What is claimed of worst cases over matrices and boxes, and how others see them as worst cases.

Evidence of the kind ``matrices``: {"matrix": its name, "channel"}; the matrices are in the report's subject, and those
of a box without other limits are its largest demands, "largest".  Of the kind ``box``: {"channel", "traffic": the
demand that reaches the number, "multipliers": [{"channel", "sends", "receives", "total"}]}, where ``sends`` and
``receives`` list [terminal, multiplier]; channels that are not listed are bounded by the largest demand of every pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade
from ...demand_sets.demand_set import DemandSet, Pair
from ...graphs.transport import Weights
from ...graphs.transport_arrays import Rates
from ...routing.base.routing import Routing
from ...symmetry.channel_classes import channel_classes
from ..scan.evidence import SOURCE, in_report
from ..scan.exact import WorstCase
from ..scan.models import Model
from ..scan.scan_block import Bounds
from .boxes import NONE, BoxWorst, Multipliers
from .matrices import WorstMatrix

LARGEST = "largest"
"""What the matrix of the largest demands of a box is called."""


def plain_worst_case(
    routing: Routing,
    demands: DemandSet,
    load: Fraction,
    channel: int,
    traffic: Sequence[tuple[int, int, Fraction]],
    channel_loads: Sequence[Fraction] | None = None,
) -> WorstCase:
    """A worst case whose proof is not made of potentials: ``traffic`` puts ``load`` on ``channel``."""
    nothing = np.zeros(0, dtype=np.int64)
    worst = [channel] if channel_loads is None else [c for c, x in enumerate(channel_loads) if x == load]
    return WorstCase(
        routing,
        Model("other", [], [], Rates(nothing, nothing, 1), False, demands=demands),
        load,
        1 / load,
        worst[0],
        worst,
        worst,
        None,
        list(traffic),
        None if channel_loads is None else list(channel_loads),
        channel_classes(routing, mode="none"),
        Weights(1, True, 0),
        Bounds(),
        {},
    )


def throughput_claim(load: Fraction, relation: str, about: Mapping[str, Any]) -> Claim:
    """By what factor demands may grow before the worst channel is saturated, from the report's load."""
    derived = Evidence("derived", {"from": ["worst_case_load"]})
    return Claim("worst_case_throughput", relation, 1 / load, Grade.PROVED, derived, SOURCE, about)


def matrix_claims(found: WorstMatrix) -> list[Claim]:
    """The worst of the matrices, that of every channel where it is known, and by what factor all of them may grow."""
    name = found.demands.names[found.matrix]
    each = None if found.channel_loads is None else [x for x, _ in found.channel_loads]
    return _by_matrix(found.demands, found.load, found.channel, name, each)


def box_claims(found: BoxWorst) -> list[Claim]:
    """The worst case in the box, that of every channel where nothing else limits the demand and it is known."""
    if found.demands.is_only_box:
        return _by_matrix(found.demands, found.load, found.channel, LARGEST, found.channel_loads)
    about = {"demands": found.demands.text}
    data = {
        "channel": found.channel,
        "traffic": in_report(as_traffic(found.witness)),
        "multipliers": [_described(c, x) for c, x in enumerate(found.multipliers) if x is not NONE],
    }
    load = Claim("worst_case_load", "==", found.load, Grade.PROVED, Evidence("box", data), SOURCE, about)
    return [load, throughput_claim(found.load, "==", about)]


def as_traffic(rates: Mapping[Pair, Fraction]) -> list[tuple[int, int, Fraction]]:
    return [(i, j, x) for (i, j), x in sorted(rates.items()) if x]


def _by_matrix(
    demands: DemandSet, load: Fraction, channel: int, name: str, each: Sequence[Fraction] | None
) -> list[Claim]:
    about = {"demands": demands.text}
    evidence = Evidence("matrices", {"matrix": name, "channel": channel})
    claims = [Claim("worst_case_load", "==", load, Grade.PROVED, evidence, SOURCE, about)]
    claims.append(throughput_claim(load, "==", about))
    for c, x in enumerate(each or ()):
        evidence = Evidence("matrices", {"channel": c})
        claims.append(Claim("worst_case_load", "==", x, Grade.PROVED, evidence, SOURCE, {**about, "channel": c}))
    return claims


def _described(channel: int, found: Multipliers) -> dict[str, Any]:
    sides = {
        what: [[i, str(x)] for i, x in sorted(side.items()) if x]
        for what, side in (("sends", found.sends), ("receives", found.receives))
    }
    return {"channel": channel, **sides, "total": str(found.total)}
