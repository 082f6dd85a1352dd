"""Schedules on cubes for a page, of destination graphs and of runs: where every packet is after every step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.cube.destination_graph import Cube, DestinationGraph
from ...core.cube.timed_moves import TimedMoves
from ...topologies.grid.torus import torus
from ..drawing.layout import place
from .network import network_data
from .numbers import Values, packed

__all__ = ["MOST_NODES", "run_view", "schedule_view"]

MOST_NODES = 1024


def schedule_view(graph: DestinationGraph) -> dict[str, Any] | None:
    """Positions of the packets of all nodes on their way to node 0; None for cubes too large to be drawn.

    The page moves the packet from x to y like the one from x - y to 0, shifted by y.
    """
    view = _cube_view(graph.cube, graph.steps)
    if view is None:
        return None
    return {**view, "position": packed(np.ascontiguousarray(graph.position.T))}  # [step][node]


def run_view(run: TimedMoves) -> dict[str, Any] | None:
    """Where every packet of a run is before each step and at the end; None for cubes too large to be drawn."""
    view = _cube_view(run.cube, run.steps)
    if view is None:
        return None
    return {
        **view,
        "position": packed(np.ascontiguousarray(run.position.T)),  # [step][packet]
        "destination": packed(run.destination),
    }


def _cube_view(cube: Cube, steps: int) -> dict[str, Any] | None:
    if cube.num_nodes > MOST_NODES:
        return None
    network = torus(*(cube.radix,) * cube.dimensions)
    values = Values()
    data = network_data(network, place(network), values)
    data["labels"] = [cube.label(v) for v in range(cube.num_nodes)]
    data["name"] = f"{cube.radix}-nary {cube.dimensions}-cube"
    return {
        "kind": "schedule",
        "network": data,
        "values": values.as_json(),
        "radix": cube.radix,
        "dimensions": cube.dimensions,
        "steps": steps,
    }
