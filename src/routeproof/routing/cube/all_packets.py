"""All N^2 packets of a destination graph, every step and every link: a check that knows none of the conditions.

It walks packets through the cube and looks at who shares a link; prefixes, suffixes and invariance play no part.
"""

from __future__ import annotations

import numpy as np

from ...core.cube.conditions import Meeting
from ...core.cube.destination_graph import DestinationGraph
from ...core.errors import InputError

ALL_PACKETS_LIMIT = 8192
"""Nodes: 67 million packets, for which half a gigabyte is held."""


def find_meeting(graph: DestinationGraph, *, many_one: bool) -> Meeting | None:
    """Two packets of one request that meet on a link, or None if no request has such.

    A request has at most one packet from every node and, unless ``many_one``, at most one to every node.
    Raises InputError for cubes of more than ALL_PACKETS_LIMIT nodes.
    """
    from .all_packets_kernels import walk_all

    cube = graph.cube
    if cube.num_nodes > ALL_PACKETS_LIMIT:
        raise InputError(
            f"the cube has {cube.num_nodes} nodes, so {cube.num_nodes**2:,} packets; all of them are walked up to "
            f"{ALL_PACKETS_LIMIT} nodes"
        )
    found = np.zeros(6, dtype=np.int64)
    step = int(walk_all(graph.moves, cube.digits, cube.place, cube.radix, many_one, found))
    if step < 0:
        raise InputError("a packet does not arrive at its destination")  # DestinationGraph has excluded this
    if not step:
        return None
    a, x, b, y, tail, head = found.tolist()
    return Meeting(((a, x), (b, y)), step, tail, head)
