"""Reports about a fabric against its intent: deviations counted again, and what each of them does to the guarantee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..core.arrays import Int64
from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..topologies.cabling import INTENDED, KINDS, NOW, Deviations, alone, deviations, in_unit, with_deviation
from .kind import EXACT, NETWORK, VERIFIED, Kind, States, SubjectKind
from .reading import Report, as_numbers, check_value
from .routings.difference import DIFFERENCE, verify_difference
from .shapes import ANY, NUMBERS, TEXT, Keys
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
    rest: list[Claim] = [x for x in report.claims if x.evidence.kind != CABLING.name]
    days = subject.get("days", {})
    if bool(rest) != bool(days):
        raise VerificationError("subject: its networks and the claims about them do not belong together")
    if rest:
        _check_networks(days, network, intent, node, found)
        verify_difference(replace(report, subject={"kind": DIFFERENCE.name, "days": days}, claims=rest))


def _check_networks(days: object, network: Network, intent: Network, node: Int64, found: Deviations) -> None:
    """The networks by name are the intent, the fabric in its unit, and the intent with the deviation that the name
    numbers; all have the same routing by name."""
    if not isinstance(days, Mapping) or not all(isinstance(x, Mapping) for x in days.values()):
        raise InputError("the report's subject: its days must be an object, by name")
    wanted = {INTENDED: lambda: intent, NOW: lambda: in_unit(network, intent, node)}
    for k, deviation in enumerate(found.cables, 1):
        wanted[alone(k)] = lambda x=deviation: with_deviation(network, intent, node, x)  # type: ignore[misc]
    spend(5 * len(days) * (network.num_channels + intent.num_channels), "networks compared again")
    for name, one in days.items():
        if name not in wanted:
            raise VerificationError(f"subject: {name[:60]!r} is neither of the two networks nor one with a deviation")
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
CABLINGS = SubjectKind(
    "cabling",
    verify_cabling,
    Keys({**NETWORK, "intent": ANY, "matching": NUMBERS, "topology": TEXT}, {"days": ANY, **VERIFIED}),
    qualifier="day",
    extra=DIFFERENCE.extra,
)
"""A fabric and its intent, and which node stands for which."""
