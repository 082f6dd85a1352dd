"""Routings of half flows: one flow a node, of which the flows of all pairs are differences.

Node i has a net flow d_i on the channels, d_i(c') = -d_i(c) on the channel c' back; it leaves i, and ends as every
other node's does: what is left at node v is q_v, the same for all i.  From i to j packets follow d_i and then d_j
backwards.  Where these are opposite they cancel, and channel c carries max(0, d_i(c) - d_j(c)): one unit from i to j.

Source: docs/decisions/0014-half-flows.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, over_scale
from ...core.graph import hops_from
from ...core.loads import DifferenceLoads, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...formats.documents.routing import network_entry
from ..base.pair_table import ChannelLoads
from ..base.routing import RoutingByChannel
from .half_flow_kernels import first_lost

_MOST = 1 << 50  # of a flow's numbers
_CELLS = 1 << 22  # of channels by pairs, that are looked at together
_AT_ONCE = 1 << 27  # of pairs by links, in one compiled search, which nobody can end


def goes_both_ways(network: Network) -> bool:
    """Has every channel an equal one back, and every node as many terminals that send as that receive?"""
    return network.reverse is not None and np.array_equal(network.supply, network.demand)


class HalfFlowRouting(RoutingByChannel):
    """``flow``: int64 (K, E), over ``unit``: a row for every node with terminals, ascending; a column for every channel
    whose number is less than that of the one back, ascending.  Rows and columns of the routing are nodes.

    Raises InputError for a network whose channels or terminals are not equal in both directions, and for flows that
    do not all end alike.  Cycles that no packet gets to are for ``check``.
    """

    def __init__(self, network: Network, name: str, flow: Int64, unit: int) -> None:
        super().__init__(network, name)
        if network.reverse is None or not goes_both_ways(network):
            raise InputError(
                f"routing {name} is made of half flows, for networks whose channels and terminals are equal in both "
                f"directions; {network.name} is not one"
            )
        link = np.flatnonzero(np.arange(network.num_channels) < network.reverse)
        node = np.flatnonzero(network.supply)
        if flow.shape != (len(node), len(link)):
            raise InputError(f"the half flows of {name} have shape {flow.shape}; {(len(node), len(link))} was expected")
        if not 1 <= unit <= _MOST or (flow.size and max(-int(flow.min()), int(flow.max())) > _MOST):
            raise InputError(f"the half flows of {name} hold numbers beyond 2^50")
        self.differences: DifferenceLoads = DifferenceLoads(
            node, link, network.reverse[link].astype(np.int64), flow, unit
        )
        self._place = np.full(network.num_nodes, -1, dtype=np.int64)
        self._place[node] = np.arange(len(node))
        ends = _ends(network, flow, link)
        ends[np.arange(len(node)), node] -= unit
        wrong = np.argwhere(ends != ends[:1])
        if len(wrong):
            k, v = wrong[0].tolist()
            raise InputError(
                f"routing {name}: the half flow of node {network.label(int(node[k]))} does not end as that of node "
                f"{network.label(int(node[0]))} does, at node {network.label(v)}"
            )

    @property
    def denominators(self) -> list[int]:
        return [self.differences.unit]

    def expected_loads(self, channel: int) -> int:  # noqa: ARG002  # all channels alike
        return len(self.differences.node) ** 2 // 2

    def _loads_on(self, channel: int) -> ChannelLoads:
        own = self.differences
        there = int(np.searchsorted(own.link, channel))
        if there < len(own.link) and own.link[there] == channel:
            number = own.flow[:, there]
        else:
            number = -own.flow[:, int(np.flatnonzero(own.back == channel)[0])]
        apart = number[:, None] - number[None, :]
        row, column = np.nonzero(apart > 0)
        return own.node[row], own.node[column], over_scale(apart[row, column], own.unit)

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        own = self.differences
        i, j = (self._place[np.asarray(x, dtype=np.int64).reshape(-1)] for x in (rows, columns))
        here = (i >= 0) & (j >= 0)
        length: list[Int64] = []
        channel: list[npt.NDArray[np.int32]] = []
        load: list[Rationals] = []
        step = max(1, _CELLS // max(1, self.network.num_channels))
        for at in range(0, len(i), step):
            some = slice(at, at + step)
            apart = np.where(here[some, None], own.flow[i[some]] - own.flow[j[some]], 0)
            every = np.zeros((len(apart), self.network.num_channels), dtype=np.int64)
            every[:, own.link], every[:, own.back] = np.maximum(apart, 0), np.maximum(-apart, 0)
            pair, c = np.nonzero(every)
            length.append(np.bincount(pair, minlength=len(apart)))
            channel.append(c.astype(np.int32))
            load.append(over_scale(every[pair, c], own.unit))
        none = np.zeros(0, dtype=np.int32)
        return PairBlock(
            offsets_of(np.concatenate([none, *length])), np.concatenate([none, *channel]), concatenate(load)
        )

    def respects(self, g: Automorphism) -> bool:
        """Exact: differences are the same if and only if all numbers of a channel change by one and the same.

        Raises InputError if ``g`` is not an automorphism of the network.
        """
        check_automorphism(self.network, g)
        own = self.differences
        every = np.zeros((len(own.node), self.network.num_channels), dtype=np.int64)
        every[:, own.link], every[:, own.back] = own.flow, -own.flow
        change = every[self._place[g.node[own.node]]][:, g.channel] - every
        return bool((change == change[:1]).all())

    def respects_reversal(self) -> bool:
        return True  # max(0, d_i - d_j) on a channel is max(0, -d_j - -d_i) on the one back

    def check(self, among: Sequence[int] | None = None) -> None:
        """As in ``Routing.check``; that the flows end alike was seen before.  ``among``: the pairs from these nodes
        stand for all, by symmetry.

        What goes from i to j leaves a set of nodes without i as often as it enters it, but where j is inside.  So no
        packet gets to a set only where both flows are the same on all links around it: links on which they differ lead
        to everything, in any direction, where they hold a tree of all nodes.
        """
        own, network = self.differences, self.network
        tail, head = network.tail[own.link].astype(np.int64), network.head[own.link].astype(np.int64)
        at = np.concatenate([tail, head])
        order = np.argsort(at, kind="stable")
        start = offsets_of(np.bincount(at, minlength=network.num_nodes))
        near, link = np.concatenate([head, tail])[order], np.tile(np.arange(len(own.link)), 2)[order]
        alike = self._alike_on_a_tree(tail, head)
        if among is None:
            alike = np.triu(alike, 1)
        else:
            alike[np.isin(own.node, among, invert=True)] = False
            np.fill_diagonal(alike, False)
        some = np.argwhere(alike)
        if not len(some):
            return
        search = first_lost.for_steps(2.0 * len(some) * len(own.link))
        flow, step = np.ascontiguousarray(own.flow), max(1, _AT_ONCE // len(own.link))
        for first in range(0, len(some), step):
            k, other, e = search(start, near, link, flow, own.node, some[first : first + step])
            if k >= 0:
                ends = (network.label(int(own.node[x])) for x in (k, other))
                raise InputError(
                    f"routing {self.name} loads the cable of {network.channel_label(int(own.link[e]))} from "
                    f"{' to '.join(ends)}, but no packet of that pair can get there"
                )

    def _alike_on_a_tree(self, tail: Int64, head: Int64) -> npt.NDArray[np.bool_]:
        """(K, K): have both the same flow on a link of some tree of all nodes?  All have where there is none."""
        own, network = self.differences, self.network
        hops = hops_from(network.num_nodes, network.tail, network.head, int(own.node[0]))
        found = np.full((len(own.node), len(own.node)), bool((hops < 0).any()))
        via = np.full(network.num_nodes, -1, dtype=np.int64)
        for near, far in ((tail, head), (head, tail)):
            outwards = np.flatnonzero(hops[near] + 1 == hops[far])
            via[far[outwards]] = outwards
        for e in via[via >= 0].tolist():
            number = own.flow[:, e]
            order = np.argsort(number, kind="stable")
            ends = offsets_of(np.unique(number, return_counts=True)[1])
            for at in np.flatnonzero(np.diff(ends) > 1).tolist():
                same = order[ends[at] : ends[at + 1]]
                found[np.ix_(same, same)] = True
        return found

    def document(self) -> dict[str, Any]:
        """By its half flows: there are too many paths for a table (``files.documents`` reads it)."""
        return {
            "format": "routeproof/routing", "network": network_entry(self.network), "half_flows": self._written(),
        }  # fmt: skip

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # loads are all there is
        """What ``read_half_flows`` reads."""
        return {"half_flows": self._written()}

    def _written(self) -> dict[str, Any]:
        return {"scale": str(self.differences.unit), "flow": pack_ints(self.differences.flow.ravel())}


def read_half_flows(network: Network, name: str, data: object) -> HalfFlowRouting:
    """The routing that ``HalfFlowRouting.written_in_full`` wrote.  Whether every channel of a pair is within its reach
    is not yet checked: call ``check``.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    if not isinstance(data, Mapping) or set(data) != {"scale", "flow"}:
        raise InputError("'half_flows' of a routing must be an object with 'scale' and 'flow'")
    scale = data["scale"]
    if not isinstance(scale, str) or not (scale.isascii() and scale.isdecimal()) or len(scale) > len(str(_MOST)):
        raise InputError(f"the scale of half flows is {str(scale)[:40]!r}; a whole number up to 2^50 was expected")
    nodes = int(np.count_nonzero(network.supply))
    most = nodes * (network.num_channels // 2)
    flow = unpack_ints(data["flow"], what="the half flows", max_items=most)
    if len(flow) != most:
        raise InputError(f"there are {len(flow):,} numbers of half flows; {most:,} were expected")
    return HalfFlowRouting(network, name, flow.reshape(nodes, -1), int(scale))


def _ends(network: Network, flow: Int64, link: Int64) -> Int64:
    """(K, N): what leaves every node, less what arrives."""
    left = np.zeros((network.num_nodes, len(flow)), dtype=np.int64)
    np.add.at(left, network.tail[link], flow.T)
    np.subtract.at(left, network.head[link], flow.T)
    return left.T
