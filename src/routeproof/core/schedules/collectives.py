"""What each collective starts from and must end with, chunk by chunk, and where its buffers overlap in place.

The sizes and the layout in place are those of NCCL: ``mscclInPlaceTotalCountHelper`` in MSCCL's
``src/graph/tuning.cc``, and the classes of ``msccl/language/collectives.py`` in msccl-tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

INPUT, OUTPUT, SCRATCH = "i", "o", "s"
Leaf = tuple[int, int]
"""(rank, chunk of its input)."""


@dataclass(frozen=True)
class Collective:
    """One collective among n ranks, of C chunks in all (``chunks``: the larger of a rank's input and output).

    - ``input_size(n, C)``, ``output_size(n, C)``: chunks of a rank's buffers;
    - ``expected(rank, k, n, C, root)``: the inputs whose sum output chunk k of ``rank`` must be (a copy is a sum of
      one); None where this rank's output is not asked for;
    - ``shift(rank, n, C)``: in place, input chunk k is output chunk k plus the first number, or output chunk k is input
      chunk k plus the second; one of them is 0;
    - ``sums``: are there sums?  ``rooted``: is one rank the root?  ``shared``: must C be a multiple of n?
      ``personal``: does every rank send each other one something else?
    """

    name: str
    input_size: Callable[[int, int], int]
    output_size: Callable[[int, int], int]
    expected: Callable[[int, int, int, int, int], Sequence[Leaf] | None]
    shift: Callable[[int, int, int], tuple[int, int]] = lambda rank, n, chunks: (0, 0)  # noqa: ARG005
    sums: bool = False
    rooted: bool = False
    shared: bool = False
    personal: bool = False

    def unit(self, n: int, chunks: int) -> Fraction:
        """How many chunks are one unit, of which ``collective_throughput`` counts how many go in a cycle: a rank's
        share; what the root emits; what a rank of an all-to-all sends to all ranks, itself included."""
        return Fraction(chunks) if self.rooted or self.personal else Fraction(chunks, n)


def _whole(_: int, chunks: int) -> int:
    return chunks


def _share(n: int, chunks: int) -> int:
    return chunks // n


ALL_GATHER = Collective(
    "all-gather",
    _share,
    _whole,
    lambda rank, k, n, chunks, root: [divmod(k, chunks // n)],  # noqa: ARG005
    lambda rank, n, chunks: (rank * (chunks // n), 0),
    shared=True,
)
ALL_REDUCE = Collective(
    "all-reduce",
    _whole,
    _whole,
    lambda rank, k, n, chunks, root: [(i, k) for i in range(n)],  # noqa: ARG005
    sums=True,
)
REDUCE_SCATTER = Collective(
    "reduce-scatter",
    _whole,
    _share,
    lambda rank, k, n, chunks, root: [(i, rank * (chunks // n) + k) for i in range(n)],  # noqa: ARG005
    lambda rank, n, chunks: (0, rank * (chunks // n)),
    sums=True,
    shared=True,
)
ALL_TO_ALL = Collective(
    "all-to-all",
    _whole,
    _whole,
    lambda rank, k, n, chunks, root: [(k // (chunks // n), rank * (chunks // n) + k % (chunks // n))],  # noqa: ARG005
    shared=True,
    personal=True,
)
BROADCAST = Collective(
    "broadcast",
    _whole,
    _whole,
    lambda rank, k, n, chunks, root: [(root, k)],  # noqa: ARG005
    rooted=True,
)
REDUCE = Collective(
    "reduce",
    _whole,
    _whole,
    lambda rank, k, n, chunks, root: [(i, k) for i in range(n)] if rank == root else None,  # noqa: ARG005
    sums=True,
    rooted=True,
)

COLLECTIVES: Mapping[str, Collective] = {
    x.name: x for x in (ALL_GATHER, ALL_REDUCE, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST, REDUCE)
}
CUSTOM = "custom"
"""A collective that the file defines by its buffers alone: what it must end with is not known."""
