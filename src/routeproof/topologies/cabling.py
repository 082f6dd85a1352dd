"""A fabric's cables against those that are intended, once it is known which switch stands for which.

Switches are matched one to one, some of either side to none.  Between two matched switches the cables of both sides are
paired from the fastest on, those of the same directions first, then those of one direction with intended ones of both;
what is left over is missing or extra.  Two missing cables a-b and c-d with two extra ones a-d and c-b are one swap.
Speeds are compared in the ratio that most pairs of switches have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.network import Network
from .failures import cables_of

KINDS = ("missing", "extra", "swapped", "slow", "fast", "one_sided")
"""Of deviations of cables."""

INTENDED, NOW = "intended", "as it is"
"""What the intent, and the fabric in the intent's unit, are called where their guarantees are compared."""

Cable = tuple[int, ...]
Between = dict[tuple[int, int], list[Cable]]


@dataclass(frozen=True)
class Deviation:
    """``found``: cables of the fabric, ``intended``: cables of the intent, each by its channels; two each of a swap,
    none where there is none."""

    kind: str
    found: tuple[Cable, ...] = ()
    intended: tuple[Cable, ...] = ()


@dataclass(frozen=True)
class Deviations:
    """``cables`` that deviate; ``switches_missing`` (nodes of the intent) and ``switches_extra`` (of the fabric) have
    no counterpart; ``hosts``: by node of the fabric how many more hosts send or receive there than are intended (less:
    negative)."""

    cables: Sequence[Deviation]
    switches_missing: Sequence[int]
    switches_extra: Sequence[int]
    hosts: Mapping[int, int]

    def counts(self) -> dict[str, int]:
        """How many there are of each, by quantity; swaps are counted as swaps alone."""
        of = Counter(x.kind for x in self.cables)
        hosts = self.hosts.values()
        return {
            **{f"cables_{kind}": of[kind] for kind in KINDS},
            "switches_missing": len(self.switches_missing),
            "switches_extra": len(self.switches_extra),
            "hosts_missing": -sum(x for x in hosts if x < 0),
            "hosts_extra": sum(x for x in hosts if x > 0),
        }


def deviations(network: Network, intent: Network, node: Int64) -> Deviations:
    """How ``network`` deviates from ``intent``; ``node``: int64 (N,), the node of the intent that each of its nodes
    stands for, -1 for none, none of them twice."""
    place = np.full(intent.num_nodes, -1, dtype=np.int64)
    place[node[node >= 0]] = np.flatnonzero(node >= 0)
    found, wanted = _between(network, node), _between(intent, np.arange(intent.num_nodes))
    unit = _ratio(network, intent, found, wanted)
    turned = node[network.tail] > node[network.head], intent.tail > intent.head
    cables: list[Deviation] = []
    missing: Between = {}
    extra: Between = {}
    for ends in sorted({*found, *wanted}):
        here, there = list(found.get(ends, [])), list(wanted.get(ends, []))
        for one, other in _paired(here, there, *turned):
            if len(one) < len(other):
                cables.append(Deviation("one_sided", (one,), (other,)))
            speed, meant = (x.bandwidth[c[0]] for x, c in ((network, one), (intent, other)))
            if speed * unit != meant:
                cables.append(Deviation("slow" if speed * unit < meant else "fast", (one,), (other,)))
        if there:
            missing[ends] = there
        if here:
            extra[ends] = here
    cables += _swaps(missing, extra)
    cables += [Deviation("missing", intended=(x,)) for some in missing.values() for x in some]
    cables += [Deviation("extra", found=(x,)) for some in extra.values() for x in some]
    alone = [x for x in cables_of(network) if (node[[network.tail[x[0]], network.head[x[0]]]] < 0).any()]
    cables += [Deviation("extra", found=(x,)) for x in alone]
    sends, receives = network.supply.copy(), network.demand.copy()
    some = node >= 0
    sends[some] -= intent.supply[node[some]]
    receives[some] -= intent.demand[node[some]]
    more = np.where(np.abs(receives) > np.abs(sends), receives, sends)
    return Deviations(
        cables,
        np.flatnonzero(place < 0).tolist(),
        np.flatnonzero(node < 0).tolist(),
        {int(v): int(more[v]) for v in np.flatnonzero(more)},
    )


