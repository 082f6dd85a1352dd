"""Rail-local routing on clusters of GPUs: over NVLink to the destination's rail, then over the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32, Int64, members, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, grown, ragged, reduced
from ...core.loads import PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from ..base.entry import RoutingEntry, check_choice, with_options
from ..base.pair_table import ChannelLoads, check_table_size, order_of
from ..base.repair import detours
from ..base.routing import RoutingByChannel

_NUMBER = re.compile(r"([0-9]+)\Z")
_MOST_PATHS = 2**31
_CELL_BYTES = 4 * 32 + 8
_LOADS_EACH = 64  # of a pair, about


@dataclass(frozen=True, eq=False)
class GpuServers:
    """GPUs are nodes with terminals, a number at the end of their name; NVSwitches have "nvswitch" in theirs.

    GPUs that share an NVSwitch are of one server.  ``gpu``: their nodes, (G,); ``server``, ``number``: (G,).
    """

    network: Network
    is_nvswitch: Bools
    gpu: Int64
    server: Int64
    number: Int64

    @staticmethod
    def of(network: Network, name: str) -> GpuServers:
        """Raises InputError for a network that has no such servers, or of which a GPU has no number of its own."""
        labels = [network.label(v) for v in range(network.num_nodes)]
        is_nvswitch = np.array(["nvswitch" in x.lower() for x in labels])
        is_gpu = (network.supply > 0) | (network.demand > 0)
        if not is_nvswitch.any():
            raise InputError(
                f"{name} needs servers of GPUs around nodes called nvswitch, as rail-optimized:4,8,nvlink=9 has; "
                f"{network.name} has none"
            )
        both = np.flatnonzero(is_nvswitch & is_gpu)
        if both.size:
            raise InputError(f"{name}: {labels[int(both[0])]} sends or receives; GPUs alone do, not an NVSwitch")
        joined = np.flatnonzero(is_gpu[network.tail] & is_gpu[network.head])
        if joined.size:
            raise InputError(f"{name}: {network.channel_label(int(joined[0]))} joins two GPUs; switches were expected")
        gpu = np.flatnonzero(is_gpu)
        server = _servers(network, is_nvswitch)[gpu]
        numbers = []
        seen: dict[tuple[int, int], str] = {}
        for v, s in zip(gpu.tolist(), server.tolist(), strict=True):
            found = _NUMBER.search(labels[v])
            if found is None:
                raise InputError(f"{name}: the name of {labels[v]} ends in no number, which says its rail")
            other = seen.setdefault((s, int(found[1])), labels[v])
            if other != labels[v]:
                raise InputError(f"{name}: {other} and {labels[v]} of one server have the same number")
            numbers.append(int(found[1]))
        return GpuServers(network, is_nvswitch, gpu, server, np.array(numbers, dtype=np.int64))

    @cached_property
    def beside(self) -> Int64:
        """(G, G): by which ways, of two channels over an NVSwitch, a GPU reaches another one of its server."""
        up, down = self.up_down
        ways = (up.astype(np.float64) @ down.astype(np.float64)).astype(np.int64)  # small numbers, exact
        np.fill_diagonal(ways, 0)
        return ways

    @cached_property
    def up_down(self) -> tuple[Int64, Int64]:
        """Channels from GPUs to NVSwitches, (G, N), and from NVSwitches to GPUs, (N, G), counted."""
        network, size = self.network, self.network.num_nodes
        at = np.full(size, -1)
        at[self.gpu] = np.arange(len(self.gpu))
        up, down = np.zeros((len(self.gpu), size), dtype=np.int64), np.zeros((size, len(self.gpu)), dtype=np.int64)
        rises = (at[network.tail] >= 0) & self.is_nvswitch[network.head]
        falls = self.is_nvswitch[network.tail] & (at[network.head] >= 0)
        np.add.at(up, (at[network.tail[rises]], network.head[rises]), 1)
        np.add.at(down, (network.tail[falls], at[network.head[falls]]), 1)
        return up, down

    @cached_property
    def leaves(self) -> Int64:
        """(N,): the state in which a packet leaves a node for the network: the node's own number, but a GPU has a
        second state for what it sends.  No channel leads to that one, so that no path goes on at a third GPU."""
        state = np.arange(self.network.num_nodes)
        state[self.gpu] = self.network.num_nodes + np.arange(len(self.gpu))
        return state

    @cached_property
    def outside(self) -> tuple[Int64, Int64, Int64, Int64]:
        """Over switches that are no NVSwitches, and no GPU in between: distances and numbers of shortest paths from
        GPUs to states, (G, N + G), and from states to GPUs, (N + G, G); -1 and 0 where there is none.  States: see
        ``leaves``; a GPU's own number is where its packets arrive."""
        network = self.network
        check_table_size(network, "rail-local", "keeps distance", 20_000, _CELL_BYTES)
        usable = ~self.is_nvswitch[network.tail] & ~self.is_nvswitch[network.head]
        tail, head = self.leaves[network.tail[usable]], network.head[usable].astype(np.int64)
        there, count = self._shortest(self.leaves[self.gpu], tail, head)
        back, other = self._shortest(self.gpu, head, tail)
        return there, count, back.T.copy(), other.T.copy()

    def _shortest(self, start: Int64, tail: Int64, head: Int64) -> tuple[Int64, Int64]:
        from ...graphs.search_kernels import reach_all

        size, gpus = self.network.num_nodes + len(self.gpu), len(self.gpu)
        order = np.argsort(tail, kind="stable")
        offset = offsets_of(np.bincount(tail, minlength=size))
        dist, count = np.full((gpus, size), -1, dtype=np.int64), np.zeros((gpus, size), dtype=np.int64)
        reach_all.for_steps(gpus * len(tail))(offset, head[order], start, _MOST_PATHS, dist, count)
        if count.max(initial=0) >= _MOST_PATHS:
            raise InputError(f"rail-local: two nodes of {self.network.name} are joined by over 2^31 shortest paths")
        return dist, count


