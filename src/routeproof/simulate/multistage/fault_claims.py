"""What is said of faults: who survives, by name, and that they are all connected."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Evidence, Grade
from ...core.multistage.wiring import Wiring
from ...formats.documents.wiring import switch_list
from .survivors import Survivors, check_connected, connected_pairs

__all__ = ["fault_claims"]

SOURCE = "Maggs, Randomly Wired Multistage Networks, sec. 4; Leighton & Maggs 1989 (FOCS)"
_PAIRS = 4096  # inputs up to which pairs are counted


def fault_claims(wiring: Wiring, survivors: Survivors, settings: Mapping[str, Any]) -> list[Claim]:
    """surviving_inputs and surviving_outputs (with the lists), how many switches were lost to what, and connectedness.

    ``connected_pairs`` counts the pairs of an input and an output that live switches still join when nothing is erased
    or declared; for up to 4,096 inputs.
    """
    check_connected(wiring, survivors)
    faults = switch_list(survivors.faulty)
    data = {**settings, "faults": faults}
    kind = "fault-propagation"

    def count(quantity: str, value: int, evidence: Mapping[str, Any]) -> Claim:
        return Claim(quantity, "==", Fraction(value), Grade.EXHAUSTED, Evidence(kind, evidence), SOURCE)

    claims = [
        count("surviving_inputs", len(survivors.inputs), {**data, "list": survivors.inputs}),
        count(
            "surviving_outputs",
            len(survivors.outputs),
            {"with": "surviving_inputs", "list": survivors.outputs},
        ),
        count("faults", len(faults), {"with": "surviving_inputs"}),
        count("erased", int(np.count_nonzero(survivors.erased)), {"with": "surviving_inputs"}),
        count("declared_faulty", int(np.count_nonzero(survivors.declared)), {"with": "surviving_inputs"}),
        Claim("survivors_connected", "==", "true", Grade.EXHAUSTED, Evidence(kind, {"with": "surviving_inputs"})),
    ]
    if wiring.inputs <= _PAIRS:
        pairs = connected_pairs(wiring, ~survivors.faulty)
        claims.append(count("connected_pairs", pairs, {"with": "surviving_inputs"}))
    return claims
