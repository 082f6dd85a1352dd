"""Reports about multistage networks: deterministic runs done again, survivors and expansion computed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ...formats.documents.packed_ints import unpack_ints
from ..context import Progress
from ..kind import EXACT, YES_OR_NO, Kind, States, counts
from ..reading import as_fraction, as_list, stated
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Keys, ListOf, Shape, Word
from ..sources import CIRCUITS, FAULTS, PACKETS
from ..subject import wiring_of
from ..work import spend
from .circuit_replays import replay_pipelined
from .replays import Bools, Int64, check_levels, replay_circuits, replay_faults, replay_greedy, replay_upfal

__all__ = ["KINDS", "check_run", "verify_multistage"]

_MOST_INPUTS = 1 << 14


def verify_multistage(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check the claims of a report about a run on a wiring; raises VerificationError for the first that fails."""
    del routing, progress  # a wiring is its own
    return check_run(wiring_of(subject), claims)


def check_run(wiring: Wiring, claims: Sequence[Claim]) -> list[Claim]:
    """All that one run says, each quantity once: the run is done again."""
    check_levels(wiring)
    kind = claims[0].evidence.kind
    if "with" in claims[0].evidence.data:
        raise VerificationError("claims[0]: the claim that holds the evidence of the run comes first")
    try:
        expected, lists = _again(wiring, kind, claims[0].evidence.data)
    except InputError as error:
        raise VerificationError(f"claims[0] ({claims[0].quantity[:80]}): {error}") from None
    for number, claim in enumerate(claims):
        what = f"claims[{number}] ({claim.quantity[:80]})"
        if claim.evidence.kind != kind or (number and claim.evidence.data.get("with") != claims[0].quantity):
            raise VerificationError(f"{what}: its evidence does not belong to the run of claims[0]")
        if claim.quantity not in expected:
            raise VerificationError(f"{what}: the run says nothing about it")
        if claim.value != expected[claim.quantity]:
            raise VerificationError(f"{what}: it is {stated(claim)}; the run gives {expected[claim.quantity]}")
        if claim.quantity in lists and claim.evidence.data.get("list") != lists[claim.quantity]:
            raise VerificationError(f"{what}: its list is not that of the survivors")
    return list(claims)


