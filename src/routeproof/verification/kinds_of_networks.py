"""Kinds of evidence for documents, multistage networks, calls and cubes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.claim import Grade
from ..core.sampling.trial_intervals import TRIAL_QUANTITIES
from .kinds import YES_OR_NO, Kind, States
from .kinds_of_routings import LOOKS, PLACES, SPLITTERS
from .shapes import (
    ANY,
    BOUND,
    FLAG,
    NUMBERS,
    TEXT,
    WHOLE,
    Either,
    Keys,
    ListOf,
    Shape,
    Word,
)

__all__ = ["KINDS"]

_PROVED, _EXHAUSTED, _SAMPLED = Grade.PROVED, Grade.EXHAUSTED, Grade.SAMPLED
_EXACT = ("==",)
_MAGGS = "Maggs, Randomly Wired Multistage Networks, "
_PACKETS = frozenset({_MAGGS + "sec. 2; Upfal 1989 (STOC)"})
_CIRCUITS = frozenset({_MAGGS + "sec. 3; Arora, Leighton & Maggs 1990 (STOC)"})
_FAULTS = frozenset({_MAGGS + "sec. 4; Leighton & Maggs 1989 (FOCS)"})
_CALLS = frozenset({_MAGGS + "sec. 5; Arora, Leighton & Maggs 1990 (STOC)"})
_SPLITTERS = frozenset({SPLITTERS})
_REARRANGED = frozenset({"Opferman & Tsao-Wu 1971 (BSTJ 50); Paull 1962 (BSTJ 41)"})
_HWANG = "Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes"
_CUBES = frozenset({f"{_HWANG}, sec. 1 and 3"})
_GRAPHS = frozenset(
    f"{_HWANG}, {x}"
    for x in ("Lemma 2 (C1)", "Lemma 3 (C2)", "sec. 1", "sec. 2 (C1')", "sec. 2 (C2')", "sec. 2 (l(T))")
)

_PACKET_COUNTS = ("steps", "stages", "moves", "swaps", "delivered")
_CIRCUIT_COUNTS = (*_PACKET_COUNTS, "bit_steps")
_PIPELINED_COUNTS = (*_CIRCUIT_COUNTS, "placeholders", "cancellations")
_FAULT_COUNTS = ("surviving_inputs", "faults", "erased", "declared_faulty", "connected_pairs")
_CALL_COUNTS = (
    "requests", "connected", "blocked_by_rule", "blocked_without_path", "hang_ups", "calls_in_progress",
)  # fmt: skip
_TOGETHER_COUNTS = ("together_calls", "together_connected", "together_steps")


def _counts(names: Sequence[str], first: Keys) -> dict[str, States]:
    """The counts of a run: the first one holds the evidence, the others refer to it."""
    other = Keys({"with": Word(names[0])})
    return {name: States(_EXACT, _EXHAUSTED, evidence=first if name == names[0] else other) for name in names}


_BROKEN: Mapping[str, Shape] = {"epsilon": BOUND, "threshold": WHOLE, "faults": ListOf(ListOf(WHOLE))}
_IMAGES: Mapping[str, Shape] = {"permutations": WHOLE, "packets": WHOLE, "partial": FLAG}
_IN_FULL: Mapping[str, Shape] = {"images": NUMBERS, "sha256": TEXT}
_PACKET_RUN = Keys(
    {"algorithm": Word("upfal", "greedy"), **_IMAGES}, {**_IN_FULL, **_BROKEN, "load": WHOLE, "searched": TEXT}
)
_CIRCUIT_RUN = Keys(
    {"algorithm": Word("simple"), "load": WHOLE, **_IMAGES, "rounds": ListOf(WHOLE)}, {**_IN_FULL, **_BROKEN}
)
_PIPELINED_RUN = Keys(
    {
        "algorithm": Word("pipelined"), "load": WHOLE, **_IMAGES, "rounds": ListOf(WHOLE), "rho": BOUND,
        "distance": WHOLE,
    },
    {**_IN_FULL, **_BROKEN},
)  # fmt: skip
_SURVIVORS = Keys({**_BROKEN, "list": ListOf(WHOLE)})
_CALL_RUN = Keys(
    {"trials": WHOLE, "events": WHOLE, "seed": WHOLE, "occupancy": BOUND, "paths": Word("first", "random")},
    {"first": WHOLE, "beta": BOUND, "merger": Word("printed", "argument")},
)
_FAILED = Keys({"with": Word("requests"), "failed": WHOLE, "method": Word("Clopper-Pearson")}, LOOKS)
_WHOLE = Keys({"with": Word("together_calls"), "whole": WHOLE, "method": Word("Clopper-Pearson")}, LOOKS)
_CUBE_RUN = Keys(
    {"algorithm": TEXT, "many_one": FLAG, "origin": NUMBERS, "destination": NUMBERS, "moves": NUMBERS}, {"seed": WHOLE}
)
_SIZE = Keys({"subset_size": WHOLE}, PLACES)
_SUBSET = Keys({"splitter": TEXT, "subset": ListOf(WHOLE)})
_MEETING = Keys({"packets": ListOf(ListOf(WHOLE)), "step": WHOLE, "link": ListOf(WHOLE)})
_VERDICT = Keys({}, {"witness": TEXT, "meeting": _MEETING, "nodes": ListOf(WHOLE), "permutation": NUMBERS})
_GRAPHS_MEANT = Keys({"graphs": Word("many-one", "permutation")})
_DOCUMENT = ("connected", "valid_permutation", "valid_routing", "valid_wiring", "degrees", "one_logical_path")
_DOCUMENT_COUNTS = (
    "num_nodes", "num_channels", "num_terminals", "num_paths", "num_edge_levels", "inputs", "multiplicity", "outputs",
)  # fmt: skip


def _word(check: str, quantity: str, evidence: Shape, sources: frozenset[str], grade: Grade = _PROVED) -> Kind:
    """Evidence for a question, whose answer is "true" or "false"."""
    return Kind(check, evidence, {quantity: States(_EXACT, grade, words=YES_OR_NO)}, sources)


KINDS: Mapping[str, Kind] = {
    "document": Kind(
        "documents:verify_document",
        Keys(),
        {
            **{x: States(_EXACT, _EXHAUSTED, evidence=Keys({}, {"witness": TEXT}), words=YES_OR_NO) for x in _DOCUMENT},
            **{x: States(_EXACT, _EXHAUSTED) for x in _DOCUMENT_COUNTS},
        },
        frozenset(),
    ),
    "packet-run": Kind("multistage.claims:verify_multistage", ANY, _counts(_PACKET_COUNTS, _PACKET_RUN), _PACKETS),
    "circuit-run": Kind("multistage.claims:verify_multistage", ANY, _counts(_CIRCUIT_COUNTS, _CIRCUIT_RUN), _CIRCUITS),
    "pipelined-circuit-run": Kind(
        "multistage.claims:verify_multistage", ANY, _counts(_PIPELINED_COUNTS, _PIPELINED_RUN), _CIRCUITS
    ),
    "fault-propagation": Kind(
        "multistage.claims:verify_multistage",
        ANY,
        {
            **_counts(_FAULT_COUNTS, _SURVIVORS),
            "survivors_connected": States(
                _EXACT, _EXHAUSTED, evidence=Keys({"with": Word("surviving_inputs")}), words=YES_OR_NO
            ),
            "surviving_outputs": States(
                _EXACT,
                _EXHAUSTED,
                evidence=Keys({"with": Word("surviving_inputs"), "list": ListOf(WHOLE)}),
            ),
        },
        _FAULTS,
    ),
    "splitter-enumeration": Kind(
        "multistage.expansion:verify_expansion",
        _SUBSET,
        {"least_neighbourhood": States(_EXACT, _EXHAUSTED, _SIZE)},
        _SPLITTERS,
    ),
    "splitter-subset": Kind(
        "multistage.expansion:verify_expansion",
        _SUBSET,
        {"least_neighbourhood": States(("<=",), _PROVED, _SIZE)},
        _SPLITTERS,
    ),
    "splitter-spectrum": Kind(
        "multistage.expansion:verify_expansion",
        Keys({"eigenvalue": BOUND, "power": WHOLE}),
        {"least_neighbourhood": States((">=",), _PROVED, _SIZE)},
        _SPLITTERS,
    ),
    "splitter-subsets": Kind(
        "multistage.expansion:verify_expansion",
        _SUBSET,
        {"unique_neighbour_fraction": States(_EXACT, _EXHAUSTED, _SIZE)},
        _SPLITTERS,
    ),
    "call-run": Kind(
        "calls.claims:verify_calls",
        ANY,
        {
            **_counts(_CALL_COUNTS, _CALL_RUN),
            "blocking_probability": States(_EXACT, _SAMPLED, evidence=_FAILED),
            "no_path_probability": States(_EXACT, _SAMPLED, evidence=_FAILED),
        },
        _CALLS,
    ),
    "call-together": Kind(
        "calls.together:check_together",
        ANY,
        {
            **_counts(_TOGETHER_COUNTS, Keys({"with": Word("requests"), "count": WHOLE})),
            "all_connected_probability": States(_EXACT, _SAMPLED, evidence=_WHOLE),
        },
        _CALLS,
    ),
    "call-sequence": _word(
        "calls.sequences:check_sequence",
        "always_connects",
        Keys({"with": Word("requests"), "events": ListOf(ListOf(ANY))}),
        _CALLS,
    ),
    "call-witness": _word(
        "calls.blocking:check_strict",
        "strictly_nonblocking",
        Keys({"events": ListOf(ListOf(ANY)), "input": WHOLE, "output": WHOLE}),
        _CALLS,
    ),
    "call-refutation": _word(
        "calls.blocking:check_strict", "strictly_nonblocking", Keys({"lemmas": NUMBERS, "literals": WHOLE}), _CALLS
    ),
    "call-paths": _word(
        "calls.rearrangements:check_realised",
        "realised",
        Keys({"images": NUMBERS, "calls": WHOLE, "partial": FLAG, "length": WHOLE, "paths": NUMBERS}),
        _REARRANGED,
    ),
    "call-cut": _word(
        "calls.rearrangements:check_rearrangeable",
        "rearrangeable",
        Keys({"inputs": ListOf(WHOLE), "cut": ListOf(WHOLE)}),
        _REARRANGED,
    ),
    "all-permutations": _word(
        "calls.rearrangements:check_rearrangeable",
        "rearrangeable",
        Keys({"permutations": WHOLE}),
        _REARRANGED,
        _EXHAUSTED,
    ),
    "trial-runs": Kind(
        "multistage.trials:verify_trials",
        Keys({"method": TEXT}, LOOKS),
        {x.name: States(_EXACT, _SAMPLED) for some in TRIAL_QUANTITIES.values() for x in some},
        _PACKETS | _CIRCUITS | _FAULTS,
    ),
    "destination-graph": Kind(
        "cube.destination_graph:verify_destination_graph",
        _VERDICT,
        {
            **{x: States(_EXACT, _PROVED, words=YES_OR_NO) for x in ("valid_many_one", "valid_permutation")},
            **{x: States(_EXACT, _EXHAUSTED, words=YES_OR_NO) for x in ("minimum_routing", "c1_prime", "c2_prime")},
            "steps": States(_EXACT, _EXHAUSTED, evidence=Keys()),
        },
        _GRAPHS,
    ),
    "counting-bound": Kind(
        "cube.destination_graph:check_bound",
        Keys({"rule": TEXT, "because": TEXT}),
        {"steps": States((">=",), _PROVED, _GRAPHS_MEANT)},
        frozenset({_HWANG, "docs/destination-graphs.md"}),
    ),
    "refutation": Kind(
        "cube.destination_graph:check_bound",
        Keys({"formula": ListOf(WHOLE), "lemmas": NUMBERS}),
        {"steps": States((">=",), _PROVED, Keys({"graphs": Word("permutation")}))},
        frozenset({f"{_HWANG}, Theorem 3"}),
    ),
    "cube-run": Kind(
        "cube.run:check_cube_run",
        Either("with", Keys({"with": Word("steps")}), _CUBE_RUN),
        _counts(("steps", "moves", "delivered"), _CUBE_RUN),
        _CUBES,
    ),
    "cube-trials": Kind(
        "cube.run:check_cube_run",
        Keys({"algorithm": TEXT, "destination": NUMBERS, "histogram": ListOf(ListOf(WHOLE))}, LOOKS),
        {"probability_within": States(_EXACT, _SAMPLED, Keys({"steps": WHOLE}))},
        _CUBES,
    ),
}
