"""The curve over the number of packets as claims: one for every corner.

Evidence of the kind ``sparse-curve``: ``channel`` and ``traffic``, packets that reach the corner; and, in the claim of
the last corner, for every focus channel the ``bounds`` that prove the whole curve, [scale, slope, columns, potentials]
each (``kernel.multipliers``), with the ``symmetry`` that made the classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...claims.routings.sparse_curve import SPARSE_CURVE
from ...core.claim import Claim
from ...demand_sets.families import EverySparse
from ...formats.documents.packed_ints import pack_ints
from ...routing.base.routing import Routing
from ...routing.base.views import is_dense
from ..scan.evidence import described_symmetry, in_report
from ..scan.exact import WorstCase
from .sparse_curve import Line, SparseCurve, sparse_curve


def worst_by_packets(routing: Routing, demands: EverySparse, **options: Any) -> WorstCase:
    """The worst case over any number of packets, with the whole curve; ``options`` are those of ``sparse_curve``."""
    found = sparse_curve(routing, demands, **options)
    last = max(found.corners, key=lambda x: x.load)
    sent = {(i, j): x for i, j, x in found.witness(last)}
    return WorstCase.proved_by(
        curve_claims(found), routing, demands, last.load, last.channel, sent, classes=found.classes, curve=found
    )


def curve_claims(found: SparseCurve) -> list[Claim]:
    """``worst_case_load`` with ``{"demands": ..., "packets": K}`` for every corner of the curve."""
    claims = []
    for corner in found.corners:
        data: dict[str, Any] = {"channel": corner.channel, "traffic": in_report(found.witness(corner))}
        if corner is found.corners[-1]:
            data["symmetry"] = described_symmetry(found.classes)
            data["lines"] = [
                {"channel": c, "bounds": [_described(x) for x in lines]} for c, lines in sorted(found.lines.items())
            ]
            if is_dense(found.routing):
                data["loads"] = "by-pair"
        about = {"demands": found.demands.text, "packets": corner.packets}
        claims.append(SPARSE_CURVE.claim(corner.load, data, about))
    return claims


def _described(line: Line) -> Sequence[Any]:
    long = line.v.dtype == object
    v: Any = [str(x) for x in line.v.tolist()] if long else pack_ints(line.v)
    return [str(line.scale), str(line.slope), pack_ints(line.column), v]
