"""The slots that a destination graph uses: the other direction of ``graph_of_slots``."""

from __future__ import annotations

import numpy as np

from routeproof.core.cube.destination_graph import DestinationGraph
from routeproof.core.cube.forms import SlotForm
from routeproof.core.errors import InputError


def slots_of_graph(graph: DestinationGraph) -> SlotForm:
    """The slots that the graph uses.  Raises InputError where packets of a slot share neither prefix nor suffix."""
    cube = graph.cube
    vector = np.full((graph.steps, cube.num_types + 1), -1, dtype=np.int32)
    suffix = np.zeros(vector.shape, dtype=bool)
    for n in range(graph.steps):
        for k in range(1, cube.num_types + 1):
            members = np.nonzero(graph.moves[:, n] == k)[0]
            if not len(members):
                continue
            before, after = graph.prefix[members, n], graph.position[members, n + 1]
            if (before == before[0]).all():
                vector[n, k] = before[0]
            elif (after == after[0]).all():
                vector[n, k], suffix[n, k] = after[0], True
            else:
                raise InputError(
                    f"packets of the move {cube.move_of(k)} at step {n + 1} share neither prefix nor suffix: the graph "
                    f"is not valid for permutations"
                )
    return SlotForm(cube, vector, suffix)
