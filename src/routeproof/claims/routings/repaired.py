"""A routing after a failure, by each repair rule: its worst case, uniform traffic, the pairs that lose packets, and
what no routing can beat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int64
from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...core.faults import Faults, Survivors, nothing_to_send, pair_farther
from ...core.graph import hops_from, lost_pair
from ...core.network import Network
from ...core.rational import shown
from ...core.symmetry import Automorphism
from ...demand_sets.demand_set import DemandSet
from ...kernel.reused_bounds import MAX_POTENTIALS, Potentials, limits_of, potentials_of, raised_bounds
from ...routing.base.hop_by_hop import PLAIN, HopRule, rebuilding_of, rerouting_of
from ...routing.base.repair import Detours, Rerouting
from ...routing.base.routing import Routing
from ...routing.base.uniform_after import UniformAfter, uniform_alone
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


class _Ruled:
    """Failures under the subject's repair rule: what all rules share."""

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        self.routing, self.repair, self.far = routing, subject["repair"], _far(subject, routing.network)
        if (self.repair == "installed-rule") != ("rule" in subject):
            raise VerificationError("subject: a rule belongs to the repair rule installed-rule, and only to that")
        self.rule = HopRule.of(subject["rule"], routing.network) if "rule" in subject else None
        self.demands: DemandSet | None = None

    def bound(self, failure: Failure, data: Mapping[str, Any]) -> Fraction:
        """The load below which no routing goes on what is left, by a cut or by far terminals."""
        return _bound(self.routing.network, *self._faults(failure).after(self.routing.network), data, self.far)

    def _faults(self, failure: Failure) -> Faults:
        return Faults(failure.nodes, failure.channels(self.routing.network))

    def _is_idle(self, failure: Failure) -> bool:
        return nothing_to_send(self.routing.network, self._faults(failure).after(self.routing.network)[1])

    def check_length(self, farther: tuple[int, int] | None) -> None:
        """VerificationError where the rule does not say what happens to two nodes whose shortest paths get longer."""
        if farther is not None:
            i, j = (self.routing.network.label(v) for v in farther)
            raise VerificationError(f"the shortest paths from {i} to {j} get longer, of which the rule says nothing")

    def maps(self, symmetry: Mapping[str, Any]) -> list[Automorphism]:
        """Automorphisms, and reversal, which take failures to failures with the same load where ``same`` holds."""
        used = symmetry.get("reversal") or symmetry.get("declared") or symmetry.get("found")
        if self.demands is not None and used and not self.demands.is_symmetric:
            raise VerificationError("symmetry was used although the set of demands is not the same for all terminals")
        if self.repair == "opensm" or (self.repair == "rebuild" and symmetry.get("reversal")):
            return []  # a program may tell apart what symmetry exchanges, and so may a routing made anew
        context, network = Context(self.routing, []), self.routing.network
        generators = context.generators(symmetry)
        if self.rule is not None and symmetry.get("reversal"):
            raise VerificationError("the repair rule installed-rule is not the same in both directions")
        if self.rule is not None and not all(self.rule.kept_by(g.channel) for g in generators):
            raise VerificationError("a symmetry does not keep the port channels and weights of the rule")
        if self.same is not None:
            return generators
        context.classes(symmetry, uniform=True, symmetric=True)  # checks the maps
        if symmetry.get("reversal") and network.reverse is not None:
            generators.append(Automorphism("reversal", np.arange(network.num_nodes, dtype=np.int32), network.reverse))
        return generators

    @property
    def same(self) -> Callable[[Automorphism, str, Int64], Bools] | None:
        """For which failures a map holds, which it checks; None: for all."""
        return self.routing.same_after(self.repair == "rebuild")


