"""Multistage networks for a page: the switches as a grid of levels and rows, frame after frame."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...claims.words import in_quotes
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ...formats.documents.packed_ints import unpack_ints
from ...simulate.circuits.switching import route_circuits
from ...simulate.multistage.survivors import Survivors, survive
from ...simulate.packets.upfal import route_packets
from .numbers import packed

_MOST_CELLS = 60_000  # of one frame
_MOST_BYTES = 3_000_000  # of all frames
_MOST_WIRES = 6_000
_DEAD = 3
Frames = list[tuple[str, npt.NDArray[np.integer]]]


_FAULTS = ("alive", "faulty", "erased", "declared faulty")
_PACKETS = ("empty", "holds a packet", "packet arrived", "dead")
_CIRCUITS = ("idle", "on a circuit", "end of a circuit", "dead")


def cells_view(wiring: Wiring, claims: Sequence[Claim], quoted: Collection[str] = ()) -> dict[str, Any] | None:
    """The run or the faults that ``claims`` are about, made again and kept frame by frame.

    ``quoted``: names that stand in quotation marks.  None where there is nothing to step through, or it would be too
    large.
    """
    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    if switches > _MOST_CELLS:
        return None
    for claim in claims:
        kind, data = claim.evidence.kind, claim.evidence.data
        if "with" in data:
            continue
        if kind == "fault-propagation":
            return _view(wiring, _fault_frames(_survivors(wiring, data)), _FAULTS, quoted)
        if kind == "packet-run" and data.get("algorithm") == "upfal" and "images" in data:
            return _view(wiring, _packet_frames(wiring, data), _PACKETS, quoted)
        if kind == "circuit-run" and "images" in data:
            return _view(wiring, _circuit_frames(wiring, data), _CIRCUITS, quoted)
    return None


def _view(wiring: Wiring, frames: Frames, legend: tuple[str, ...], quoted: Collection[str]) -> dict[str, Any]:
    return {
        "kind": "cells",
        "name": in_quotes(wiring.name, quoted),
        "levels": wiring.num_edge_levels + 1,
        "rows": wiring.inputs,
        "legend": list(legend),
        "frames": [{"label": label, "cells": packed(cells)} for label, cells in frames],
        **({"wires": packed(wiring.wire.reshape(-1).astype(np.int64))} if wiring.wire.size <= _MOST_WIRES else {}),
    }


def _survivors(wiring: Wiring, data: Mapping[str, Any]) -> Survivors:
    faulty = np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    for level, row in data["faults"]:
        faulty[level, row] = True
    return survive(wiring, faulty, epsilon=Fraction(data["epsilon"]), threshold=int(data["threshold"]))


def _fault_frames(survivors: Survivors) -> Frames:
    """Faults, then what is erased, then propagation from the last level back, a level a frame."""
    cells = survivors.faulty.astype(np.int64)
    frames: Frames = [("the faults", cells.copy())]
    cells[survivors.erased] = 2
    frames.append(("blocks with too many faults are erased", cells.copy()))
    for level in reversed(range(len(cells))):
        if survivors.declared[level].any():
            cells[level, survivors.declared[level]] = _DEAD
            count = int(survivors.declared[level].sum())
            frames.append((f"level {level}: {count} more declared faulty", cells.copy()))
    return frames


def _images(data: Mapping[str, Any]) -> npt.NDArray[np.int32]:
    flat = unpack_ints(data["images"], what="permutations", max_items=1 << 22) - 1
    return flat.reshape(int(data["permutations"]), -1).astype(np.int32)


def _alive(wiring: Wiring, data: Mapping[str, Any]) -> npt.NDArray[np.bool_] | None:
    return _survivors(wiring, data).alive if "faults" in data else None


def _packet_frames(wiring: Wiring, data: Mapping[str, Any]) -> Frames:
    """Where packets are after every step, or after every so many where steps are many."""
    images, alive, load = _images(data), _alive(wiring, data), int(data["load"])
    shape = (wiring.num_edge_levels + 1, wiring.inputs)
    total = int(route_packets(wiring, images, load=load, alive=alive).steps)
    every = max(1, -(-total * shape[0] * shape[1] // _MOST_BYTES))
    frames: Frames = []

    def watch(step: int, state: npt.NDArray[np.integer]) -> None:
        if step % every and step != total:
            return
        cells = np.zeros(shape, dtype=np.int64)
        cells[:-1][state >= 0] = 1
        cells[:-1][state == -2] = _DEAD
        frames.append((f"step {step}", cells))

    run = route_packets(wiring, images, load=load, alive=alive, watch=watch)
    arrived = run.arrival
    for label, cells in frames:
        step = int(label.split()[1])
        cells[-1][((arrived > 0) & (arrived <= step)).any(axis=0)] = 2
        if alive is not None:
            cells[-1][~alive[-1]] = _DEAD
    return frames


def _circuit_frames(wiring: Wiring, data: Mapping[str, Any]) -> Frames:
    """The circuits as they grow, a level a frame; those that fail disappear where they fail."""
    images, alive = _images(data), _alive(wiring, data)
    if len(images) != 1:
        raise InputError(f"{len(images)} permutations for circuits; one was expected")
    run = route_circuits(wiring, images[0], load=int(data["load"]), alive=alive)
    base = np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.int64)
    if alive is not None:
        base[~alive] = _DEAD
    frames: Frames = [("before the first level", base)]
    for level, here in enumerate(run.row):
        cells = base.copy()
        for at in range(level + 1):
            cells[at, run.row[at][run.row[at] >= 0]] = 2 if at == level else 1
        frames.append((f"level {level}: {int((here >= 0).sum())} circuits", cells))
    return frames