def _paired(
    here: list[Cable], there: list[Cable], here_turned: npt.NDArray[np.bool_], there_turned: npt.NDArray[np.bool_]
) -> list[tuple[Cable, Cable]]:
    """Cables of the fabric with intended ones between the same switches, taken out of both lists.

    ``..._turned``: bool (C,), channels that lead from the higher number to the lower one.
    """
    pairs = []
    for ways in ((0, 0), (1, 1), (-1, -1), (1, 0), (-1, 0)):
        sides = ((here, here_turned, ways[0]), (there, there_turned, ways[1]))
        alike = [[x for x in some if _way(x, turned) == way] for some, turned, way in sides]
        for one, other in zip(*alike, strict=False):
            pairs.append((one, other))
            here.remove(one)
            there.remove(other)
    return pairs


def _way(cable: Cable, turned: npt.NDArray[np.bool_]) -> int:
    """0 of a cable of both directions."""
    return 0 if len(cable) > 1 else -1 if turned[cable[0]] else 1


def unit_of(network: Network, intent: Network, node: Int64) -> Fraction:
    """What bandwidths of ``network`` are multiplied by to be in the unit of ``intent``."""
    return _ratio(network, intent, _between(network, node), _between(intent, np.arange(intent.num_nodes)))


def alone(number: int) -> str:
    """What the intent with one deviation and nothing else is called; ``number``: of the deviation, from 1."""
    return f"{INTENDED}, with deviation {number} alone"


def in_unit(fabric: Network, intent: Network, node: Int64) -> Network:
    """The fabric with bandwidths in the unit of the intent."""
    unit = unit_of(fabric, intent, node)
    if unit == 1:
        return fabric
    width = tuple(x * unit for x in fabric.bandwidth)
    return replace(fabric, name="the fabric in the unit of the intent", bandwidth=width)


def with_deviation(fabric: Network, intent: Network, node: Int64, x: Deviation) -> Network:
    """The intent with one deviation of the fabric.  Extra cables to switches that the intent does not have are not
    added."""
    gone = {c for cable in x.intended for c in cable}
    keep = [c for c in range(intent.num_channels) if c not in gone]
    ends = [(int(intent.tail[c]), int(intent.head[c])) for c in keep]
    width = [intent.bandwidth[c] for c in keep]
    unit = unit_of(fabric, intent, node)
    for c in (c for cable in x.found for c in cable):
        u, v = int(node[fabric.tail[c]]), int(node[fabric.head[c]])
        if u >= 0 and v >= 0:
            ends.append((u, v))
            width.append(fabric.bandwidth[c] * unit)
    name = "the intent with one deviation"
    return Network.of(name, intent.num_nodes, ends, bandwidth=width, source=intent.source, sink=intent.sink)


def _between(network: Network, number: Int64) -> Between:
    """The cables between two nodes, the fastest first, by ``number`` of these nodes (the lower first)."""
    tail, head, rank = number[network.tail].tolist(), number[network.head].tolist(), network.bandwidth_rank
    result: Between = {}
    for cable in cables_of(network):
        u, v = tail[cable[0]], head[cable[0]]
        if u >= 0 and v >= 0:
            result.setdefault((min(u, v), max(u, v)), []).append(cable)
    for cables in result.values():
        if len(cables) > 1:
            cables.sort(key=lambda x: (-len(x), -int(rank[x[0]]), x))
    return result


def _ratio(network: Network, intent: Network, found: Between, wanted: Between) -> Fraction:
    """What most cables' intended bandwidths are, in the fabric's unit."""
    count: Counter[tuple[int, int]] = Counter()
    for ends in found.keys() & wanted.keys():
        count[int(network.bandwidth_rank[found[ends][0][0]]), int(intent.bandwidth_rank[wanted[ends][0][0]])] += 1
    if not count:
        return Fraction(1)
    of: Counter[Fraction] = Counter()
    for (one, other), times in count.items():
        of[intent.widths[other] / network.widths[one]] += times
    return min(of, key=lambda x: (-of[x], x))


def _swaps(missing: Between, extra: Between) -> list[Deviation]:
    """Pairs of missing cables whose ends are plugged crosswise; taken out of both."""
    swaps = []
    at: dict[int, list[tuple[int, int]]] = {}
    for ends in extra:
        for v in ends:
            at.setdefault(v, []).append(ends)
    for (a, b), lost in list(missing.items()):
        for one in at.get(a, ()):
            d = one[0] + one[1] - a
            for other in at.get(b, ()):
                c = other[0] + other[1] - b
                back = (min(c, d), max(c, d))
                if one == other or back == (a, b):
                    continue
                while lost and missing.get(back) and extra[one] and extra[other]:
                    pair = (lost.pop(0), missing[back].pop(0))
                    swaps.append(Deviation("swapped", (extra[one].pop(0), extra[other].pop(0)), pair))
    return swaps