class Reroute(_Ruled):
    """Failures under the repair rules ``none``, ``installed-rule`` and ``split`` (which was called ``reroute``), and
    ``rebuild`` in part, against potentials of the whole network; over a set of demands each by itself."""

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        super().__init__(routing, subject)
        network, self.rerouting = routing.network, _rerouting(routing, self.repair, subject)
        self.uniform = UniformAfter(self.rerouting)
        self._last: tuple[Failure, Detours] | None = None
        self._told: dict[Failure, tuple[int, Fraction | None]] = {}
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
        return self.after(failure).lost

    def after(self, failure: Failure) -> Detours:
        """What the failure makes of the routing; VerificationError where the rule does not say."""
        if self._last is not None and self._last[0] == failure:
            return self._last[1]
        found = self.rerouting.after(failure.nodes, failure.channels(self.routing.network))
        self.check_length(found.undecided)
        self._last = failure, found
        return found

    def told(self, failure: Failure) -> tuple[int, Fraction | None]:
        """``pairs_cut`` and ``uniform_load``, which claims far apart in a report ask for; VerificationError where the
        failure separates terminals."""
        if failure not in self._told and self._is_idle(failure):
            self._told[failure] = 0, None
        if failure not in self._told:
            found = self.after(failure)
            if found.lost is not None:
                raise VerificationError(f"no path is left from node {found.lost[0]} to node {found.lost[1]}")
            uniform = self.uniform.load(found) if self.demands is None else None
            self._told[failure] = self.rerouting.pairs_cut(found), uniform
        return self._told[failure]

    def pairs_cut(self, failure: Failure) -> int:
        """How many pairs of terminals that are left lose packets."""
        return self.told(failure)[0]

    def loads_any(self, failure: Failure) -> bool:
        """Does any channel carry packets of the demands after the failure?"""
        if self._is_idle(failure):
            return False
        return self.rerouting.loads_any(self.after(failure), None if self.demands is None else self.demands.senders)

    def uniform_load(self, failure: Failure) -> Fraction | None:
        """Of uniform traffic; None where it is not known exactly."""
        return self.told(failure)[1]

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        """Raise VerificationError unless the worst-case load after the failure is ``value``."""
        network, data = self.routing.network, claim.evidence.data
        checks = {key for key in ("witness", *_OVER_SETS) if key in data}
        if len(checks) != 1 or (self.demands is None) != (checks == {"witness"}):
            raise VerificationError(f"its evidence is not for the repair rule {self.repair}")
        found = self.after(failure)
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
        for c in np.flatnonzero(~found.channels & (bound > limits_of(network, value, self.potentials.scale))).tolist():
            if c not in proved:
                raise VerificationError(
                    f"channel {c} ({network.channel_label(c)}) has no proof: its old potentials give "
                    f"{shown(Fraction(int(bound[c]), self.potentials.scale))}"
                )


def _rerouting(routing: Routing, repair: str, subject: Mapping[str, Any]) -> Rerouting:
    if repair != "rebuild":
        return rerouting_of(routing, repair, subject.get("rule"))
    described = _named(subject)
    return rebuilding_of(routing, lambda left: made_routing(described, left))


def _named(subject: Mapping[str, Any]) -> Mapping[str, Any]:
    """What makes the subject's routing anew, a name alone."""
    described: Mapping[str, Any] = subject["routing"]
    if set(described) != {"spec"}:
        raise InputError("the report's subject: a routing made anew needs a name alone; a table has no other form")
    return described


def _far(subject: Mapping[str, Any], network: Network) -> tuple[Int64, Int64] | None:
    """(a permutation, the hops of every terminal's pair on the whole network), where the subject has one."""
    if "far" not in subject:
        return None
    image = as_numbers(subject["far"], "far", network.num_terminals)
    if not np.array_equal(np.sort(image), np.arange(network.num_terminals)):
        raise VerificationError("far is not a permutation of the terminals")
    hops = np.zeros(network.num_terminals, dtype=np.int64)
    for v in np.unique(network.source).tolist():
        here = np.flatnonzero(network.source == v)
        hops[here] = hops_from(network.num_nodes, network.tail, network.head, v)[network.sink[image[here]]]
    if len(hops) and int(hops.min()) < 0:
        raise VerificationError("far has a pair of terminals without a path")
    hops[image == np.arange(network.num_terminals)] = 0  # no terminal sends to itself
    return image, hops


