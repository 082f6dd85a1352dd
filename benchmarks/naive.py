"""What one would write without routeproof: per channel a dense matrix of pair loads and an assignment by scipy.

Everything is float64.  The matrices are made by whole-array numpy, not pair by pair: this is the naive *method*, not
a slow way of writing it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from routeproof.core.network import Network

Float64 = npt.NDArray[np.float64]


class Naive(Protocol):
    """Pair loads of one channel, float64, shape (T, T): from terminal i to terminal j."""

    def matrix(self, channel: int) -> Float64: ...


class NaiveMinimal:
    """ECMP per path, from distances and numbers of shortest paths."""

    def __init__(self, network: Network) -> None:
        n = network.num_nodes
        step = np.zeros((n, n))
        np.add.at(step, (network.tail, network.head), 1.0)
        self.network = network
        self.distance = np.where(np.eye(n) > 0, 0, -1)
        self.paths = np.eye(n)
        frontier, hops = np.eye(n), 0
        while frontier.any():
            hops += 1
            frontier = (frontier @ step) * (self.distance < 0)
            self.distance[frontier > 0] = hops
            self.paths += frontier

    def matrix(self, channel: int) -> Float64:
        u, v = int(self.network.tail[channel]), int(self.network.head[channel])
        on_the_way = self.distance[:, u, None] + 1 + self.distance[v] == self.distance
        load = np.where(on_the_way, self.paths[:, u, None] * self.paths[v] / self.paths, 0.0)
        return np.asarray(load[np.ix_(self.network.source, self.network.sink)])


class NaiveTable:
    """A next-hop table ``next_channel[v, terminal]``, walked for every pair of terminals."""

    def __init__(self, network: Network, next_channel: npt.NDArray[np.int32]) -> None:
        count = network.num_terminals
        i, j = (x.ravel() for x in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
        at = network.source[i]
        crossed, pairs = [], []
        while True:
            going = at != network.sink[j]
            i, j, at = i[going], j[going], at[going]
            if not len(i):
                break
            channel = next_channel[at, j]
            crossed.append(channel)
            pairs.append(i * count + j)
            at = network.head[channel]
        channels, pair = np.concatenate(crossed), np.concatenate(pairs)
        order = np.argsort(channels, kind="stable")
        self.size, self.pair = count, pair[order]
        self.start = np.searchsorted(channels[order], np.arange(network.num_channels + 1))

    def matrix(self, channel: int) -> Float64:
        load = np.zeros(self.size * self.size)
        load[self.pair[self.start[channel] : self.start[channel + 1]]] = 1.0
        return load.reshape(self.size, self.size)


@dataclass(frozen=True)
class NaiveResult:
    """Seconds by the clock and of processor time for all channels, extrapolated from ``done`` of ``count`` random ones
    where these differ."""

    wall: float
    cpu: float
    done: int
    count: int
    value: dict[int, float]

    @property
    def how(self) -> str:
        if self.done == self.count:
            return f"all {self.count:,} channels"
        return f"extrapolated from {self.done:,} random channels of {self.count:,}"


def naive_worst_case(
    network: Network, make: Callable[[Network], Naive], *, full_s: float, sample_s: float, seed: int = 0
) -> NaiveResult:
    """Tables, then channel after channel in random order: all of them if that seems to take at most ``full_s``
    seconds, else for ``sample_s`` seconds (at least 8 channels)."""
    from scipy.optimize import linear_sum_assignment

    solve: Any = linear_sum_assignment
    began = time.perf_counter(), time.process_time()
    naive = make(network)
    ready = time.perf_counter(), time.process_time()
    count = network.num_channels
    value: dict[int, float] = {}
    for done, c in enumerate(np.random.default_rng(seed).permutation(count).tolist()):
        spent = time.perf_counter() - ready[0]
        if done >= 8 and spent > sample_s and spent * count / done > full_s:
            break
        load = naive.matrix(c)
        rows, columns = solve(load, maximize=True)
        value[c] = float(load[rows, columns].sum()) / float(network.bandwidth[c])
    ended = time.perf_counter(), time.process_time()
    wall, cpu = (
        middle - start + (end - middle) * count / len(value)
        for start, middle, end in zip(began, ready, ended, strict=True)
    )
    return NaiveResult(wall, cpu, len(value), count, value)