def _again(
    wiring: Wiring, kind: str, data: Mapping[str, Any]
) -> tuple[dict[str, Fraction | str], dict[str, list[int]]]:
    count = data.get("permutations", 1)
    size = wiring.wire.size
    spend((4 * size + 60 * size // wiring.inputs) * (count if type(count) is int else 1), "its run")
    erased, declared, faulty = _faults(wiring, data)
    alive = ~(erased | declared | faulty)
    if kind == "fault-propagation":
        inputs, outputs = (np.nonzero(x)[0].tolist() for x in (alive[0], alive[-1]))
        counts = {"surviving_inputs": len(inputs), "surviving_outputs": len(outputs), "faults": int(faulty.sum())}
        counts |= {"erased": int(erased.sum()), "declared_faulty": int(declared.sum())}
        if wiring.inputs <= 4096:
            counts["connected_pairs"] = _pairs(wiring, ~faulty)
        expected: dict[str, Fraction | str] = {key: Fraction(x) for key, x in counts.items()}
        if wiring.inputs > _MOST_INPUTS:
            raise InputError(f"whether {wiring.inputs:,} inputs reach all outputs is not checked; run it again")
        joined = _pairs(wiring, alive) == len(inputs) * len(outputs)
        expected["survivors_connected"] = "true" if joined else "false"
        return expected, {"surviving_inputs": inputs, "surviving_outputs": outputs}
    greedy = data["algorithm"] == "greedy"
    load = data.get("load", 1 if greedy else None)
    if type(load) is not int or not 1 <= load <= wiring.inputs:
        raise VerificationError(f"its load is {str(load)[:40]}; 1 to {wiring.inputs} was expected")
    if kind in ("circuit-run", "pipelined-circuit-run"):
        if wiring.inputs % load:
            raise VerificationError(f"its load {load} does not divide {wiring.inputs}")
        images = _images(data, wiring.inputs // load)
        if len(images) != 1:
            raise VerificationError(f"it has {len(images)} permutations; circuits are of one")
        _check_ends(images, alive, load)
        image = images[0]
        if kind == "circuit-run":
            counts, rounds = replay_circuits(wiring, image, load, alive)
        else:
            rho, distance = as_fraction(data.get("rho"), "rho"), data.get("distance")
            if not 0 <= rho < 1 or type(distance) is not int or not 1 <= distance <= 1 << 20:
                raise VerificationError("its rho or its distance of cancellations is outside its range")
            counts, rounds = replay_pipelined(wiring, image, load, rho, distance, alive)
        if data.get("rounds") != rounds:
            raise VerificationError("its rounds are not those of the run")
    else:
        images = _images(data, wiring.inputs)
        _check_ends(images, alive, 1)
        counts = replay_greedy(wiring, images, alive) if greedy else replay_upfal(wiring, images, load, alive)
    if not str(data.get("searched", "adversary:")).startswith("adversary"):
        raise VerificationError("it says that its permutation was searched for, by no adversary")
    return {key: Fraction(x) for key, x in counts.items()}, {}


def _faults(wiring: Wiring, data: Mapping[str, Any]) -> tuple[Bools, Bools, Bools]:
    faulty = np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    if not {"faults", "epsilon", "threshold"} & set(data):
        return faulty, faulty, faulty
    entries = as_list(data, "faults")
    if len({str(x) for x in entries}) != len(entries):
        raise VerificationError("one of its faults is told twice")
    for entry in entries:
        whole = isinstance(entry, list) and len(entry) == 2 and all(type(x) is int for x in entry)
        if not whole or not (0 <= entry[0] < faulty.shape[0] and 0 <= entry[1] < faulty.shape[1]):
            raise VerificationError(f"its fault {str(entry)[:40]} is outside the network")
        faulty[entry[0], entry[1]] = True
    epsilon, threshold = as_fraction(data.get("epsilon"), "epsilon"), data.get("threshold")
    if type(threshold) is not int or not 1 <= threshold <= wiring.multiplicity or not 0 <= epsilon <= 1:
        raise VerificationError("its epsilon or threshold is outside its range")
    erased, declared = replay_faults(wiring, faulty, epsilon, threshold)
    return erased, declared, faulty


def _check_ends(images: Int64, alive: Bools, load: int) -> None:
    """Packets start and end at switches that survive."""
    sent = images >= 0
    there = alive[0, ::load][None, :] & alive[-1, np.where(sent, images, 0) * load]
    if (sent & ~there).any():
        raise VerificationError("one of its packets starts or ends at a switch that does not survive the faults")


def _images(data: Mapping[str, Any], size: int) -> Int64:
    count = data.get("permutations")
    if type(count) is not int or not 1 <= count <= 1 << 20:
        raise VerificationError("it does not say how many permutations it is about")
    if "images" not in data:
        raise VerificationError("its permutations are given by a digest only: run it again to verify it")
    flat = unpack_ints(data["images"], what="images", max_items=count * size)
    if len(flat) != count * size or int(flat.min()) < 0 or int(flat.max()) > size:
        raise VerificationError(f"its permutations are not {count} lists of {size} terminals")
    images = flat.reshape(count, size).astype(np.int64) - 1
    for image in images:
        sent = image[image >= 0]
        if len(np.unique(sent)) != len(sent):
            raise VerificationError("one of its permutations sends twice to one output")
    packets = int((images >= 0).sum())
    if data["packets"] != packets or data["partial"] is not (packets < images.size):
        raise VerificationError(f"it says {data['packets']} packets; its permutations have {packets}")
    if "sha256" in data:
        raise VerificationError("its permutations are given in full, and by a digest, which nothing checks")
    return images


def _pairs(wiring: Wiring, alive: Bools) -> int:
    """Joined pairs of an input and an output, by sets of inputs carried forward as bits of one integer a switch."""
    here = [1 << r if alive[0, r] else 0 for r in range(wiring.inputs)]
    for level in range(wiring.num_edge_levels):
        there = [0] * wiring.inputs
        for image in wiring.wire[level].tolist():
            for r, head in enumerate(image):
                there[head] |= here[r]
        here = [x if ok else 0 for x, ok in zip(there, alive[level + 1].tolist(), strict=True)]
    return sum(x.bit_count() for x in here)


_PACKET_COUNTS = ("steps", "stages", "moves", "swaps", "delivered")
_CIRCUIT_COUNTS = (*_PACKET_COUNTS, "bit_steps")
_PIPELINED_COUNTS = (*_CIRCUIT_COUNTS, "placeholders", "cancellations")
_FAULT_COUNTS = ("surviving_inputs", "faults", "erased", "declared_faulty", "connected_pairs")
_BROKEN: Mapping[str, Shape] = {"epsilon": BOUND, "threshold": WHOLE, "faults": ListOf(ListOf(WHOLE))}
_IMAGES: Mapping[str, Shape] = {"permutations": WHOLE, "packets": WHOLE, "partial": FLAG}
_IN_FULL: Mapping[str, Shape] = {"images": NUMBERS, "sha256": TEXT}
_CIRCUITS: Mapping[str, Shape] = {"load": WHOLE, **_IMAGES, "rounds": ListOf(WHOLE)}
_PACKET_RUN = Keys(
    {"algorithm": Word("upfal", "greedy"), **_IMAGES}, {**_IN_FULL, **_BROKEN, "load": WHOLE, "searched": TEXT}
)
_CIRCUIT_RUN = Keys({"algorithm": Word("simple"), **_CIRCUITS}, {**_IN_FULL, **_BROKEN})
_PIPELINED_RUN = Keys(
    {"algorithm": Word("pipelined"), **_CIRCUITS, "rho": BOUND, "distance": WHOLE}, {**_IN_FULL, **_BROKEN}
)
_OF_FAULTS = {"with": Word("surviving_inputs")}
KINDS: Mapping[str, Kind] = {
    "packet-run": Kind(ANY, counts(_PACKET_COUNTS, _PACKET_RUN), PACKETS),
    "circuit-run": Kind(ANY, counts(_CIRCUIT_COUNTS, _CIRCUIT_RUN), CIRCUITS),
    "pipelined-circuit-run": Kind(ANY, counts(_PIPELINED_COUNTS, _PIPELINED_RUN), CIRCUITS),
    "fault-propagation": Kind(
        ANY,
        {
            **counts(_FAULT_COUNTS, Keys({**_BROKEN, "list": ListOf(WHOLE)})),
            "survivors_connected": States(EXACT, Grade.EXHAUSTED, evidence=Keys(_OF_FAULTS), words=YES_OR_NO),
            "surviving_outputs": States(EXACT, Grade.EXHAUSTED, evidence=Keys({**_OF_FAULTS, "list": ListOf(WHOLE)})),
        },
        FAULTS,
    ),
}
