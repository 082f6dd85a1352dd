"""Reports about collectives on a network: which terminals are ranks, and every claim in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.collective import Broadcasts, broadcasts_of, check_ranks
from ...core.collective import network_of as network_of_ranks
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...core.schedules.own_phases import OwnPhases
from ...core.symmetry import check_automorphism, orbit_labels
from ...formats.schedules.phases_document import phases_from_document
from ...kernel.packings import Classes
from ...routing.base.routing import Routing
from ...topologies.attach import with_host_cables
from ..context import generators_of
from ..kind import NAMED, NETWORK, SubjectKind
from ..kinds import KINDS, checker_of
from ..reading import Report, as_fraction, errors_at, name_of
from ..shapes import ANY, BOUND, WHOLE, Keys, ListOf, Shape, Word
from ..subject import made_routing, network_of
from ..work import spend

ROOTED = ("broadcast",)
"""Operations with a root."""
SWITCHES = Word("multicast")
"""Switches copy, where a claim says so; else only nodes that hold a rank do."""


CABLES = Word("counted")
"""The ranks' own cables count, where a claim says so: its report states what they carry."""


class Ranks:
    """The network of a report and the terminals that take part; ``others``: all its claims; ``routing``: what the
    report says of the routing that packets follow, None where it has none.

    ``cables``: what every terminal's own cable carries (one for all, or one each), None where these do not count; where
    they do, ``network`` has a node for every terminal, and ``between`` is the network without them.

    ``of_phases``: what was found of the phases of an algorithm, by (algorithm, operation, root).
    """

    def __init__(
        self,
        network: Network,
        ranks: Sequence[int] | None,
        others: Sequence[Claim],
        *,
        routing: object = None,
        cables: Sequence[object] | None = None,
        phases: object = None,
    ) -> None:
        self.between, self.others = network, others
        self.cables = None if cables is None else read_cables(network, cables)
        self.network = network if self.cables is None else with_host_cables(network, self.cables)
        self.ranks = check_ranks(self.network, ranks)
        self._given, self._routing, self._phases = ranks, routing, phases
        self.of_phases: dict[tuple[str, str, int | None], list[Any]] = {}

    @cached_property
    def routing(self) -> Routing:
        """The routing of the report, checked to deliver; raises VerificationError where it has none, or sampled one."""
        if self._routing is None:
            raise VerificationError("the report does not say which routing packets follow")
        found = made_routing(self._routing, self.between)
        if found.is_sampled:
            raise VerificationError(f"the loads of {found.name[:60]} are sampled, which proves nothing")
        return found

    @cached_property
    def own_phases(self) -> OwnPhases:
        """The phases that the report holds, run and right; raises VerificationError where it holds none."""
        return checked_phases(self._phases, len(self.ranks))

    @cached_property
    def of_cables(self) -> list[tuple[Fraction, Int64]]:
        """What terminals' own cables carry, and the terminals of each, ascending."""
        members: dict[Fraction, list[int]] = {}
        for t, x in enumerate(self.cables or ()):
            members.setdefault(x, []).append(t)
        return [(x, np.array(some)) for x, some in members.items()]

    @cached_property
    def network_of_ranks(self) -> Network:
        """The network whose only terminals are the ranks, without their own cables."""
        return network_of_ranks(self.between, self._given)

    def check_cables(self, claim: Claim) -> None:
        """Raise VerificationError for a claim that counts the ranks' own cables where the report does not, or else."""
        if ("host_cables" in claim.about) != (self.cables is not None):
            what = "does not count" if "host_cables" in claim.about else "counts"
            raise VerificationError(f"the report {what} the ranks' own cables, and it says otherwise")

    def task(self, about: Mapping[str, Any]) -> Broadcasts:
        """The broadcasts of the operation that qualifies a claim."""
        operation, root = about["operation"], about.get("root")
        if (operation in ROOTED) != (root is not None):
            raise VerificationError(f"it is about {operation}, {'without' if root is None else 'with'} a root")
        return broadcasts_of(self.network, operation, ranks=self.ranks, root=root)

    def classes(self, task: Broadcasts, symmetry: Mapping[str, Any] | None) -> Classes:
        """Classes under the symmetry of the evidence, which is checked to leave the ranks where they are."""
        network = self.network
        generators = [] if symmetry is None else generators_of(network, symmetry)
        if symmetry is not None and symmetry.get("reversal"):
            raise VerificationError("reversal of paths is not used for trees")
        for g in generators:
            check_automorphism(network, g)
            for x in (task.supply, task.reached):
                if not np.array_equal(x[g.node], x):
                    raise VerificationError(f"the symmetry '{g.name[:60]}' takes ranks to other nodes")
        return Classes(
            orbit_labels(network.num_nodes, [g.node for g in generators]),
            orbit_labels(network.num_channels, [g.channel for g in generators]),
        )

    def stated(self, quantity: str, about: Mapping[str, Any], *, relation: str) -> Fraction:
        """What the report states of another operation, exactly or with ``relation``; it is checked in its own turn."""
        found = [
            x.value
            for x in self.others
            if x.quantity == quantity and x.relation in ("==", relation) and dict(x.about) == dict(about)
            and isinstance(x.value, Fraction)
        ]  # fmt: skip
        if not found:
            raise VerificationError(f"the report does not state {quantity} ({relation}) of {about.get('operation')}")
        return max(found) if relation == ">=" else min(found)


