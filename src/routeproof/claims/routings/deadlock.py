"""Claims about deadlock: dependencies (of channels, or of lanes by service level) are derived again, and numberings and
cycles are held against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.graph import first_descent
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.routing import Routing
from ...routing.dependencies.channels import channel_cycle_sentence, channel_dependencies, depends, same_sentence
from ...routing.dependencies.virtual_dependencies import (
    MOST_CLASSES,
    Assigned,
    ascending_dependencies,
    bundles_of,
    virtual_as_given,
    virtual_dependencies,
    virtual_of_descents,
    virtual_of_destinations,
    virtual_of_hops,
    virtual_of_layers,
    virtual_of_transactions,
    virtual_of_turns,
)
from ...routing.fabrics.service_levels import (
    NUM_LEVELS,
    LanePacket,
    ServiceLevels,
    lane_cycle_sentence,
    lane_dependencies,
    packet_makes,
    place_of_lane,
)
from ..context import Context
from ..kind import ANALYSES, DOCUMENTS, Kind, States, answers
from ..proofs.proof import NotElaborated
from ..proofs.virtual_paths import orders, routing_on_lanes, routing_on_virtual
from ..proofs.work import Work
from ..reading import as_channel, as_numbers
from ..shapes import NUMBERS, TEXT, WHOLE, Keys, ListOf, Shape, Word

Packet = TypeVar("Packet")
DEADLOCK = ("deadlock_free", "virtual_channels")
_ASSIGNED = {
    "given": None, "turns": "order", "descents": "channels", "layers": "layer", "destinations": "node", "hops": "hop",
}  # fmt: skip
MOST_VIRTUAL = 256  # of a channel, in a proof
_MOST_PATHS = 100_000_000
_OTHER_WORDS = "its witness is not its cycle in words"


def check_deadlock(context: Context, claim: Claim, _value: object, data: Mapping[str, Any]) -> None:
    """Raise VerificationError unless the claim's evidence shows what it says; nothing is searched for."""
    kind, routing, levels = claim.evidence.kind, context.routing, context.levels
    if "lanes" in claim.about:
        if levels is None:
            raise VerificationError("it is about lanes by service level, which the report's subject does not have")
        if kind == "lane-order":
            _check_lane_order(routing, levels, claim)
        else:
            _check_lane_cycle(routing, levels, data)
        return
    by_paths = claim.about["paths"] == "own"
    if by_paths and not routing.has_explicit_paths:
        raise VerificationError(
            "it is about the routing's own paths, and the report carries its loads alone; name the routing's file with "
            "--routing"
        )
    if kind == "virtual-channels":
        classes = claim.about.get("separate_classes")
        alone = claim if classes is None else _of_each_class(claim, classes)
        if "classes" in claim.about:
            _check_transactions(routing, claim, by_paths)
        else:
            _check_virtual(routing, alone, by_paths)
        if claim.relation == "==":
            _check_least(context, alone)
    else:
        (_check_order if kind == "channel-order" else _check_cycle)(routing, data, by_paths)


def _check_order(routing: Routing, data: Mapping[str, Any], by_paths: bool) -> None:
    network = routing.network
    found = channel_dependencies(routing, by_paths=by_paths)
    ends = found.first.astype(np.int64), found.second.astype(np.int64)
    check_ascends(data, network.num_channels, *ends, "channel ", network.channel_label)


def _check_lane_order(routing: Routing, levels: ServiceLevels, claim: Claim) -> None:
    found = lane_dependencies(routing, levels)
    if claim.quantity == "virtual_channels" and len(found.lanes) > claim.number:
        raise VerificationError(f"its packets use {len(found.lanes)} lanes; it says {str(claim.number)[:40]}")
    check_ascends(
        claim.evidence.data, found.num_vertices, found.first, found.second, "", lambda x: place_of_lane(routing, x)
    )


