"""Quantities of multistage networks: packets, circuits, faults, splitters, calls; of cubes and documents."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Quantity

_HWANG = "Hwang, Yao & Dasgupta"
_WIRING = "Maggs, Randomly Wired Multistage Networks, sec. 1"
_EXPANSION = "Maggs, Randomly Wired Multistage Networks, sec. 1.4"
_PACKETS = "Maggs, Randomly Wired Multistage Networks, sec. 2"
_CIRCUITS = "Maggs, Randomly Wired Multistage Networks, sec. 3"
_FAULTS = "Maggs, Randomly Wired Multistage Networks, sec. 4"
_CALLS = "Maggs, Randomly Wired Multistage Networks, sec. 5"
_REARRANGED = "Opferman & Tsao-Wu 1971; Paull 1962"
_EXTENSIONS = "path-extension steps"

OF_MULTISTAGE: Mapping[str, Quantity] = {
    "steps": Quantity(
        "The number of the last step at which something is delivered or a circuit is extended; a packet crosses at "
        "most one channel a step.",
        "steps",
        f"{_PACKETS} and 3; Hwang, Yao & Dasgupta, sec. 1",
        units={"circuit-run": _EXTENSIONS, "pipelined-circuit-run": _EXTENSIONS},
    ),
    "median_steps": Quantity("The median of the steps that random permutations take.", "steps", _PACKETS),
    "stages": Quantity(
        "For packets, the stages of Upfal's algorithm, 4d steps each; for circuits, the levels passed one after the "
        "other, or the phases where levels overlap.",
        "stages",
        f"{_PACKETS} and 3",
        units={"circuit-run": "levels", "pipelined-circuit-run": "phases"},
    ),
    "moves": Quantity("How often a packet or the end of a circuit moves on by one channel."),
    "swaps": Quantity("How often two packets change places.", "", _PACKETS),
    "delivered": Quantity(
        "How many packets arrive; of circuits, how many are established.",
        "packets",
        units={"circuit-run": "circuits", "pipelined-circuit-run": "circuits"},
    ),
    "bit_steps": Quantity(
        "The time of circuit switching in steps of one bit a channel: three for each path-extension step, and those of "
        "placeholders and cancellations.",
        "bit-steps",
        f"{_CIRCUITS}.2",
        name="bit-steps",
    ),
    "placeholders": Quantity(
        "How many free switches receive a placeholder, which reserves them for a path that may still come.",
        "switches",
        f"{_CIRCUITS}.2",
    ),
    "cancellations": Quantity(
        "How many channels carry a cancellation, which frees what a placeholder reserved.", "", f"{_CIRCUITS}.2"
    ),
    "all_connected_probability": Quantity(
        "The probability that all requested circuits or calls are established.",
        "of trials",
        f"{_CIRCUITS} and 5",
        name="all-connected probability",
    ),
    "connected_fraction": Quantity(
        "The mean fraction of the requested circuits that are established.", "of circuits", _CIRCUITS
    ),
    "surviving_inputs": Quantity("How many inputs are left after erasure and fault propagation.", "inputs", _FAULTS),
    "surviving_outputs": Quantity("How many outputs are left after erasure and fault propagation.", "outputs", _FAULTS),
    "surviving_inputs_fraction": Quantity(
        "The mean fraction of the inputs that are left after erasure and fault propagation.", "of inputs", _FAULTS
    ),
    "surviving_outputs_fraction": Quantity(
        "The mean fraction of the outputs that are left after erasure and fault propagation.", "of outputs", _FAULTS
    ),
    "faults": Quantity("How many switches are faulty from the start.", "switches", _FAULTS),
    "erased": Quantity(
        "How many switches are in blocks of which more than a fraction epsilon is faulty, or in blocks below them.",
        "switches",
        _FAULTS,
    ),
    "declared_faulty": Quantity(
        "How many working switches are declared faulty, because too many of their up-edges or down-edges lead to "
        "faulty ones.",
        "switches",
        _FAULTS,
    ),
    "survivors_connected": Quantity(
        "Whether working switches connect every surviving input to every surviving output.", "", _FAULTS
    ),
    "connected_pairs": Quantity(
        "How many pairs of an input and an output working switches still connect, without erasure and propagation.",
        "input-output pairs",
        _FAULTS,
    ),
    "least_neighbourhood": Quantity(
        "The fewest outputs that any subset of this many inputs of the splitter is connected to.", "outputs", _EXPANSION
    ),
    "expansion": Quantity(
        "The largest beta for this alpha: every set of k inputs of the splitter, k at most alpha times all of them, is "
        "connected to at least beta k outputs.",
        "outputs per input",
        _EXPANSION,
    ),
    "unique_neighbour_fraction": Quantity(
        "The smallest fraction of a subset of this many inputs that have a neighbour which no other input of the "
        "subset has.",
        "of the subset",
        "Maggs, Randomly Wired Multistage Networks, sec. 3.1",
        name="unique-neighbour fraction",
    ),
    # calls on nonblocking networks
    "requests": Quantity("How many calls are requested, one after the other.", "calls", _CALLS),
    "blocked_by_rule": Quantity(
        "How many calls fail because every free path goes through a switch that the on-line algorithm calls blocked.",
        "calls",
        _CALLS,
    ),
    "blocked_without_path": Quantity("How many calls fail because no free path is left.", "calls", _CALLS),
    "hang_ups": Quantity("How many calls end.", "calls", _CALLS, name="hang-ups"),
    "calls_in_progress": Quantity("How many calls are left at the end.", "calls", _CALLS),
    "blocking_probability": Quantity(
        "The probability that a call fails when it is requested after random calls and hang-ups.",
        "of last requests",
        _CALLS,
    ),
    "no_path_probability": Quantity(
        "The probability that no free path is left for a call when it is requested after random calls and hang-ups.",
        "of last requests",
        _CALLS,
        name="no-path probability",
    ),
    "together_calls": Quantity(
        "How many calls are requested at the same time, beside the calls in progress.",
        "calls",
        _CALLS,
        name="simultaneous calls",
    ),
    "together_connected": Quantity(
        "How many of the simultaneous calls are connected.", "calls", _CALLS, name="simultaneous calls connected"
    ),
    "together_steps": Quantity(
        "The most path-extension steps that the simultaneous calls of one trial take.",
        "path-extension steps",
        _CALLS,
        name="steps for simultaneous calls",
    ),
    "always_connects": Quantity(
        "Whether the on-line algorithm connects every call between an idle input and an idle output, whatever calls "
        "came before.",
        "",
        _CALLS,
    ),
    "strictly_nonblocking": Quantity(
        "Whether a free path joins every idle input to every idle output, whatever calls are in progress and however "
        "they were routed.",
        "",
        _CALLS,
    ),
    "realised": Quantity(
        "Whether disjoint paths connect all pairs of the permutation at the same time.", "", _REARRANGED
    ),
    "rearrangeable": Quantity("Whether disjoint paths connect all pairs of every permutation.", "", _REARRANGED),
}


OF_DOCUMENTS: Mapping[str, Quantity] = {
    "num_nodes": Quantity("How many nodes the network has.", name="nodes"),
    "num_channels": Quantity("How many channels the network has, each direction of a link by itself.", name="channels"),
    "num_terminals": Quantity("How many terminals the document is for.", name="terminals"),
    "num_paths": Quantity("How many weighted paths the document lists.", name="paths"),
    "num_edge_levels": Quantity(
        "How many levels of edges the multistage network has.", "", _WIRING, name="edge levels"
    ),
    "inputs": Quantity("How many inputs the multistage network has.", "", _WIRING),
    "outputs": Quantity("How many outputs the multistage network has.", "", _WIRING),
    "multiplicity": Quantity("d: how many up-edges, and how many down-edges, leave a switch.", "", _WIRING),
    "connected": Quantity(
        "Whether a path leads from every terminal to every other. Of a run of calls: how many calls are connected.",
        units={"call-run": "calls"},
    ),
    "valid_routing": Quantity("Whether every packet is delivered along paths of the network, whose weights sum to 1."),
    "valid_wiring": Quantity(
        "Whether the wiring makes a multistage network: equal degrees, one logical path.", "", _WIRING
    ),
    "degrees": Quantity("Whether every switch has d up-edges and d down-edges.", "", _WIRING, name="equal degrees"),
    "one_logical_path": Quantity(
        "Whether every input and every output are joined by exactly one sequence of up and down edges.", "", _WIRING
    ),
    "study_row": Quantity("A number of a published table or figure, computed again.", name="row of a study"),
    "corners": Quantity("How many corners a Pareto curve has.", "", "Towles, Dally & Boyd 2003, Figure 1"),
    "connected_pairs_fraction": Quantity(
        "The fraction of the pairs of an input and an output that are still connected."
    ),
}


OF_CUBES: Mapping[str, Quantity] = {
    "valid_many_one": Quantity(
        "Whether no two packets meet when all nodes send to one node along the destination graph: condition C1.",
        "",
        f"{_HWANG}, Lemma 2",
        name="valid many-one",
    ),
    "valid_permutation": Quantity(
        "Of a destination graph, whether no two packets meet under any permutation: condition C2. Of a document, "
        "whether it is a permutation.",
        "",
        f"{_HWANG}, Lemma 3",
    ),
    "minimum_routing": Quantity(
        "Whether every path of the destination graph is a shortest path.", "", f"{_HWANG}, sec. 1"
    ),
    "c1_prime": Quantity(
        "Whether the destination graph meets condition C1', which implies C1.", "", f"{_HWANG}, sec. 2", name="C1'"
    ),
    "c2_prime": Quantity(
        "Whether the destination graph meets condition C2', which implies C2.", "", f"{_HWANG}, sec. 2", name="C2'"
    ),
    "probability_within": Quantity(
        "The probability that all packets have arrived within this many steps, over the random choices of the "
        "algorithm.",
        "",
        f"{_HWANG}, sec. 3; Valiant & Brebner 1981",
        name="completion probability",
    ),
}
