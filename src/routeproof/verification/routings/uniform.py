"""Claims about all routings under uniform traffic, with evidence of the kind ``lengths``: see ``core.checks.lengths``.

- ``throughput`` <=: no routing has more (whose average path length is at most what ``within`` says);
- ``average_path_length`` >=: no routing with at least the throughput that ``within`` names has shorter paths.

The evidence: {"lengths": one whole number a channel, packed, "hops", "within": {quantity: limit}, "paths"?: the name of
a set of paths to which all routings that are meant keep}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.lengths import length_line
from ...core.checks.multipliers import shown
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ...routing.turns.path_sets import path_set
from ..context import Context
from ..kind import DESIGN, Kind, States
from ..reading import as_fraction, as_whole
from ..shapes import BOUND, NUMBERS, TEXT, WHOLE, Keys, Shape, Word

__all__ = ["KINDS", "check_lengths"]

_LIMITS = {"throughput": ("average_path_length", "<="), "average_path_length": ("throughput", ">=")}
"""What a claim about a quantity may assume to be limited, and how."""


def check_lengths(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Raises VerificationError where the claim does not hold."""
    if value <= 0:
        raise VerificationError(f"it is {shown(value)}; a positive number was expected")
    limit = _limit(claim, data)
    hops, network = as_whole(data["hops"], "hops", 0, (1 << 62) - 1), context.network
    length = unpack_ints(data["lengths"], what="lengths", max_items=network.num_channels)
    distance = path_set(data["paths"], network).distance if "paths" in data else None
    line = length_line(network, length, hops=hops, distance=distance)
    if claim.quantity == "throughput":
        least = line.least_load(limit)
        proved = 1 / least if least is not None and least > 0 else None
        wrong = proved is None or proved > value
    else:
        assert limit is not None
        proved = line.least_path_length(1 / limit)
        wrong = proved is None or proved < value
    if wrong:
        found = "nothing" if proved is None else shown(proved)
        raise VerificationError(f"it is {claim.relation} {shown(value)}; the lengths prove {found}")


def _limit(claim: Claim, data: Mapping[str, Any]) -> Fraction | None:
    """The limit that the claim assumes, after its words and its evidence are found to agree."""
    about, within, limit = {"traffic": "uniform"}, data["within"], None
    if "paths" in data:
        about["paths"] = data["paths"]
    name, relation = _LIMITS[claim.quantity]
    if within or claim.quantity == "average_path_length":
        if set(within) != {name}:
            raise VerificationError(f"'within' must name {name} and nothing else")
        limit = as_fraction(within[name], f"within.{name}")
        if limit <= 0:
            raise VerificationError(f"{name} is limited to {shown(limit)}")
        about["within"] = f"{name} {relation} {within[name]}"
    if dict(claim.about) != about:
        raise VerificationError(f"it is qualified by {str(dict(claim.about))[:80]}; {about} was expected")
    return limit


_ABOUT: Mapping[str, Shape] = {"traffic": Word("uniform")}
KINDS: Mapping[str, Kind] = {
    "lengths": Kind(
        Keys(
            {
                "lengths": NUMBERS,
                "hops": WHOLE,
                "within": Keys({}, {"throughput": BOUND, "average_path_length": BOUND}),
            },
            {"paths": TEXT},
        ),
        {
            "throughput": States(("<=",), Grade.PROVED, Keys(_ABOUT, {"within": TEXT, "paths": TEXT})),
            "average_path_length": States((">=",), Grade.PROVED, Keys({**_ABOUT, "within": TEXT}, {"paths": TEXT})),
        },
        DESIGN,
        check_lengths,
    )
}
