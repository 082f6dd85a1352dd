"""Deadlock: is the channel dependency graph free of cycles, and how many virtual channels make it so?

Source: Dally & Seitz 1987 (IEEE Trans. Computers C-36(5)): a routing whose channel dependency graph has no cycle cannot
deadlock.  For routings like ours, which never look at the state of the network, a cycle is a set of packets, each
holding a channel that the one before asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np

from ...claims.kind import Kind
from ...claims.routings.deadlock import CHANNEL_CYCLE, CHANNEL_ORDER, LANE_CYCLE, LANE_ORDER, VIRTUAL_CHANNELS
from ...core.arrays import Int32, Int64
from ...core.claim import Claim
from ...core.errors import InputError, check_choice
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...routing.base.delivery import Bundle, gathered
from ...routing.base.routing import Routing
from ...routing.base.worst_hash import check_followed
from ...routing.dependencies.channels import Dependencies, channel_cycle_sentence, channel_dependencies
from ...routing.dependencies.virtual_dependencies import (
    bundles_of,
    by_descents,
    by_turns,
    virtual_as_given,
    virtual_dependencies,
    virtual_of_descents,
    virtual_of_destinations,
    virtual_of_hops,
    virtual_of_layers,
    virtual_of_turns,
)
from ...routing.fabrics.service_levels import (
    LaneDependencies,
    LanePacket,
    ServiceLevels,
    find_packet,
    lane_cycle_sentence,
    lane_dependencies,
)
from ...routing.grid.lines import channel_places
from ...routing.tables.path_tables import TableRouting
from .assignments import Layers, few_descents, few_layers

ASSIGNMENTS = ("given", "turns", "descents", "layers", "destinations", "hops")
MOST_LAYERED = 100_000
"""Paths that are sorted into layers."""
_MOST_HELD = 50_000_000


@dataclass(frozen=True, eq=False)
class Deadlock:
    """The judgement, with what shows it.

    ``number``: int64 (C,), increasing along every dependency; or None, and ``cycle``: channels, each of which some
    packet holds while it asks for the next (the last for the first), and ``packets``: such a (row, column) for each.
    """

    routing: Routing
    dependencies: Dependencies
    number: Int64 | None
    cycle: tuple[int, ...]
    packets: tuple[tuple[int, int], ...]

    @property
    def free(self) -> bool:
        return self.number is not None

    def cycle_text(self) -> str:
        """The cycle by name, with a packet for each of its dependencies."""
        return channel_cycle_sentence(self.routing, self.cycle, self.packets)

    def claim(self) -> Claim:
        """``deadlock_free``: "true" with the numbering, "false" with the cycle as evidence."""
        about = {"paths": "own" if self.dependencies.by_paths else "of-loads"}
        packets = [list(x) for x in self.packets]
        return free_claim(CHANNEL_ORDER, CHANNEL_CYCLE, self.number, list(self.cycle), packets, self.cycle_text, about)


def free_claim(
    free: Kind, cyclic: Kind, number: Int64 | None, cycle: Any, packets: Any, witness: Callable[[], str],
    about: Mapping[str, str],
) -> Claim:  # fmt: skip
    """``deadlock_free``: "true" with the numbering, or "false" with the cycle, its packets, and both in words."""
    if number is not None:
        return free.claim("true", {"number": pack_ints(number)}, about, quantity="deadlock_free")
    return cyclic.claim("false", {"cycle": cycle, "packets": packets, "witness": witness()}, about)


def deadlock(routing: Routing, *, by_paths: bool | None = None, progress: Progress | None = None) -> Deadlock:
    """Judge the channel dependency graph, without virtual channels; ``by_paths`` as in ``channel_dependencies``."""
    check_followed(routing, "deadlock")
    found = channel_dependencies(routing, progress, by_paths=by_paths)
    size = routing.network.num_channels
    first, second = found.first.astype(np.int64), found.second.astype(np.int64)
    number, cycle = numbering_or_cycle(size, first, second)
    asked = [c * size + following for c, following in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    at = np.searchsorted(first * size + second, np.array(asked, dtype=np.int64))
    packets = zip(found.row[at].tolist(), found.column[at].tolist(), strict=True)
    return Deadlock(routing, found, number, tuple(cycle), tuple(packets))


@dataclass(frozen=True, eq=False)
class VirtualChannels:
    """``count`` virtual channels for every channel under ``assignment``, with which no cycle is left.

    ``number``: int64 (count * C,), increasing along every dependency; virtual channel v of channel c is v * C + c.
    ``data``: what makes the assignment again: ``order`` of dimensions (turns), ``channels``, a numbering (descents), or
    the ``layer`` of every path (layers), the virtual channel of every ``node`` (destinations) or ``hop`` (hops);
    nothing for what the routing states itself (given).
    """

    routing: Routing
    count: int
    assignment: str
    number: Int64
    data: dict[str, Any]

    def claim(self, alone: Deadlock | None = None, refuted: Claim | None = None) -> Claim:
        """``virtual_channels <= count``, with the assignment and the numbering as evidence; or ``==`` where one is
        enough, or two are, and ``alone``, a claim of the same report, shows a cycle of the routing's own paths; or
        where ``refuted``, another claim of it, says that fewer do not do."""
        cyclic = (
            alone is not None and not alone.free and alone.dependencies.by_paths and self.routing.has_explicit_paths
        )
        least = alone is not None and (self.count == 1 or (self.count == 2 and cyclic))
        if refuted is not None and refuted.value == self.count:
            least = least or refuted.about["assignment"] in (self.assignment, "hops")
        packed = {key: pack_ints(x) for key, x in {**self.data, "number": self.number}.items()}
        paths = "own" if self.routing.has_explicit_paths else "of-loads"
        about = {"assignment": self.assignment, "paths": paths}
        return VIRTUAL_CHANNELS.claim(self.count, packed, about, relation="==" if least else "<=")


def virtual_channels(
    routing: Routing, assignment: str | None = None, progress: Progress | None = None, *, alone: Deadlock | None = None
) -> VirtualChannels:
    """An assignment of virtual channels without cycles, of few virtual channels; the best of all by default.

    - ``given``: what the routing's file states, and then no other by default;
    - ``turns`` (grids): by datelines and turns (``routing.dependencies.virtual_dependencies.by_turns``); the order of
      dimensions that needs the fewest. Two for DOR on tori, four for VAL, IVAL and 2TURN, as Towles, Dally & Boyd say.
    - ``descents`` (any network): one more wherever a numbering of the channels descends, see ``by_descents``.
    - ``layers`` (any network, up to 100,000 paths): a packet keeps to one layer, as in LASH and DFSSSP;
    - ``destinations`` (likewise): all packets to one node do.
    - ``hops`` (any network): by descents, hop by hop; ``searching.layers`` finds fewer.

    Paths are the routing's own, or, for routings known by their loads, those of ``Routing.decomposition``, cycles
    left out (``of-loads`` in the claim).  Nothing says that fewer would not do.  Where there is no cycle without
    virtual channels, that is one of them, and no path is written out.

    ``alone``: the judgement without virtual channels, where it is at hand.  An interrupt (Ctrl-C) while layers are
    filled ends that.

    Raises InputError for an unknown assignment, or one that does not apply.
    """
    network = routing.network
    grid = network.grid
    if assignment is not None:
        check_choice("virtual channels: assignment", assignment, ASSIGNMENTS)
    if assignment == "turns" and grid is None:
        raise InputError(f"virtual channels by turns need a torus, mesh or HyperX; {network.name} has no grid layout")
    if assignment == "given" or (assignment is None and routing.path_virtual is not None):
        return _checked(routing, "given", {}, *virtual_dependencies(routing, virtual_as_given(routing)))
    if assignment == "hops":
        down = virtual_channels(routing, "descents", progress, alone=alone)
        channels, bundles = down.data["channels"], gathered(bundles_of(routing))
        return assigned_by(
            routing, assignment, {
                tuple(path): own
                for bundle in bundles
                for path, own in zip(bundle.channel.tolist(), by_descents(channels, bundle.channel), strict=True)
            },
        )  # fmt: skip
    least = 1
    if assignment in (None, "descents"):
        if alone is None and routing.has_explicit_paths:
            alone = deadlock(routing, progress=progress)
        if alone is not None and alone.dependencies.by_paths == routing.has_explicit_paths:
            if alone.number is not None:
                return VirtualChannels(routing, 1, "descents", alone.number, {"channels": alone.number})
            least = 2 if routing.has_explicit_paths else 1  # loads may have a cycle that no path has
    if assignment == "destinations":
        return assigned_by(routing, assignment, _by_destination(routing))
    source, few = _kept(routing, progress)
    found = []
    if assignment == "turns" or (assignment is None and grid is not None):
        assert grid is not None
        natural = tuple(range(grid.num_dimensions))
        orders = list(permutations(natural)) if grid.num_dimensions <= 3 else [natural, natural[::-1]]
        tried = [(*virtual_dependencies(routing, virtual_of_turns(routing, x, source=source())), x) for x in orders]
        count, first, second, order = min(tried, key=lambda x: (x[0], x[3]))
        found.append(_checked(routing, "turns", {"order": np.array(order)}, count, first, second))
    if assignment in (None, "descents"):
        _, channels = few_descents(network.num_channels, source)
        some = virtual_dependencies(routing, virtual_of_descents(routing, channels, source=source()))
        found.append(_checked(routing, "descents", {"channels": channels}, *some))
    if assignment == "layers" or (assignment is None and few and min(x.count for x in found) > least):
        layer = None
        with nullcontext() if assignment is not None else suppress(KeyboardInterrupt):
            layer = _layers(network.num_channels, bundles_of(routing), strict=assignment is not None)
        if layer is not None:
            some = virtual_dependencies(routing, virtual_of_layers(routing, layer))
            found.append(_checked(routing, "layers", {"layer": layer}, *some))
    return min(found, key=lambda x: x.count)  # of equals the first: simplest to build


def assigned_by(routing: Routing, assignment: str, lanes: Mapping[tuple[int, ...], Sequence[int]]) -> VirtualChannels:
    """The assignment by layers, destinations or hops that gives every path's hops these ``lanes``, without cycles."""
    data: dict[str, Any]
    paths = [tuple(path) for bundle in bundles_of(routing) for path in bundle.channel.tolist()]
    if assignment == "layers":
        layer = np.array([lanes[path][0] for path in paths], dtype=np.int64)
        data, assigned = {"layer": layer}, virtual_of_layers(routing, layer)
    elif assignment == "destinations":
        node = np.zeros(routing.network.num_nodes, dtype=np.int64)
        for path in paths:
            node[routing.network.head[path[-1]]] = lanes[path][0]
        data, assigned = {"node": node}, virtual_of_destinations(routing, node)
    else:
        hop = np.array([x for path in paths for x in lanes[path]], dtype=np.int64)
        data, assigned = {"hop": hop}, virtual_of_hops(routing, hop)
    return _checked(routing, assignment, data, *virtual_dependencies(routing, assigned))


