"""``routeproof simulate calls``: connecting and hanging up on line; random churn, an adversary, or a proof."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from ..verbs.sampling_options import UntilWidth
from .arguments import JsonFile, Load, Permutations, Sweep

__all__ = ["calls"]


class _Paths(enum.StrEnum):
    FIRST = "first"
    RANDOM = "random"


class _Merger(enum.StrEnum):
    PRINTED = "printed"
    ARGUMENT = "argument"


def calls(
    topology: Annotated[
        str,
        typer.Argument(
            metavar="TOPOLOGY",
            help="multi-benes:64,d=2,seed=7, benes:4, clos:5,3,3, cantor:3, another network without cycles, or a file.",
        ),
    ],
    load: Load = 1,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials",
            metavar="N",
            help="Independent trials, each from an empty network (200; with --until-width at most 100000).",
        ),
    ] = None,
    until_width: UntilWidth = None,
    replay: Annotated[
        int | None, typer.Option("--replay", metavar="K", help="Trial number K alone, as it was among the others.")
    ] = None,
    events: Annotated[
        int | None,
        typer.Option("--events", metavar="N", help="Events of a trial before its request; default: 4 per terminal."),
    ] = None,
    occupancy: Annotated[
        str, typer.Option("--occupancy", metavar="P", help="The fraction of the inputs that would be busy unblocked.")
    ] = "9/10",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The seed of the trials, and of the adversary.")] = 1,
    paths: Annotated[
        _Paths, typer.Option("--paths", help="Which free path a call takes: the first one, or a random one.")
    ] = _Paths.FIRST,
    beta: Annotated[
        str | None,
        typer.Option("--beta", metavar="B", help="Avoid switches that the rule of busy and blocked ones rules out."),
    ] = None,
    merger: Annotated[
        _Merger, typer.Option("--merger", help="The rule in the first half: 4B - d - 2 as printed, or 4B - 2d - 2.")
    ] = _Merger.PRINTED,
    strict: Annotated[
        bool, typer.Option("--strict", help="Decide whether any call can ever be blocked, with proof (small networks).")
    ] = False,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", help="How long --strict may take.")
    ] = 60.0,
    adversary: Annotated[
        int, typer.Option("--adversary", metavar="TRIES", help="Search for calls that block another; 0: do not.")
    ] = 0,
    together: Annotated[
        int, typer.Option("--together", metavar="K", help="After each trial, K requests at once; 0: none (wirings).")
    ] = 0,
    permutation: Permutations = None,
    rearrangeable: Annotated[
        bool,
        typer.Option("--rearrangeable", help="Go through all permutations (Benes and Clos networks, few terminals)."),
    ] = False,
    sweep: Sweep = None,
    json: JsonFile = None,
) -> None:
    """Connect calls one by one and hang up: how often is one blocked, and can one be blocked at all?

    The probability that a request is blocked is sampled, from one request in each trial. --strict and --adversary look
    for calls along paths of their own choice that cut an idle input off from an idle output. --permutation
    and --rearrangeable connect all calls at once, on Benes networks (looping algorithm) and Clos networks.

    For example: routeproof simulate calls multi-benes:64,d=2,seed=7 --load 4 --occupancy 9/10
    """
    from ...answers.simulate.calls import CallsQuestion, answer_calls
    from ...core.errors import InputError
    from ...report.terminal.wired import calls_parts
    from ...simulate.calls.runs import CallRequest
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from .repeated import run_sweep

    check_target(json)
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
    with engine_if_asked() as engine:
        answer = answer_calls(question, engine=engine, stage=counted)
    finish(answer, json=json, shown=calls_parts(answer))
