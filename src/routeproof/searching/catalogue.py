"""The best destination graphs known, shipped with the package in slot form; see docs/destination-graphs.md."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np

from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.cube.slot_form import SlotForm, graph_of_slots
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