def check_ascends(
    data: Mapping[str, Any], size: int, first: Int64, second: Int64, what: str, label: Callable[[int], str]
) -> None:
    """The numbers of the evidence increase along every dependency."""
    k = first_descent(as_numbers(data["number"], "its number", size), first, second)
    if k is not None:
        one, two = label(int(first[k])), label(int(second[k]))
        raise VerificationError(f"its numbers do not increase from {what}{one} to {two}, which depends on it")


def _check_cycle(routing: Routing, data: Mapping[str, Any], by_paths: bool) -> None:
    network = routing.network
    cycle = [as_channel(network, c) for c in data["cycle"]]
    packets = [_pair(routing, packet) for packet in data["packets"]]

    def missing(packet: tuple[int, int], c: int, following: int) -> str | None:
        if depends(routing, *packet, c, following, by_paths=by_paths):
            return None
        one, two = network.channel_label(c), network.channel_label(following)
        return f"no packet of the pair {list(packet)} crosses {one} and then {two}"

    _check_dependencies(cycle, packets, missing)
    if "witness" in data and not same_sentence(data["witness"], channel_cycle_sentence(routing, cycle, packets)):
        raise VerificationError(_OTHER_WORDS)


def _check_lane_cycle(routing: Routing, levels: ServiceLevels, data: Mapping[str, Any]) -> None:
    network = routing.network
    if any(len(x) != 2 or not 0 <= x[1] < NUM_LEVELS for x in data["cycle"]):
        raise VerificationError("an entry of its cycle is not a channel with a lane from 0 to 15")
    cycle = [lane * network.num_channels + as_channel(network, c) for c, lane in data["cycle"]]
    packets = [_lane_packet(levels, x) for x in data["packets"]]

    def missing(packet: LanePacket, here: int, following: int) -> str | None:
        if packet_makes(routing, levels, packet, here, following):
            return None
        one, two = place_of_lane(routing, here), place_of_lane(routing, following)
        return (
            f"no packet from terminal {packet.source} to {packet.destination} on service level {packet.level} crosses "
            f"{one} and then {two}"
        )

    _check_dependencies(cycle, packets, missing)
    if "witness" in data and not same_sentence(data["witness"], lane_cycle_sentence(routing, cycle, packets)):
        raise VerificationError(_OTHER_WORDS)


def _check_dependencies(
    cycle: Sequence[int], packets: Sequence[Packet], missing: Callable[[Packet, int, int], str | None]
) -> None:
    """Every dependency of the cycle is one of its packet; ``missing``: what is wrong with one."""
    if len(cycle) < 2 or len(packets) != len(cycle):
        raise VerificationError("its cycle needs at least two channels, and a packet for each")
    for here, following, packet in zip(cycle, [*cycle[1:], cycle[0]], packets, strict=True):
        wrong = missing(packet, here, following)
        if wrong is not None:
            raise VerificationError(wrong)


def _of_each_class(claim: Claim, classes: int) -> Claim:
    """What a claim about classes on virtual channels of their own says of each of them."""
    if not 2 <= classes <= MOST_CLASSES or claim.number % classes:
        raise VerificationError(
            f"{classes} separate classes cannot have {str(claim.number)[:40]} virtual channels alike"
        )
    about = {k: x for k, x in claim.about.items() if k != "separate_classes"}
    return replace(claim, value=claim.number / classes, about=about)


def _check_transactions(routing: Routing, claim: Claim, by_paths: bool) -> None:
    classes, data = claim.about["classes"], claim.evidence.data
    if not 2 <= classes <= MOST_CLASSES or claim.about["assignment"] != "hops" or set(data) != {"number", "hop"}:
        raise VerificationError(f"2 to {MOST_CLASSES} classes, with virtual channels by hops, were expected")
    if by_paths != routing.has_explicit_paths:
        raise VerificationError("it is about other paths than those of the routing")
    lane = unpack_ints(data["hop"], what="its assignment", max_items=_MOST_PATHS)
    if len(lane) and not 0 <= lane.min() <= lane.max() < claim.number:
        raise VerificationError("a hop has a virtual channel that the claim does not count")
    count, first, second = virtual_dependencies(routing, virtual_of_transactions(routing, classes, lane))
    check_ascends(data, count * routing.network.num_channels, first, second, "virtual channel ", str)


