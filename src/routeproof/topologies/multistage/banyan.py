"""Butterflies, dilated butterflies, multibutterflies, Benes and multi-Benes networks, as wirings.

Multibutterflies are random, or made of splitters that are written down: Gabber-Galil's, or complete ones on the last
levels.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 1 and 5 (Upfal 1989; Leighton & Maggs 1989; Arora, Leighton &
Maggs 1990).  Where the paper leaves a choice, ours is stated in the docstrings.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Int32, read_only
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ...machine.memory import check_memory
from ..build import log_of_inputs, whole_number
from .network import wired_family
from .splitters import gabber_galil_maps

_MAX_WIRES = 2**31  # 8 GiB
_WIRE_BYTES = 8  # twice what they are when they are made


def butterfly(n: int) -> Wiring:
    """The butterfly with N = 2^n inputs: n edge levels, colour 0 straight, colour 1 cross (bit n-1-l of the row)."""
    n = _dimension(n, "butterfly")
    return _wiring(f"butterfly:{n}", _plain(n, 1))


def dilated_butterfly(n: int, *, d: int) -> Wiring:
    """The d-dilated butterfly: every wire of the butterfly d times; colours 2k straight, 2k + 1 cross."""
    n, d = _dimension(n, "dilated-butterfly"), whole_number(d, what="d of dilated-butterfly", least=1)
    name = f"dilated-butterfly:{n},d={d}"
    check_wires(name, n, d, n)
    return _wiring(name, _plain(n, d))


def multibutterfly(inputs: int, *, d: int, seed: int, shared: bool = False) -> Wiring:
    """A random d-butterfly: d butterflies merged, the switches of all but the first permuted within their blocks.

    Copy k gives colours 2k (straight) and 2k + 1 (cross).  ``shared``: one permutation for all blocks of a level (as
    the paper prints it); by default every block has its own.

    The random order of a block is that of its rows under 64-bit keys drawn from
    ``numpy.random.PCG64(SeedSequence([seed, copy, level]))`` in row order, so a seed always gives the same wiring
    (raw streams are the part of numpy's generators that never changes).
    """
    n, name = _random("multibutterfly", inputs, d, seed, shared)
    check_wires(name, n, d, n)
    return _wiring(name, _merged(n, d, (seed,), shared))


def benes(n: int) -> Wiring:
    """The Benes network with 2^n inputs as the paper builds it: a reversed butterfly, then a butterfly; 2n edge levels.

    Its middle is level n.  (Switches have two inputs and two outputs on every level, also on the first and the last;
    the usual drawing with 2n - 1 columns of 2 x 2 switches is its edge-to-switch form.)
    """
    n = _dimension(n, "benes")
    half = _plain(n, 1)
    return _wiring(f"benes:{n}", np.concatenate([_reversed(half), half]))


def multi_benes(inputs: int, *, d: int, seed: int, shared: bool = False) -> Wiring:
    """A random d-multi-Benes network: a random multibutterfly reversed, then another one; 2 log2 N edge levels.

    The halves' keys come from ``SeedSequence([seed, half, copy, level])``, levels counted from the middle of the
    network; otherwise as ``multibutterfly``.
    """
    n, name = _random("multi-benes", inputs, d, seed, shared)
    check_wires(name, n, d, 2 * n)
    first, second = (_merged(n, d, (seed, half), shared) for half in (0, 1))
    return _wiring(name, np.concatenate([_reversed(first), second]))


def _wiring(name: str, wire: Int32) -> Wiring:
    return Wiring(name, read_only(wire), name)


def _plain(n: int, d: int) -> Int32:
    rows = np.arange(1 << n, dtype=np.int32)
    wire = np.empty((n, 2 * d, 1 << n), dtype=np.int32)
    for level in range(n):
        wire[level, 0::2] = rows
        wire[level, 1::2] = rows ^ (1 << (n - 1 - level))
    return wire


def _merged(n: int, d: int, seed: tuple[int, ...], shared: bool) -> Int32:
    wire = _plain(n, d)
    rows = np.arange(1 << n, dtype=np.int32)
    for copy in range(1, d):
        here = _shuffled(n, 0, (*seed, copy, 0), shared)
        for level in range(n):
            there = _shuffled(n, level + 1, (*seed, copy, level + 1), shared)
            wire[level, 2 * copy, here] = there
            wire[level, 2 * copy + 1, here] = there[rows ^ (1 << (n - 1 - level))]
            here = there
    return wire


def _shuffled(n: int, level: int, seed: tuple[int, ...], shared: bool) -> Int32:
    """Where each switch of ``level`` goes: a random permutation within every block, int32, shape (N,)."""
    blocks, size = 1 << level, 1 << (n - level)
    if size == 1:
        return np.arange(1 << n, dtype=np.int32)
    count = size if shared else 1 << n
    keys = np.random.PCG64(np.random.SeedSequence(seed)).random_raw(count).reshape(-1, size)
    order = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
    return (order + (np.arange(blocks, dtype=np.int32) * size)[:, None]).reshape(-1)


def _reversed(wire: Int32) -> Int32:
    """The wires run backwards: edge level l of the result is the inverse of edge level E - 1 - l."""
    result = np.empty_like(wire)
    rows = np.arange(wire.shape[2], dtype=np.int32)
    for level in range(wire.shape[0]):
        for colour in range(wire.shape[1]):
            result[wire.shape[0] - 1 - level, colour, wire[level, colour]] = rows
    return result


def _dimension(n: int, family: str) -> int:
    n = whole_number(n, what=f"dimension of {family}", least=1)
    check_wires(f"{family}:{n}", n, 1, 2 * n)
    return n


def _random(family: str, inputs: int, d: int, seed: int, shared: bool) -> tuple[int, str]:
    """log2 of the inputs and the name of a network of random wires."""
    n = log_of_inputs(inputs, family)
    whole_number(d, what=f"multiplicity d of {family}", least=1)
    whole_number(seed, what=f"seed of {family}", least=0)
    return n, f"{family}:{1 << n},d={d},seed={seed}" + (",shared" if shared else "")


def check_wires(name: str, n: int, d: int, levels: int) -> None:
    """Raise InputError for more wires than are supported: ``levels`` times 2d for each of 2^n rows."""
    if n > 30 or levels * 2 * d << n > _MAX_WIRES:
        raise InputError(f"{name[:60]} would have more than 2^31 wires, which is the most that is supported")
    check_memory((levels * 2 * d << n) * _WIRE_BYTES, f"{name[:60]}, {levels * 2 * d << n:,} wires,")


BUTTERFLY = wired_family("butterfly:3", "butterfly of n dimensions: 2^n inputs, n edge levels", butterfly, "dimension")
DILATED_BUTTERFLY = wired_family(
    "dilated-butterfly:3,d=2", "butterfly with every wire d times", dilated_butterfly, "dimension"
)
BENES = wired_family(
    "benes:3", "a butterfly reversed, then a butterfly: 2^n inputs, 2n edge levels", benes, "dimension", passes=2
)
MULTI_BENES = wired_family(
    "multi-benes:64,d=2,seed=7",
    "a random multibutterfly reversed, then another one",
    multi_benes,
    "number of inputs",
    passes=2,
)


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


_harden = hardened


def _perhaps_hardened(inputs: int, *, d: int, seed: int, shared: bool, hardened: bool) -> Wiring:
    wiring = multibutterfly(inputs, d=d, seed=seed, shared=shared)
    return _harden(wiring) if hardened else wiring


MULTIBUTTERFLY = wired_family(
    "multibutterfly:64,d=2,seed=7",
    "d butterflies merged at random; d= and seed= are needed; shared: one permutation per level; "
    "hardened: complete splitters where d edges reach all outputs",
    _perhaps_hardened,
    "number of inputs",
)


GABBER_GALIL = wired_family(
    "gabber-galil:64",
    "multibutterfly with d = 5 from the explicit expanders of Gabber and Galil",
    gabber_galil_network,
    "number of inputs",
    copies=5,
)
