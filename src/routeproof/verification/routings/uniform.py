"""Claims about all routings under uniform traffic, with evidence of the kind ``lengths`` (``core.checks.adversary``).

- ``throughput`` <=: no routing has more (whose average path length is at most what ``within`` says);
- ``average_path_length`` >=: no routing with at least the throughput that ``within`` names has shorter paths.

The evidence: {"lengths": one whole number a channel, packed, "hops", "within": {quantity: limit}, "paths"?: the name of
a set of paths to which all routings that are meant keep}.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.checks.adversary import length_line
from ...core.checks.multipliers import shown
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...formats.documents.packed_ints import unpack_ints
from ...routing.turns.path_sets import PATH_SETS, path_set
from ..context import Context
from ..kind import Kind, States
from ..reading import as_fraction, as_mapping
from ..shapes import BOUND, NUMBERS, TEXT, WHOLE, Keys, Shape, Word
from ..sources import DESIGN

__all__ = ["KINDS", "check_lengths"]

_LIMITS = {"throughput": "average_path_length", "average_path_length": "throughput"}


def check_lengths(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """Raises VerificationError where the claim does not hold."""
    if value <= 0:
        raise VerificationError(f"it is {shown(value)}; a positive number was expected")
    limit = _limit(claim, as_mapping(data, "within"), data.get("paths"))
    hops = data.get("hops")
    if isinstance(hops, bool) or not isinstance(hops, int) or not 0 <= hops < 1 << 62:
        raise VerificationError("'hops' must be a whole number of at most 62 bits")
    network = context.network
    length = unpack_ints(data.get("lengths"), what="lengths", max_items=network.num_channels)
    allowed = None
    if "paths" in data:
        allowed = path_set(str(data["paths"]), network)
    line = length_line(network, length, hops=hops, distance=None if allowed is None else allowed.distance)
    if claim.quantity == "throughput":
        least = line.least_load(limit)
        proved = None if least is None or least <= 0 else 1 / least
        wrong = proved is None or proved > value
    else:
        assert limit is not None
        proved = line.least_path_length(1 / limit)
        wrong = proved is None or proved < value
    if wrong:
        found = "nothing" if proved is None else shown(proved)
        raise VerificationError(f"it is {claim.relation} {shown(value)}; the lengths prove {found}")


def _limit(claim: Claim, within: Mapping[str, object], paths: object) -> Fraction | None:
    """The limit that the claim assumes, after its words and its evidence are found to agree."""
    about = {"traffic": "uniform"}
    if paths is not None:
        if not isinstance(paths, str) or paths not in PATH_SETS:
            raise VerificationError(f"no set of paths is called {str(paths)[:40]!r}")
        about["paths"] = paths
    limit = None
    name = _LIMITS[claim.quantity]
    if within or claim.quantity == "average_path_length":
        if set(within) != {name}:
            raise VerificationError(f"'within' must name {name} and nothing else")
        limit = as_fraction(within[name], f"within.{name}")
        if limit <= 0:
            raise VerificationError(f"{name} is limited to {shown(limit)}")
        about["within"] = f"{name} {'>=' if name == 'throughput' else '<='} {within[name]}"
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
