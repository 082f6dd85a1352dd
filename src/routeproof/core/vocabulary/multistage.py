"""Quantities of multistage networks: packets, circuits, faults, splitters."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

__all__ = ["OF_MULTISTAGE"]

_EXPANSION = "Maggs, Randomly Wired Multistage Networks, sec. 1.4"
_PACKETS = "Maggs, Randomly Wired Multistage Networks, sec. 2"
_CIRCUITS = "Maggs, Randomly Wired Multistage Networks, sec. 3"
_FAULTS = "Maggs, Randomly Wired Multistage Networks, sec. 4"
_EXTENSIONS = "path-extension steps"

OF_MULTISTAGE: Mapping[str, Quantity] = {
    "steps": Quantity(
        "steps",
        "steps",
        "The number of the last step at which something is delivered or a circuit is extended; a packet crosses at "
        "most one channel a step.",
        f"{_PACKETS} and 3; Hwang, Yao & Dasgupta, sec. 1",
        {"circuit-run": _EXTENSIONS, "pipelined-circuit-run": _EXTENSIONS},
    ),
    "median_steps": Quantity(
        "median steps",
        "steps",
        "The median of the steps that random permutations take.",
        _PACKETS,
    ),
    "stages": Quantity(
        "stages",
        "stages",
        "For packets, the stages of Upfal's algorithm, 4d steps each; for circuits, the levels passed one after the "
        "other, or the phases where levels overlap.",
        f"{_PACKETS} and 3",
        {"circuit-run": "levels", "pipelined-circuit-run": "phases"},
    ),
    "moves": Quantity("moves", "", "How often a packet or the end of a circuit moves on by one channel."),
    "swaps": Quantity("swaps", "", "How often two packets change places.", _PACKETS),
    "delivered": Quantity(
        "delivered",
        "packets",
        "How many packets arrive; of circuits, how many are established.",
        units={"circuit-run": "circuits", "pipelined-circuit-run": "circuits"},
    ),
    "bit_steps": Quantity(
        "bit-steps",
        "bit-steps",
        "The time of circuit switching in steps of one bit a channel: three for each path-extension step, and those of "
        "placeholders and cancellations.",
        f"{_CIRCUITS}.2",
    ),
    "placeholders": Quantity(
        "placeholders",
        "switches",
        "How many free switches receive a placeholder, which reserves them for a path that may still come.",
        f"{_CIRCUITS}.2",
    ),
    "cancellations": Quantity(
        "cancellations",
        "",
        "How many channels carry a cancellation, which frees what a placeholder reserved.",
        f"{_CIRCUITS}.2",
    ),
    "all_connected_probability": Quantity(
        "all-connected probability",
        "of trials",
        "The probability that all requested circuits or calls are established.",
        f"{_CIRCUITS} and 5",
    ),
    "connected_fraction": Quantity(
        "connected fraction",
        "of circuits",
        "The mean fraction of the requested circuits that are established.",
        _CIRCUITS,
    ),
    "surviving_inputs": Quantity(
        "surviving inputs",
        "inputs",
        "How many inputs are left after erasure and fault propagation.",
        _FAULTS,
    ),
    "surviving_outputs": Quantity(
        "surviving outputs",
        "outputs",
        "How many outputs are left after erasure and fault propagation.",
        _FAULTS,
    ),
    "surviving_inputs_fraction": Quantity(
        "surviving inputs fraction",
        "of inputs",
        "The mean fraction of the inputs that are left after erasure and fault propagation.",
        _FAULTS,
    ),
    "surviving_outputs_fraction": Quantity(
        "surviving outputs fraction",
        "of outputs",
        "The mean fraction of the outputs that are left after erasure and fault propagation.",
        _FAULTS,
    ),
    "faults": Quantity("faults", "switches", "How many switches are faulty from the start.", _FAULTS),
    "erased": Quantity(
        "erased",
        "switches",
        "How many switches are in blocks of which more than a fraction epsilon is faulty, or in blocks below them.",
        _FAULTS,
    ),
    "declared_faulty": Quantity(
        "declared faulty",
        "switches",
        "How many working switches are declared faulty, because too many of their up-edges or down-edges lead to "
        "faulty ones.",
        _FAULTS,
    ),
    "survivors_connected": Quantity(
        "survivors connected",
        "",
        "Whether working switches connect every surviving input to every surviving output.",
        _FAULTS,
    ),
    "connected_pairs": Quantity(
        "connected pairs",
        "input-output pairs",
        "How many pairs of an input and an output working switches still connect, without erasure and propagation.",
        _FAULTS,
    ),
    "least_neighbourhood": Quantity(
        "least neighbourhood",
        "outputs",
        "The fewest outputs that any subset of this many inputs of the splitter is connected to.",
        _EXPANSION,
    ),
    "expansion": Quantity(
        "expansion",
        "outputs per input",
        "The largest beta for this alpha: every set of k inputs of the splitter, k at most alpha times all of them, is "
        "connected to at least beta k outputs.",
        _EXPANSION,
    ),
    "unique_neighbour_fraction": Quantity(
        "unique-neighbour fraction",
        "of the subset",
        "The smallest fraction of a subset of this many inputs that have a neighbour which no other input of the "
        "subset has.",
        "Maggs, Randomly Wired Multistage Networks, sec. 3.1",
    ),
}
