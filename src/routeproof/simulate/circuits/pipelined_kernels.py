"""Compiled phases of circuit switching with placeholders and cancellations; see ``switching.route_pipelined``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32
from ...machine.compiled import njit


class Switches(NamedTuple):  # taken apart before loops: reading a field counts references
    """By level and row.  A switch is on a path (``circuit`` >= 0: which), given up (-2), a placeholder, or free.

    ``wire``: the wiring's; ``working``: the switches that may be used; ``target``: the row that circuit t goes to.
    ``placeholder``, ``taken`` (its one acceptance has been given): bool, (n + 1, N).  ``reach[l, q, r]``: int16, the
    colour along which the switch has been accepted in direction q, or -1; ``sent``: it has sent placeholders in that
    direction.  ``hold[l, c, r]``: the head of this edge still believes that its tail needs it; ``held``: int32, how
    many believe so, by head.
    """

    wire: Int32
    working: Bools
    target: Int32
    circuit: Int32
    placeholder: Bools
    taken: Bools
    reach: npt.NDArray[np.int16]
    sent: Bools
    hold: Bools
    held: Int32


class Paths(NamedTuple):
    """``front``: the level that circuit t has come to, -1: dropped; ``row``, ``colour``: by level and circuit."""

    front: Int32
    row: Int32
    colour: Int32


@njit(cache=True, nogil=True, error_model="numpy")
def _wants(circuit, placeholder, target, level, direction, row, bit):  # type: ignore[no-untyped-def]
    """Does this switch need an output in this direction, extended or not?"""
    t = circuit[level, row]
    if t >= 0:
        return (target[t] >> bit) & 1 == direction
    return t == -1 and placeholder[level, row]


@njit(cache=True, nogil=True, error_model="numpy")
def _extend(level, switches, asked):  # type: ignore[no-untyped-def]
    """One path-extension step of the splitters of one level: (unextended before it, extended), (-1, 0) at a flaw."""
    wire, working, target, circuit, placeholder, taken, reach, _, hold, held = switches
    n, colours, rows = wire.shape
    bit = n - 1 - level
    asked[:] = 0
    open_ = 0
    for r in range(rows):
        if circuit[level, r] == -1 and not placeholder[level, r]:
            continue
        for q in range(2):
            if reach[level, q, r] >= 0 or not _wants(circuit, placeholder, target, level, q, r, bit):
                continue
            open_ += 1
            for c in range(colours):
                h = wire[level, c, r]
                if (h >> bit) & 1 != q or not working[level + 1, h]:
                    continue
                first = True
                for e in range(c):
                    first &= wire[level, e, r] != h
                asked[h] += first
    advanced = 0
    if open_ == 0:
        return 0, 0
    for r in range(rows):
        if circuit[level, r] == -1 and not placeholder[level, r]:
            continue
        for q in range(2):
            if reach[level, q, r] >= 0 or not _wants(circuit, placeholder, target, level, q, r, bit):
                continue
            for c in range(colours):
                h = wire[level, c, r]
                if (h >> bit) & 1 == q and asked[h] == 1 and working[level + 1, h]:
                    fresh = circuit[level + 1, h] == -1 and not placeholder[level + 1, h]
                    if taken[level + 1, h] or not (fresh or hold[level, c, r]):
                        return -1, 0  # a proposal hits a switch that is another's
                    taken[level + 1, h] = True
                    reach[level, q, r] = c
                    if not hold[level, c, r]:
                        hold[level, c, r] = True
                        held[level + 1, h] += 1
                    placeholder[level + 1, h] = True
                    advanced += 1
                    break
    return open_, advanced


@njit(cache=True, nogil=True, error_model="numpy")
def _advance(switches, paths, moved):  # type: ignore[no-untyped-def]
    """Every path that has not moved in this phase and has a switch to go to moves by one level; returns how many."""
    wire, target, circuit, reach = switches.wire, switches.target, switches.circuit, switches.reach
    front, row, colour = paths
    n = wire.shape[0]
    count = 0
    for t in range(front.shape[0]):
        level = front[t]
        if level < 0 or level >= n or moved[t]:
            continue
        at = row[level, t]
        c = reach[level, (target[t] >> (n - 1 - level)) & 1, at]
        if c < 0:
            continue
        h = wire[level, c, at]
        circuit[level + 1, h] = t
        row[level + 1, t] = h
        colour[level, t] = c
        front[t] = level + 1
        moved[t] = True
        count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _census(last, unfinished, switches, count):  # type: ignore[no-untyped-def]
    """``count``: how many are unextended, by splitter and direction (the head's block: 2^(level + 1) of a level)."""
    target, circuit, placeholder, reach = switches.target, switches.circuit, switches.placeholder, switches.reach
    n = switches.wire.shape[0]
    count[:] = 0
    for level in range(last + 1):
        if not unfinished[level]:
            continue
        bit = n - 1 - level
        for r in range(circuit.shape[1]):
            if circuit[level, r] == -1 and not placeholder[level, r]:
                continue
            for q in range(2):
                if reach[level, q, r] < 0 and _wants(circuit, placeholder, target, level, q, r, bit):
                    count[(2 << level) - 2 + (((r >> (bit + 1)) << 1) | q)] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _extend_phase(phase, numerator, denominator, switches, paths, unfinished):  # type: ignore[no-untyped-def]
    """Path-extension steps until few enough are unextended: (steps, moves of paths), or (-1, level) at a flaw.

    ``unfinished``: by level, False where nobody is left to extend.  Levels 0 .. ``phase`` take part.
    """
    n, _, rows = switches.wire.shape
    last = min(phase, n - 1)
    asked = np.zeros(rows, np.int32)
    moved = np.zeros(paths.front.shape[0], np.bool_)
    limit = np.zeros((2 << n) - 2, np.int64)
    _census(last, unfinished, switches, limit)
    for k in range(limit.shape[0]):
        limit[k] = limit[k] * numerator // denominator
    steps = 0
    total = 0
    remaining = np.zeros(limit.shape[0], np.int64)
    while True:
        advanced = 0
        for level in range(last + 1):
            if not unfinished[level]:
                continue
            before, here = _extend(level, switches, asked)
            if before < 0:
                return -1, level
            unfinished[level] = before > here
            advanced += here
        count = _advance(switches, paths, moved)
        total += count
        if advanced + count == 0:
            break
        steps += 1
        _census(last, unfinished, switches, remaining)
        if np.all(remaining <= limit):
            break
    return steps, total


@njit(cache=True, nogil=True, error_model="numpy")
def _send_placeholders(level, switches):  # type: ignore[no-untyped-def]
    """The unextended of ``level`` hold all their neighbours; returns the new placeholders, or -1 at a flaw."""
    wire, working, target, circuit, placeholder, taken, reach, sent, hold, held = switches
    n, colours, rows = wire.shape
    bit = n - 1 - level
    count = 0
    for r in range(rows):
        for q in range(2):
            if reach[level, q, r] >= 0 or not _wants(circuit, placeholder, target, level, q, r, bit):
                continue
            sent[level, q, r] = True
            for c in range(colours):
                h = wire[level, c, r]
                if (h >> bit) & 1 != q or not working[level + 1, h]:
                    continue
                if taken[level + 1, h]:
                    return -1
                if not hold[level, c, r]:
                    hold[level, c, r] = True
                    held[level + 1, h] += 1
                if not placeholder[level + 1, h]:
                    placeholder[level + 1, h] = True
                    count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _cancel_once(switches):  # type: ignore[no-untyped-def]
    """Cancellations travel by one level; returns how many edges carry one.

    From the last level back, so that what is learnt at one level is passed on in the next call only.
    """
    wire, _, target, circuit, placeholder, _, reach, sent, hold, held = switches
    n, colours, rows = wire.shape
    count = 0
    for level in range(n - 1, -1, -1):
        bit = n - 1 - level
        for c in range(colours):
            for r in range(rows):
                if not hold[level, c, r]:
                    continue
                h = wire[level, c, r]
                q = (h >> bit) & 1
                needs = _wants(circuit, placeholder, target, level, q, r, bit)
                if needs and (reach[level, q, r] == c or (reach[level, q, r] < 0 and sent[level, q, r])):
                    continue
                hold[level, c, r] = False
                held[level + 1, h] -= 1
                count += 1
                if held[level + 1, h] == 0 and circuit[level + 1, h] == -1:
                    placeholder[level + 1, h] = False
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def run_phase(phase, rho, distance, switches, paths, unfinished):  # type: ignore[no-untyped-def]
    """The three parts of a phase: (path-extension steps, moves, placeholders, cancellations).

    ``rho``: (numerator, denominator).  At a flaw (-1, level, 0, 0), of a proposal, or (-2, level, 0, 0), a placeholder.
    """
    steps, moved = _extend_phase(phase, *rho, switches, paths, unfinished)
    if steps < 0:
        return -1, moved, 0, 0
    new = _send_placeholders(phase, switches) if phase < unfinished.shape[0] else 0
    if new < 0:
        return -2, phase + 1, 0, 0
    gone = 0
    for _ in range(distance):
        once = _cancel_once(switches)
        gone += once
        if once == 0:
            break
    return steps, moved, new, gone
