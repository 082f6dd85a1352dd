"""The exact worst case of a designed routing over the set of demands that it is designed for, with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.worst_case.exact import WorstCase, worst_case
from ..core.claim import Evidence
from ..demands.transport import TransportSet

if TYPE_CHECKING:
    from ..routing.base.routing import Routing


def judged_over(routing: Routing, demands: TransportSet | None) -> tuple[WorstCase, Evidence | None]:
    """(the worst case, its evidence where that is not made of potentials); None stands for permutations."""
    if demands is None:
        return worst_case(routing), None
    if demands.box is None:
        from ..analysis.worst_case.over_demands import worst_case_over

        return worst_case_over(routing, demands), None
    from ..analysis.demand_sets.boxes import worst_case_in_box
    from ..analysis.demand_sets.claims import as_traffic, box_claims, plain_worst_case

    found = worst_case_in_box(routing, demands)
    worst = plain_worst_case(routing, demands, found.load, found.channel, as_traffic(found.witness))
    return worst, box_claims(found)[0].evidence
