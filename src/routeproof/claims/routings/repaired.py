"""A routing after a failure, by either repair rule: its worst case, and the pair that the failure separates."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.faults import Faults
from ...core.graph import lost_pair
from ...core.rational import shown
from ...demand_sets.demand_set import DemandSet
from ...kernel.reused_bounds import MAX_POTENTIALS, Potentials, potentials_of, raised_bounds
from ...routing.base.repair import Rerouting
from ...routing.base.routing import Routing
from ...topologies.failures import Failure
from ..context import Context
from ..reading import as_numbers, as_scale
from ..subject import demands_of, made_routing
from .box import check_box
from .matrices import check_matrices
from .routable import check_routable
from .terminal_rates import TerminalRates
from .worst_case import Bound, check_proofs, check_witness, check_worst_case

_ENTRIES = 4_000_000
_OVER_SETS = {"worst_case": check_worst_case, "matrices": check_matrices, "box": check_box, "routable": check_routable}
"""Over a set of demands: where the evidence stands, and who checks it."""


class Reroute:
    """Failures under the repair rule ``reroute``, against potentials of the whole network."""

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        network = routing.network
        self.routing, self.rerouting = routing, Rerouting(routing)
        self.demands: DemandSet | None = None
        if "demands" in subject:
            demands = demands_of(subject["demands"], network)
            if demands.is_family or "potentials" in subject:
                raise VerificationError("subject: its set of demands is not one that failures are judged over")
            self.demands = demands
            return
        if "potentials" not in subject:
            raise VerificationError("subject: it has no potentials of the whole network")
        rows, columns = len(routing.row_node), len(routing.column_node)
        if network.num_channels * (rows + columns) > MAX_POTENTIALS:
            raise VerificationError("potentials of so large a network are not kept")
        scale = as_scale(subject["potentials"]["scale"], "potentials.scale", 1 << 40)
        flat = as_numbers(subject["potentials"]["column"], "potentials.column", network.num_channels * columns)
        self.sends = TerminalRates.one_each(Context(routing, []))
        count = network.num_channels
        table = self.rerouting.table
        step = max(1, _ENTRIES // max(1, len(table) // max(1, count)))
        blocks = (table.channel_loads(np.arange(at, min(count, at + step))) for at in range(0, count, step))
        self.potentials: Potentials = potentials_of(
            blocks, flat.reshape(count, columns), self.sends.supply, self.sends.demand, scale=scale
        )

    def lost(self, failure: Failure) -> tuple[int, int] | None:
        """The first pair of nodes that the failure separates."""
        return self.rerouting.after(failure.nodes, failure.channels(self.routing.network)).lost

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        """Raise VerificationError unless the worst-case load after the failure is ``value``."""
        network, data = self.routing.network, claim.evidence.data
        checks = {key for key in ("witness", *_OVER_SETS) if key in data}
        if len(checks) != 1 or (self.demands is None) != (checks == {"witness"}):
            raise VerificationError("its evidence is not for the repair rule reroute")
        found = self.rerouting.after(failure.nodes, failure.channels(network))
        if found.lost is not None:
            raise VerificationError(f"no path is left from node {found.lost[0]} to node {found.lost[1]}")
        patched = self.rerouting.patched(found)
        if self.demands is not None:
            context = Context(patched, [claim], demands=self.demands.without(~found.terminals))
            for key in checks:
                _OVER_SETS[key](context, claim, value, data[key])
            return
        context = Context(patched, [])
        rates = TerminalRates.one_each(context, found.terminals)
        bound = raised_bounds(
            self.potentials, self.sends.supply, self.sends.demand, left=(rates.supply, rates.demand),
            channel=found.channel, row=found.row[found.pair], column=found.column[found.pair], load=found.load,
        )  # fmt: skip
        check_witness(context, data["witness"], value, rates)
        proved = check_proofs(context, data, Bound(value, rates))
        limits = {x: int(value * x * self.potentials.scale // 1) for x in set(network.bandwidth)}
        for c in np.nonzero(~found.channels)[0].tolist():
            if c not in proved and int(bound[c]) > limits[network.bandwidth[c]]:
                raise VerificationError(
                    f"channel {c} ({network.channel_label(c)}) has no proof: its old potentials give "
                    f"{shown(Fraction(int(bound[c]), self.potentials.scale))}"
                )

    def symmetries(self, symmetry: Mapping[str, Any]) -> tuple[list[Int32], list[Int32]]:
        """Maps of channels and of nodes, int32 (C,) and (V,), that take failures to failures with the same load."""
        used = symmetry.get("reversal") or symmetry.get("declared") or symmetry.get("found")
        if self.demands is not None and used and not self.demands.is_symmetric:
            raise VerificationError("symmetry was used although the set of demands is not the same for all terminals")
        context, opposite = Context(self.routing, []), self.routing.network.reverse
        context.classes(symmetry, uniform=True, symmetric=True)  # checks the maps
        generators = context.generators(symmetry)
        reversal = [opposite] if symmetry.get("reversal") and opposite is not None else []
        return [*(g.channel for g in generators), *reversal], [g.node for g in generators]


class Rebuild:
    """Failures under the repair rule ``rebuild``: the routing made anew on what is left."""

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        self.routing, self.described = routing, subject["routing"]
        self.demands = None
        if "demands" in subject:
            raise VerificationError("subject: over a set of demands only the repair rule reroute is judged")
        if "potentials" in subject:
            raise VerificationError("subject: potentials belong to the repair rule reroute; its rule is rebuild")
        if set(self.described) != {"spec"}:
            raise InputError("the report's subject: a routing made anew needs a name alone; a table has no other form")

    def lost(self, failure: Failure) -> tuple[int, int] | None:
        network = self.routing.network
        left = Faults(failure.nodes, failure.channels(network)).survivors(network)
        found = lost_pair(left.network)
        return None if found is None else (int(left.node[found[0]]), int(left.node[found[1]]))

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        if "worst_case" not in claim.evidence.data:
            raise VerificationError("its evidence is not for the repair rule rebuild")
        network = self.routing.network
        left = Faults(failure.nodes, failure.channels(network)).survivors(network).network
        context = Context(made_routing(self.described, left), [claim])
        check_worst_case(context, claim, value, claim.evidence.data["worst_case"])

    def symmetries(self, symmetry: Mapping[str, Any]) -> tuple[list[Int32], list[Int32]]:
        del symmetry  # of the whole network: a routing made anew need not have it
        return [], []


Repair = Reroute | Rebuild
