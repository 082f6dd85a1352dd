"""The flows of a permutation, each on a path of its own, chosen by hashes: independent of one another, and exact.

The flows of a pair take its paths with the probabilities of the routing: its own paths where they are explicit, else a
choice at every node in proportion to the pair's loads (each switch hashes by itself).  So a flow crosses channel c with
the probability that is the pair's load on c.

Channels fall into *stages*: no flow crosses two channels of one stage.  Where no channel comes back to an earlier one
(every Clos network), a stage is all channels that are as many steps from the first; else the channels out of one node.
Within a stage, sets of channels without a common flow are independent (``kernel.independent_flows``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.traffic import Permutation
from ...kernel.independent_flows import Chance, Class, within
from ..base.routing import Routing
from ..base.worst_hash import check_followed, first_with_cycle

MOST_LOADS = 3_000_000  # pair loads of all flows
MOST_FLOWS = 200_000
_MOST_STATES = 50_000  # vectors of loads of the whole network
_MOST_STEPS = 60_000
_BITS = 1200  # of a probability that is stated exactly; longer ones are rounded to the side
_FINE = 1 << 256

Loads = Mapping[int, Fraction]


@dataclass(frozen=True, eq=False)
class Flows:
    """``each`` equal flows of every pair (i, image[i]) whose terminals are on different nodes, of size 1 / ``each``.

    Raises InputError for a bound on whole flows, sampled loads, pairs whose channels make a cycle (a flow might cross
    one twice), and more loads than are held.
    """

    routing: Routing
    permutation: Permutation
    each: int = 1

    def __post_init__(self) -> None:
        routing, network = self.routing, self.network
        check_followed(routing, "hashing at random")
        if routing.is_sampled:
            raise InputError(f"the loads of {routing.name} are sampled; hashing needs exact ones")
        if len(self.permutation.image) != network.num_terminals:
            found = len(self.permutation.image)
            raise InputError(f"the permutation is of {found} terminals; {network.name} has {network.num_terminals}")
        if not 1 <= self.each <= MOST_FLOWS // max(1, network.num_terminals):
            raise InputError(
                f"{self.each} flows of each of {network.num_terminals} terminals; in all 1 to {MOST_FLOWS:,} were "
                f"expected"
            )

    @property
    def network(self) -> Network:
        return self.routing.network

    @cached_property
    def pairs(self) -> list[tuple[int, int, int]]:
        """(row, column, how many flows), pairs of terminals that are routed alike together."""
        routing, found = self.routing, dict[tuple[int, int], int]()
        for i, j in enumerate(self.permutation.image.tolist()):
            row, column = int(routing.row_of[i]), int(routing.column_of[j])
            if routing.row_node[row] != routing.column_node[column]:
                found[row, column] = found.get((row, column), 0) + self.each
        if not found:
            raise InputError("no flow of this permutation enters the network")
        return [(*pair, count) for pair, count in sorted(found.items())]

    @cached_property
    def loads(self) -> list[Loads]:
        """By pair: the probability that a flow crosses a channel."""
        routing, network = self.routing, self.network
        least = len(self.pairs) * routing.average_hops
        if least > MOST_LOADS:
            raise InputError(f"{len(self.pairs):,} pairs cross about {least:,.0f} channels; {MOST_LOADS:,} are held")
        found: list[Loads] = []
        held = 0
        for at in range(0, len(self.pairs), 256):
            some = self.pairs[at : at + 256]
            block = routing.pair_loads([x[0] for x in some], [x[1] for x in some])
            held += len(block.channel)
            if (wrong := first_with_cycle(network, block)) is not None:
                row, column, _ = some[wrong]
                ends = (network.label(int(routing.row_node[row])), network.label(int(routing.column_node[column])))
                raise InputError(
                    f"{routing.name}: the channels from {' to '.join(ends)} make a cycle, so that a flow might cross "
                    f"one twice; paths that do not come back were expected"
                )
            if held > MOST_LOADS:
                raise InputError(f"the flows cross more than {MOST_LOADS:,} channels in all; fewer were expected")
            values = block.load.fractions()
            for k in range(len(some)):
                span = slice(int(block.offset[k]), int(block.offset[k + 1]))
                found.append(dict(zip(block.channel[span].tolist(), values[span], strict=True)))
        return found

    @cached_property
    def stages(self) -> list[list[Class]]:
        """For every stage the classes of flows that cross it, with the probability of each channel."""
        network, number = self.network, self._numbers
        found: dict[int, dict[tuple[tuple[int, Fraction], ...], int]] = {}
        for (_, _, count), loads in zip(self.pairs, self.loads, strict=True):
            by_stage: dict[int, list[tuple[int, Fraction]]] = {}
            for c, x in sorted(loads.items()):
                stage = int(network.tail[c]) if number is None else number[c]
                by_stage.setdefault(stage, []).append((c, x))
            for stage, chance in by_stage.items():
                classes = found.setdefault(stage, {})
                classes[tuple(chance)] = classes.get(tuple(chance), 0) + count
        return [[(n, dict(key)) for key, n in found[stage].items()] for stage in sorted(found)]

    @cached_property
    def _numbers(self) -> dict[int, int] | None:
        """The stage of every channel, greater than that of all that come before it on some path; None for a cycle."""
        tail, head = self.network.tail, self.network.head
        after: set[tuple[int, int]] = set()
        for loads in self.loads:
            out: dict[int, list[int]] = {}
            for c in loads:
                out.setdefault(int(tail[c]), []).append(c)
            after.update((c, d) for c in loads for d in out.get(int(head[c]), ()))
        used = sorted({c for loads in self.loads for c in loads})
        place = {c: k for k, c in enumerate(used)}
        edges = np.array([(place[c], place[d]) for c, d in after], dtype=np.int64).reshape(-1, 2)
        level, _ = numbering_or_cycle(len(used), edges[:, 0], edges[:, 1])
        return None if level is None else dict(zip(used, level.tolist(), strict=True))

    def room(self, least: Fraction) -> dict[int, int]:
        """By channel: the most flows with which its load per bandwidth is below ``least``."""
        width = self.network.bandwidth
        used = {c for loads in self.loads for c in loads}
        return {c: -int(-(least * width[c] * self.each) // 1) - 1 for c in used}

    def reaches(self, least: Fraction) -> Chance:
        """The probability that some channel's load per bandwidth is at least ``least``.

        Exact where it is that of one stage, or the network is small; else from the likeliest stage below, and from the
        sum of all stages above (Boole's inequality).
        """
        room = self.room(least)
        if (known := self._joint) is not None:
            total = sum(known.values())
            over = sum(n for load, n in known.items() if load >= least)
            return Chance(Fraction(over, total), Fraction(over, total))
        stages = [within(classes, room) for classes in self.stages]
        low = max(1 - x.high for x in stages)
        high = min(Fraction(1), sum((1 - x.low for x in stages), Fraction(0)))
        return _rounded(Chance(low, high))

    def channel_reaches(self, channel: int, least: Fraction) -> Fraction:
        """The same of one channel: exact."""
        room = self.room(least)
        some = [
            (n, loads[channel]) for (_, _, n), loads in zip(self.pairs, self.loads, strict=True) if channel in loads
        ]
        together: dict[Fraction, int] = {}
        for n, p in some:
            together[p] = together.get(p, 0) + n
        if channel not in room:
            return Fraction(int(least <= 0))
        return 1 - within([(n, {channel: p}) for p, n in sorted(together.items())], room).low

    @cached_property
    def expected(self) -> dict[int, Fraction]:
        """The expected load per bandwidth by channel: the load when flows split ideally."""
        total: dict[int, Fraction] = {}
        for (_, _, n), loads in zip(self.pairs, self.loads, strict=True):
            for c, x in loads.items():
                total[c] = total.get(c, Fraction(0)) + n * x / self.each
        return {c: x / self.network.bandwidth[c] for c, x in sorted(total.items())}

    @property
    def mean(self) -> Fraction | None:
        """The expected load per bandwidth of the busiest channel, where the network is small enough."""
        known = self._joint
        if known is None:
            return None
        return sum((load * n for load, n in known.items()), Fraction(0)) / sum(known.values())

    @cached_property
    def most(self) -> Fraction:
        """More than this no choice of paths puts on a channel, per bandwidth."""
        total: dict[int, int] = {}
        for (_, _, n), loads in zip(self.pairs, self.loads, strict=True):
            for c in loads:
                total[c] = total.get(c, 0) + n
        return max(Fraction(n, self.each) / self.network.bandwidth[c] for c, n in total.items())

    @cached_property
    def _joint(self) -> dict[Fraction, int] | None:
        """Weights of the largest load per bandwidth, from all vectors of loads, flow by flow; None where too many."""
        used = sorted({c for loads in self.loads for c in loads})
        place = {c: k for k, c in enumerate(used)}
        states: dict[tuple[int, ...], int] = {(0,) * len(used): 1}
        steps = 0
        for (row, column, count), loads in zip(self.pairs, self.loads, strict=True):
            ways = ways_of(self.routing, row, column, loads)
            if ways is None:
                return None
            for _ in range(count):
                steps += len(states) * len(ways)
                if steps > _MOST_STEPS:
                    return None
                after: dict[tuple[int, ...], int] = {}
                for load, n in states.items():
                    for weight, path in ways:
                        more = list(load)
                        for c in path:
                            more[place[c]] += 1
                        key = tuple(more)
                        after[key] = after.get(key, 0) + weight * n
                states = after
                if len(states) > _MOST_STATES:
                    return None
        width = [self.network.bandwidth[c] * self.each for c in used]
        found: dict[Fraction, int] = {}
        for load, n in states.items():
            top = max(x / b for x, b in zip(load, width, strict=True))
            found[top] = found.get(top, 0) + n
        return found


def _rounded(chance: Chance) -> Chance:
    low, high = chance
    if max(low.denominator, high.denominator).bit_length() <= _BITS:
        return chance
    return Chance(Fraction(low * _FINE // 1, _FINE), min(Fraction(1), Fraction(-(-high * _FINE // 1), _FINE)))


_MOST_PATHS = 4096  # of a pair


def ways_of(
    routing: Routing, row: int, column: int, loads: Mapping[int, Fraction]
) -> list[tuple[int, list[int]]] | None:
    """(weight, path) for all paths of a pair with these loads; None where they are many."""
    if routing.has_explicit_paths:
        found = routing.paths(row, column)
    else:
        head, end = routing.network.head, int(routing.column_node[column])
        found, steps = [], steps_of(routing, loads)
        todo: list[tuple[Fraction, int, list[int]]] = [(Fraction(1), int(routing.row_node[row]), [])]
        while todo:
            weight, v, path = todo.pop()
            if v == end:
                found.append((weight, path))
            else:
                todo += [(weight * p, int(head[c]), [*path, c]) for c, p in steps[v]]
            if len(found) + len(todo) > _MOST_PATHS:
                return None
    if len(found) > _MOST_PATHS:
        return None
    scale = math.lcm(*(w.denominator for w, _ in found))
    return [(int(w * scale), path) for w, path in found]


def steps_of(routing: Routing, loads: Mapping[int, Fraction]) -> dict[int, list[tuple[int, Fraction]]]:
    """At every node the next channels of the pair's flows, with their probabilities."""
    found: dict[int, list[tuple[int, Fraction]]] = {}
    for c, x in loads.items():
        found.setdefault(int(routing.network.tail[c]), []).append((c, x))
    for v, out in found.items():
        total = sum((x for _, x in out), Fraction(0))
        found[v] = [(c, x / total) for c, x in out]
    return found


def next_shares(routing: Routing, source: int, sink: int) -> dict[tuple[int, int], Fraction]:
    """By (first channel c, another channel d out of the head of c): of the flows from terminal ``source`` to terminal
    ``sink`` that take c first, the share that takes d next: 0 of members of the switch's group that none takes.

    Raises InputError for a pair at one node or with too many paths, and where flows take no second channel.
    """
    check_followed(routing, "hashing at random")
    network = routing.network
    row, column = int(routing.row_of[source]), int(routing.column_of[sink])
    ends = f"terminal {network.terminal_label(source)} to terminal {network.terminal_label(sink)}"
    if routing.row_node[row] == routing.column_node[column]:
        raise InputError(f"{ends}: both are at {network.label(int(routing.row_node[row]))}; no flow enters the network")
    ways = ways_of(routing, row, column, routing.pair_loads([row], [column]).as_dict())
    if ways is None:
        raise InputError(f"{ends}: too many paths to write out")
    total: dict[int, int] = {}
    both: dict[tuple[int, int], int] = {}
    used = {c for _, path in ways for c in path}
    for weight, path in ways:
        total[path[0]] = total.get(path[0], 0) + weight
        if len(path) > 1:
            both[path[0], path[1]] = both.get((path[0], path[1]), 0) + weight
    if not both:
        raise InputError(f"{ends}: its flows cross one channel only; there is no second tier")
    out_offset, out_channel = network.out_channels
    found = {}
    for c in sorted(total):
        v = int(network.head[c])
        out = set(out_channel[out_offset[v] : out_offset[v + 1]].tolist())
        for d in sorted(used & out | {x for x, _ in routing.group(v, column)}):
            found[c, d] = Fraction(both.get((c, d), 0), total[c])
    return found
