"""The best oblivious routing over any set of demands: the set says which method finds it.

No design ends worse than what is known (``known``), and its time limit is that of all: methods have most of it, their
certificates some more, and then what is known is the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..core.errors import InputError
from ..core.graph import lost_pair
from ..core.network import Network
from ..core.spread import Stage, silent
from ..demand_sets.demand_set import DemandSet
from ..machine.deadlines import OutOfTimeError, certified_before_interrupt, ended_in_time, was_interrupted
from ..machine.memory import TooMuchMemoryError
from ..routing.base.pair_table import TooManyLoadsError
from ..routing.path_sets.names import TooManyPathsError
from .design import Design, NothingReachedError
from .known import Known
from .worst_case import design_worst_case

Options = Mapping[str, Any]
"""Those of ``questions.design.design.ByProgram.program``, and ``solver``."""


_SOLVING, _CERTIFYING, _LAST = 0.75, 0.85, 0.95  # of the time: for a method, no certificate under way, in any case
_IN_LANES = 0.6  # of this, where what bounds all paths is looked for afterwards
_LEAST_FOR_ALL = 1.0  # seconds for that
_AT_LEAST = 5.0  # seconds that a method has where nothing can be known, for a first round, and once more to certify it
_AT_ONCE = 1.0  # seconds, for what is known when somebody interrupts
_SOON = 5.0  # seconds, where the time is not limited, for what must be known before somebody interrupts
_SMALL_NODES, _MOST_NODES = 64, 4_096  # nothing is judged beforehand: unless the time is limited; of what is too large


def design_over(network: Network, demands: DemandSet | None, options: Options, stage: Stage) -> Design:
    """Raises InputError for sets of another network, for families without a best routing, and as the methods do."""
    if demands is not None:
        demands.check_between(network)
        if demands.no_best or not demands.designed_by:
            raise InputError(f"{demands.text} {demands.no_best or 'is not a set that a routing is designed for'}")
    known = Known(network, demands, options["paths"], options["path_length"])
    limit, begun = options["time_limit"], time.monotonic()
    method = _by_program if demands is None else _METHODS[demands.designed_by]
    asked = {**options, "proved": known.offer}
    lanes = known.lanes is not None
    try:
        if lost_pair(network) is not None:
            known.looked = True  # there is nothing to know, and the method says why
        if was_interrupted():
            raise KeyboardInterrupt  # noqa: TRY301  # what was heard before counts here
        if lanes or limit is not None or _SMALL_NODES < network.num_nodes <= _MOST_NODES:
            known.look(stage, limit)
        elif (method is _by_flows or options["shortest"]) and known.takes_long:
            known.look(stage, _SOON)
        if limit is not None:
            known.insist(stage, limit - (time.monotonic() - begun))
        if (found := known.answer) is not None and _ended(found, options):
            return replace(found, complete=True)
        if found is not None and not found.gap and method is _by_program:
            asked["optimum"] = found.load_adversary
        if known.half_flows is not None:
            asked["begun"] = known.half_flows
        left = None if limit is None else max(limit - (time.monotonic() - begun), 0.0)
        solving = _SOLVING * (_IN_LANES if lanes else 1)
        if left is None:
            made = method(network, demands, asked, stage)
        elif found is None:
            patience = max(left, _AT_LEAST)
            with ended_in_time(patience, patience + _AT_LEAST):
                made = method(network, demands, {**asked, "time_limit": left}, stage)
        else:
            with ended_in_time(_CERTIFYING * left, _LAST * left):
                made = method(network, demands, {**asked, "time_limit": solving * left}, stage)
        if made.gap:
            known.look(stage, _AT_ONCE if was_interrupted() else limit)
    except (KeyboardInterrupt, NothingReachedError, TooManyLoadsError, TooManyPathsError, TooMuchMemoryError) as error:
        refused = str(error) if isinstance(error, TooMuchMemoryError) else ""
        if not refused or options["solver"] == "auto":
            known.look(silent, _AT_ONCE)  # at a small network nothing was looked beforehand
        if (found := known.answer) is None:
            if isinstance(error, OutOfTimeError):
                raise NothingReachedError(
                    f"the time limit was reached before there was a routing of {network.name} "
                    f"with a bound; a longer one was expected"
                ) from None
            raise
        certified_before_interrupt()
        made, stopped = replace(found, refused=refused), type(error) is KeyboardInterrupt
    else:
        made, stopped = known.improved(made), limit is None and not made.complete
    if limit is not None and made.gap and not (lanes or stopped or made.complete):
        with suppress(KeyboardInterrupt):
            known.look_on(stage, max(limit - (time.monotonic() - begun), 0.0))
        made = known.improved(made)
    if lanes and made.gap and not stopped:
        with suppress(KeyboardInterrupt):
            known.look_on(stage, None if limit is None else max(limit - (time.monotonic() - begun), limit / 2))
            if not known.met:
                left = None if limit is None else max(limit - (time.monotonic() - begun), _LEAST_FOR_ALL)
                _bound_by_all_paths(known, options, left, stage)
        made = known.improved(made)
    return replace(made, complete=True) if _ended(made, options) else made


def _ended(found: Design, options: Options) -> bool:
    """Is there nothing better, and nothing shorter where that was asked for?"""
    return not found.gap and (not options["shortest"] or found.length == found.minimal or found.length_gap == 0)


def _bound_by_all_paths(known: Known, options: Options, seconds: float | None, stage: Stage) -> None:
    """Offer what bounds all routings, as a design without lanes proves it; in so many ``seconds``.

    Paths for a number of virtual channels are many, and their program may prove less in its time than that of all."""
    method = _by_program if known.demands is None else _METHODS[known.demands.designed_by]
    asked = {**options, "paths": None, "shortest": False, "solver": "auto", "proved": known.offer}
    with suppress(InputError, OutOfTimeError), ended_in_time(seconds), stage("all paths"):
        method(known.network, known.demands, {**asked, "time_limit": seconds}, silent)


def _by_program(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    return design_worst_case(network, demands=demands, stage=stage, **options)


def _by_flows(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from .routable.design import design_routable

    return design_routable(network, demands, stage=stage, **options)


def _by_matrices(network: Network, demands: Any, options: Options, stage: Stage) -> Design:
    from .matrix_flow.design import design_for_matrices

    if options["solver"] not in ("auto", "simplex"):
        raise InputError(f"the {options['solver']} solver does not design for matrices; auto was expected")
    given = {key: options[key] for key in ("shortest", "path_length", "paths", "time_limit", "proved")}
    return design_for_matrices(network, demands, stage=stage, **given)


_METHODS: Mapping[str, Callable[[Network, Any, Options, Stage], Design]] = {
    "program": _by_program,
    "matrices": _by_matrices,
    "flows": _by_flows,
}
"""By what the lower bound rests on, as ``DemandSet.designed_by`` says."""
