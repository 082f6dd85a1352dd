"""The best destination graphs known, shipped with the package in slot form; see docs/destination-graphs.md."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.cube.slot_form import SlotForm, graph_of_slots, slots_of_graph
from ..core.errors import InputError
from ..formats.documents.packed_ints import pack_ints, unpack_ints

__all__ = ["Entry", "catalogue", "catalogue_graph", "packed_entry"]


@dataclass(frozen=True)
class Entry:
    """A graph of ``steps`` steps; ``kind`` is many-one or permutation; ``command`` made it."""

    kind: str
    radix: int
    dimensions: int
    steps: int
    minimum: bool
    command: str
    vector: str
    suffix: str

    def graph(self) -> DestinationGraph:
        """The graph; its conditions are for the caller to judge."""
        cube = Cube(self.radix, self.dimensions)
        shape = (self.steps, cube.num_types)
        size = shape[0] * shape[1]
        vector = np.full((self.steps, cube.num_types + 1), -1, dtype=np.int32)
        suffix = np.zeros(vector.shape, dtype=bool)
        vector[:, 1:] = unpack_ints(self.vector, what="vector", max_items=size).reshape(shape)
        suffix[:, 1:] = unpack_ints(self.suffix, what="suffix", max_items=size).reshape(shape) != 0
        return graph_of_slots(SlotForm(cube, vector, suffix))


def packed_entry(graph: DestinationGraph, kind: str, *, minimum: bool, command: str) -> dict[str, object]:
    """The JSON entry of a graph; raises InputError if the graph does not come back from it."""
    form = slots_of_graph(graph)
    entry = {
        "kind": kind,
        "radix": graph.radix,
        "dimensions": graph.dimensions,
        "steps": graph.steps,
        "minimum": minimum,
        "command": command,
        "vector": pack_ints(form.vector[:, 1:].ravel()),
        "suffix": pack_ints(form.suffix[:, 1:].ravel().astype(np.int64)),
    }
    if graph_of_slots(form).steps != graph.steps:
        raise InputError("the graph's slots make a graph of fewer steps")
    return entry


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