def ranks_of(report: Report) -> Ranks:
    """What a report says of its ranks; raises InputError for what makes no sense."""
    try:
        network = network_of(report.subject)
        subject = report.subject
        return Ranks(
            network, subject.get("ranks"), report.claims,
            routing=subject.get("routing"), cables=subject.get("host_cables"), phases=subject.get("phases"),
        )  # fmt: skip
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None


def verify_collective(report: Report) -> None:
    """Check every claim of a report about collectives; raises InputError for a subject that makes no sense."""
    ranks = ranks_of(report)
    if "routing" in report.subject:
        with errors_at("subject"):
            ranks.routing  # noqa: B018  # it must make sense, whatever claims say of it
    if "phases" in report.subject:
        with errors_at("subject"):
            ranks.own_phases  # noqa: B018  # they must be right
    for number, claim in sorted(enumerate(report.claims), key=lambda x: KINDS.own[x[1].evidence.kind].rests):
        with errors_at(name_of(number, claim)):
            ranks.check_cables(claim)
            checker_of(claim)(ranks, claim, claim.value, claim.evidence.data)


def checked_phases(document: object, num_ranks: int) -> OwnPhases:
    """The phases of a document, run and right; raises VerificationError for others, and where it is none."""
    if not isinstance(document, Mapping):
        raise VerificationError("the report does not hold the phases of its own algorithm")
    try:
        found = phases_from_document(document, what="phases")
        spend(sum(len(x.pieces) for some in found.phases for x in some), "pieces of messages")
        found.check()
    except InputError as error:
        raise VerificationError(str(error)) from None
    if found.num_ranks != num_ranks:
        raise VerificationError(f"its phases are of {found.num_ranks} ranks; {num_ranks} take part")
    return found


def read_cables(network: Network, cables: Sequence[object]) -> list[Fraction]:
    """What every terminal's own cable carries, of one number for all or one each; raises InputError for others."""
    count = network.num_terminals
    if len(cables) not in (1, count):
        raise InputError(
            f"host_cables has {len(cables)} numbers for {count} terminals; one for all or each was expected"
        )
    found = [as_fraction(x, f"host_cables[{k}]") for k, x in enumerate(cables)]
    if min(found) <= 0:
        raise InputError(f"host_cables has {min(found)}; what a cable carries is above 0")
    return found * count if len(found) == 1 else found


_RANKS: Mapping[str, Shape] = {
    **NAMED,
    "ranks": ListOf(WHOLE),
    "routing": ANY,
    "host_cables": ListOf(BOUND),
    "phases": ANY,
}
COLLECTIVE = SubjectKind("collective", verify_collective, Keys(NETWORK, _RANKS))
