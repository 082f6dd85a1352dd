"""The oblivious ratio as claims, with evidence of the kind ``routable``: ``verification`` reads it without a solver.

- ``channel`` and ``flow``: paths with amounts, between terminals, that respect every bandwidth; what they carry is the
  demand that loads the channel as much as ``>=`` or ``==`` states;
- ``lengths``: whole lengths of all channels, several times; ``focus`` and ``proof``: which channel is bounded by which
  of them, for ``<=`` or ``==``;
- ``symmetry``: as in the evidence ``worst-case``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...claims.derived import throughput_of
from ...claims.routings.routable import ROUTABLE, ROUTABLE_CLASS
from ...core.claim import Claim
from ...core.errors import InputError
from ...demand_sets.demand_set import DemandSet, Pair
from ...formats.documents.packed_ints import pack_ints
from ...routing.base.routing import Routing
from ...routing.base.views import is_dense
from ..scan.evidence import SOURCE, described_symmetry
from ..scan.exact import WorstCase
from .packing import PathFlow
from .ratio import ObliviousRatio, oblivious_ratio

_ABOUT = {"demands": "routable"}


def ratio_claims(found: ObliviousRatio) -> list[Claim]:
    """The ratio: one claim where it is exact, else what it is at least and at most; then of every loaded channel, where
    that was asked for.  After an interrupt only what is certified.

    Raises InputError for sampled loads.
    """
    if found.routing.is_sampled:
        raise InputError(f"the loads of {found.routing.name} are sampled: no oblivious ratio can be claimed from them")
    focus = sorted(found.proof)
    which = [found.proof[c] for c in focus]
    claims = _stated(
        found, _Ends(found.low, found.high, found.channel, found.flow), list(found.lengths), focus, which, _ABOUT
    )
    label = found.classes.label.tolist()
    for c, f in enumerate(label):
        one = found.by_channel.get(f)
        if one is None:
            continue
        about = {**_ABOUT, "channel": c}
        ends = _Ends(one.low, one.high, f, one.flow)
        own = _stated(found, ends, [one.lengths], [f], [0], about)
        if c != f:
            same = {"channel": c, "focus": f}
            own = [ROUTABLE_CLASS.claim(x.value, same, x.about, relation=x.relation) for x in own]
        claims += own
    return claims


def worst_routable(routing: Routing, demands: DemandSet, **options: Any) -> WorstCase:
    """The oblivious ratio as a worst case: the demand that its flow carries is the witness of its lower end.

    ``options`` are those of ``oblivious_ratio``.
    """
    found = oblivious_ratio(routing, **options)
    claims = ratio_claims(found)
    for claim in list(claims):
        if isinstance(claim.value, Fraction) and "channel" not in claim.about:
            claims.append(throughput_of(claim, SOURCE))
    sent: dict[Pair, Fraction] = {}
    for x in found.flow:
        pair = _first_terminals(x, found.routing)
        sent[pair] = sent.get(pair, Fraction(0)) + x.amount
    each = None
    if found.by_channel:
        ratios = {c: x.low for c, x in found.by_channel.items()}
        each = [ratios.get(c, Fraction(0)) for c in found.classes.label.tolist()]
    return WorstCase.proved_by(
        claims, found.routing, demands, found.low, found.channel, sent, channel_loads=each, classes=found.classes
    )


class _Ends(NamedTuple):
    low: Fraction
    high: Fraction | None
    channel: int
    flow: Sequence[PathFlow]


def _stated(
    found: ObliviousRatio,
    ends: _Ends,
    lengths: list[str],
    focus: list[int],
    which: list[int],
    about: Mapping[str, Any],
) -> list[Claim]:
    form = {"loads": "by-pair"} if is_dense(found.routing) else {}
    witness = {"channel": ends.channel, "flow": [_written(x, found.routing) for x in ends.flow], **form}
    proof = {
        "lengths": lengths,
        "focus": pack_ints(np.array(focus, dtype=np.int64)),
        "proof": pack_ints(np.array(which, dtype=np.int64)),
        "symmetry": described_symmetry(found.classes),
        **form,
    }

    if ends.low == ends.high:
        return [ROUTABLE.claim(ends.low, {**witness, **proof}, about)]
    least = ROUTABLE.claim(ends.low, witness, about, relation=">=")
    return [least] if ends.high is None else [least, ROUTABLE.claim(ends.high, proof, about, relation="<=")]


def _written(flow: PathFlow, routing: Routing) -> Sequence[Any]:
    """[source terminal, destination terminal, amount, channels]."""
    return [*_first_terminals(flow, routing), str(flow.amount), list(flow.path)]


def _first_terminals(flow: PathFlow, routing: Routing) -> tuple[int, int]:
    """The first terminals of row and column."""
    return int(np.argmax(routing.row_of == flow.row)), int(np.argmax(routing.column_of == flow.column))