def _by_destination(routing: Routing) -> dict[tuple[int, ...], Sequence[int]]:
    """The virtual channels of the hops of every path: the first for all paths to a node that closes no cycle."""
    head, layers = routing.network.head.tolist(), Layers(routing.network.num_channels)
    paths = _few_paths(bundles_of(routing), "destinations")
    found: dict[tuple[int, ...], Sequence[int]] = {}
    for end in sorted({head[path[-1]] for path in paths}):
        own = [path for path in paths if head[path[-1]] == end]
        try:
            lane = layers.fit(sorted({edge for path in own for edge in pairwise(path)}))
        except ValueError:
            where = routing.network.label(end)
            raise InputError(
                f"virtual channels by destinations: the packets to node {where} alone have a cycle of dependencies"
            ) from None
        found.update({path: (lane,) * len(path) for path in own})
    return found


def _checked(
    routing: Routing, assignment: str, data: dict[str, Any], count: int, first: Int64, second: Int64
) -> VirtualChannels:
    number, cycle = numbering_or_cycle(count * routing.network.num_channels, first, second)
    if number is None:
        raise AssertionError(f"the virtual channels by {assignment} have a cycle of {len(cycle)} dependencies")
    return VirtualChannels(routing, count, assignment, number, data)


def _kept(routing: Routing, progress: Progress | None) -> tuple[Callable[[], Iterator[Bundle]], bool]:
    """The routing's paths as often as they are asked for, held in memory unless they are too many; and whether they
    are few enough for layers."""
    held: list[Bundle] = []
    paths = hops = 0
    for bundle in gathered(bundles_of(routing, progress)):
        paths += len(bundle.row)
        hops += bundle.channel.size
        if hops > _MOST_HELD:
            return lambda: gathered(bundles_of(routing)), False
        held.append(bundle)
    return lambda: iter(held), paths <= MOST_LAYERED