def _check_virtual(routing: Routing, claim: Claim, by_paths: bool) -> None:
    data, assignment, most = claim.evidence.data, claim.about["assignment"], claim.number
    if by_paths != routing.has_explicit_paths:
        raise VerificationError("it is about other paths than those of the routing")
    size = routing.network.num_channels
    if set(data) != {"number", _ASSIGNED[assignment] or "number"}:
        raise VerificationError(f"an assignment by {assignment} has other keys than {sorted(data)}")
    if assignment == "descents" and most == 1:
        ascending = ascending_dependencies(routing, as_numbers(data["channels"], "its channels", size))
        if ascending is not None:
            check_ascends(data, size, *ascending, "virtual channel ", str)
            return
    count, first, second = virtual_dependencies(routing, assigned_by_claim(routing, claim))
    if count > most:
        raise VerificationError(f"its assignment uses {count} virtual channels of a channel; it says {most}")
    check_ascends(data, count * size, first, second, "virtual channel ", str)


def assigned_by_claim(routing: Routing, claim: Claim) -> Assigned:
    """The virtual channels that the claim assigns to the routing's paths."""
    data, assignment = claim.evidence.data, claim.about["assignment"]
    if assignment == "given":
        if routing.path_virtual is None:
            raise VerificationError("it is about virtual channels that the routing states, and it states none")
        return virtual_as_given(routing)
    if assignment == "turns":
        grid = routing.network.grid
        order = tuple(as_numbers(data["order"], "its order", grid.num_dimensions if grid is not None else 0).tolist())
        if grid is None or sorted(order) != list(range(grid.num_dimensions)):
            raise VerificationError("its order of dimensions does not fit this network")
        return virtual_of_turns(routing, order)
    if assignment == "descents":
        return virtual_of_descents(routing, as_numbers(data["channels"], "its channels", routing.network.num_channels))
    name = _ASSIGNED[assignment] or ""
    lane = unpack_ints(data[name], what="its assignment", max_items=_MOST_PATHS)
    if len(lane) and (lane.min() < 0 or lane.max() >= claim.number):
        raise VerificationError(f"a {name} has a virtual channel that the claim does not count")
    if assignment == "destinations":
        return virtual_of_destinations(routing, as_numbers(data[name], "its nodes", routing.network.num_nodes))
    return (virtual_of_layers if assignment == "layers" else virtual_of_hops)(routing, lane)


def _check_least(context: Context, claim: Claim) -> None:
    """Fewer do not do: one is the fewest, and two are where another claim shows a cycle of the routing's own paths, all
    of which a single virtual channel has; more are where another claim refutes fewer, by this assignment or by any."""
    cyclic = any(
        (x.quantity, x.relation, x.value, dict(x.about)) == ("deadlock_free", "==", "false", {"paths": "own"})
        for x in context.others
    )
    refuted = any(
        (x.quantity, x.relation, x.value, x.about["paths"])
        == ("virtual_channels", ">=", claim.value, claim.about["paths"])
        and x.about["assignment"] in (claim.about["assignment"], "hops")
        and x.about.get("classes") == claim.about.get("classes")
        for x in context.others
    )
    cyclic = cyclic and "classes" not in claim.about and claim.about["paths"] == "own"
    if refuted or claim.number == 1 or (claim.number == 2 and cyclic):
        return
    raise VerificationError(
        f"nothing proves that fewer than {claim.number} virtual channels do not do; '<=' was expected, or for two a "
        f"claim that the routing's own paths have a cycle, or a refutation of fewer"
    )