def _servers(network: Network, is_nvswitch: Bools) -> Int64:
    """The server of every node: nodes that are joined over NVSwitches have one number."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    near = is_nvswitch[network.tail] != is_nvswitch[network.head]
    member = (network.supply > 0) | (network.demand > 0) | is_nvswitch
    some = near & member[network.tail] & member[network.head]
    ends, size = (network.tail[some], network.head[some]), network.num_nodes
    graph = csr_array((np.ones(len(ends[0])), ends), shape=(size, size))
    return connected_components(graph, directed=False)[1].astype(np.int64)  # type: ignore[no-any-return]


class RailLocal:
    """A packet to a GPU of the own server goes over an NVSwitch.  One to GPU x of another server first goes over an
    NVSwitch to GPU x of its own (unless it is there), and from it by shortest paths over switches that are no
    NVSwitches, all alike, never through a third GPU: where both are on one leaf switch, over that one.

    ``pxn=no``: it leaves by the sender's own interface, whatever the destination's number.  NVSwitches of a server
    and parallel channels are taken alike.

    Source: NCCL's PXN ("PCI x NVLink"), Mandakolathur & Jeaugey 2022, Doubling all2all performance with NVIDIA
    collective communication library 2.12; Wang et al. 2023, Rail-only (the network without spines).
    """

    def __init__(self, *, pxn: str = "yes") -> None:
        check_choice("rail-local", "pxn", pxn, ("yes", "no"))
        self.pxn = pxn

    def on(self, network: Network) -> RailLocalRouting:
        name = with_options("rail-local", pxn=None if self.pxn == "yes" else self.pxn)
        return RailLocalRouting(network, name, pxn=self.pxn == "yes")


class RailLocalRouting(RoutingByChannel):
    """``RailLocal`` on a network; raises InputError where a packet has no such path."""

    in_full = False
    has_explicit_paths = True

    def __init__(self, network: Network, name: str, *, pxn: bool) -> None:
        super().__init__(network, name)
        self.servers = GpuServers.of(network, name)
        self._at = np.full(network.num_nodes, -1)
        self._at[self.servers.gpu] = np.arange(len(self.servers.gpu))
        self.relay = self._relays(pxn=pxn)
        if pxn:
            every = self.servers.number
            self.node_blocks = [self.servers.gpu[every == x].tolist() for x in np.unique(every)]
        self._check_paths()

    def _relays(self, *, pxn: bool) -> Int64:
        """(G, G): the GPU from which a packet of s for d goes over the network; -1 within a server."""
        servers = self.servers
        count = len(servers.gpu)
        own = np.repeat(np.arange(count)[:, None], count, axis=1)
        relay = own
        if pxn:
            places, numbers = servers.server.tolist(), servers.number.tolist()
            at = {key: k for k, key in enumerate(zip(places, numbers, strict=True))}
            relay = np.array([[at.get((s, x), -2) for x in numbers] for s in places]).reshape(count, count)
        relay = np.where(servers.server[:, None] == servers.server[None, :], -1, relay)
        sends, receives = self.network.supply[servers.gpu] > 0, self.network.demand[servers.gpu] > 0
        lost = np.argwhere((relay == -2) & sends[:, None] & receives[None, :])
        if lost.size:
            s, d = (self.network.label(int(servers.gpu[k])) for k in lost[0])
            raise InputError(f"{self.name}: the server of {s} has no GPU with the number of {d}; pxn=no needs none")
        return relay

    def _check_paths(self) -> None:
        near, far, _ = self._pairs
        servers, network = self.servers, self.network
        sends, receives = network.supply[servers.gpu] > 0, network.demand[servers.gpu] > 0
        needed = sends[:, None] & receives[None, :] & ~np.eye(len(servers.gpu), dtype=bool)
        lost = np.argwhere(needed & ((near == 0) | ((self.relay >= 0) & (far < 0))))
        if lost.size:
            s, d = (network.label(int(servers.gpu[k])) for k in lost[0])
            raise InputError(f"network {network.name}: {self.name} has no path from {s} to {d}")

    @cached_property
    def _pairs(self) -> tuple[Int64, Int64, Int64]:
        """For s and d, (G, G) each: ways over NVSwitches (1 where none is crossed), hops outside from the relay (-1
        within a server), and the number of shortest paths there."""
        servers, relay = self.servers, self.relay
        everyone = np.arange(len(relay))
        target = np.where(relay == -1, everyone[None, :], np.maximum(relay, 0))
        near = np.where(target == everyone[:, None], 1, servers.beside[everyone[:, None], target])
        there, count, _, _ = servers.outside
        far = np.where(relay >= 0, there[:, servers.gpu][np.maximum(relay, 0), everyone[None, :]], -1)
        number = np.where(relay >= 0, count[:, servers.gpu][np.maximum(relay, 0), everyone[None, :]], 1)
        return near, far, number

    def _loads_on(self, channel: int) -> ChannelLoads:
        s, d, num, den = self._load_of(channel)
        row, column = self.servers.gpu[s], self.servers.gpu[d]
        kept = (self.network.supply[row] > 0) & (self.network.demand[column] > 0) & (num > 0)
        return row[kept], column[kept], Rationals(num[kept], den[kept])

    def _load_of(self, c: int) -> tuple[Int64, Int64, Int64, Int64]:
        """Of one channel: senders, destinations, numerators and denominators of loads, some of them 0."""
        network, servers = self.network, self.servers
        u, v = int(network.tail[c]), int(network.head[c])
        if not servers.is_nvswitch[u] and not servers.is_nvswitch[v]:
            return self._load_outside(u, v)
        up, down = servers.up_down
        a, b = int(self._at[u]), int(self._at[v])
        senders = np.array([a]) if a >= 0 else np.flatnonzero(up[:, u])
        s, d = (x.ravel() for x in np.meshgrid(senders, np.arange(len(servers.gpu)), indexing="ij"))
        relay = self.relay[s, d]
        target = np.where(relay == -1, d, np.maximum(relay, 0))
        ways = down[v][target] if a >= 0 else np.where(target == b, up[s, u], 0)  # those of the other half of the way
        return s, d, np.where((target != s) & (a >= 0 or b >= 0), ways, 0), self._pairs[0][s, d]

    def _load_outside(self, u: int, v: int) -> tuple[Int64, Int64, Int64, Int64]:
        """From every GPU that is a relay as ``minimal`` has it, and so for all whose packets it relays."""
        there, count, back, other = self.servers.outside
        leaves = int(self.servers.leaves[u])
        near, far = np.flatnonzero(there[:, leaves] >= 0), np.flatnonzero(back[v] >= 0)
        whole = there[:, self.servers.gpu[far]][near]
        x, y = np.nonzero(there[near, leaves][:, None] + 1 + back[v, far][None, :] == whole)
        g, d = near[x], far[y]
        first, senders = self._relayed
        length = first[g * len(self.relay) + d + 1] - first[g * len(self.relay) + d]
        s = senders[ragged(first[g * len(self.relay) + d], length)]
        g, d = np.repeat(g, length), np.repeat(d, length)
        return s, d, count[g, leaves] * other[v, d], count[g, self.servers.gpu[d]]

    @cached_property
    def _relayed(self) -> tuple[Int64, Int64]:
        """The GPUs whose packets for d leave the server at g: ``[1][first[g G + d]:first[g G + d + 1]]``."""
        count = len(self.relay)
        s, d = np.nonzero(self.relay >= 0)
        key = self.relay[s, d] * count + d
        return offsets_of(np.bincount(key, minlength=count * count)), s[np.argsort(key, kind="stable")]

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        row, column = (np.asarray(x, dtype=np.int64).reshape(-1) for x in (rows, columns))
        s, d = self._at[row], self._at[column]
        lost = np.flatnonzero((row != column) & ((s < 0) | (d < 0)))
        if lost.size:
            raise self._no_path(int(row[lost[0]]), int(column[lost[0]]))
        relay = self.relay[s, d]
        target = np.where(relay < 0, d, relay)
        inside, outside = np.flatnonzero(target != s), np.flatnonzero(relay >= 0)
        parts = [*self._nvlink_loads(s[inside], target[inside]), self._outside_loads(target[outside], d[outside])]
        pair = np.concatenate([inside[parts[0][0]], inside[parts[1][0]], outside[parts[2][0]]])
        channel = np.concatenate([x for _, x, _ in parts])
        order = order_of(channel, self.network.num_channels)
        order = order[order_of(pair[order], len(row))]
        offset = offsets_of(np.bincount(pair, minlength=len(row)))
        return PairBlock(offset, channel[order], concatenate([x for *_, x in parts])[order])

    def _nvlink_loads(self, s: Int64, d: Int64) -> Iterator[tuple[Int64, Int32, Rationals]]:
        """(pair, channel, load) from GPUs ``s`` to others ``d`` over NVSwitches: of channels up, and of those down."""
        network, gpu, (up, down) = self.network, self.servers.gpu, self.servers.up_down
        for (offset, order), own, ends in (
            (network.out_channels, s, network.head), (network.in_channels, d, network.tail)
        ):  # fmt: skip
            first, length = offset[gpu[own]], np.diff(offset)[gpu[own]]
            pair, channel = np.repeat(np.arange(len(own)), length), order[ragged(first, length)].astype(np.int32)
            v = ends[channel]
            ways = down[v, d[pair]] if own is s else up[s[pair], v]  # those of the other half of the way
            used = ways > 0
            yield pair[used], channel[used], reduced(ways[used], self.servers.beside[s, d][pair[used]])

    def _outside_loads(self, g: Int64, d: Int64) -> tuple[Int64, Int32, Rationals]:
        """(pair, channel, load) from GPUs ``g`` to GPUs ``d`` over the network."""
        network, servers = self.network, self.servers
        alive = np.ones(network.num_channels, dtype=bool)
        start, end = (x.astype(np.int32) for x in (servers.leaves[servers.gpu[g]], servers.gpu[d]))
        kernel = detours.for_steps(len(g) * network.num_channels)
        done, offset, (channel,), load = grown(
            len(g), _LOADS_EACH, lambda *out: kernel(*self._states, alive, self._hops, start, end, *out)
        )
        if done < 0:
            raise self._no_path(int(servers.gpu[g[-1 - done]]), int(end[-1 - done]))
        return members(offset), channel, load

    @cached_property
    def _states(self) -> tuple[tuple[Int64, Int32], Int32]:
        """(channels over switches by the state that they leave, with offsets; their heads)."""
        network, is_nvswitch = self.network, self.servers.is_nvswitch
        usable = np.flatnonzero(~is_nvswitch[network.tail] & ~is_nvswitch[network.head])
        tail = self.servers.leaves[network.tail[usable]]
        offset = offsets_of(np.bincount(tail, minlength=network.num_nodes + len(self.servers.gpu)))
        return (offset, usable[np.argsort(tail, kind="stable")].astype(np.int32)), network.head

    @cached_property
    def _hops(self) -> npt.NDArray[np.int16]:
        """(N, N + G): distances to GPUs from states, -1 to other nodes."""
        back = self.servers.outside[2]
        hops = np.full((self.network.num_nodes, len(back)), -1, dtype=np.int16)
        hops[self.servers.gpu] = back.T
        return hops

    def _no_path(self, row: int, column: int) -> InputError:
        return InputError(f"{self.name} has no path for row {row} and column {column}, where no packets are")

    @property
    def same_anew(self) -> bool:
        """A symmetry takes servers to servers, also to what a failure leaves of them; and GPUs of one number in
        different servers to such, since these are relays."""
        return True

    def respects(self, automorphism: Automorphism) -> bool:
        """Does it map NVSwitches to NVSwitches, and relays to relays?  All else is the network's own."""
        check_automorphism(self.network, automorphism)
        image, servers = automorphism.node, self.servers
        moved = self._at[image[servers.gpu]]
        if bool((moved < 0).any()) or not np.array_equal(servers.is_nvswitch[image], servers.is_nvswitch):
            return False
        relay = np.where(self.relay >= 0, moved[np.maximum(self.relay, 0)], self.relay)
        return bool(np.array_equal(self.relay[np.ix_(moved, moved)], relay))

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        if row == column:
            return [(Fraction(1), [])]
        s, d = int(self._at[row]), int(self._at[column])
        if s < 0 or d < 0:
            raise self._no_path(row, column)
        relay = int(self.relay[s, d])
        target = d if relay == -1 else relay
        inside = [[]] if target == s else list(self._over_nvlink(s, target))
        outside = [[]] if relay == -1 else list(self._outside(target, d))
        weight = Fraction(1, len(inside) * len(outside))
        return [(weight, [*one, *two]) for one in inside for two in outside]

    def _over_nvlink(self, s: int, d: int) -> Iterator[list[int]]:
        network, gpu = self.network, self.servers.gpu
        offset, out = network.out_channels
        for one in out[offset[gpu[s]] : offset[gpu[s] + 1]].tolist():
            v = int(network.head[one])
            if self.servers.is_nvswitch[v]:
                for two in out[offset[v] : offset[v + 1]].tolist():
                    if network.head[two] == gpu[d]:
                        yield [one, two]

    def _outside(self, g: int, d: int) -> Iterator[list[int]]:
        network = self.network
        offset, out = network.out_channels
        _, _, back, _ = self.servers.outside

        def onward(v: int, left: int) -> Iterator[list[int]]:
            if left == 0:
                yield []
                return
            for c in out[offset[v] : offset[v + 1]].tolist():
                w = int(network.head[c])
                if back[w, d] == left - 1 and not self.servers.is_nvswitch[w]:
                    for rest in onward(w, left - 1):
                        yield [c, *rest]

        start = int(self.servers.gpu[g])
        yield from onward(start, int(back[self.servers.leaves[start], d]))


RAIL_LOCAL_ENTRY = RoutingEntry(
    name="rail-local",
    help="over NVLink to the destination's rail, then over the network, on clusters of GPUs",
    build=lambda network, options: RailLocal(**options).on(network),
    options={"pxn": "yes, or no: out by the sender's own interface"},
)
