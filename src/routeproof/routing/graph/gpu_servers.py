"""The GPUs of a cluster by server and number, and the shortest paths between them over switches alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import Bools, Int64, offsets_of
from ...core.errors import InputError
from ...core.network import Network
from ..base.pair_table import check_table_size

_NUMBER = re.compile(r"([0-9]+)\Z")
_MOST_PATHS = 2**31
_CELL_BYTES = 4 * 32 + 8


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
        ways = up @ down
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