def _pair(routing: Routing, packet: Sequence[int]) -> tuple[int, int]:
    if len(packet) != 2:
        raise VerificationError("a packet of its cycle is not a pair of numbers")
    row, column = packet
    within = 0 <= row < len(routing.row_node) and 0 <= column < len(routing.column_node)
    if not within or not routing.sends(row, column):
        raise VerificationError(f"there are no packets from {row} to {column}")
    return row, column


def _lane_packet(levels: ServiceLevels, value: Sequence[int]) -> LanePacket:
    tables, size, _ = levels.level.shape
    if len(value) != 4:
        raise VerificationError("a packet of its cycle is not a list of source, destination, table and service level")
    if not all(0 <= x < bound for x, bound in zip(value, (size, size, tables, NUM_LEVELS), strict=True)):
        raise VerificationError(f"there are no packets such as {value}")
    return LanePacket(*value)


_SOURCES = frozenset({"Dally & Seitz 1987"})
_PATHS = Word("own", "of-loads")
_OWN_PATHS = Keys({"paths": _PATHS})
_LANES = Keys({"paths": Word("own"), "lanes": Word("by service level")})
_NUMBER = Keys({"number": NUMBERS})


def _acyclic(name: str, sentence: str, about: Keys, **more: Any) -> Kind:
    states = answers("deadlock_free", "true", about=about)
    return Kind(name, sentence, _NUMBER, states, _SOURCES, check_deadlock, **more)


def _cyclic(name: str, sentence: str, about: Keys, vertex: Shape, **more: Any) -> Kind:
    evidence = Keys({"cycle": ListOf(vertex), "packets": ListOf(ListOf(WHOLE))}, {"witness": TEXT})
    states = answers("deadlock_free", "false", about=about)
    return Kind(name, sentence, evidence, states, _SOURCES, check_deadlock, **more)


def elaborate_order(work: Work, claim: Claim) -> None:
    order = as_numbers(claim.evidence.data["number"], "number", work.network.num_channels).tolist()
    work.proof.claim("deadlock-free", routing=position_of(work, claim), virtual=1, order=[order])


def elaborate_cycle(work: Work, claim: Claim) -> None:
    data: Mapping[str, Any] = claim.evidence.data
    ends = [_first_ends(work, *packet) for packet in data["packets"]]
    cycle = [[c, 0, i, j] for c, (i, j) in zip(data["cycle"], ends, strict=True)]
    work.proof.claim("deadlock", routing=position_of(work, claim), cycle=cycle)


def elaborate_virtual(work: Work, claim: Claim) -> None:
    """That so many do; that fewer do not, if it says so, is another claim of the report."""
    apart, shared = claim.about.get("separate_classes"), claim.about.get("classes")
    alone = claim if apart is None else _of_each_class(claim, apart)
    count, size, routing = int(alone.number), work.network.num_channels, work.context.routing
    if count > MOST_VIRTUAL:
        raise NotElaborated(f"a proof has at most {MOST_VIRTUAL} virtual channels to a channel")
    order = orders(as_order(claim, count * size), size, count)
    if shared is not None:
        hop = unpack_ints(claim.evidence.data["hop"], what="its assignment", max_items=_MOST_PATHS)
        lanes = virtual_of_transactions(routing, shared, hop)
        transactions = [[x.channel[0].tolist(), own[0].tolist()] for x, own in lanes]
        position = routing_on_virtual(work, ((x, np.zeros_like(x.channel)) for x in bundles_of(routing)))
    else:
        transactions, position = None, routing_on_virtual(work, assigned_by_claim(routing, alone))
    if apart is None and shared is None:
        work.proof.claim("deadlock-free", routing=position, virtual=count, order=order)
        return
    work.proof.claim(
        "deadlock-free-with-classes", routing=position, classes=apart or shared, virtual=count,
        transactions=transactions, order=order,
    )  # fmt: skip