def _bound(
    network: Network,
    dead: npt.NDArray[np.bool_],
    terminals: npt.NDArray[np.bool_],
    data: Mapping[str, Any],
    far: tuple[Int64, Int64] | None,
) -> Fraction:
    """All terminals inside a cut can send to others outside, or from outside: what crosses it, over its bandwidth.  Or:
    the hops of far pairs (a failure makes none of them fewer), over all bandwidth that is left."""
    if ("cut" in data) == ("far" in data):
        raise VerificationError("a bound of all routings needs a cut, or the far terminals")
    if "far" in data:
        if data["far"] is not True:
            raise VerificationError("its evidence says that the far terminals do not bound it")
        if far is None:
            raise VerificationError("subject: it has no far terminals")
        both = terminals & terminals[far[0]]
        width = sum((network.bandwidth[c] for c in np.flatnonzero(~dead).tolist()), Fraction(0))
        if not width:
            raise VerificationError("no channel is left")
        return Fraction(int(far[1][both].sum())) / width
    inside = np.zeros(network.num_nodes, dtype=bool)
    nodes = data["cut"]
    if min(nodes, default=0) < 0 or max(nodes, default=0) >= network.num_nodes:
        raise VerificationError("a node of the cut is outside the network")
    inside[nodes] = True
    sends, receives = inside[network.source][terminals], inside[network.sink][terminals]
    best = Fraction(0)
    for here, there, leaves in (
        (sends, ~receives, inside[network.tail] & ~inside[network.head]),
        (~sends, receives, inside[network.head] & ~inside[network.tail]),
    ):
        width = sum((network.bandwidth[c] for c in np.flatnonzero(leaves & ~dead).tolist()), Fraction(0))
        amount = min(int(here.sum()), int(there.sum()))
        if int((here | there).sum()) == 1:
            amount = 0  # no terminal sends to itself
        if width:
            best = max(best, amount / width)
    return best


class Rebuild(_Ruled):
    """Failures under the repair rules of which the routing on what is left is judged by itself.

    ``rebuild``: made anew; ``installed-rule``, where it is plain and large fabrics leave no room for potentials:
    equal-cost multipath hop by hop, made anew, as the rule does it for every pair; ``opensm``: the tables that the real
    program installed, which each claim of a worst case has in full.
    """

    def __init__(self, routing: Routing, subject: Mapping[str, Any]) -> None:
        super().__init__(routing, subject)
        if self.repair == "opensm" and ("engine" not in subject or "demands" in subject or "potentials" in subject):
            raise VerificationError("subject: the repair rule opensm has an engine, and no demands or potentials")
        if self.rule is not None and not self.rule.is_plain:
            raise VerificationError(
                "subject: it has no potentials of the whole network, and its rule has weights, "
                "port channels or hosts with several ports"
            )
        self.described = {} if self.repair == "opensm" else _named(subject) if self.rule is None else PLAIN
        self._installed: dict[Failure, Routing] = {}

    def lost(self, failure: Failure) -> tuple[int, int] | None:
        left = self._left(failure)
        found = lost_pair(left.network)
        return None if found is None else (int(left.node[found[0]]), int(left.node[found[1]]))

    def pairs_cut(self, failure: Failure) -> int:
        del failure  # a routing delivers all pairs, or it is none
        return 0

    def loads_any(self, failure: Failure) -> bool:
        return not self._is_idle(failure)  # else it has a worst case, or it is refused

    def uniform_load(self, failure: Failure) -> Fraction | None:
        if self.repair == "opensm" and failure not in self._installed:
            raise VerificationError("no worst case before it has the tables that were installed after this failure")
        return uniform_alone(self._installed[failure] if self.repair == "opensm" else self._made(failure))

    def check(self, claim: Claim, failure: Failure, value: Fraction) -> None:
        data = claim.evidence.data
        if "worst_case" not in data or ("routing" in data) != (self.repair == "opensm"):
            raise VerificationError(f"its evidence is not for the repair rule {self.repair}")
        routing = self._made(failure, data.get("routing"))
        check_worst_case(Context(routing, [claim]), claim, value, data["worst_case"])
        self._installed[failure] = routing

    def _made(self, failure: Failure, installed: Mapping[str, Any] | None = None) -> Routing:
        network = self.routing.network
        if self.rule is not None and not self.rule.longer:
            self.check_length(pair_farther(network, failure.nodes, failure.channels(network)))
        return made_routing(installed or self.described, self._left(failure).network)

    def _left(self, failure: Failure) -> Survivors:
        return self._faults(failure).survivors(self.routing.network)


Repair = Reroute | Rebuild
