"""Which switches fail: at random, a whole block, or the neighbourhood that hurts most, found by greedy search.

Texts: ``random:count=100,seed=7`` (``level=3``: on that level only), ``block:level=3,row=0`` (``count=4``: its first
four), ``attack:count=8,level=3``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays import Bools
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ..text import Pieces, options_of, parse_whole


def is_fault_pattern(text: str) -> bool:
    """Does ``text`` begin with the name of a pattern of faults?"""
    return text.strip().split(":", 1)[0] in FAULT_PATTERNS


def faults_from_text(text: str, wiring: Wiring) -> Bools:
    """The faulty switches that ``text`` names, bool, shape (levels of switches, N); raises InputError."""
    name, _, rest = text.strip().partition(":")
    build, needed, optional = FAULT_PATTERNS[name]
    where = f"faults {name}"
    options = options_of(rest.split(",") if rest else [], where=where, flags=(), options=(*needed, *optional))
    for key in needed:
        if key not in options.options:
            raise InputError(f"{where} needs {key}=")
    return build(wiring, options)


def _number(pieces: Pieces, name: str, below: int) -> int:
    value = parse_whole(pieces.options[name], what=f"{name} of the faults")
    if value >= below:
        raise InputError(f"{name} of the faults is {value}; at most {below - 1} was expected")
    return value


def _no_faults(wiring: Wiring) -> Bools:
    return np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)


def _random(wiring: Wiring, pieces: Pieces) -> Bools:
    """So many switches, uniformly at random (``numpy.random.default_rng(seed).choice``), on all levels or on one."""
    faulty = _no_faults(wiring)
    every = np.arange(faulty.size).reshape(faulty.shape)
    pool = every[_number(pieces, "level", len(every))] if "level" in pieces.options else every.ravel()
    count, seed = _number(pieces, "count", len(pool) + 1), _number(pieces, "seed", 1 << 62)
    faulty.reshape(-1)[np.random.default_rng(seed).choice(pool, size=count, replace=False)] = True
    return faulty


def _block(wiring: Wiring, pieces: Pieces) -> Bools:
    """The block of a switch, whole or its first so many switches."""
    faulty = _no_faults(wiring)
    level, row = _number(pieces, "level", len(faulty)), _number(pieces, "row", wiring.inputs)
    size = 1 << wiring.block_bits(level)
    start = row // size * size
    count = _number(pieces, "count", size + 1) if "count" in pieces.options else size
    faulty[level, start : start + count] = True
    return faulty


def _attack(wiring: Wiring, pieces: Pieces) -> Bools:
    """So many switches of one level, chosen one by one: the one that brings most tails to losing half of their edges.

    Among equals the one with most edges from tails already hit, then the lowest row.  Greedy, so a lower bound on what
    an adversary can do.
    """
    faulty = _no_faults(wiring)
    level, count = _number(pieces, "level", len(faulty)), _number(pieces, "count", wiring.inputs + 1)
    if not level:
        raise InputError("an attack is on level 1 or later: it aims at the switches before it")
    limit = (wiring.multiplicity + 1) // 2
    wire = wiring.wire[level - 1]
    tails = np.empty_like(wire)
    for colour, image in enumerate(wire):
        tails[colour, image] = np.arange(wiring.inputs)
    side = np.arange(wiring.inputs) >> wiring.direction_bit(level - 1) & 1 if level > wiring.reversed_levels else 0
    side = np.broadcast_to(side, (wiring.inputs,))
    hit = np.zeros((2, wiring.inputs), dtype=np.int64)
    for _ in range(count):
        before = hit[side, tails]
        score = ((before < limit) & (before + 1 >= limit)).sum(axis=0) * 1000 + before.sum(axis=0)
        score[faulty[level]] = -1
        chosen = int(np.argmax(score))
        faulty[level, chosen] = True
        np.add.at(hit[side[chosen]], tails[:, chosen], 1)
    return faulty


FAULT_PATTERNS: dict[str, tuple[Callable[[Wiring, Pieces], Bools], tuple[str, ...], tuple[str, ...]]] = {
    "random": (_random, ("count", "seed"), ("level",)),
    "block": (_block, ("level", "row"), ("count",)),
    "attack": (_attack, ("count", "level"), ()),
}
