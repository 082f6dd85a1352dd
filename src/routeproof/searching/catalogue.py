"""The best destination graphs known: those shipped with the package, in slot form (see docs/destination-graphs.md), and
those by construction: Lemma 4, Theorem 1, and two packets at a time.

Source: Hwang, Yao & Dasgupta, secs. 2 and 3.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from ..core.cube.destination_graph import Cube, DestinationGraph, Move
from ..core.cube.forms import SlotForm, graph_of_slots
from ..core.errors import InputError
from ..formats.documents.packed_ints import unpack_ints


@dataclass(frozen=True)
class Entry:
    """A graph of ``steps`` steps; ``kind`` is many-one or permutation; ``command`` made it."""

    kind: str
    radix: int
    dimensions: int
    steps: int
    minimum: bool
    command: str
    vector: str = field(repr=False)
    suffix: str = field(repr=False)

    def graph(self) -> DestinationGraph:
        """The graph; its conditions are for the caller to judge."""
        cube = Cube(self.radix, self.dimensions)
        vector, suffix = (
            np.pad(
                unpack_ints(packed, what=what, max_items=self.steps * cube.num_types).reshape(self.steps, -1),
                ((0, 0), (1, 0)),
                constant_values=none,
            )
            for what, packed, none in (("vector", self.vector, -1), ("suffix", self.suffix, 0))
        )
        return graph_of_slots(SlotForm(cube, vector.astype(np.int32), suffix != 0))


@cache
def catalogue() -> tuple[Entry, ...]:
    """All entries, by kind, radix, dimensions, steps."""
    text = resources.files(__package__).joinpath("catalogue.json").read_text(encoding="utf-8")
    return tuple(Entry(**x) for x in json.loads(text)["graphs"])


def catalogue_graph(
    kind: str, radix: int, dimensions: int, steps: int, *, minimum: bool = False
) -> DestinationGraph | None:
    """The shipped graph with the fewest steps, at most ``steps``, or None; many-one graphs serve permutations too."""
    fits = [
        x
        for x in catalogue()
        if (x.radix, x.dimensions) == (radix, dimensions)
        and (x.kind == kind or x.kind == "many-one")
        and x.steps <= steps
        and (x.minimum or not minimum)
    ]
    return min(fits, key=lambda x: x.steps).graph() if fits else None


Moves = npt.NDArray[np.int16]


def lemma_4(radix: int) -> DestinationGraph:
    """The many-one graph of the t-nary 2-cube with ceil((t + 1) / 2) steps, which is Lemma 1's bound; minimum-routing.

    As printed, a packet waits after its first move, j - 1 times for the j-th of a group, so that it makes its second
    move at step j + 1.  A = {1, ..., ceil((t - 1) / 2)}, B the other digits.
    """
    cube = Cube(radix, 2)
    half = radix // 2  # ceil((t - 1) / 2)
    paths: dict[int, list[Move]] = {}
    for i in range(radix):
        for j in range(radix):
            u = i * radix + j
            if i and j and (i <= half) == (j <= half):
                late = j if j <= half else j - half
                paths[u] = [(2, j), *[(0, 0)] * (late - 1), (1, i)]
            elif i and j:
                late = i if i <= half else i - half
                paths[u] = [(1, i), *[(0, 0)] * (late - 1), (2, j)]
            elif u:
                paths[u] = [(1, i) if i else (2, j)]
    return DestinationGraph.of(cube.radix, 2, paths)


def _reversed(graph: DestinationGraph) -> Moves:
    """By node y: the path from 0 to -y of the graph's path of -y run backwards; as long as the graph has steps.

    The waits at a path's end come first.  Backwards, a move that subtracted j from a digit adds j: it subtracts t - j.
    """
    cube, t = graph.cube, graph.radix
    back = np.array([0, *(cube.type_of((i, t - j)) for i, j in map(cube.move_of, range(1, cube.num_types + 1)))])
    everyone = np.arange(cube.num_nodes)
    return np.asarray(back[graph.moves[cube.subtract(np.zeros_like(everyone), everyone)][:, ::-1]], dtype=np.int16)


def composed(first: DestinationGraph, last: DestinationGraph) -> DestinationGraph:
    """Theorem 1: ``first`` (many-one) on the first digits, then ``last`` (many-one) run backwards on the others.

    A permutation graph of l(first) + l(last) steps; minimum-routing if both are.  Raises InputError for unlike radices.
    """
    return _two_phases(first, last, [(first.moves, False), (_reversed(last), True)])


def _two_phases(first: DestinationGraph, last: DestinationGraph, phases: list[tuple[Moves, bool]]) -> DestinationGraph:
    """The graph of these phases, on the digits of ``first`` or, where the bool says so, of ``last``."""
    if first.radix != last.radix:
        raise InputError(f"graphs of radix {first.radix} and {last.radix} cannot be composed; one radix was expected")
    cube = Cube(first.radix, first.dimensions + last.dimensions)
    head, tail = np.divmod(np.arange(cube.num_nodes), last.cube.num_nodes)
    shift = first.cube.num_types
    moves = [np.where(x > 0, x + shift, 0)[tail] if others else x[head] for x, others in phases]
    return DestinationGraph(cube, np.concatenate(moves, axis=1))


def two_at_a_time(first: DestinationGraph, last: DestinationGraph) -> tuple[DestinationGraph, DestinationGraph]:
    """The remark after Theorem 1: graphs for two permutations at once, in 2 max(l(first), l(last)) steps.

    The first stream crosses the first digits with ``first``, then the others with ``last`` run backwards; the second
    stream crosses the last digits with ``last``, then the first ones with ``first`` run backwards.  Both change phase
    at max(l(first), l(last)), so no link is wanted by both.
    """
    turn = max(first.steps, last.steps)
    one, two = (np.pad(x.moves, ((0, 0), (0, turn - x.steps))) for x in (first, last))
    return (
        _two_phases(first, last, [(one, False), (_reversed(last), True)]),
        _two_phases(first, last, [(two, True), (_reversed(first), False)]),
    )
