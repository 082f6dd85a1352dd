"""Reports about calls: runs done again, blocking states looked at, refutations checked lemma by lemma."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.claim import Claim, Interval
from ...core.errors import InputError, VerificationError
from ...core.multistage.call_graph import CallGraph
from ...core.multistage.wiring import Wiring
from ...core.sampling.binomial import probability_limits
from ...core.sampling.stopping import confidence_told
from ..context import Progress
from ..reading import as_fraction, stated
from ..work import spend
from .replays import replay_calls

if TYPE_CHECKING:
    from .together import Together

__all__ = ["CALL_COUNTS", "verify_calls"]

CALL_COUNTS = ("requests", "connected", "blocked_by_rule", "blocked_without_path", "hang_ups", "calls_in_progress")
_NUMBERS = ("trials", "events", "seed", "first")
_MOST_EVENTS = 100_000_000
_PER_EDGE = 20  # steps, to make a call graph, whose edges take more memory than time


def verify_calls(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check the claims of a report about calls; raises VerificationError for the first that fails.

    ``progress`` counts trials.
    """
    from .blocking import check_strict
    from .rearrangements import check_realised, check_rearrangeable
    from .sequences import check_sequence
    from .together import check_together

    del routing  # calls look for their paths themselves
    wiring, graph = _exchange(subject)
    first = claims[0]
    if first.evidence.kind != "call-run" or first.quantity != "requests":
        raise VerificationError("claims[0]: the claim about requests, which describes the run, comes first")
    again = [k for k, x in enumerate(claims) if x.quantity in {y.quantity for y in claims[:k]}]
    if again:
        raise VerificationError(
            f"claims[{again[0]}] ({claims[again[0]].quantity[:80]}): one run states each quantity once"
        )
    settings = first.evidence.data
    run: dict[str, int] = {}
    together = _together(graph, settings, claims)
    for number, claim in enumerate(claims):
        try:
            run = run or _again(wiring, graph, settings, together, progress)
            if claim.quantity == "strictly_nonblocking":
                check_strict(graph, claim)
            elif claim.quantity == "always_connects":
                check_sequence(graph, _caps(wiring, settings), claim, random_paths=settings["paths"] == "random")
            elif claim.evidence.kind == "call-together" and together is not None:
                check_together(claim, together.counts, settings)
            elif claim.quantity == "realised":
                check_realised(graph, claim)
            elif claim.quantity == "rearrangeable":
                check_rearrangeable(graph, wiring, claim)
            else:
                _check_run(claim, run, settings)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _exchange(subject: Mapping[str, Any]) -> tuple[Wiring | None, CallGraph]:
    from ...core.plain_names import plain_name
    from ...topologies.multistage.call_graphs import call_graph_of_network, call_graph_of_wiring
    from ..called import check_called, is_family_name
    from ..subject import described_network, wiring_of

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
    """What is to be done after each trial, where the report speaks of requests at once."""
    from .together import Together

    for number, claim in enumerate(claims):
        if claim.evidence.kind == "call-together" and claim.quantity == "together_calls":
            count, seed = claim.evidence.data.get("count"), settings.get("seed")
            if type(count) is not int or count < 1 or type(seed) is not int or seed < 0 or (graph.split < 0).all():
                raise VerificationError(
                    f"claims[{number}] (together_calls): its requests at once are outside their range"
                )
            return Together(graph, count, seed)
    return None


def _again(
    wiring: Wiring | None,
    graph: CallGraph,
    data: Mapping[str, Any],
    after: Together | None,
    progress: Callable[[int, int], None] | None,
) -> dict[str, int]:
    trials, events, seed, start = (data.get(x, 0 if x == "first" else None) for x in _NUMBERS)
    for name, value, least in zip(_NUMBERS, (trials, events, seed, start), (1, 0, 0, 0), strict=True):
        if type(value) is not int or value < least:
            raise VerificationError(f"its {name} is {str(value)[:40]}; at least {least} was expected")
    assert isinstance(trials, int)
    assert isinstance(events, int)
    assert isinstance(seed, int)
    assert isinstance(start, int)
    if trials * (events + 1) > _MOST_EVENTS:
        raise VerificationError(f"its {trials} trials have more events than are done again here")
    # A call looks for its path; a rule of blocked switches goes through all of them after every change.
    caps = _caps(wiring, data)
    each = 40 + graph.num_vertices // (200 if caps is None else 20)
    at_once = 0 if after is None else 20 * min(after.count, graph.terminals) * int(graph.level.max())
    spend(trials * (200 + (events + 1) * each + at_once), f"{trials:,} trials of {events:,} events")
    occupancy = as_fraction(data.get("occupancy"), "occupancy")
    if not 0 < occupancy <= 1 or data.get("paths") not in ("first", "random"):
        raise VerificationError("its occupancy or its choice of paths is outside its range")
    counts = replay_calls(
        graph,
        trials=trials,
        events=events,
        occupancy=occupancy,
        seed=seed,
        random_paths=data["paths"] == "random",
        caps=caps,
        first=start,
        after=after,
        progress=progress,
    )
    counts["connected"] = counts["requests"] - counts["blocked_by_rule"] - counts["blocked_without_path"]
    return counts


def _caps(wiring: Wiring | None, data: Mapping[str, Any]) -> tuple[int, int] | None:
    """The most lost neighbours that a switch may have, at splitters and mergers."""
    if data.get("beta") is None:
        if "merger" in data:
            raise VerificationError("it names a threshold of mergers, but no rule that has one")
        return None
    beta = as_fraction(data["beta"], "beta")
    if wiring is None or not wiring.reversed_levels:
        raise VerificationError("a rule of busy and blocked switches is for multi-Benes networks")
    d = wiring.multiplicity
    if not Fraction(d + 1, 2) <= beta <= d or data.get("merger") not in ("printed", "argument"):
        raise VerificationError("its beta or its threshold of mergers is outside its range")
    twice = 1 if data["merger"] == "printed" else 2
    return int((2 * beta - d - 1) // 1), int((4 * beta - twice * d - 2) // 1)


def _check_run(claim: Claim, run: Mapping[str, int], settings: Mapping[str, Any]) -> None:
    if claim.quantity in CALL_COUNTS:
        if claim.value != Fraction(run[claim.quantity]):
            raise VerificationError(f"it is {stated(claim)}; the run gives {run[claim.quantity]}")
        return
    if "first" in settings:
        raise VerificationError("its trials are not the first ones, which a probability is taken from")
    key = {"blocking_probability": "failed", "no_path_probability": "failed_without_path"}.get(claim.quantity)
    value = claim.value
    if key is None or not isinstance(value, Interval):
        raise VerificationError("the run says nothing about it")
    if value.confidence != 0.99 or (value.trials, value.seed) != (settings["trials"], settings["seed"]):
        raise VerificationError("its trials, seed or confidence are not those of the run")
    confidence = confidence_told(claim.evidence.data, value)
    low, high = probability_limits(run[key], settings["trials"], confidence=confidence)
    if abs(value.low - low) > 1e-9 or abs(value.high - high) > 1e-9:
        raise VerificationError(f"its interval is {value.low} to {value.high}; the run gives {low} to {high}")
    if abs(value.best - run[key] / settings["trials"]) > 1e-9 or claim.evidence.data.get("failed") != run[key]:
        raise VerificationError(f"its best value is {value.best}; {run[key]} of {settings['trials']} trials fail")
