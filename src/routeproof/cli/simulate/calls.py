"""``routeproof simulate calls``: connecting and hanging up on line; random churn, an adversary, or a proof."""

from __future__ import annotations

import enum
from typing import Annotated

from ..frame import inputs, outcome
from ..frame.arguments import JsonClaims, Load, Permutations, Sweep, UntilWidth, argument, flag, option

_Paths = enum.StrEnum("_Paths", {"FIRST": "first", "RANDOM": "random"})
_Merger = enum.StrEnum("_Merger", {"PRINTED": "printed", "ARGUMENT": "argument"})


def calls(
    topology: Annotated[
        str,
        argument(
            "TOPOLOGY",
            "multi-benes:64,d=2,seed=7, benes:4, clos:5,3,3, cantor:3, another network without cycles, or a file.",
        ),
    ],
    load: Load = 1,
    trials: Annotated[
        int | None,
        option("N", "Independent trials, each from an empty network (200; with --until-width at most 100000)."),
    ] = None,
    until_width: UntilWidth = None,
    replay: Annotated[int | None, option("K", "Trial number K alone, as it was among the others.")] = None,
    events: Annotated[int | None, option("N", "Events of a trial before its request; default: 4 per terminal.")] = None,
    occupancy: Annotated[str, option("P", "The fraction of the inputs that would be busy unblocked.")] = "9/10",
    seed: Annotated[int, option("S", "The seed of the trials, and of the adversary.")] = 1,
    paths: Annotated[
        _Paths, option(None, "Which free path a call takes: the first one, or a random one.")
    ] = _Paths.FIRST,
    beta: Annotated[str | None, option("B", "Avoid switches that the rule of busy and blocked ones rules out.")] = None,
    merger: Annotated[
        _Merger, option(None, "The rule in the first half: 4B - d - 2 as printed, or 4B - 2d - 2.")
    ] = _Merger.PRINTED,
    strict: Annotated[
        bool, flag("Decide whether any call can ever be blocked, with proof (small networks).", "--strict")
    ] = False,
    time_limit: Annotated[float, option("SECONDS", "How long --strict may take.")] = 60.0,
    adversary: Annotated[int, option("TRIES", "Search for calls that block another; 0: do not.")] = 0,
    together: Annotated[int, option("K", "After each trial, K requests at once; 0: none (wirings).")] = 0,
    permutation: Permutations = None,
    rearrangeable: Annotated[
        bool, flag("Go through all permutations (Benes and Clos networks, few terminals).", "--rearrangeable")
    ] = False,
    sweep: Sweep = None,
    json: JsonClaims = None,
) -> None:
    """Connect calls one by one and hang up: how often is one blocked, and can one be blocked at all?

    The probability that a request is blocked is sampled, from one request in each trial. --strict and --adversary look
    for calls along paths of their own choice that cut an idle input off from an idle output. --permutation
    and --rearrangeable connect all calls at once, on Benes networks (looping algorithm) and Clos networks.

    For example: routeproof simulate calls multi-benes:64,d=2,seed=7 --load 4 --occupancy 9/10
    """
    from ...core.errors import InputError
    from ...questions.simulate.calls import CallsQuestion, answer_calls
    from ...report.terminal.simulated import calls_parts
    from ...simulate.calls.runs import CallRequest
    from .repeated import run_sweep

    asked = CallRequest(
        topology, load, trials, events, occupancy, seed, paths.value, beta, merger.value, together, until_width, replay
    )
    if sweep:
        if strict or adversary or permutation or rearrangeable or replay is not None:
            raise InputError(
                "--sweep goes with random calls; leave --strict, --adversary, --permutation, --rearrangeable and "
                "--replay out"
            )
        run_sweep("calls", asked, sweep, json=json)
        return
    question = CallsQuestion(asked, strict, time_limit, adversary, tuple(permutation or ()), rearrangeable)
    with inputs.long_work() as setting:
        answer = answer_calls(question, setting=setting)
    outcome.finish(answer, calls_parts, json=json)
