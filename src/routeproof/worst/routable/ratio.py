"""The oblivious ratio of a routing: its worst case over every demand that some flow carries.

A demand is routable where a multicommodity flow carries it with no channel above its bandwidth.  For every channel the
most that routable demand puts on it is a packing of paths (``packing``), and lengths of channels prove that no demand
does more: what is ever sent crosses at most sum b(e) l(e) of length, and at least its distance.

Most channels never need their own program to the end: lengths that bound another channel are tried first, then those
of the channel's surroundings, and the program stops as soon as its lengths prove the best ratio so far.

Source: Applegate & Cohen 2003 (SIGCOMM), theorem 1; the ratio is also called performance ratio, or congestion ratio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...claims.derived import throughput_of
from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.spread import Progress
from ...demand_sets.demand_set import DemandSet, Pair
from ...formats.documents.packed_ints import pack_ints
from ...lp.exact import NotExactError
from ...machine.memory import check_memory
from ...routing.base.routing import LOAD_BYTES, Routing
from ...routing.base.views import dense, is_dense
from ...symmetry.channel_classes import ChannelClasses, channel_classes
from ..scan.evidence import SOURCE, described_symmetry
from ..scan.exact import WorstCase
from .loads import PairLoads, contraction_around, pair_loads
from .packing import Packing, PathFlow, best_lengths, certified_flow

_EXACT_UP_TO = 1_000  # channels: beyond, an interval of 1 % is what is looked for
_INTERVAL = Fraction(1, 100)
_REMEMBERED = 8  # lengths of other channels that are tried first
_TRIED = 64  # channels, until lengths that never helped are tried no more
_PROBED = 24  # channels whose surroundings are looked at before the first is settled


@dataclass(frozen=True, eq=False)
class ChannelRatio:
    """The load per bandwidth of ``channel`` is between ``low`` and ``high``.

    ``flow``, which respects all bandwidths, reaches ``low``; ``lengths``: whole lengths of all channels, packed, that
    prove ``high``.
    """

    low: Fraction
    high: Fraction
    channel: int
    flow: Sequence[PathFlow]
    lengths: str


@dataclass(frozen=True, eq=False)
class ObliviousRatio:
    """Between ``low`` and ``high``, load per bandwidth; equal where the ratio is known exactly.

    - ``channel``: where ``flow``, which respects all bandwidths, makes the routing's load reach ``low``;
    - ``lengths``: whole lengths of all channels, packed; ``proof``: which of them bounds a focus channel by ``high``;
    - ``classes``: the focus channels, and the symmetry that made them;
    - ``by_channel``: every loaded focus channel for itself, where that was asked for;
    - ``left``: focus channels that nobody has looked at, because of an interrupt: ``high`` is None then.
    """

    routing: Routing
    low: Fraction
    high: Fraction | None
    channel: int
    flow: Sequence[PathFlow]
    lengths: Sequence[str]
    proof: Mapping[int, int]
    classes: ChannelClasses
    by_channel: Mapping[int, ChannelRatio]
    left: int = 0


def oblivious_ratio(
    routing: Routing,
    *,
    symmetry: str = "auto",
    all_channels: bool = False,
    accuracy: Fraction | None = None,
    progress: Progress | None = None,
) -> ObliviousRatio:
    """The ratio: exact, or between two certified numbers.

    ``symmetry``: "auto" or "none", as in ``worst_case``.  ``all_channels``: every channel's own, too.  ``accuracy``:
    how far apart the two numbers may be, relative to the lower one; by default 0 up to 1,000 channels, then 1 %.
    ``progress(done, total)``: in channels.  An interrupt (Ctrl-C) ends the search with what is certified by then.

    Raises InputError where some pair has no path, nothing is ever
    loaded, or it would take more memory than there is.
    """
    network = routing.network
    if accuracy is not None and accuracy < 0:
        raise InputError(f"the accuracy is {accuracy}; 0 or a positive number was expected")
    if accuracy is None:
        accuracy = _INTERVAL if network.num_channels > _EXACT_UP_TO else Fraction(0)
    check_memory(_bytes(routing), f"the oblivious ratio of {routing.name} on {network.name}")
    routing = dense(routing)
    classes = channel_classes(routing, mode=symmetry)
    search = _RatioSearch(routing, accuracy, all_channels=all_channels)
    done, todo = 0, classes.focus.tolist()
    try:
        todo = search.ordered(todo)
        for c in todo:
            search.settle(c)
            done += 1
            if progress is not None:
                progress(done, len(todo))
    except KeyboardInterrupt:
        if not search.low:
            raise
    if not search.low:
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name}: there is no oblivious ratio")
    left = len(todo) - done
    high = None if left else max(search.low, *search.bounds)
    return ObliviousRatio(
        routing, search.low, high, search.channel, search.flow, search.lengths, search.proof, classes,
        search.by_channel, left,
    )  # fmt: skip


def _bytes(routing: Routing) -> int:
    """What the search holds at once: distances and predecessors of all pairs, twice, and one channel's loads."""
    network = routing.network
    some = range(0, network.num_channels, max(1, network.num_channels // 8))
    loads = max((routing.expected_loads(c) for c in some), default=0)
    if routing.has_base:
        loads = len(routing.row_node) * len(routing.column_node)
    return 2 * 12 * network.num_nodes**2 + LOAD_BYTES * loads + network.num_channels**2 // 4


_Solved = tuple[Fraction, Sequence[PathFlow], Fraction, Int64]
"""What a flow reaches, the flow, what lengths prove, the lengths."""


class _RatioSearch:
    def __init__(self, routing: Routing, accuracy: Fraction, *, all_channels: bool) -> None:
        self.routing, self.network = routing, routing.network
        self.accuracy, self.all_channels = accuracy, all_channels
        self.packing = Packing(self.network)
        self.low, self.channel = Fraction(0), -1
        self.flow: Sequence[PathFlow] = ()
        self.lengths: list[str] = []
        self.proof: dict[int, int] = {}
        self.bounds: list[Fraction] = []
        self.by_channel: dict[int, ChannelRatio] = {}
        self._recent: list[tuple[int, Int64]] = []
        self._tried = self._helped = 0

    def ordered(self, channels: Sequence[int]) -> list[int]:
        """Those that are likely to be worst first."""
        order = sorted(channels, key=lambda c: -_total(self.routing, c))
        if self.all_channels:
            return order
        worth = {}
        for c in order[:_PROBED]:
            loads = pair_loads(self.routing, c)
            local = contraction_around(loads, c) if len(loads) else None
            if local is None:
                break
            found = Packing(local.loads.network).maximise(local.loads, enough=0.0, accuracy=0.01)
            worth[c] = found.value / float(self.network.bandwidth[c])
        return sorted(worth, key=lambda c: -worth[c]) + order[len(worth) :]

    def settle(self, c: int) -> None:
        """Raise ``low`` where the channel reaches more, and keep lengths that bound it."""
        loads = pair_loads(self.routing, c)
        if not len(loads):
            return
        bandwidth = self.network.bandwidth[c]
        target = Fraction(0) if self.all_channels else self.low * (1 + self.accuracy) * bandwidth
        if target and self._remembered(c, loads, target):
            return
        value, flow, bound, length = self._nearby(c, loads, target) or self._solved(loads, target)
        low, high = value / bandwidth, bound / bandwidth
        if low > self.low:
            self.low, self.channel, self.flow = low, c, flow
        packed_lengths = self._keep(c, high, length)
        if self.all_channels:
            self.by_channel[c] = ChannelRatio(low, high, c, flow, packed_lengths)

    def _nearby(self, c: int, loads: PairLoads, target: Fraction) -> _Solved | None:
        """Lengths of the channel's surroundings alone, if they prove ``target``, or as much as a flow of the whole
        network reaches between the pairs that those lengths are tight for."""
        local = contraction_around(loads, c)
        if local is None:
            return None
        packed = Packing(local.loads.network).maximise(local.loads, enough=_below(target))
        found = best_lengths(local.loads, packed.lengths, target)
        if found is None:
            return None
        bound, length = found[0], local.expanded(found[1])
        if bound <= target:
            return Fraction(0), [], bound, length
        some = local.carrying(loads, packed.flow)
        near = length.astype(np.float64)
        packing = Packing(self.network)
        packing.spread(some, near)
        whole = packing.maximise(some, enough=0.0, accuracy=float(self.accuracy) / 2, start=[near])
        value, flow = certified_flow(self.network, whole.flow, some)
        return (value, flow, bound, length) if bound <= value * (1 + self.accuracy) else None

    def _solved(self, loads: PairLoads, target: Fraction) -> _Solved:
        for vertex in (False,) if self.accuracy else (False, True):
            accuracy = float(self.accuracy) / 2
            packed = self.packing.maximise(loads, enough=_below(target), accuracy=accuracy, vertex=vertex)
            value, flow = certified_flow(self.network, packed.flow, loads)
            found = best_lengths(loads, packed.lengths, max(target, value))
            if found is not None and found[0] <= max(target, value * (1 + self.accuracy)):
                return value, flow, *found
        if not self.accuracy:
            with suppress(NotExactError):
                exact, amounts = self.packing.vertex(loads)
                value, flow = max((value, flow), certified_flow(self.network, amounts, loads), key=lambda x: x[0])
                bound = None if exact is None else loads.bound(exact)
                if exact is not None and bound is not None and (found is None or bound < found[0]):
                    found = bound, exact
        if found is None:
            raise InputError("no lengths bound a channel: its loads or the bandwidths are too far apart")
        return value, flow, *found

    def _remembered(self, c: int, loads: PairLoads, target: Fraction) -> bool:
        """Do lengths that were made for another channel bound this one?"""
        if self._tried >= _TRIED and self._helped * 20 < self._tried:
            return False
        self._tried += 1
        for at in range(len(self._recent) - 1, -1, -1):
            number, length = self._recent[at]
            bound = loads.bound(length, enough=target)
            if bound is not None:
                self.proof[c] = number
                self.bounds.append(bound / self.network.bandwidth[c])
                self._recent.append(self._recent.pop(at))
                self._helped += 1
                return True
        return False

    def _keep(self, c: int, high: Fraction, length: Int64) -> str:
        self.proof[c] = len(self.lengths)
        self._recent = [*self._recent[1 - _REMEMBERED :], (len(self.lengths), length)]
        self.lengths.append(pack_ints(length))
        self.bounds.append(high)
        return self.lengths[-1]


def _below(target: Fraction) -> float:
    """Rounding to whole lengths takes a little room."""
    return float(target) * (1 - 1e-9)


def _total(routing: Routing, channel: int) -> float:
    load = routing.channel_loads([channel]).load
    return float(np.sum(load.num / load.den)) / float(routing.network.bandwidth[channel])


_ABOUT = {"demands": "routable"}


def ratio_claims(found: ObliviousRatio) -> list[Claim]:
    """The ratio: one claim where it is exact, else what it is at least and at most; then of every loaded channel, where
    that was asked for.  After an interrupt only what is certified.

    Raises InputError for sampled loads.
    """
    from ...claims.routings.routable import ROUTABLE_CLASS

    if found.routing.is_sampled:
        raise InputError(f"the loads of {found.routing.name} are sampled: no oblivious ratio can be claimed from them")
    focus = sorted(found.proof)
    which = [found.proof[c] for c in focus]
    claims = _stated(found, found, found.lengths, focus, which, _ABOUT)
    label = found.classes.label.tolist()
    for c, f in enumerate(label):
        one = found.by_channel.get(f)
        if one is None:
            continue
        about = {**_ABOUT, "channel": c}
        own = _stated(found, one, [one.lengths], [f], [0], about)
        if c != f:
            same = {"channel": c, "focus": f}
            own = [ROUTABLE_CLASS.claim(x.value, same, x.about, relation=x.relation) for x in own]
        claims += own
    return claims


def worst_routable(routing: Routing, demands: DemandSet, **options: Any) -> WorstCase:
    """The oblivious ratio as a worst case: the demand that its flow carries is the witness of its lower end.

    ``options`` are those of ``oblivious_ratio``.
    """
    found = oblivious_ratio(routing, **options)
    claims = ratio_claims(found)
    for claim in list(claims):
        if isinstance(claim.value, Fraction) and "channel" not in claim.about:
            claims.append(throughput_of(claim, SOURCE))
    sent: dict[Pair, Fraction] = {}
    for x in found.flow:
        pair = _first_terminals(x, found.routing)
        sent[pair] = sent.get(pair, Fraction(0)) + x.amount
    each = None
    if found.by_channel:
        ratios = {c: x.low for c, x in found.by_channel.items()}
        each = [ratios.get(c, Fraction(0)) for c in found.classes.label.tolist()]
    return WorstCase.proved_by(
        claims, found.routing, demands, found.low, found.channel, sent, channel_loads=each, classes=found.classes
    )


def _stated(
    found: ObliviousRatio,
    ends: ObliviousRatio | ChannelRatio,
    lengths: Sequence[str],
    focus: list[int],
    which: list[int],
    about: Mapping[str, Any],
) -> list[Claim]:
    from ...claims.routings.routable import ROUTABLE

    form = {"loads": "by-pair"} if is_dense(found.routing) else {}
    witness = {"channel": ends.channel, "flow": [_written(x, found.routing) for x in ends.flow], **form}
    proof = {
        "lengths": list(lengths),
        "focus": np.array(focus, dtype=np.int64),
        "proof": np.array(which, dtype=np.int64),
        "symmetry": described_symmetry(found.classes),
        **form,
    }

    if ends.low == ends.high:
        return [ROUTABLE.claim(ends.low, {**witness, **proof}, about)]
    least = ROUTABLE.claim(ends.low, witness, about, relation=">=")
    return [least] if ends.high is None else [least, ROUTABLE.claim(ends.high, proof, about, relation="<=")]


def _written(flow: PathFlow, routing: Routing) -> Sequence[Any]:
    """[source terminal, destination terminal, amount, channels]."""
    return [*_first_terminals(flow, routing), str(flow.amount), list(flow.path)]


def _first_terminals(flow: PathFlow, routing: Routing) -> tuple[int, int]:
    """The first terminals of row and column."""
    return int(np.argmax(routing.row_of == flow.row)), int(np.argmax(routing.column_of == flow.column))