def as_order(claim: Claim, most: int) -> list[int]:
    """The ranks that are the claim's evidence."""
    found: list[int] = unpack_ints(claim.evidence.data["number"], what="number", max_items=most).tolist()
    return found


def elaborate_lane_order(work: Work, claim: Claim) -> None:
    size = work.network.num_channels
    rank = as_order(claim, NUM_LEVELS * size)
    count = len(rank) // size
    position = _position_on_lanes(work)
    work.proof.claim("deadlock-free", routing=position, virtual=count, order=orders(rank, size, count))


def elaborate_lane_cycle(work: Work, claim: Claim) -> None:
    data: Mapping[str, Any] = claim.evidence.data
    cycle = [[c, lane, i, j] for (c, lane), (i, j, *_) in zip(data["cycle"], data["packets"], strict=True)]
    work.proof.claim("deadlock", routing=_position_on_lanes(work), cycle=cycle)


def _position_on_lanes(work: Work) -> int:
    levels = work.context.levels
    assert levels is not None  # ``verify`` has read them
    return routing_on_lanes(work, levels)


def position_of(work: Work, claim: Claim) -> int:
    if claim.about["paths"] != "own":
        return work.routing_in_full
    return work.routing_by_paths


def _first_ends(work: Work, row: int, column: int) -> tuple[int, int]:
    """A pair of the routing in the proof: nodes, or the first terminals of the row and column."""
    routing = work.context.routing
    if routing.by_node:
        return row, column
    return int(np.flatnonzero(routing.row_of == row)[0]), first_end(routing, column)


def first_end(routing: Routing, column: int) -> int:
    """A node, or the first terminal of the column."""
    return column if routing.by_node else int(np.flatnonzero(routing.column_of == column)[0])


CHANNEL_ORDER = _acyclic(
    "channel-order",
    "A number for every channel that grows along every dependency, so that there is no cycle (Dally & Seitz).",
    _OWN_PATHS,
    subjects=ANALYSES | DOCUMENTS,
    elaborate=elaborate_order,
)
CHANNEL_CYCLE = _cyclic(
    "channel-cycle",
    "A cycle of channels, each held by a packet that waits for the next one.",
    _OWN_PATHS,
    WHOLE,
    subjects=ANALYSES | DOCUMENTS,
    elaborate=elaborate_cycle,
)
LANE_ORDER = Kind(
    "lane-order",
    "A number for every virtual lane of a channel that grows along every dependency, so that there is no cycle.",
    _NUMBER,
    {
        **answers("deadlock_free", "true", about=_LANES),
        "virtual_channels": States(("<=",), Grade.PROVED, _LANES),
    },
    _SOURCES,
    check_deadlock,
    subjects=ANALYSES,
    elaborate=elaborate_lane_order,
)
LANE_CYCLE = _cyclic(
    "lane-cycle",
    "A cycle of virtual lanes, each held by a packet of its service level that waits for the next one.",
    _LANES,
    ListOf(WHOLE),
    subjects=ANALYSES,
    elaborate=elaborate_lane_cycle,
)
_ABOUT_VIRTUAL = Keys({"paths": _PATHS, "assignment": Word(*_ASSIGNED)}, {"classes": WHOLE, "separate_classes": WHOLE})
VIRTUAL_CHANNELS = Kind(
    "virtual-channels",
    "An assignment of virtual channels, and a number for each that grows along every dependency, so that "
    "there is no cycle; they are the least (==) where another claim shows a cycle without them, or refutes fewer.",
    Keys({"number": NUMBERS}, {x: NUMBERS for x in _ASSIGNED.values() if x is not None}),
    {"virtual_channels": States(("<=", "=="), Grade.PROVED, _ABOUT_VIRTUAL)},
    _SOURCES,
    check_deadlock,
    subjects=ANALYSES | DOCUMENTS,
    elaborate=elaborate_virtual,
)
