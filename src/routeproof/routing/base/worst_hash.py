"""What a routing can do to a channel when flows do not split: ``worst-hash:ROUTING``.

Equal-cost paths are shared by hashing: every flow takes one of the paths that its pair has, whole.  The most that flows
of given pairs make of a channel is one for each pair of which some path crosses it: no choice of hashes, and no other
split over the same paths, does worse, and for each channel some choice does it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from .routing import Ends, Routing
from .views import View, dense

WORST_HASH = "worst-hash"
_PAIRS = 1 << 14  # looked at together


class WorstHash(View):
    """``inner``, with load 1 in place of every positive one.

    It is no routing that packets can follow (``whole_flows_of``): the loads of a pair are of different choices of its
    path, one channel at a time.  A worst case over a set of demands is the worst over demands *and* over the paths that
    flows may take; of whole flows it is a largest matching of the pairs that may cross a channel.

    Raises InputError for sampled loads, and where some path of ``inner`` may cross a channel twice.
    Names in the literature: unsplittable flow; worst-case hash collisions.
    """

    def __init__(self, inner: Routing, *, name: str | None = None) -> None:
        if inner.whole_flows_of is not None:
            raise InputError(f"{WORST_HASH}: {inner.name} has whole flows already; a routing was expected")
        if inner.is_sampled:
            raise InputError(f"{WORST_HASH}: the loads of {inner.name} are sampled; exact ones were expected")
        check_crosses_once(inner)
        super().__init__(inner, Ends.like(inner))
        self.name, self.parts = name or f"{WORST_HASH}:{inner.name}", ()
        self.whole_flows_of, self._shaped = inner, dense(inner)
        self.of_network, self.channel_kind = inner.of_network, inner.channel_kind

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        block = self._shaped.channel_loads(channels, rows=rows)
        return LoadBlock(block.channel, block.offset, block.row, block.column, Rationals.ones(len(block.row)))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        block = self.inner.pair_loads(rows, columns)
        return PairBlock(block.offset, block.channel, Rationals.ones(len(block.channel)))

    def expected_loads(self, channel: int) -> int:
        return self._shaped.expected_loads(channel)

    @property
    def denominators(self) -> list[int]:
        return [1]

    @property
    def hops(self) -> npt.NDArray[np.int16] | None:
        return self.inner.hops

    def decomposition(self, row: int, column: int) -> list[tuple[Any, list[int]]]:
        """The inner routing's: the paths of which a flow takes one."""
        return self.inner.decomposition(row, column)

    def channel_representatives(self) -> Int32 | None:
        return self.inner.channel_representatives()

    def check(self) -> None:
        self.inner.check()

    def _bundles(self, progress: Progress | None) -> Any:  # noqa: ARG002  # there are none
        raise InputError(f"{self.name} bounds what hashes pick; {self.inner.name} has the paths")

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # it has none
        """Nothing of its own: a report describes ``inner``."""
        raise InputError(f"{self.name} is a bound on {self.inner.name}, which is written in its place")

    def document(self) -> dict[str, Any]:
        raise InputError(f"{self.name} is not a routing that packets can follow; convert {self.inner.name} instead")


def worst_hash_name(name: str) -> str:
    """What the bound on a routing of that name is called."""
    return f"{WORST_HASH}:{name}"


def without_worst_hash(text: str) -> str | None:
    """The routing that ``text`` is the bound of, where it is one."""
    head, colon, rest = text.partition(":")
    return rest if colon and head.strip().lower() == WORST_HASH else None


def check_followed(routing: Routing, what: str) -> None:
    """Raise InputError for a bound on whole flows where packets must follow the routing."""
    if routing.whole_flows_of is not None:
        raise InputError(
            f"{what} needs a routing that packets can follow; {routing.name} bounds every channel and is not a "
            f"routing; {routing.whole_flows_of.name} was expected"
        )


def check_crosses_once(routing: Routing) -> None:
    """Raise InputError, naming a pair, unless no path of ``routing`` crosses a channel twice.

    True where the routing declares it (``crosses_once``), where none of its explicit paths does, and where the channels
    of every pair make no cycle: paths on them cannot come back.
    """
    if routing.crosses_once:
        return
    if routing.parts:
        for _, part in routing.parts:
            check_crosses_once(part)
    elif routing.holds_paths:
        for bundle in routing.bundles():
            channel = np.sort(bundle.channel, axis=1)
            again = np.flatnonzero((channel[:, 1:] == channel[:, :-1]).any(axis=1))
            if len(again):
                raise _error(routing, int(bundle.row[again[0]]), int(bundle.column[again[0]]))
    else:
        _check_pairs(routing)


def _check_pairs(routing: Routing) -> None:
    columns = np.unique(routing.column_of)
    rows = np.unique(routing.row_of)
    step = max(1, _PAIRS // len(columns))
    for at in range(0, len(rows), step):
        some = rows[at : at + step]
        row, column = np.repeat(some, len(columns)), np.tile(columns, len(some))
        away = routing.row_node[row] != routing.column_node[column]
        row, column = row[away], column[away]
        k = first_with_cycle(routing.network, routing.pair_loads(row, column))
        if k is not None:
            raise _error(routing, int(row[k]), int(column[k]))


def first_with_cycle(network: Network, block: PairBlock) -> int | None:
    """The first pair whose channels make a cycle: channels that nothing follows are taken away until none is left."""
    pair = block.segment.astype(np.int64)
    tail, head = (pair * network.num_nodes + x[block.channel] for x in (network.tail, network.head))
    while len(pair):
        kept = np.isin(head, tail)
        if kept.all():
            return int(pair.min())
        pair, tail, head = pair[kept], tail[kept], head[kept]
    return None


def _error(routing: Routing, row: int, column: int) -> InputError:
    network = routing.network
    ends = (network.label(int(x)) for x in (routing.row_node[row], routing.column_node[column]))
    return InputError(
        f"{routing.name}: flows from {' to '.join(ends)} may cross a channel twice; for whole flows, a routing whose "
        f"paths cross each channel at most once was expected"
    )
