"""Where a file says that its nodes are: longitudes and latitudes, as in the Internet Topology Zoo's GraphML."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError

Points = npt.NDArray[np.float64]

_NAMES = (("Longitude", "Latitude"), ("longitude", "latitude"), ("lon", "lat"), ("x", "y"))


def positions_in_file(text: str, *, num_nodes: int) -> Points | None:
    """The positions in the GraphML or GML file that ``text`` names (options after commas are skipped), shape (N, 2).

    NaN where a node has none.  None unless at least half of exactly ``num_nodes`` nodes have one, not all the same.
    Longitudes are shrunk to the middle latitude, so that the map looks as usual.
    """
    path = next((text[:end] for end in _ends(text) if os.path.isfile(text[:end])), None)
    if path is None:
        return None
    from ...formats.format import File

    suffix = os.path.splitext(path)[1].lower()
    try:
        if suffix == ".graphml":
            from ...formats.graphs.graphml import read_graphml as read
        elif suffix == ".gml":
            from ...formats.graphs.gml import read_gml as read
        else:
            return None
        nodes = [attributes for _, attributes in read(File(path)).nodes]
    except InputError:
        return None  # a picture is drawn without a map as well
    if len(nodes) != num_nodes:
        return None
    for across, up in _NAMES:
        found = np.array([[_number(x, across), _number(x, up)] for x in nodes], dtype=np.float64).reshape(-1, 2)
        known = found[~np.isnan(found).any(axis=1)]
        if 2 * len(known) >= num_nodes and len(np.unique(known, axis=0)) > 1:
            if up.lower().startswith("lat"):
                found[:, 0] *= math.cos(math.radians(float(known[:, 1].mean())))
            return found
    return None


def _ends(text: str) -> list[int]:
    return [len(text), *(at for at in range(len(text) - 1, 0, -1) if text[at] == ",")][:64]


def _number(attributes: Mapping[str, Any], key: str) -> float:
    try:
        value = float(attributes.get(key, "nan"))
    except (TypeError, ValueError):
        return math.nan
    return value if abs(value) < 1e6 else math.nan
