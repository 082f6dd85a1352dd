"""Reports about multistage networks: deterministic runs done again, survivors and expansion computed again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.multistage.wiring import Wiring
from ..kind import CIRCUITS, EXACT, FAULTS, NAMED, PACKETS, YES_OR_NO, Kind, States, SubjectKind, counts
from ..reading import Report, as_fraction, as_numbers, as_whole, check_value, errors_at, name_of
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Keys, ListOf, Shape, Word
from ..subject import wiring_of
from ..work import spend
from .replays import check_levels, replay, replay_faults

_MOST_INPUTS = 1 << 14
_PAIRS_COUNTED = 4096  # inputs up to which connected pairs are a count of the run
_Expected = tuple[dict[str, int | str], dict[str, list[int]]]


def verify_multistage(report: Report) -> None:
    """Check the claims of a report about a run on a wiring."""
    check_run(wiring_of(report.subject), report)


def check_run(wiring: Wiring, report: Report) -> None:
    """All that one run says, each quantity once: the run is done again."""
    check_levels(wiring)
    first = report.claims[0]
    kind, settings = first.evidence.kind, first.evidence.data
    if "with" in settings:
        raise VerificationError("claims[0]: the claim that holds the evidence of the run comes first")
    with errors_at(name_of(0, first)):
        spend((4 + 60 / wiring.inputs) * wiring.wire.size * settings.get("permutations", 1), "its run")
        expected, lists = (_survivors if kind == "fault-propagation" else _run)(wiring, settings)

    def check(claim: Claim) -> None:
        data = claim.evidence.data
        if claim.evidence.kind != kind or (claim is not first and "with" not in data):
            raise VerificationError("its evidence does not belong to the run of claims[0]")
        if claim.quantity not in expected:
            raise VerificationError("the run says nothing about it")
        check_value(claim, expected[claim.quantity], "the run gives")
        if claim.quantity in lists and data["list"] != lists[claim.quantity]:
            raise VerificationError("its list is not that of the survivors")

    report.check_each(check)


def _survivors(wiring: Wiring, data: Mapping[str, Any]) -> _Expected:
    """What faults leave; and the lists of inputs and outputs that survive."""
    erased, declared, faulty = _faults(wiring, data)
    alive = ~(erased | declared | faulty)
    inputs, outputs = (np.nonzero(x)[0].tolist() for x in (alive[0], alive[-1]))
    if wiring.inputs > _MOST_INPUTS:
        raise InputError(f"whether {wiring.inputs:,} inputs reach all outputs is not checked; run it again")
    joined = _pairs(wiring, alive) == len(inputs) * len(outputs)
    expected: dict[str, int | str] = {
        "surviving_inputs": len(inputs), "surviving_outputs": len(outputs), "faults": int(faulty.sum()),
        "erased": int(erased.sum()), "declared_faulty": int(declared.sum()),
        "survivors_connected": "true" if joined else "false",
    }  # fmt: skip
    if wiring.inputs <= _PAIRS_COUNTED:
        expected["connected_pairs"] = _pairs(wiring, ~faulty)
    return expected, {"surviving_inputs": inputs, "surviving_outputs": outputs}


def _run(wiring: Wiring, data: Mapping[str, Any]) -> _Expected:
    """The counts of a run of packets or circuits."""
    erased, declared, faulty = _faults(wiring, data)
    alive = ~(erased | declared | faulty)
    algorithm = data["algorithm"]
    load = as_whole(data.get("load", 1 if algorithm == "greedy" else None), "its load", 1, wiring.inputs)
    each = load if "rounds" in data else 1  # rows between the ends of circuits
    if wiring.inputs % each:
        raise VerificationError(f"its load {load} does not divide {wiring.inputs}")
    images = _images(data, wiring.inputs // each)
    if "rounds" in data and len(images) != 1:
        raise VerificationError(f"it has {len(images)} permutations; circuits are of one")
    sent = images >= 0
    there = alive[0, ::each][None, :] & alive[-1, np.where(sent, images, 0) * each]
    if (sent & ~there).any():
        raise VerificationError("one of its packets starts or ends at a switch that does not survive the faults")
    counts, rounds = replay(algorithm, wiring, images, load, alive, data)
    if data.get("rounds", []) != rounds:
        raise VerificationError("its rounds are not those of the run")
    if not data.get("searched", "adversary:").startswith("adversary"):
        raise VerificationError("it says that its permutation was searched for, by no adversary")
    return {**counts}, {}


def _faults(wiring: Wiring, data: Mapping[str, Any]) -> tuple[Bools, Bools, Bools]:
    """(erased, declared, faulty)."""
    faulty = np.zeros((wiring.num_edge_levels + 1, wiring.inputs), dtype=np.bool_)
    if not {"faults", "epsilon", "threshold"} & set(data):
        return faulty, faulty, faulty
    if not {"faults", "epsilon", "threshold"} <= set(data):
        raise VerificationError("faults go with epsilon and threshold, and these with faults")
    for entry in data["faults"]:
        if len(entry) != 2 or not (0 <= entry[0] < faulty.shape[0] and 0 <= entry[1] < faulty.shape[1]):
            raise VerificationError(f"its fault {str(entry)[:40]} is outside the network")
        if faulty[entry[0], entry[1]]:
            raise VerificationError(f"its fault {entry} is stated twice")
        faulty[entry[0], entry[1]] = True
    return *replay_faults(wiring, faulty, as_fraction(data["epsilon"], "epsilon"), data["threshold"]), faulty


def _images(data: Mapping[str, Any], size: int) -> Int64:
    count = as_whole(data["permutations"], "its number of permutations", 1, 1 << 20)
    if "images" not in data:
        raise VerificationError("its permutations are given by a digest only: run it again to verify it")
    if "sha256" in data:
        raise VerificationError("its permutations are given in full, and by a digest, which nothing checks")
    flat = as_numbers(data["images"], "images", count * size)
    if int(flat.min()) < 0 or int(flat.max()) > size:
        raise VerificationError(f"its permutations are not {count} lists of {size} terminals")
    images = flat.reshape(count, size) - 1
    for image in images:
        sent = image[image >= 0]
        if len(np.unique(sent)) != len(sent):
            raise VerificationError("one of its permutations sends twice to one output")
    packets = int((images >= 0).sum())
    if data["packets"] != packets or data["partial"] is not (packets < images.size):
        raise VerificationError(f"it says {data['packets']} packets; its permutations have {packets}")
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
PACKET_RUN = Kind(
    "packet-run",
    "A deterministic run, simulated again step by step by other code.",
    ANY,
    counts(_PACKET_COUNTS, _PACKET_RUN),
    PACKETS,
    subjects=frozenset({"multistage", "sweep"}),
)
CIRCUIT_RUN = Kind(
    "circuit-run",
    "A deterministic run, simulated again level by level by other code.",
    ANY,
    counts(_CIRCUIT_COUNTS, _CIRCUIT_RUN),
    CIRCUITS,
    subjects=frozenset({"multistage", "sweep"}),
)
PIPELINED_CIRCUIT_RUN = Kind(
    "pipelined-circuit-run",
    "A deterministic run with placeholders and cancellations, simulated again by other code.",
    ANY,
    counts(_PIPELINED_COUNTS, _PIPELINED_RUN),
    CIRCUITS,
    subjects=frozenset({"multistage", "sweep"}),
)
FAULT_PROPAGATION = Kind(
    "fault-propagation",
    "Erasure of blocks and propagation of faults, carried out again by other code.",
    ANY,
    {
        **counts(_FAULT_COUNTS, Keys({**_BROKEN, "list": ListOf(WHOLE)})),
        "survivors_connected": States(EXACT, Grade.EXHAUSTED, evidence=Keys(_OF_FAULTS), words=YES_OR_NO),
        "surviving_outputs": States(EXACT, Grade.EXHAUSTED, evidence=Keys({**_OF_FAULTS, "list": ListOf(WHOLE)})),
    },
    FAULTS,
    subjects=frozenset({"multistage", "sweep"}),
)
MULTISTAGE = SubjectKind("multistage", verify_multistage, Keys({"wiring": ANY}, NAMED))
