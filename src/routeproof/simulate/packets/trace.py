"""A trace of Upfal's algorithm as CSV: where every packet is after every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError

if TYPE_CHECKING:
    from ...core.multistage.wiring import Wiring

_MOST_LINES = 5_000_000
_HEADER = "step,permutation,source,destination,level,row"


def packet_trace(
    wiring: Wiring, images: npt.NDArray[np.int32], *, load: int, alive: npt.NDArray[np.bool_] | None = None
) -> str:
    """One line for every packet in a switch after every step, by level and row; and one, on the last level, for every
    arrival, at its step.  ``images``: int32, shape (P, N), as in ``route_packets``.

    Raises InputError as ``route_packets`` does, and for traces of more than 5 million lines.
    """
    from .upfal import route_packets

    rows, n = wiring.inputs, wiring.log_inputs
    origin = np.full(images.shape, -1, dtype=np.int64)
    which, sender = np.nonzero(images >= 0)
    origin[which, images[which, sender]] = sender
    tables: list[npt.NDArray[np.int64]] = []
    count = 0

    def watch(step: int, state: npt.NDArray[np.integer]) -> None:
        nonlocal count
        level, row = np.nonzero(state >= 0)
        packet = state[level, row]
        permutation, goal = packet // rows // load, packet % rows
        count += len(packet)
        if count > _MOST_LINES:
            raise InputError(f"the trace has more than {_MOST_LINES:,} lines; a smaller network was expected")
        at = np.full(len(packet), step, dtype=np.int64)
        tables.append(np.stack([at, permutation, origin[permutation, goal], goal, level, row], axis=1))

    run = route_packets(wiring, images, load=load, alive=alive, watch=watch)
    permutation, goal = np.nonzero(run.arrival > 0)
    end = np.full(len(goal), n, dtype=np.int64)
    step = run.arrival[permutation, goal].astype(np.int64)
    tables.append(np.stack([step, permutation, origin[permutation, goal], goal, end, goal], axis=1))
    whole = np.concatenate(tables)
    whole = whole[np.lexsort((whole[:, 5], whole[:, 4], whole[:, 0]))]
    return "\n".join([_HEADER, *(",".join(map(str, x)) for x in whole.tolist())]) + "\n"
