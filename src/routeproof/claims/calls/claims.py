"""Reports about calls: every trial of calls that come and go is done again, and what its counts say; blocking states,
permutations and refutations are checked beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade, Interval
from ...core.errors import VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.spread import Progress
from ..kind import CALLS, EXACT, NAMED, STOPPING, Kind, States, SubjectKind, counts
from ..kinds import checker_of
from ..proofs.proof import Proof, Writing
from ..reading import Report, as_fraction, as_whole, check_share, check_value, errors_at, name_of
from ..shapes import ANY, BOUND, WHOLE, Either, Keys, Word
from ..work import spend
from .replays import Together, replay_calls

CALL_COUNTS = ("requests", "connected", "blocked_by_rule", "blocked_without_path", "hang_ups", "calls_in_progress")
TOGETHER_COUNTS = ("together_calls", "together_connected", "together_steps")
_MOST_EVENTS = 100_000_000
_PER_EDGE = 20  # steps, to make a call graph, whose edges take more memory than time


def verify_calls(report: Report) -> None:
    """Check the claims of a report about calls; its ``progress`` counts trials."""
    wiring, graph = _exchange(report.subject)
    claims, first = report.claims, report.claims[0]
    if first.evidence.kind != "call-run" or first.quantity != "requests":
        raise VerificationError("claims[0]: the claim about requests, which describes the run, comes first")
    quantities = [x.quantity for x in claims]
    for number, claim in enumerate(claims):
        if claim.quantity in quantities[:number]:
            raise VerificationError(f"{name_of(number, claim)}: one run states each quantity once")
    together = _together(graph, first.evidence.data, claims)
    with errors_at(name_of(0, first)):
        run = run_again(wiring, graph, first.evidence.data, together, report.progress)
    report.check_each(lambda claim: checker_of(claim)(run, claim))


def _exchange(subject: Mapping[str, Any]) -> tuple[Wiring | None, CallGraph]:
    from ...core.plain_names import plain_name
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ..subject import check_called, described_network, is_family_name, wiring_of

    data = subject["exchange"]
    if "wiring" in data:
        wiring = wiring_of({**data, "topology": subject.get("topology")})
        spend(_PER_EDGE * wiring.wire.size, "joining its switches")
        return wiring, call_graph_of_wiring(wiring, load=data["load"])
    described = data["network"]
    network = described_network({"spec": described} if isinstance(described, str) else described)
    topology = str(subject.get("topology", ""))
    check_called(subject.get("topology"), network, what="its topology")
    if network.spec is None and is_family_name(topology) and plain_name(topology).startswith("cantor"):
        raise VerificationError(
            f"subject: its topology is called {topology[:60]!r}, whose switches hold one call each; in a network given "
            f"in full, channels do"
        )
    into, out = (
        np.bincount(ends, minlength=network.num_nodes) + terminals
        for ends, terminals in ((network.head, network.supply), (network.tail, network.demand))
    )
    spend(_PER_EDGE * int(into @ out), "joining its channels")
    return None, call_graph_of_network(network)


def _together(graph: CallGraph, settings: Mapping[str, Any], claims: Sequence[Claim]) -> Together | None:
    """What is to be done after each trial, where the report has claims about requests at once."""
    for number, claim in enumerate(claims):
        if claim.evidence.kind == "call-together" and claim.quantity == "together_calls":
            with errors_at(name_of(number, claim)):
                count = as_whole(claim.evidence.data["count"], "its number of requests at once", 1)
                seed = as_whole(settings["seed"], "its seed", 0)
                if (graph.split < 0).all():
                    raise VerificationError("requests at once are for multi-Benes networks")
            return Together(graph, count, seed)
    return None


CALLS_SUBJECT = SubjectKind(
    "calls",
    verify_calls,
    Keys({"exchange": Either("wiring", Keys({"wiring": ANY, "load": WHOLE}), Keys({"network": ANY}))}, NAMED),
)


class CallsWork(Writing):
    """A proof about calls: the places of the network are its nodes, and each holds one call."""

    def __init__(self, proof: Proof, report: Report) -> None:
        self.proof, self.graph = proof, _exchange(report.subject)[1]
        size, graph = self.graph.terminals, self.graph
        edges = {(v, w) for v in range(graph.num_vertices) for w in graph.heads(v)}
        proof.network = {
            "name": f"{graph.name}, a node for each place of a call", "nodes": graph.num_vertices, "scale": 1,
            "channels": [[v, w, 1] for v, w in sorted(edges)],
            "terminals": [[t, graph.output(t)] for t in range(size)],
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class CallRun:
    """The run that ``settings`` describe on ``graph`` (of ``wiring``, if it is one of ours).

    - ``counts``: requests and what became of them, over all trials, and those of the requests at once after each trial;
    - ``caps``: the most lost neighbours that a switch of a splitter, of a merger, may have; None without such a rule.
    """

    graph: CallGraph
    wiring: Wiring | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    caps: tuple[int, int] | None = None


def run_again(
    wiring: Wiring | None, graph: CallGraph, data: Mapping[str, Any], after: Together | None, progress: Progress | None
) -> CallRun:
    """The run whose settings are ``data``; ``after``: what is done after each trial."""
    trials = as_whole(data["trials"], "its trials", 1)
    events = as_whole(data["events"], "its events", 0)
    if trials * (events + 1) > _MOST_EVENTS:
        raise VerificationError(f"its {trials} trials have more events than are done again here")
    # A call looks for its path; a rule of blocked switches goes through all of them after every change.
    caps = caps_of(wiring, data)
    each = 40 + graph.num_vertices // (200 if caps is None else 20)
    at_once = 0 if after is None else 20 * min(after.count, graph.terminals) * int(graph.level.max())
    spend(trials * (200 + (events + 1) * each + at_once), f"{trials:,} trials of {events:,} events")
    occupancy = as_fraction(data["occupancy"], "occupancy")
    if not 0 < occupancy <= 1:
        raise VerificationError("its occupancy is outside its range")
    counts = replay_calls(
        graph, trials=trials, events=events, occupancy=occupancy, seed=as_whole(data["seed"], "its seed", 0),
        random_paths=data["paths"] == "random", caps=caps, first=as_whole(data.get("first", 0), "its first", 0),
        after=after, progress=progress,
    )  # fmt: skip
    counts["connected"] = counts["requests"] - counts["blocked_by_rule"] - counts["blocked_without_path"]
    return CallRun(graph, wiring, data, counts if after is None else counts | after.counts, caps)


def caps_of(wiring: Wiring | None, data: Mapping[str, Any]) -> tuple[int, int] | None:
    """The most lost neighbours that a switch may have, at splitters and mergers."""
    if "beta" not in data:
        if "merger" in data:
            raise VerificationError("it names a threshold of mergers, but no rule that has one")
        return None
    beta = as_fraction(data["beta"], "beta")
    if wiring is None or not wiring.reversed_levels:
        raise VerificationError("a rule of busy and blocked switches is for multi-Benes networks")
    d = wiring.multiplicity
    if not Fraction(d + 1, 2) <= beta <= d or "merger" not in data:
        raise VerificationError("its beta or its threshold of mergers is outside its range")
    twice = 1 if data["merger"] == "printed" else 2
    return int((2 * beta - d - 1) // 1), int((4 * beta - twice * d - 2) // 1)


def check_counts(run: CallRun, claim: Claim) -> None:
    """Counts of the run done again, or the interval of a probability that follows from them."""
    value, settings = claim.value, run.settings
    if isinstance(value, Fraction):
        if claim.quantity not in run.counts:
            raise VerificationError("the run says nothing about it")
        check_value(claim, run.counts[claim.quantity], "the run gives")
        return
    assert isinstance(value, Interval)
    key, count = _COUNTED[claim.quantity]
    if count not in run.counts:
        raise VerificationError("the run says nothing about it")
    hits = run.counts[count]
    if "first" in settings:
        raise VerificationError("its trials are not the first ones, which a probability is taken from")
    if value.confidence != 0.99 or (value.trials, value.seed) != (settings["trials"], settings["seed"]):
        raise VerificationError("its trials, seed or confidence are not those of the run")
    if claim.evidence.data[key] != hits:
        raise VerificationError(f"its {key!r} is {str(claim.evidence.data[key])[:40]}; the run gives {hits}")
    check_share(claim, hits, settings["trials"], "trials give")


_COUNTED = {  # quantity -> key of its evidence, key of the run's counts
    "blocking_probability": ("failed", "failed"),
    "no_path_probability": ("failed", "failed_without_path"),
    "all_connected_probability": ("whole", "whole"),
}
_RUN = Keys(
    {"trials": WHOLE, "events": WHOLE, "seed": WHOLE, "occupancy": BOUND, "paths": Word("first", "random")},
    {"first": WHOLE, "beta": BOUND, "merger": Word("printed", "argument")},
)
_AT_ONCE = Keys({"with": Word("requests"), "count": WHOLE})


def _probability(run: str, key: str) -> States:
    evidence = Keys({"with": Word(run), key: WHOLE, "method": Word("Clopper-Pearson")}, STOPPING)
    return States(EXACT, Grade.SAMPLED, evidence=evidence)


CALL_RUN = Kind(
    "call-run",
    "Random calls and hang-ups with a seed, run again by other code.",
    ANY,
    {
        **counts(CALL_COUNTS, _RUN),
        "blocking_probability": _probability("requests", "failed"),
        "no_path_probability": _probability("requests", "failed"),
    },
    CALLS,
    check_counts,
    subjects=frozenset({"calls", "sweep"}),
)
CALL_TOGETHER = Kind(
    "call-together",
    "Requests at the same time after random calls with a seed, run again by other code.",
    ANY,
    {**counts(TOGETHER_COUNTS, _AT_ONCE), "all_connected_probability": _probability("together_calls", "whole")},
    CALLS,
    check_counts,
    subjects=frozenset({"calls", "sweep"}),
)
