"""What a set of demands is to the designer: its ports, and the exact worst case of the routing that was designed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.claim import Evidence
from ..core.network import Network
from ..demand_sets.hull import Hull
from ..demand_sets.ports import ports_of
from ..demand_sets.transport import TransportSet
from ..kernel.ports import Ports
from ..routing.base.over_demands import check_to_itself
from ..worst.scan.exact import WorstCase, worst_case

if TYPE_CHECKING:
    from ..routing.base.routing import Routing


def judged_over(routing: Routing, demands: TransportSet | Hull | None) -> tuple[WorstCase, Evidence | None]:
    """(the worst case, its evidence where that is not made of potentials); None stands for permutations."""
    if demands is None:
        return worst_case(routing), None
    if isinstance(demands, Hull):
        from ..worst.demand_sets.claims import as_traffic, matrix_claims, plain_worst_case
        from ..worst.demand_sets.matrices import worst_matrix

        most = worst_matrix(routing, demands)
        plain = plain_worst_case(routing, demands, most.load, most.channel, as_traffic(most.witness))
        return plain, matrix_claims(most)[0].evidence
    if demands.box is None:
        from ..worst.scan.over_demands import worst_case_over

        return worst_case_over(routing, demands), None
    from ..worst.demand_sets.boxes import worst_case_in_box
    from ..worst.demand_sets.claims import as_traffic, box_claims, plain_worst_case

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
