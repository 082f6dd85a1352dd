"""Multibutterflies whose splitters are written down: Gabber-Galil's, and complete ones on the last levels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.arrays import read_only
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ..build import log_of_inputs
from ..text import Pieces
from .banyan import check_wires, multibutterfly
from .network import wired_family
from .splitters import gabber_galil_maps

__all__ = ["gabber_galil_network", "hardened"]

Int32 = npt.NDArray[np.int32]


def gabber_galil_network(inputs: int) -> Wiring:
    """The multibutterfly with d = 5 whose splitters are Gabber & Galil's; see ``splitters``.

    Colour 2k leads from row r of a block to row f_k(r), colour 2k + 1 to the same in the other half.
    """
    n = log_of_inputs(inputs, "gabber-galil")
    size = 1 << n
    name = f"gabber-galil:{size}"
    check_wires(name, n, 5, n)
    wire = np.empty((n, 10, size), dtype=np.int32)
    for level in range(n):
        block = size >> level
        start = np.arange(0, size, block)[:, None]
        maps = gabber_galil_maps(block)
        for k in range(5):
            wire[level, 2 * k] = (start + maps[k][None, :]).reshape(-1)
            wire[level, 2 * k + 1] = (start + (maps[k] ^ (block // 2))[None, :]).reshape(-1)
    return Wiring(name, read_only(wire), name)


def hardened(wiring: Wiring) -> Wiring:
    """``wiring`` with complete splitters wherever d edges each way reach all M/2 outputs: blocks of M <= 2d rows.

    Colours 2k and 2k + 1 lead from row r of a block to row (r + k) modulo M/2 of either half.  Small blocks are what
    faults spread from (the avalanche); a complete splitter loses an input only when half of *all* its outputs are lost.
    Raises InputError for a multi-Benes wiring.
    """
    if wiring.reversed_levels:
        raise InputError(f"{wiring.name} has mergers; only multibutterflies are hardened")
    wire: Int32 = wiring.wire.copy()
    rows = np.arange(wiring.inputs)
    for level in range(wiring.num_edge_levels):
        half = wiring.inputs >> (level + 1)
        if half > wiring.multiplicity:
            continue
        for k in range(wiring.multiplicity):
            straight = rows - rows % half + (rows % half + k) % half
            wire[level, 2 * k] = straight
            wire[level, 2 * k + 1] = straight ^ half
    spec = None if wiring.spec is None else f"{wiring.spec},hardened"
    return Wiring(f"{wiring.name},hardened", read_only(wire), spec)


def _multibutterfly_of(pieces: Pieces) -> Wiring:
    wiring = multibutterfly(
        pieces.number(0, "number of inputs of multibutterfly"),
        d=pieces.needed("d"),
        seed=pieces.needed("seed"),
        shared="shared" in pieces.flags,
    )
    return hardened(wiring) if "hardened" in pieces.flags else wiring


MULTIBUTTERFLY = wired_family(
    "multibutterfly:64,d=2,seed=7",
    "d butterflies merged at random; d= and seed= are needed; shared: one permutation per level; "
    "hardened: complete splitters where d edges reach all outputs",
    _multibutterfly_of,
    flags=("shared", "hardened"),
    options=("d", "seed"),
)
GABBER_GALIL = wired_family(
    "gabber-galil:64",
    "multibutterfly with d = 5 from the explicit expanders of Gabber and Galil",
    lambda p: gabber_galil_network(p.number(0, "number of inputs of gabber-galil")),
)