def _layers(num_channels: int, bundles: Iterator[Bundle], *, strict: bool) -> Int64 | None:
    try:
        paths = _few_paths(bundles, "layers")
    except InputError:
        if strict:
            raise
        return None
    return np.array(few_layers(num_channels, paths), dtype=np.int64)


def _few_paths(bundles: Iterator[Bundle], assignment: str) -> list[tuple[int, ...]]:
    """Raises InputError for too many paths, and for one that no layer can hold."""
    found: list[tuple[int, ...]] = []
    for bundle in bundles:
        if len(found) + len(bundle.row) > MOST_LAYERED:
            raise InputError(
                f"virtual channels by {assignment}: more than {MOST_LAYERED:,} paths; take another assignment"
            )
        found += map(tuple, bundle.channel.tolist())
        if any(len(set(path)) < len(path) for path in found[-len(bundle.row) :]):
            raise InputError(f"virtual channels by {assignment}: a path crosses a channel twice; no layer can hold it")
    return found


BY_LEVEL = "by service level"


@dataclass(frozen=True, eq=False)
class LaneDeadlock:
    """The judgement, with what shows it; lane l of channel c has the number l * C + c.

    ``number``: int64 (lanes * C,), increasing along every dependency; or None, and ``cycle``: lanes of channels, each
    of which one of ``packets`` holds while it asks for the next (the last for the first).
    """

    routing: Routing
    levels: ServiceLevels
    dependencies: LaneDependencies
    number: Int64 | None
    cycle: tuple[int, ...]
    packets: tuple[LanePacket, ...]

    @property
    def free(self) -> bool:
        return self.number is not None

    def cycle_text(self) -> str:
        """The cycle by name, with a packet for each of its dependencies."""
        return lane_cycle_sentence(self.routing, self.cycle, self.packets)

    def claim(self) -> Claim:
        """``deadlock_free``, lanes by service level: "true" with the numbering, "false" with the cycle as evidence."""
        size = self.routing.network.num_channels
        cycle = [[x % size, x // size] for x in self.cycle]
        packets = [[p.source, p.destination, p.table, p.level] for p in self.packets]
        about = {"paths": "own", "lanes": BY_LEVEL}
        return free_claim(LANE_ORDER, LANE_CYCLE, self.number, cycle, packets, self.cycle_text, about)

    def lanes_claim(self) -> Claim | None:
        """``virtual_channels`` <= the lanes that packets use, where there is no cycle."""
        if self.number is None:
            return None
        about = {"paths": "own", "lanes": BY_LEVEL}
        data = {"number": pack_ints(self.number)}
        return LANE_ORDER.claim(len(self.dependencies.lanes), data, about, quantity="virtual_channels", relation="<=")


def lane_deadlock(routing: Routing, levels: ServiceLevels) -> LaneDeadlock:
    """Judge the dependencies between lanes; raises InputError as ``lane_dependencies`` does.

    The packets are those between hosts that have a service level; packets from and to switches (management) are not
    judged.
    """
    found = lane_dependencies(routing, levels)
    number, cycle = numbering_or_cycle(found.num_vertices, found.first, found.second)
    packets = [find_packet(routing, levels, x, y) for x, y in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    return LaneDeadlock(routing, levels, found, number, tuple(cycle), tuple(packets))


def with_virtual_channels(routing: Routing, found: VirtualChannels | None = None) -> TableRouting:
    """The paths of ``routing`` as a table, with the virtual channels that it states, or else those that were ``found``,
    or that ``virtual_channels`` finds for these paths.

    Of a routing without explicit paths these are few paths with the same loads (``Routing.decomposition``).  Raises
    InputError where there are too many paths to write out, and where some are not those that were ``found``.
    """
    paths = routing.every_path(explicit=found is not None and routing.has_explicit_paths)
    table = TableRouting(routing.network, routing.name, paths)
    if table.path_virtual is not None:
        return table
    found = found or virtual_channels(table)
    virtual: Int32 = np.zeros(len(paths.channel), dtype=np.int32)
    length = np.diff(paths.offset)
    for hops in np.unique(length[length > 0]).tolist():
        at = paths.offset[:-1][length == hops][:, None] + np.arange(hops)
        virtual[at] = _assigned(routing.network, found, paths.channel[at])
    return TableRouting(routing.network, routing.name, replace(paths, virtual=virtual))


def _assigned(network: Network, found: VirtualChannels, channel: Int32) -> Int64:
    """The virtual channels of paths of one length; int64, shaped like ``channel``."""
    if found.assignment == "descents":
        return by_descents(found.data["channels"], channel)
    if found.assignment == "turns":
        grid = network.grid
        assert grid is not None
        return by_turns(channel_places(network, grid), channel, tuple(found.data["order"].tolist()))
    (data,) = found.data.values()
    makers = {"layers": virtual_of_layers, "destinations": virtual_of_destinations, "hops": virtual_of_hops}
    lanes: dict[tuple[int, ...], list[int]] = {}  # equal paths have equal ones
    for bundle, virtual in makers[found.assignment](found.routing, data):
        lanes.update(zip(map(tuple, bundle.channel.tolist()), virtual.tolist(), strict=True))
    try:
        return np.array([lanes[tuple(x)] for x in channel.tolist()], dtype=np.int64)
    except KeyError:
        raise InputError(
            f"the virtual channels of {found.routing.name} are of paths that leave out cycles; its loads make others"
        ) from None
