"""One run on a multistage network from its texts: what the command line asks for, once or at every point of a sweep.

What it says: exact counts of a deterministic run, which anybody can run again; who survives faults.
"""

from __future__ import annotations

import hashlib
import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...claims.multistage.runs import CIRCUIT_RUN, FAULT_PROPAGATION, PACKET_RUN, PIPELINED_CIRCUIT_RUN
from ...core.arrays import Int32
from ...core.claim import Claim
from ...core.errors import InputError, did_you_mean
from ...core.multistage.wiring import Wiring
from ...core.rational import parse_fraction
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...formats.documents.wiring import read_switch_faults, switch_list, wiring_to_document
from ...formats.resolve import resolve_permutations, resolve_wiring
from ...topologies.multistage.fault_patterns import faults_from_text, is_fault_pattern
from ..circuits.switching import CircuitRun, route_circuits, route_pipelined, terminals_at
from ..packets.slow_permutations import is_adversary, slow_permutation
from ..packets.upfal import PacketRun, check_load, route_greedily, route_packets
from .survivors import Survivors, check_connected, connected_pairs, default_threshold, restrict_to, survive

_PAIRS = 4096  # inputs up to which pairs are counted
_WHOLE = 1 << 20  # wires or packets that are written out in full


def described_wiring(wiring: Wiring) -> dict[str, Any]:
    """The wiring by its text, in full, or (where it is large) by the SHA-256 of its int32 entries, little-endian."""
    if wiring.spec is not None:
        return {"spec": wiring.spec}
    if wiring.wire.size <= _WHOLE:
        return wiring_to_document(wiring)
    return {"name": wiring.name, "sha256": _digest(wiring.wire)}


def described_images(images: npt.NDArray[np.int32]) -> dict[str, Any]:
    """Permutations in full (one list after the other, 0 for no packet, j + 1 for output j), or their SHA-256."""
    count, rows = images.shape
    data: dict[str, Any] = {"permutations": count, "packets": int(np.count_nonzero(images >= 0))}
    data["partial"] = data["packets"] < count * rows
    if images.size <= _WHOLE:
        data["images"] = pack_ints(images.reshape(-1).astype(np.int64) + 1)
    else:
        data["sha256"] = _digest(images)
    return data


def packet_claims(run: PacketRun, images: npt.NDArray[np.int32], settings: Mapping[str, Any]) -> list[Claim]:
    """steps, stages, moves, swaps and delivered of one run; ``settings``: algorithm, load, faults."""
    data = {**settings, **described_images(images)}
    numbers = {"steps": run.steps, "stages": run.stages, "moves": run.moves, "swaps": run.swaps}
    if data.get("algorithm") == "greedy":
        del numbers["stages"], numbers["swaps"]  # it has neither
    numbers["delivered"] = run.delivered
    return PACKET_RUN.counted(numbers, data)


def circuit_claims(run: CircuitRun, image: npt.NDArray[np.int32], settings: Mapping[str, Any]) -> list[Claim]:
    """steps (path-extension steps), stages (levels, one after the other, or phases), moves, swaps (none), delivered,
    bit_steps; where ``settings`` name the algorithm ``pipelined``, placeholders and cancellations as well."""
    pipelined = settings.get("algorithm") == "pipelined"
    numbers = {"steps": run.steps, "stages": len(run.rounds), "moves": run.moves, "swaps": 0}
    numbers |= {"delivered": run.connected, "bit_steps": run.bit_steps}
    if pipelined:
        numbers |= {"placeholders": run.placeholders, "cancellations": run.cancellations}
    data = {**settings, **described_images(image[None, :]), "rounds": list(run.rounds)}
    return (PIPELINED_CIRCUIT_RUN if pipelined else CIRCUIT_RUN).counted(numbers, data)


def fault_claims(wiring: Wiring, survivors: Survivors, settings: Mapping[str, Any]) -> list[Claim]:
    """surviving_inputs and surviving_outputs (with the lists), how many switches were lost to what, and connectedness.

    ``connected_pairs`` counts the pairs of an input and an output that live switches still join when nothing is erased
    or declared; for up to 4,096 inputs.
    """
    check_connected(wiring, survivors)
    faults = switch_list(survivors.faulty)
    numbers = {
        "surviving_inputs": len(survivors.inputs),
        "surviving_outputs": len(survivors.outputs),
        "faults": len(faults),
        "erased": int(np.count_nonzero(survivors.erased)),
        "declared_faulty": int(np.count_nonzero(survivors.declared)),
    }
    if wiring.inputs <= _PAIRS:
        numbers["connected_pairs"] = connected_pairs(wiring, ~survivors.faulty)
    inputs, _, *rest = FAULT_PROPAGATION.counted(numbers, {**settings, "faults": faults, "list": survivors.inputs})
    refers = {"with": inputs.quantity}
    outputs = FAULT_PROPAGATION.claim(
        len(survivors.outputs), {**refers, "list": survivors.outputs}, quantity="surviving_outputs"
    )
    connected = FAULT_PROPAGATION.claim("true", refers, quantity="survivors_connected", source="")
    return [inputs, outputs, *rest[:3], connected, *rest[3:]]


def _digest(array: npt.NDArray[np.int32]) -> str:
    return hashlib.sha256(np.ascontiguousarray(array, dtype="<i4").tobytes()).hexdigest()


_PACKETS = ("upfal", "greedy")


