"""What a simulation says: exact counts of a deterministic run, which anybody can run again; who survives faults."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...claims.multistage.runs import CIRCUIT_RUN, FAULT_PROPAGATION, PACKET_RUN, PIPELINED_CIRCUIT_RUN
from ...core.claim import Claim
from ...core.multistage.wiring import Wiring
from ...formats.documents.packed_ints import pack_ints
from ...formats.documents.wiring import switch_list, wiring_to_document
from ..circuits.switching import CircuitRun
from ..packets.upfal import PacketRun
from .survivors import Survivors, check_connected, connected_pairs

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
