"""What a set of demands is to the designer: its ports, and the exact worst case of the routing that was designed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.worst_case.exact import WorstCase, worst_case
from ..core.checks.ports import Ports
from ..core.claim import Evidence
from ..core.network import Network
from ..demands.hull import Hull
from ..demands.ports import ports_of
from ..demands.transport import TransportSet
from ..routing.base.over_demands import check_to_itself

if TYPE_CHECKING:
    from ..routing.base.routing import Routing


def judged_over(routing: Routing, demands: TransportSet | Hull | None) -> tuple[WorstCase, Evidence | None]:
    """(the worst case, its evidence where that is not made of potentials); None stands for permutations."""
    if demands is None:
        return worst_case(routing), None
    if isinstance(demands, Hull):
        from ..analysis.demand_sets.claims import as_traffic, matrix_claims, plain_worst_case
        from ..analysis.demand_sets.matrices import worst_matrix

        most = worst_matrix(routing, demands)
        plain = plain_worst_case(routing, demands, most.load, most.channel, as_traffic(most.witness))
        return plain, matrix_claims(most)[0].evidence
    if demands.box is None:
        from ..analysis.worst_case.over_demands import worst_case_over

        return worst_case_over(routing, demands), None
    from ..analysis.demand_sets.boxes import worst_case_in_box
    from ..analysis.demand_sets.claims import as_traffic, box_claims, plain_worst_case

    found = worst_case_in_box(routing, demands)
    worst = plain_worst_case(routing, demands, found.load, found.channel, as_traffic(found.witness))
    return worst, box_claims(found)[0].evidence


def ports_over(network: Network, demands: TransportSet | None) -> Ports | None:
    """Those of a set of demands; None for permutations, whose rows and columns are nodes."""
    if demands is None:
        return None
    check_to_itself(network, demands)
    ports = ports_of(demands, network)
    return None if demands.is_permutations else ports