@dataclass(frozen=True)
class WiredRequest:
    """What is to be run, by texts: ``wiring`` a family or a file, ``permutation`` and ``faults`` patterns or files.

    ``algorithm``: packets ``upfal`` or ``greedy``, circuits ``simple`` or ``pipelined``.
    """

    wiring: str
    permutation: tuple[str, ...] = ()
    load: int = 1
    algorithm: str = ""
    rho: str = "1/2"
    distance: int = 2
    faults: str | None = None
    epsilon: str = "1/4"
    threshold: int | None = None


@dataclass(frozen=True)
class WiredRun:
    """What came of it; ``images``: int32, shape (P, terminals); ``survivors``: where faults were given;
    ``tried``: of so many permutations this is the slowest, 0 where none was looked for."""

    wiring: Wiring
    result: PacketRun | CircuitRun | Survivors
    claims: list[Claim]
    images: Int32
    survivors: Survivors | None
    tried: int = 0

    @property
    def alive(self) -> npt.NDArray[np.bool_] | None:
        return None if self.survivors is None else self.survivors.alive


def run_packets(asked: WiredRequest, *, progress: Progress | None = None) -> WiredRun:
    """Permutations as packets, or the slowest that ``adversary:...`` finds.  Raises InputError."""
    chosen = resolve_wiring(asked.wiring)
    algorithm = asked.algorithm or _PACKETS[0]
    if algorithm not in _PACKETS:
        raise InputError(
            f"unknown algorithm '{algorithm[:40]}' for multistage networks; {did_you_mean(algorithm[:40], _PACKETS)}"
        )
    check_load(asked.load, chosen.inputs)
    searched = any(map(is_adversary, asked.permutation))
    if searched and len(asked.permutation) > 1:
        raise InputError(f"{len(asked.permutation)} permutations were given; an adversary looks for one, alone")
    images = None if searched else resolve_permutations(asked.permutation, chosen.inputs)
    survivors, more = _survivors(chosen, asked)
    load = {} if algorithm == "greedy" else {"load": asked.load}  # which has no such thing
    settings: dict[str, Any] = {"algorithm": algorithm, **load, **more}

    def route(some: Int32, progress: Progress | None = None, check: bool | None = False) -> PacketRun:
        alive = None
        if survivors is not None:
            alive, some = survivors.alive, restrict_to(survivors, some)
        if algorithm == "greedy":
            return route_greedily(chosen, some, alive=alive, progress=progress)
        return route_packets(chosen, some, load=asked.load, alive=alive, check=check, progress=progress)

    tries = 0
    if images is None:
        images, tries = slow_permutation(asked.permutation[0], chosen.inputs, route, progress)
        settings["searched"] = asked.permutation[0].strip()
        progress = None
    run = route(images, progress, None)
    if survivors is not None:
        images = restrict_to(survivors, images)
    return WiredRun(chosen, run, packet_claims(run, images, settings), images, survivors, tries)


def run_circuits(asked: WiredRequest, *, progress: Progress | None = None) -> WiredRun:
    """One permutation of every L-th row as disjoint paths.  Raises InputError."""
    fraction = parse_fraction(asked.rho, what="rho")
    chosen = resolve_wiring(asked.wiring)
    images = resolve_permutations(asked.permutation, terminals_at(asked.load, chosen.inputs))
    if len(images) > 1:
        raise InputError(f"{len(images)} permutations were given; circuits hold their switches, so one was expected")
    pipelined = asked.algorithm == "pipelined"
    survivors, more = _survivors(chosen, asked)
    options = {"rho": str(fraction), "distance": asked.distance} if pipelined else {}
    settings = {"algorithm": asked.algorithm or "simple", "load": asked.load, **options, **more}
    alive = None if survivors is None else survivors.alive
    if alive is not None:
        kept = alive[0, :: asked.load] & alive[-1, images[0] * asked.load] & (images[0] >= 0)
        images = np.where(kept, images, np.int32(-1))
    if pipelined:
        run = route_pipelined(
            chosen, images[0], load=asked.load, rho=fraction, distance=asked.distance, alive=alive, progress=progress
        )
    else:
        run = route_circuits(chosen, images[0], load=asked.load, alive=alive)
    return WiredRun(chosen, run, circuit_claims(run, images[0], settings), images, survivors)


def run_faults(asked: WiredRequest) -> WiredRun:
    """Erasure and propagation.  Raises InputError."""
    chosen = resolve_wiring(asked.wiring)
    survivors, settings = survivors_of(chosen, asked)
    claims = fault_claims(chosen, survivors, settings)
    return WiredRun(chosen, survivors, claims, np.empty((0, chosen.inputs), dtype=np.int32), survivors)


def survivors_of(wiring: Wiring, asked: WiredRequest) -> tuple[Survivors, dict[str, Any]]:
    """Who survives the request's faults, and the settings for a report; raises InputError."""
    if asked.faults is None:
        raise InputError("no faults are given; --faults FILE, or a pattern such as random:count=20,seed=1 was expected")
    epsilon = parse_fraction(asked.epsilon, what="epsilon")
    text = asked.faults
    pattern = is_fault_pattern(text) and not os.path.isfile(text)
    faulty = faults_from_text(text, wiring) if pattern else read_switch_faults(text, wiring)
    survivors = survive(wiring, faulty, epsilon=epsilon, threshold=asked.threshold)
    return survivors, {"epsilon": str(epsilon), "threshold": asked.threshold or default_threshold(wiring)}


def _survivors(wiring: Wiring, asked: WiredRequest) -> tuple[Survivors | None, dict[str, Any]]:
    """As ``survivors_of`` with the faults themselves; nothing where none are given."""
    if asked.faults is None:
        return None, {}
    survivors, settings = survivors_of(wiring, asked)
    return survivors, {**settings, "faults": switch_list(survivors.faulty)}
