"""The repair rule of devices that forward hop by hop: equal-cost multipath over the shortest paths of what is left.

Every device splits the packets for a destination over the next devices that are one hop nearer to it.  The cables of
one port channel are one next hop, whose part is spread evenly over those of them that are up; next hops with weights
get parts in proportion to these.  A pair that crosses nothing that failed keeps its paths: none of its shortest paths
is gone, for a device splits packets over all of them.

A host with several ports (``topologies.two_nodes``) sends by all that are up alike.  Where its own cable fails, packets
that the switch at the other end would have delivered by it are lost: the routes do not say who else gets them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, grown, summed, times
from ...core.graph import hops_from
from ...core.network import Network
from ...core.rational import Rationals
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...machine.compiled import njit
from ...topologies.two_nodes import loopbacks
from .repair import Crossing, Detours, NoRepair, Rebuilding, Rerouting
from .routing import Routing

MOST_RULE_WEIGHT = 1 << 20
PLAIN = {"spec": "minimal:choice=per-hop"}
"""The routing that a plain rule makes, on any network."""
_TOO_FINE = -1
_NAMED = 4
_ENTRIES_EACH = 256  # of a pair, about; more are made room for


@dataclass(frozen=True, eq=False)
class HopRule:
    """``bundle``: int32 (C,), the same number for the channels of one port channel, which all lead from one node to one
    other; ``weight``: int64 (C,), positive, the same for all of a bundle: what the next hop is given by.

    ``longer``: are paths taken that are longer than today's?  Where devices refuse some of them (BGP refuses a path
    with its own AS number), what happens to such pairs is not known.  ``hosts``: are there hosts with several ports,
    which send by all of them?
    """

    bundle: Int32
    weight: Int64
    longer: bool = True
    hosts: bool = False

    @staticmethod
    def plain(network: Network, *, longer: bool = True) -> HopRule:
        """Every channel is a next hop of its own, all of one weight."""
        count = network.num_channels
        return HopRule(np.arange(count, dtype=np.int32), np.ones(count, dtype=np.int64), longer)

    @property
    def is_plain(self) -> bool:
        """Is it that of ``plain``?  Then it makes the routing ``PLAIN`` on what is left, where no pair is cut."""
        one_each = len(np.unique(self.bundle)) == len(self.bundle)
        return one_each and bool((self.weight == 1).all()) and not self.hosts

    @staticmethod
    def of(described: Mapping[str, Any], network: Network) -> HopRule:
        """What ``describe`` told; raises InputError where it does not fit the network."""
        plain = HopRule.plain(network, longer=described["longer"])
        if described.get("hosts", False) != bool(loopbacks(network).any()):
            raise InputError("whether hosts have several ports is not what the rule says")
        count = network.num_channels
        given = {"bundle": plain.bundle.astype(np.int64), "weight": plain.weight}
        for x in given.keys() & described.keys():
            given[x] = unpack_ints(described[x], what=f"rule.{x}", max_items=count)
        bundle, weight = given["bundle"], given["weight"]
        if len(bundle) != count or len(weight) != count:
            raise InputError(f"the rule has {len(bundle)} bundles and {len(weight)} weights; {count} were expected")
        if count and (int(bundle.min()) < 0 or int(bundle.max()) >= count):
            raise InputError(f"a bundle of the rule is outside 0 to {count - 1}")
        if count and (int(weight.min()) < 1 or int(weight.max()) > MOST_RULE_WEIGHT):
            raise InputError(f"a weight of the rule is outside 1 to {MOST_RULE_WEIGHT}")
        first = np.zeros(count, dtype=np.int64)
        first[bundle] = np.arange(count)
        one = first[bundle]
        if (network.tail[one] != network.tail).any() or (network.head[one] != network.head).any():
            raise InputError("a bundle of the rule has channels between different nodes")
        if (weight[one] != weight).any():
            raise InputError("a bundle of the rule has channels of different weights")
        return HopRule(bundle.astype(np.int32), weight.astype(np.int64), plain.longer, described.get("hosts", False))

    def shares(self, channels: Sequence[int]) -> dict[int, Fraction]:
        """What each of the next channels of one node gets."""
        members = Counter(int(self.bundle[c]) for c in channels)
        total = sum({int(self.bundle[c]): int(self.weight[c]) for c in channels}.values())
        return {c: Fraction(int(self.weight[c]), total * members[int(self.bundle[c])]) for c in channels}

    def describe(self) -> dict[str, Any]:
        """For a report: what is not plain."""
        told: dict[str, Any] = {"longer": self.longer, **({"hosts": True} if self.hosts else {})}
        if len(np.unique(self.bundle)) < len(self.bundle):
            told["bundle"] = pack_ints(self.bundle)
        if (self.weight != 1).any():
            told["weight"] = pack_ints(self.weight)
        return told

    def kept_by(self, image: Int32) -> bool:
        """Does a map of channels take bundles to bundles of the same weight?"""
        bundle = self.bundle[image]
        pairs = np.unique(np.stack([self.bundle, bundle]), axis=1).shape[1]
        same = pairs == len(np.unique(self.bundle)) == len(np.unique(bundle))
        return same and np.array_equal(self.weight[image], self.weight)


def entries_of(routing: Routing, rule: HopRule) -> int:
    """How many entries ``routing`` has, one for each node and column that packets come to with a next channel, without
    those of hosts; every one of them is what ``rule`` makes on the whole network.

    Raises InputError, naming one of them, where one is not.
    """
    network = routing.network
    tail, head = network.tail, network.head
    columns = np.unique(routing.column_of).tolist()
    ends = {d: int(routing.column_node[d]) for d in columns}
    known: dict[int, tuple[Int64, Int64]] = {}
    number, groups = routing.group_numbers()
    alike: set[tuple[int, tuple[int, ...]]] = set()
    total = 0
    ports = _ports_of_hosts(network) if rule.hosts else {}
    for d in columns:
        if ends[d] not in known:
            hops = hops_from(network.num_nodes, head, tail, ends[d])
            near = np.flatnonzero((hops[head] >= 0) & (hops[head] + 1 == hops[tail]))
            near = near[np.argsort(tail[near], kind="stable")]
            known[ends[d]] = near, np.searchsorted(tail[near], np.arange(network.num_nodes + 1))
        near, first = known[ends[d]]
        for v in np.flatnonzero(number[:, d] >= 0).tolist():
            next_: npt.NDArray[np.integer] = near[first[v] : first[v + 1]]
            if v in ports and head[next_[:1]] != ends[d]:  # not to itself
                next_ = ports[v]
            total += v not in ports
            key = int(number[v, d]), tuple(next_.tolist())
            if key in alike:
                continue
            group, wanted = dict(groups[key[0]]), rule.shares(key[1])
            if not _alike(group, wanted):
                here, there = network.label(v), network.label(ends[d])
                raise InputError(
                    f"at {here} packets for {there} go to {_heads(network, group)}, and the rule sends them to "
                    f"{_heads(network, wanted)}"
                )
            alike.add(key)
    return total


def _alike(group: Mapping[int, int], wanted: Mapping[int, Fraction]) -> bool:
    total = sum(group.values())
    return group.keys() == wanted.keys() and all(Fraction(w, total) == wanted[c] for c, w in group.items())


def _heads(network: Network, channels: Iterable[int]) -> str:
    names = [network.channel_label(c) for c in sorted(channels)]
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _ports_of_hosts(network: Network) -> dict[int, Int32]:
    """By node that sends for a host with several ports: the channels to its switches."""
    own = loopbacks(network)
    senders = np.unique(network.tail[own]).tolist()
    return {v: np.flatnonzero((network.tail == v) & ~own).astype(np.int32) for v in senders}


class HopByHop(Rerouting):
    """``routing`` after failures, under ``rule``."""

    def __init__(self, routing: Routing, rule: HopRule) -> None:
        super().__init__(routing)
        self.rule = rule
        self._ports = _ports_of_hosts(routing.network) if rule.hosts else {}
        own = loopbacks(routing.network)
        self._receivers = np.isin(routing.network.head, routing.network.head[own]) & ~own & rule.hosts

    def after(self, nodes: Sequence[int], channels: Sequence[int]) -> Detours:
        return self.rerouted(self.crossing(nodes, channels), nodes)

    def rerouted(self, crossing: Crossing, nodes: Sequence[int] = ()) -> Detours:
        network = self.routing.network
        order = np.argsort(self.routing.column_node[crossing.column], kind="stable")
        row, column = crossing.row[order], crossing.column[order]
        pair, start, port = self._sent(self.routing.row_node[row], crossing.dead)
        end = self.routing.column_node[column][pair]
        found = split_hop_by_hop(network, self.rule, crossing.dead, start, end)
        now, was = found.hops, self.hops[end, start]
        lost = self._receivers & crossing.dead & np.isin(network.tail, nodes, invert=True)
        cut = np.isin(self.routing.column_node[column], network.head[lost])
        cut |= np.bincount(pair[now < 0], minlength=len(row)) > 0
        cut |= np.bincount(pair, minlength=len(row)) == 0  # a host without a port that is up
        far = np.flatnonzero((now > was) & ~cut[pair])
        open_ = None
        if len(far) and not self.rule.longer:
            open_ = (int(start[far[0]]), int(end[far[0]]))
        at, channel, load = found.pair, found.channel, found.load
        if self._ports:
            at, channel, load = _put_together(pair, port, found, network.num_channels)
            kept = ~cut[at]
            at, channel, load = at[kept], channel[kept], load[kept]
        return Detours(
            crossing.dead, crossing.terminals, None, row, column, at, channel, load, cut=cut, undecided=open_
        )

    def _sent(self, start: Int32, dead: npt.NDArray[np.bool_]) -> tuple[Int64, Int32, Int32]:
        """(pair, start, port) of every part of the pairs that begin at ``start``: one part each, from there, without a
        port (-1); of a host with several ports one for each that is up, from the switch at its other end."""
        if not self._ports:
            return np.arange(len(start)), start, np.full(len(start), -1, dtype=np.int32)
        ports = {v: some[~dead[some]] for v, some in self._ports.items()}
        each = [ports.get(v, np.full(1, -1, dtype=np.int32)) for v in start.tolist()]
        pair = np.repeat(np.arange(len(start)), [len(x) for x in each])
        port = np.concatenate([np.zeros(0, dtype=np.int32), *each])
        return pair, np.where(port < 0, start[pair], self.routing.network.head[port]), port


def rerouting_of(routing: Routing, repair: str, rule: Mapping[str, Any] | None = None) -> Rerouting:
    """``routing`` after failures by the rule called ``repair``; ``rule``: as ``HopRule.describe`` tells it."""
    if repair == "none":
        return NoRepair(routing)
    if rule is not None:
        return HopByHop(routing, HopRule.of(rule, routing.network))
    return Rerouting(routing)


def rebuilding_of(routing: Routing, make: Callable[[Network], Routing]) -> Rebuilding:
    """``routing`` after failures, made anew by ``make`` on what is left."""
    alike: Rerouting | None = None
    if routing.remade == "split":
        alike = Rerouting(routing)
    elif routing.remade == "per-hop":
        alike = HopByHop(routing, HopRule.plain(routing.network))
    return Rebuilding(routing, make, alike)


def _put_together(pair: Int64, port: Int32, found: HopLoads, count: int) -> tuple[Int64, Int32, Rationals]:
    """(pair, channel, load) of pairs with parts: every part takes the same share, by its port and then as found."""
    own = np.flatnonzero(port >= 0)
    at = np.concatenate([pair[found.pair], pair[own]])
    channel = np.concatenate([found.channel, port[own]])
    load = concatenate([found.load, Rationals.ones(len(own))])
    parts = np.bincount(pair)[at]
    alike = [np.flatnonzero(parts == k) for k in np.unique(parts).tolist()]
    shared = concatenate([times(load[x], Fraction(1, int(parts[x[0]]))) for x in alike])
    key, total = summed((at * count + channel)[np.concatenate([np.zeros(0, dtype=np.int64), *alike])], shared)
    return key // count, (key % count).astype(np.int32), total


@dataclass(frozen=True, eq=False)
class HopLoads:
    """Of some pairs: ``hops`` int32 (P,), how far they are apart now (-1: no path); and the loads ``load`` of channels
    ``channel`` by ``pair`` (an index into the pairs)."""

    hops: Int32
    pair: Int64
    channel: Int32
    load: Rationals


def split_hop_by_hop(
    network: Network, rule: HopRule, dead: npt.NDArray[np.bool_], start: Int32, end: Int32
) -> HopLoads:
    """The loads of packets from nodes ``start`` to nodes ``end``, int32 (P,), in runs of one end, over what is alive.

    Raises InputError where 62 bits do not hold a probability.
    """
    hops = np.full(len(start), -1, dtype=np.int32)
    kernel = hop_loads.for_steps(20 * (len(start) + 64) * network.num_nodes)
    most = int(rule.bundle.max(initial=0)) + 1
    done, offset, (channel,), load = grown(
        len(start), _ENTRIES_EACH,
        lambda *out: kernel(
            network.in_channels, network.out_channels, (network.tail, network.head), ~dead,
            (rule.bundle.astype(np.int64), rule.weight, most), start, end, hops, *out,
        ),
    )  # fmt: skip
    if done == _TOO_FINE:
        raise InputError(f"{network.name}: after a failure probabilities have denominators of more than 62 bits")
    return HopLoads(hops, members(offset), channel, load)


_LIMIT = np.int64(1) << 62


@njit(cache=True, nogil=True)
def hop_loads(arriving, leaving, ends, alive, rule, start, end, hops, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """For pairs (start[k], end[k]), those of one end together: ``hops[k]``, and entries offset[k]:offset[k + 1] of
    ``channel`` with the load num / den.

    Returns how many pairs fit into ``channel``; -1 where 62 bits do not hold a denominator.
    """
    in_offset, in_channel = arriving
    out_offset, out_channel = leaving
    tail, head = ends
    bundle, weight, bundles = rule
    size = len(out_offset) - 1
    far = np.full(size, -1, dtype=np.int32)
    queue = np.empty(size, dtype=np.int32)
    stamp = np.full(size, -1, dtype=np.int64)
    top = np.empty(size, dtype=np.int64)
    low = np.empty(size, dtype=np.int64)
    up = np.zeros(bundles, dtype=np.int64)
    # The next channels of a node for today's end, looked up when packets first come to it: share / parts of them each.
    first_next = np.empty(size, dtype=np.int64)
    last_next = np.empty(size, dtype=np.int64)
    known = np.full(size, -1, dtype=np.int64)
    next_channel = np.empty(len(head), dtype=np.int32)
    share = np.empty(len(head), dtype=np.int64)
    parts = np.empty(len(head), dtype=np.int64)
    begun = np.int64(0)  # the first pair of this end
    listed = np.int64(0)
    at = 0
    for k in range(len(start)):
        d = end[k]
        if k == 0 or end[k - 1] != d:
            begun = np.int64(k)
            listed = np.int64(0)
            far[:] = -1
            far[d] = 0
            queue[0] = d
            first = 0
            last = 1
            while first < last:
                u = queue[first]
                first += 1
                for p in range(in_offset[u], in_offset[u + 1]):
                    c = in_channel[p]
                    v = tail[c]
                    if alive[c] and far[v] < 0:
                        far[v] = far[u] + 1
                        queue[last] = v
                        last += 1
        s = start[k]
        hops[k] = far[s]
        if far[s] > 0:
            stamp[s] = k
            top[s] = 1
            low[s] = 1
            queue[0] = s
            first = 0
            last = 1
            while first < last:
                u = queue[first]
                first += 1
                if u == d:
                    continue
                if known[u] != begun:
                    known[u] = begun
                    first_next[u] = listed
                    total = np.int64(0)
                    for p in range(out_offset[u], out_offset[u + 1]):
                        c = out_channel[p]
                        if alive[c] and far[head[c]] + 1 == far[u] and far[head[c]] >= 0:
                            if up[bundle[c]] == 0:
                                total += weight[c]
                            up[bundle[c]] += 1
                            next_channel[listed] = c
                            listed += 1
                    last_next[u] = listed
                    for p in range(first_next[u], listed):
                        c = next_channel[p]
                        common = gcd(weight[c], total * up[bundle[c]])
                        share[p] = weight[c] // common
                        parts[p] = total * up[bundle[c]] // common
                    for p in range(first_next[u], listed):
                        up[bundle[next_channel[p]]] = 0
                common = gcd(top[u], low[u])
                top[u] //= common
                low[u] //= common
                a = np.int64(0)
                b = np.int64(1)
                for p in range(first_next[u], last_next[u]):
                    if at == len(channel):
                        return k
                    if p == first_next[u] or share[p] != share[p - 1] or parts[p] != parts[p - 1]:
                        common = gcd(top[u], parts[p])
                        other = gcd(share[p], low[u])
                        w = share[p] // other
                        rest = parts[p] // common
                        a = top[u] // common
                        b = low[u] // other
                        if b > _LIMIT // rest or a > _LIMIT // w:
                            return _TOO_FINE
                        a *= w
                        b *= rest
                    channel[at] = next_channel[p]
                    num[at] = a
                    den[at] = b
                    at += 1
                    v = head[next_channel[p]]
                    if stamp[v] != k:
                        stamp[v] = k
                        top[v] = a
                        low[v] = b
                        queue[last] = v
                        last += 1
                    elif low[v] == b:
                        top[v] += a  # no more than all packets: it fits
                    else:
                        common = gcd(top[v], low[v])
                        top[v] //= common
                        low[v] //= common
                        rest = b // gcd(low[v], b)
                        if low[v] > _LIMIT // rest:
                            return _TOO_FINE
                        joint = low[v] * rest
                        top[v] = top[v] * rest + a * (joint // b)
                        low[v] = joint
        offset[k + 1] = at
    return len(start)
