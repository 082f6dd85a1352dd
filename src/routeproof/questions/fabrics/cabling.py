"""A fabric against its intent: which switch stands for which, what deviates, and what each deviation costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...topologies.cabling import INTENDED, NOW, Deviation, Deviations, alone, deviations, in_unit, with_deviation
from ...topologies.failures import cables_of
from ...topologies.ports import Ports, compared_ports
from ..answer import Answer, Setting, Shown, network_subject, subject_of

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...routing.base.routing import Routing

USUAL_ROUTING = "ecmp:choice=per-hop"
MOST_COSTS = 8
_MOST_CHANNELS = 5_000  # of a network whose deviations are judged unasked
_MOST_SWITCHES = 4_000  # that are matched by structure
_LEAST_KEPT = Fraction(1, 2)  # of all cables, so that an intent fits
_MOST_TRIED = 40  # values of one parameter


@dataclass(frozen=True, eq=False)
class Cost:
    """The intent with one deviation and nothing else: ``share``, what it guarantees; None, and ``reason``, where the
    routing is not defined there."""

    deviation: Deviation
    name: str
    share: Fraction | None
    reason: str = ""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CablingAnswer(Answer):
    """``node``: the node of the intent that each switch stands for (-1: none), ``by_name``: known by their names;
    ``routing``: that guarantees are of; ``shares``: what the intent and the fabric guarantee in the intent's unit, and
    ``why`` one is not known; ``ports``: those of cables, where switches are known by their names; ``days``: the
    networks that claims are about, by name; ``untold``: how many deviations are not judged alone."""

    shown = Shown("terminal.cabling:cabling_parts")

    fabric: Network
    intent: Network
    node: Int64
    by_name: bool
    found: Deviations
    routing: str
    shares: dict[str, Fraction | None]
    why: dict[str, str]
    costs: Sequence[Cost]
    days: dict[str, Routing]
    untold: int
    ports: Ports | None = None
    topology: str | None = None

    @property
    def subject(self) -> dict[str, Any]:
        return cabling_subject(self.fabric, self.intent, self.node, self.days, self.topology)


def cabling_subject(
    fabric: Network, intent: Network, node: Int64, days: dict[str, Routing], topology: str | None
) -> dict[str, Any]:
    """What claims about a fabric and its intent are about; ``days``: the networks by name, each with its routing."""
    from ...formats.documents.packed_ints import pack_ints

    named = {name: {k: x for k, x in subject_of(r).items() if k != "kind"} for name, r in days.items()}
    return {
        "kind": "cabling",
        **network_subject(fabric, topology=topology),
        "intent": network_subject(intent)["network"],
        "matching": pack_ints(node),
        **({"days": named} if named else {}),
    }


def answer_cabling(text: str, intended: str, routing: str | None, costs: int | None, setting: Setting) -> CablingAnswer:
    """``text``: the fabric, ``intended``: its intent, as the command takes networks; ``costs``: how many deviations
    are judged alone (None: a few, of networks that are not too large).

    Raises InputError for an intent that does not fit, with the closest parameters.
    """
    from ...claims.cabling import cabling_claims
    from ...formats.resolve import resolve_network

    fabric, intent = resolve_network(text), resolve_network(intended)
    for network, which in ((fabric, "fabric"), (intent, "intent")):
        if not network.num_channels:
            raise InputError(f"the {which} {network.name} has no cable: there is nothing to compare")
    plain = fabric.plain()
    with setting.stage("which switch is which"):
        node, by_name = matched(plain, intent)
        found = deviations(plain, intent, node)
    check_fits(plain, intent, intended, found)
    name = routing or USUAL_ROUTING
    few = max(plain.num_channels, intent.num_channels) <= _MOST_CHANNELS
    asked = costs if costs is not None else MOST_COSTS if few else 0
    stated: list[Claim] = cabling_claims(found)
    days: dict[str, Routing] = {}
    shares: dict[str, Fraction | None] = {}
    why: dict[str, str] = {}
    told: list[Cost] = []
    if few or asked:
        with setting.stage("guarantees") as progress:
            total = 2 + min(asked, len(found.cables))
            for k, (day, network) in enumerate(((INTENDED, intent), (NOW, in_unit(plain, intent, node)))):
                shares[day], why[day] = guarantee(network, name, day, days, stated)
                if routing is not None and why[INTENDED]:
                    raise InputError(why[INTENDED])
                if progress is not None:
                    progress(k + 1, total)
            for k, x in enumerate(found.cables[:asked]):
                day = alone(k + 1)
                share, reason = guarantee(with_deviation(plain, intent, node, x), name, day, days, stated)
                told.append(Cost(x, day, share, reason))
                if progress is not None:
                    progress(k + 3, total)
    return CablingAnswer(
        stated=stated, fabric=fabric, intent=intent, node=node, by_name=by_name, found=found, routing=name,
        shares=shares, why=why, costs=told, days=days, untold=len(found.cables) - len(told), topology=text,
        ports=compared_ports(fabric, intent, node) if by_name else None,
    )  # fmt: skip


def matched(fabric: Network, intent: Network) -> tuple[Int64, bool]:
    """The node of the intent that each node of the fabric stands for, -1 for none; and whether their names say so.

    Raises InputError where there are too many switches to match them by structure.
    """
    from ...graphs.likeness import alike

    if fabric.labels is not None and intent.labels is not None:
        known = {x: v for v, x in enumerate(intent.labels)}
        named = np.array([known.get(x, -1) for x in fabric.labels], dtype=np.int64)
        single = len(known) == intent.num_nodes and len(set(fabric.labels)) == fabric.num_nodes
        if single and 2 * int((named >= 0).sum()) > min(fabric.num_nodes, intent.num_nodes):
            return named, True
    if max(fabric.num_nodes, intent.num_nodes) > _MOST_SWITCHES:
        raise InputError(
            f"{fabric.name} and its intent have {fabric.num_nodes:,} and {intent.num_nodes:,} switches; up to "
            f"{_MOST_SWITCHES:,} are matched by structure, more by their names"
        )
    node, _ = alike(_edges(fabric), _edges(intent), (fabric.supply, intent.supply))
    return node, False


def _edges(network: Network) -> Any:
    first = np.array([x[0] for x in cables_of(network)])
    edges = np.zeros((network.num_nodes, network.num_nodes), dtype=np.float32)
    np.add.at(edges, (network.tail[first], network.head[first]), 1)
    np.add.at(edges, (network.head[first], network.tail[first]), 1)
    return edges


def check_fits(fabric: Network, intent: Network, intended: str, found: Deviations) -> None:
    """Raise InputError, with the closest parameters, for an intent that most cables are not of."""
    cables = max(len(cables_of(fabric)), len(cables_of(intent)))
    lost = sum(len(x.intended) for x in found.cables if x.kind in ("missing", "swapped"))
    more = sum(len(x.found) for x in found.cables if x.kind in ("extra", "swapped"))
    if cables - max(lost, more) >= _LEAST_KEPT * cables:
        return
    near = closest(intended, fabric)
    hint = f"; the closest of its kind is {near}" if near is not None and near != intended else ""
    raise InputError(
        f"{intended} does not fit: it has {_sizes(intent)}, and {fabric.name} has {_sizes(fabric)}; at most "
        f"{cables - max(lost, more)} cables can be matched{hint}"
    )


def _sizes(network: Network) -> str:
    return f"{network.num_nodes:,} switches, {network.num_terminals:,} hosts and {len(cables_of(network)):,} cables"


def closest(intended: str, fabric: Network) -> str | None:
    """The text of the intent with the numbers, one after the other, for which switches, hosts and cables are nearest to
    those of the fabric; None where no other number is nearer."""
    best, text = _distance(intended, fabric), intended
    for _ in range(2):
        before = text
        for place in range(len(list(re.finditer(r"\d+", text)))):
            for other in _others(text, place):
                found = _distance(other, fabric)
                if found is None:
                    continue
                if best is None or found < best:
                    best, text = found, other
                if found > 4:  # it is several times too large: so are the next ones
                    break
        if text == before:
            break
    return None if text == intended else text


def _others(text: str, place: int) -> Iterator[str]:
    found = list(re.finditer(r"\d+", text))[place]
    for x in range(1, _MOST_TRIED + 1):
        if x != int(found[0]):
            yield f"{text[: found.start()]}{x}{text[found.end() :]}"


def _distance(text: str, fabric: Network) -> float | None:
    """The sum of the differences of logarithms of sizes, those of smaller ones at most 4; None for no network."""
    from ...topologies.family import is_family, network_from_spec

    if not is_family(text):
        return None
    try:
        network = network_from_spec(text)
    except InputError:
        return None
    pairs = [
        (network.num_nodes, fabric.num_nodes), (network.num_terminals, fabric.num_terminals),
        (network.num_channels, fabric.num_channels),
    ]  # fmt: skip
    far = sum(abs(float(np.log2((a + 1) / (b + 1)))) for a, b in pairs)
    return far if network.num_nodes > fabric.num_nodes else min(far, 4.0)


def guarantee(
    network: Network, routing: str, day: str, days: dict[str, Routing], stated: list[Claim]
) -> tuple[Fraction | None, str]:
    """The worst-case throughput, whose claims are added; or why there is none."""
    from ...routing.named.spec import routing_from_spec
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import worst_case

    try:
        made = routing_from_spec(routing, network)
        found = worst_case(made)
    except InputError as error:
        return None, str(error)
    days[day] = made
    stated += [replace(x, about={**x.about, "day": day}) for x in worst_case_claims(found)]
    return found.throughput, ""
