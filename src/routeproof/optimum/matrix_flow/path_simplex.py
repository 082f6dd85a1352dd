"""The simplex method on paths, compiled: for one matrix, where a pair has few paths with flow and channels are few.

    minimise theta,  theta - (load of c) / b(c) >= 0 for every channel c,  the paths of a pair carry its rate.

A basis is a *key* path for every pair, which carries what its others do not, and one column for every channel: theta,
the slack of a channel, or another path of a pair, less its key.  So the inverse has a row for every channel, not for
every pair.  Paths are looked for under a mixture of the prices and of lengths that grow with the loads, a source at a
time; those whose price is too high come in one after another.  Rates and loads are changed a little, at random, so that
steps are not 0.  In floats, as a start: ``master`` has the last word.

Source: Dantzig & Van Slyke 1967 (generalized upper bounding); Farvolden, Powell & Lustig 1993 (Operations Research 41;
primal partitioning).
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Float64, Int64, offsets_of
from ...graphs.search_kernels import grow_tree
from ...machine.compiled import njit
from ...machine.deadlines import Deadline
from ...machine.one_thread import one_blas_thread
from .problem import Problem

_FEWEST_PAIRS = 300  # with fewer, another kernel would cost more than it saves
_MOST_CHANNELS, _MOST_CELLS = 2_000, 1 << 25
_AT_ONCE = 1_000  # exchanges, then the inverse is formed anew
_MOST = 60  # exchanges for every channel
_CHANGE = 1e-7  # of rates and loads
_INWARD = np.array([0.95, 0.0])  # the share of lengths that grow with the loads
_STEEP = 3.0
_THETA, _SLACK = -1, -2


class PathSimplex:
    """``offset``, ``channel``: a path of every pair, one after the other, as in ``Master``.

    By position of the basis: ``of``, the pair of a path, or what it is; ``slot``, its path, or the channel of its
    slack; ``value``.  By pair: ``key``, its path, and what it carries.  By slot: ``path`` and ``hops``.
    """

    def __init__(self, problem: Problem, offset: Int64, channel: Int64) -> None:
        self.problem = problem
        count, pairs, nodes = problem.network.num_channels, problem.num_pairs, problem.network.num_nodes
        random = np.random.default_rng(0)
        self.rate = problem.largest * (1 + _CHANGE * random.random(pairs))
        self.hops = np.zeros(pairs + count + 1, dtype=np.int64)
        self.hops[:pairs] = np.diff(offset)
        self.path = np.zeros((len(self.hops), nodes), dtype=np.int32)
        self.path[:pairs][np.arange(nodes) < self.hops[:pairs, None]] = channel
        self.key = np.arange(pairs)
        self.free = np.arange(pairs, len(self.hops))
        load = np.bincount(channel, np.repeat(self.rate, self.hops[:pairs]), minlength=count)
        self.width = problem.bandwidth * (load / problem.bandwidth).max()
        self.extra = _CHANGE * random.random(count)
        top = int((load / self.width + self.extra).argmax())
        self.of, self.slot = np.full(count, _SLACK), np.arange(count)
        self.of[top] = _THETA
        self.state = np.array([top, 0, 0, 0, len(self.free)])
        self.inverse = np.diag(np.where(self.of == _SLACK, -1.0, 0.0))
        self.inverse[top] = 1.0
        self._value()

    @staticmethod
    def serves(problem: Problem) -> bool:
        count, pairs = problem.network.num_channels, problem.num_pairs
        fits = count <= _MOST_CHANNELS and (pairs + count) * problem.network.num_nodes <= _MOST_CELLS
        return len(problem.whole) == 1 and pairs >= _FEWEST_PAIRS and fits

    def run(self, deadline: Deadline) -> None:
        """Until no path comes in, or for so many exchanges, or till the time is over."""
        network = self.problem.network
        offset, order = network.out_channels
        ends = np.array([network.tail, network.head], dtype=np.int64)
        for _ in range(1 + _MOST * network.num_channels // _AT_ONCE):
            if deadline.over or not self.is_sound or exchanges(
                offset, order, ends, self.problem.pair, self.rate, self.width, self.path, self.hops, self.key,
                self.kept, self.free, self.of, self.slot, self.value, self.inverse, self.state, _INWARD, _STEEP,
                _AT_ONCE,
            ):  # fmt: skip
                break
            self._form()

    @property
    def is_sound(self) -> bool:
        """Did floats do?"""
        return bool(np.isfinite(self.inverse).all() and np.isfinite(self.value).all() and self.price.any())

    def _form(self) -> None:
        """The inverse, transposed, and all values, anew."""
        count = len(self.width)
        basis = np.zeros((count, count))
        is_path = np.flatnonzero(self.of >= 0)
        slack = np.flatnonzero(self.of == _SLACK)
        basis[:, self.state[0]] = 1.0
        basis[self.slot[slack], slack] = -1.0
        for slots, sign in ((self.slot[is_path], -1.0), (self.key[self.of[is_path]], 1.0)):
            at, channel = self._channels(slots)
            np.add.at(basis, (channel, is_path[at]), sign / self.width[channel])
        try:
            with one_blas_thread():
                self.inverse = np.ascontiguousarray(np.linalg.inv(basis).T)
        except np.linalg.LinAlgError:
            self.inverse[:] = np.nan
        self._value()

    def _value(self) -> None:
        count, is_path = len(self.width), self.of >= 0
        at, channel = self._channels(self.key)
        load = self.extra + np.bincount(channel, self.rate[at], minlength=count) / self.width
        self.value = load @ self.inverse
        self.kept = self.rate - np.bincount(self.of[is_path], self.value[is_path], minlength=len(self.key))

    def _channels(self, slots: Int64) -> tuple[Int64, Int64]:
        """(which of the paths, channel) of all their hops."""
        hops = self.hops[slots]
        inside = np.arange(self.path.shape[1]) < hops[:, None]
        return np.repeat(np.arange(len(slots)), hops), self.path[slots][inside].astype(np.int64)

    def keys(self) -> tuple[Int64, Int64]:
        """(offset, channel) of the key paths, pair after pair."""
        return offsets_of(self.hops[self.key]), self._channels(self.key)[1]

    def others(self) -> tuple[Int64, Int64, Int64]:
        """(pair, offset, channel) of the other paths of the basis."""
        is_path = np.flatnonzero(self.of >= 0)
        slots = self.slot[is_path]
        return self.of[is_path], offsets_of(self.hops[slots]), self._channels(slots)[1]

    @property
    def amount(self) -> Float64:
        """Of the other paths."""
        return np.asarray(np.maximum(self.value[self.of >= 0], 0.0))

    @property
    def loose(self) -> Int64:
        """The channels whose slack is in the basis."""
        return np.asarray(self.slot[self.of == _SLACK])

    @property
    def price(self) -> Float64:
        """(1, C): of a unit of load."""
        found = np.maximum(self.inverse[:, self.state[0]], 0.0) / self.width
        found[self.loose] = 0.0
        return np.asarray(found[None, :])


@njit(cache=True, nogil=True, error_model="numpy")
def exchanges(  # type: ignore[no-untyped-def]
    offset, order, ends, pairs, rate, width, path, hops, key, kept, free, of, slot, value, inverse, state, inward,
    steep, most,
):  # fmt: skip
    """At most so many exchanges; True where nothing is left to come in, or nothing leaves.

    ``state``: the position of theta, the first pair of the next source, how many pairs were looked at without success,
    which of ``inward`` is the share now, how many slots are ``free``; else as in ``PathSimplex``.
    """
    tail = ends[0]
    head = ends[1]
    count = len(width)
    total = pairs.shape[1]
    nodes = len(offset) - 1
    dist = np.empty(nodes)
    via = np.empty(nodes, dtype=np.int64)
    heap = np.empty((2, count + 2))
    settled = np.empty(nodes, dtype=np.int64)
    length = np.empty(count)
    mixed = np.empty(count)
    column = np.empty(count)  # what all values lose when a unit comes in
    drop = np.zeros(total)  # what keys lose
    asked = np.empty(nodes, dtype=np.int64)
    new = np.empty(nodes, dtype=np.int64)
    theta = state[0]
    waiting = 0
    slack = np.full(count, -1)
    for i in range(count):
        if of[i] == -2:
            slack[slot[i]] = i
    for _ in range(most):
        low = 0
        longest = 0.0
        for c in range(count):
            length[c] = 0.0 if slack[c] >= 0 else inverse[c, theta] / width[c]
            longest = max(longest, length[c])
            if length[c] < length[low]:
                low = c
        enter = -1
        hop = 0
        if length[low] < -1e-9 * longest:
            for i in range(count):
                column[i] = -inverse[low, i]
        else:
            while True:
                best = 0.0
                left = 0
                for x in range(waiting):
                    p = asked[x]
                    gain = 0.0
                    for h in range(hops[key[p]]):
                        gain += length[path[key[p], h]]
                    v = pairs[1, p]
                    while v != pairs[0, p]:
                        gain -= length[via[v]]
                        v = tail[via[v]]
                    if gain > 1e-9 * longest:
                        asked[left] = p
                        left += 1
                        if gain * rate[p] > best:
                            best = gain * rate[p]
                            enter = p
                waiting = left
                if enter >= 0:
                    state[2] = 0
                    break
                if state[2] >= total:
                    if state[3] + 1 == len(inward):
                        return True
                    state[3] += 1
                    state[2] = 0
                whole = 0.0
                for c in range(count):
                    mixed[c] = 1.0
                    if slack[c] >= 0:
                        mixed[c] = np.exp(-steep * value[slack[c]] / value[theta])
                    whole += mixed[c]
                share = inward[state[3]]
                for c in range(count):
                    mixed[c] = (1 - share) * max(length[c], 0.0) + share * mixed[c] / whole / width[c]
                p = state[1]
                source = pairs[0, p]
                dist[:] = np.inf
                grow_tree(offset, order, head, mixed, source, -1, False, dist, via, heap, settled)
                while p < total and pairs[0, p] == source:
                    asked[waiting] = p
                    waiting += 1
                    p += 1
                state[2] += waiting
                state[1] = p % total
            v = pairs[1, enter]
            while v != pairs[0, enter]:
                new[hop] = via[v]
                v = tail[via[v]]
                hop += 1
            column[:] = 0.0
            for h in range(hop):
                for i in range(count):
                    column[i] -= inverse[new[h], i] / width[new[h]]
            for h in range(hops[key[enter]]):
                c = path[key[enter], h]
                for i in range(count):
                    column[i] += inverse[c, i] / width[c]
            drop[enter] = 1.0
        for i in range(count):
            if of[i] >= 0:
                drop[of[i]] -= column[i]
        step = np.inf
        pivot = 0.0
        leave = -1  # a position of the basis
        over = -1  # or the pair whose key it is
        for i in range(-1, count):
            if i >= 0 and i != theta and column[i] > 1e-9:
                far = max(value[i], 0.0) / column[i]
                if far < step or (far == step and column[i] > pivot):
                    step, pivot, leave, over = far, column[i], i, -1
            p = of[i] if i >= 0 else enter
            if p >= 0 and drop[p] > 1e-9:
                far = max(kept[p], 0.0) / drop[p]
                if far < step or (far == step and drop[p] > pivot):
                    step, pivot, leave, over = far, drop[p], -1, p
        if pivot == 0.0:
            return True
        for i in range(-1, count):
            p = of[i] if i >= 0 else enter
            if p >= 0:
                kept[p] -= step * drop[p]
                drop[p] = 0.0
        for i in range(count):
            value[i] -= step * column[i]
        if over >= 0 and over == enter:  # the new path is the key from now on
            for c in range(count):
                among = 0.0
                for i in range(count):
                    if of[i] == over:
                        among += inverse[c, i]
                if among != 0.0:
                    for i in range(count):
                        inverse[c, i] += among / pivot * column[i]
            k = key[over]
            kept[over] = step
        else:
            if over >= 0:  # another path of the pair is its key from now on, and the old one leaves
                for i in range(count):
                    if of[i] == over and (leave < 0 or column[i] < column[leave]):
                        leave = i
                for c in range(count):
                    among = 0.0
                    for i in range(count):
                        if of[i] == over:
                            among += inverse[c, i]
                    inverse[c, leave] = -among
                column[leave] = pivot
                key[over], slot[leave] = slot[leave], key[over]
                kept[over] = value[leave]
            for c in range(count):
                factor = inverse[c, leave] / pivot
                if factor != 0.0:
                    for i in range(count):
                        inverse[c, i] -= factor * column[i]
                    inverse[c, leave] = factor
            if of[leave] == -2:
                slack[slot[leave]] = -1
            else:
                free[state[4]] = slot[leave]
                state[4] += 1
            value[leave] = step
            if enter < 0:
                of[leave], slot[leave], slack[low] = -2, low, leave
                continue
            state[4] -= 1
            k = free[state[4]]
            of[leave], slot[leave] = enter, k
        hops[k] = hop
        for h in range(hop):
            path[k, h] = new[hop - 1 - h]
    return False
