"""Claims of the kind ``box``: the worst case over demands between two limits, with limits of terminals or of the total.

For multipliers u, v, x >= 0 of what terminals send, receive, and all send together, no admitted demand makes more of
weights w than

    sum u sends + sum v receives + x total + sum over pairs of rest(i, j) times its largest demand where the rest is
    positive, its least where it is negative,   rest(i, j) = w(i, j) - u(i) - v(j) - x.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.rational import shown
from ...demand_sets.demand_set import Multipliers, Pair
from ...demand_sets.transport import TransportSet
from ..context import Context
from ..kind import ANALYSES, EXACT, OF_SET, WORST, Kind, States
from ..proofs.proof import number, numbers
from ..proofs.work import Work
from ..proofs.written import demand, written_transport
from ..reading import as_channel, as_fraction, as_terminal
from ..shapes import ANY, BOUND, WHOLE, Keys, ListOf
from .matrices import loads_of
from .terminal_rates import demand_in, set_of
from .worst_case import check_loaded
from .written_potentials import sent_in, set_name


def check_box(context: Context, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
    """The demand loads its channel with ``value`` per bandwidth, and no admitted demand loads a channel more."""
    demands, network = set_of(context, claim), context.network
    if demands is None or demands.box is None:
        raise VerificationError("its set of demands has no least and largest demands")
    sent = demand_in(network, data["traffic"])
    demands.check_admits(sent)
    c = as_channel(network, data["channel"])
    check_loaded(context, c, sent, value, "its traffic loads")
    largest = {pair: high for pair, (_, high) in demands.box.items() if demands.allows(*pair)}
    proved: set[int] = set()
    for place, item in enumerate(data["multipliers"]):
        c = as_channel(network, item["channel"])
        proved.add(c)
        most = _bound(context, demands, largest, c, item, f"multipliers[{place}]") / network.bandwidth[c]
        if most > value:
            raise VerificationError(f"multipliers[{place}] bound channel {c} by {shown(most)}, not by {shown(value)}")
    for c, load in loads_of(context, largest, "largest demands").items():
        if c not in proved and load / network.bandwidth[c] > value:
            most = load / network.bandwidth[c]
            raise VerificationError(
                f"channel {c} ({network.channel_label(c)}): the largest demands load it with {shown(most)}, and it has "
                f"no multipliers in the evidence"
            )


def _bound(
    context: Context, demands: TransportSet, pairs: Collection[Pair], c: int, item: Mapping[str, Any], what: str
) -> Fraction:
    routing = context.routing
    total = as_fraction(item["total"], f"{what}.total")
    sides = []
    for side, most in (("sends", demands.sends), ("receives", demands.receives)):
        found = dict[int, Fraction]()
        for entry in item[side]:
            if not isinstance(entry, list) or len(entry) != 2:
                raise VerificationError(f"{what}.{side} must be a list of [terminal, multiplier]")
            i, x = as_terminal(context.network, entry[0]), as_fraction(entry[1], f"{what}.{side}")
            if x < 0 or found.get(i) or (x and most is None):
                raise VerificationError(f"{what}.{side}: terminal {i} has {shown(x)}; one multiplier >= 0 was expected")
            found[i] = x
        sides.append(found)
    if total < 0 or (total and demands.total is None):
        raise VerificationError(f"{what}.total is {shown(total)}; 0, or more where the total is limited, was expected")
    (block,) = context.stream(np.array([c]), by_pair=True)
    loads = block.as_dict()
    ends = ((i, j, (int(routing.row_of[i]), int(routing.column_of[j]))) for i, j in pairs)
    weights = {(i, j): loads[cell] for i, j, cell in ends if cell in loads}
    return demands.check(weights, Multipliers(sides[0], sides[1], total))


_MULTIPLIERS = Keys({"channel": WHOLE, "sends": ListOf(ANY), "receives": ListOf(ANY), "total": BOUND})


def elaborate_box(work: Work, claim: Claim) -> None:
    demands, data, size = set_of(work.context, claim), claim.evidence.data, work.network.num_terminals
    assert demands is not None
    position = work.proof.set_of(written_transport(demands, set_name(claim, demands)))
    own = {item["channel"]: item for item in data["multipliers"]}
    evidence = []
    for c in range(work.network.num_channels):
        item = own.get(c, {"sends": [], "receives": [], "total": "0"})
        sides = []
        for side in ("sends", "receives"):
            found = [Fraction(0)] * size
            for t, x in item[side]:
                found[t] = as_fraction(x, side)
            sides.append(found)
        total = as_fraction(item["total"], "total")
        scale = math.lcm(total.denominator, *(x.denominator for side in sides for x in side))
        over = [numbers(int(x * scale) for x in side) for side in sides]
        evidence.append([c, number(scale), *over, number(int(total * scale))])
    work.at_most(claim, position, evidence)
    work.at_least(claim, position, int(data["channel"]), demand(sent_in(work, data)))


BOX = Kind(
    "box",
    "A demand between the limits that loads one channel this much, and multipliers of terminals and of "
    "the total that bound every channel from above.",
    Keys({"channel": WHOLE, "traffic": ListOf(ANY), "multipliers": ListOf(_MULTIPLIERS)}),
    {"worst_case_load": States(EXACT, Grade.PROVED, OF_SET)},
    WORST,
    check_box,
    subjects=ANALYSES | {"adaptive"},
    whole_flows=True,
    elaborate=elaborate_box,
)
