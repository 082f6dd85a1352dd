"""Reports about a fabric against its intent: deviations counted again, what each of them does to the guarantee, and
what mending gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ..core.arrays import Int64
from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.graph import lost_pair
from ..core.network import Network
from ..topologies.adding import LABEL_FREE, alike_under, most_across
from ..topologies.cabling import INTENDED, KINDS, NOW, Deviation, Deviations, alone, deviations, in_unit, with_deviation
from ..topologies.mending import mendable, mended, mended_name, mended_numbers, number_of_sets, sets_to_mend
from .kind import EXACT, NETWORK, VERIFIED, Kind, States, SubjectKind
from .reading import Report, as_numbers, as_whole, check_value
from .routings.difference import DIFFERENCE, verify_difference
from .shapes import ANY, NUMBERS, TEXT, WHOLE, Keys, ListOf
from .subject import described_network, network_of
from .work import spend


def verify_cabling(report: Report) -> None:
    """Check that the deviations are as many as is said, under the matching of the subject; other claims are about one
    of the networks that it names."""
    subject = report.subject
    network, intent = network_of(subject), described_network(subject["intent"])
    node = as_numbers(subject["matching"], "matching", network.num_nodes)
    if len(node) and (int(node.min()) < -1 or int(node.max()) >= intent.num_nodes):
        raise VerificationError("subject: its matching names a node that the intent does not have")
    used = node[node >= 0]
    if len(np.unique(used)) < len(used):
        raise VerificationError("subject: its matching takes two switches for the same one")
    spend(20 * (network.num_channels + intent.num_channels), "all cables compared again")
    found = deviations(network, intent, node)
    counted = found.counts()
    own = [x for x in report.claims if x.evidence.kind == CABLING.name]
    if any("day" in x.about for x in own):
        raise VerificationError("deviations are of the fabric, and of no day")
    replace(report, claims=own).check_each(lambda claim: check_value(claim, counted[claim.quantity], "there are"))
    best = [x for x in report.claims if x.evidence.kind == MENDED.name]
    rest: list[Claim] = [x for x in report.claims if x.evidence.kind not in (CABLING.name, MENDED.name)]
    days = subject.get("days", {})
    if bool(rest) != bool(days):
        raise VerificationError("subject: its networks and the claims about them do not belong together")
    if rest:
        _check_networks(days, network, intent, node, found)
        verify_difference(replace(report, subject={"kind": DIFFERENCE.name, "days": days}, claims=rest))
    choices = mendable(found, intent, node)
    specs = {str(x.get("routing", {}).get("spec")) for x in days.values()}
    fabrics = _Mending(network, intent, node, choices, rest, specs <= LABEL_FREE)
    replace(report, claims=best).check_each(lambda claim: _check_best(claim, fabrics))


@dataclass(frozen=True, eq=False)
class _Mending:
    """``choices``: what can be mended, by number; ``claims``: about the networks by name, each checked; ``label_free``:
    does the routing go by hops alone?"""

    network: Network
    intent: Network
    node: Int64
    choices: Mapping[int, Deviation]
    claims: list[Claim]
    label_free: bool

    def alike(self, images: Sequence[object]) -> dict[int, int]:
        """By number the first one that mending alone gives the same guarantee, by these symmetries of the fabric."""
        if images and not self.label_free:
            raise VerificationError("the routing may use cables differently that a symmetry takes to one another")
        spend(20 * len(images) * (self.intent.num_channels + len(self.choices)), "symmetries of cables")
        rows = [as_numbers(x, "alike", self.network.num_nodes) for x in images]
        return alike_under(self.choices, in_unit(self.network, self.intent, self.node), self.intent, self.node, rows)

    def shares(self, size: int) -> dict[str, Fraction]:
        """The guarantees of the fabric with ``size`` deviations mended, by name."""
        return {
            str(x.about["day"]): x.value
            for x in self.claims
            if (x.quantity, x.relation) == ("worst_case_throughput", "==")
            and {**x.about, "day": ""} == {"model": "balanced", "day": ""}
            and isinstance(x.value, Fraction)
            and len(mended_numbers(x.about["day"]) or ()) == size
        }


def _check_best(claim: Claim, of: _Mending) -> None:
    """The best of the guarantees with so many deviations mended; where it is exact, of every set of so many, and where
    it is a bound of all, what no routing passes across a cut."""
    if "day" in claim.about:
        raise VerificationError("the best of several days is of no day")
    size = as_whole(claim.about["mended"], "mended", 1)
    data = claim.evidence.data
    if claim.relation == "<=":
        if set(data) != {"cut"}:
            raise VerificationError("a bound on the best of all sets has a cut and nothing else in its evidence")
        _check_cut(claim, size, data["cut"], of)
        return
    if "cut" in data or ("alike" in data and (claim.relation, size) != ("==", 1)):
        raise VerificationError("its evidence is of another claim about what is mended")
    known = of.shares(size)
    if not known:
        raise VerificationError(f"the report has no guarantee of the fabric with {size} of its deviations mended")
    check_value(claim, max(known.values()), "the best guarantee in the report is")
    if claim.relation != "==":
        return
    spend(10 * size * number_of_sets(of.choices, size), "all sets of deviations to mend")
    alike = of.alike(data.get("alike", ()))
    for some in sets_to_mend(of.choices, size, of.intent, of.node):
        if mended_name(some) not in known and (size > 1 or alike[some[0]] == some[0]):
            spend(5 * of.network.num_channels, "terminals that stay separated")
            left = mended(of.network, of.intent, of.node, [of.choices[k] for k in some])
            if lost_pair(left) is None:
                raise VerificationError(f"the report has no guarantee of the fabric {mended_name(some)[:60]!r}")


def _check_cut(claim: Claim, size: int, cut: object, of: _Mending) -> None:
    inside = as_numbers(cut, "cut", of.network.num_nodes)
    if not np.isin(inside, (0, 1)).all():
        raise VerificationError("its cut says of every node 1, inside, or 0")
    spend(20 * (of.network.num_channels + of.intent.num_channels), "bandwidths across a cut")
    found = most_across(inside == 1, of.choices, size, of.network, of.intent, of.node)
    if found is None:
        raise VerificationError("no packet has to leave the nodes of its cut")
    check_value(claim, found, "across its cut there is room for")


def _check_networks(days: object, network: Network, intent: Network, node: Int64, found: Deviations) -> None:
    """The networks by name are the intent, the fabric in its unit, the intent with the deviation that the name numbers,
    and the fabric with those mended that the name numbers; all have the same routing by name."""
    if not isinstance(days, Mapping) or not all(isinstance(x, Mapping) for x in days.values()):
        raise InputError("the report's subject: its days must be an object, by name")
    wanted = {INTENDED: lambda: intent, NOW: lambda: in_unit(network, intent, node)}
    for k, deviation in enumerate(found.cables, 1):
        wanted[alone(k)] = lambda x=deviation: with_deviation(network, intent, node, x)  # type: ignore[misc]
    choices = mendable(found, intent, node)
    spend(5 * len(days) * (network.num_channels + intent.num_channels), "networks compared again")
    for name, one in days.items():
        numbers = mended_numbers(name)
        if numbers is not None and choices.keys() >= set(numbers):
            some = [choices[k] for k in numbers]
            wanted[name] = lambda x=some: mended(network, intent, node, x)  # type: ignore[misc]
        if name not in wanted:
            raise VerificationError(
                f"subject: {name[:60]!r} is neither of the two networks nor one of them with deviations"
            )
        if not _same(described_network(one.get("network")), wanted[name]()):
            raise VerificationError(f"subject: the network {name[:60]!r} is another one")
    routings = [one.get("routing") for one in days.values()]
    if len({str(x.get("spec")) if isinstance(x, Mapping) else "" for x in routings}) > 1:
        raise VerificationError("subject: guarantees of different routings are compared")


def _same(one: Network, other: Network) -> bool:
    """Have they the same channels, bandwidths and terminals?"""
    arrays = ((x.tail, x.head, x.source, x.sink) for x in (one, other))
    return (
        one.num_nodes == other.num_nodes
        and one.bandwidth == other.bandwidth
        and all(np.array_equal(a, b) for a, b in zip(*arrays, strict=True))
    )


def cabling_claims(found: Deviations) -> list[Claim]:
    """How many deviations there are, of each kind that occurs; of missing cables also where there are none."""
    counts = found.counts()
    return [CABLING.claim(x, quantity=name) for name, x in counts.items() if x or name == "cables_missing"]


_COUNTED = (*(f"cables_{x}" for x in KINDS), "switches_missing", "switches_extra", "hosts_missing", "hosts_extra")
CABLING = Kind(
    "cabling",
    "Which switch of the fabric stands for which of the intent is in the report; the cables, speeds and hosts of both "
    "are compared again, one by one.",
    Keys(),
    {x: States(EXACT, Grade.EXHAUSTED) for x in _COUNTED},
    frozenset(),
    subjects=frozenset({"cabling"}),
)
MENDED = Kind(
    "mended",
    "The guarantees of the fabric with this number of cables mended are in the report, each proved; the value is the "
    "best of them; where it is exact, no other set of that size is left out, except those after which terminals are "
    "separated, and all but one of single cables that a symmetry takes to one another; an upper bound is what that "
    "many cables could add to a cut, whatever the routing.",
    Keys({}, {"alike": ListOf(NUMBERS), "cut": NUMBERS}),
    {"best_throughput_mended": States(("==", ">=", "<="), Grade.PROVED, Keys({"mended": WHOLE}))},
    frozenset(),
    subjects=frozenset({"cabling"}),
)
CABLINGS = SubjectKind(
    "cabling",
    verify_cabling,
    Keys({**NETWORK, "intent": ANY, "matching": NUMBERS, "topology": TEXT}, {"days": ANY, **VERIFIED}),
    qualifier="day",
    extra=DIFFERENCE.extra,
)
"""A fabric and its intent, and which node stands for which."""
