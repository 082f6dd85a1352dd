"""The oblivious ratio as claims, with evidence of the kind ``routable``: ``verification`` reads it without a solver.

- ``channel`` and ``flow``: paths with amounts, between terminals, that respect every bandwidth; what they carry is the
  demand that loads the channel as much as ``>=`` or ``==`` states;
- ``lengths``: whole lengths of all channels, several times; ``focus`` and ``proof``: which channel is bounded by which
  of them, for ``<=`` or ``==``;
- ``symmetry``: as in the evidence ``worst-case``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade
from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.packed_ints import pack_ints
from ..worst_case.dense import is_dense
from ..worst_case.evidence import described_symmetry
from .ratio import ObliviousRatio
from .rounding import PathFlow

_SOURCE = "Applegate & Cohen 2003 (SIGCOMM), theorem 1"
_ABOUT = {"demands": "routable"}


def ratio_claims(found: ObliviousRatio) -> list[Claim]:
    """The ratio: one claim where it is exact, else what it is at least and at most.

    Raises InputError for sampled loads.
    """
    if found.routing.is_sampled:
        raise InputError(f"the loads of {found.routing.name} are sampled: no oblivious ratio can be claimed from them")
    form = {"loads": "by-pair"} if is_dense(found.routing) else {}
    witness = {"channel": found.channel, "flow": [_written(x, found.routing.network) for x in found.flow], **form}
    focus = sorted(found.proof)
    proof: dict[str, Any] = {
        "lengths": list(found.lengths),
        "focus": pack_ints(np.array(focus, dtype=np.int64)),
        "proof": pack_ints(np.array([found.proof[c] for c in focus], dtype=np.int64)),
        "symmetry": described_symmetry(found.classes),
        **form,
    }

    def claim(relation: str, value: Any, data: dict[str, Any]) -> Claim:
        evidence = Evidence("routable", data)
        return Claim("worst_case_load", relation, value, Grade.PROVED, evidence, _SOURCE, _ABOUT)

    if found.low == found.high:
        return [claim("==", found.low, {**witness, **proof})]
    return [claim(">=", found.low, witness), claim("<=", found.high, proof)]


def _written(flow: PathFlow, network: Network) -> Sequence[Any]:
    """[source terminal, destination terminal, amount, channels]: the first terminals of the two nodes."""
    source = int(np.argmax(network.source == flow.source))
    destination = int(np.argmax(network.sink == flow.destination))
    return [source, destination, str(flow.amount), list(flow.path)]
