"""The routing with the best oblivious ratio: what it reaches and what no routing can beat, both certified.

The ratio compares a routing with the best that could be done for every demand by itself, so it is at least 1 on every
network; 1 on trees and rings of one direction, where nothing can be chosen.

Source: Azar, Cohen, Fiat, Kaplan & Raecke 2003 (STOC); Applegate & Cohen 2003 (SIGCOMM).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress, Stage, silent
from ...demand_sets.routable import Routable
from ...formats.documents.packed_ints import pack_ints
from ...machine.deadlines import Deadline, held_interrupts
from ...routing.base.routing import Routing
from ...routing.base.views import dense
from ...routing.path_sets.path_set import PathSet
from ...symmetry.channel_classes import channel_classes
from ...symmetry.pair_classes import Reduction, check_nodes, reduce
from ...worst.locality import average_path_length, minimal_average
from ...worst.routable.loads import pair_loads
from ...worst.routable.packing import best_lengths
from ...worst.routable.ratio import ObliviousRatio, oblivious_ratio, ratio_claims
from ...worst.scan.exact import WorstCase
from ..design import Bound, Design, NothingReachedError
from ..program.flows import routing_of_flows
from .parts import composed_adversary, composed_lengths, composed_routing, parts_of, whole_of
from .program import RatioProgram, ratio_program
from .rounds import solve_by_rounds
from .solution import FlowAdversary, Solution, solution_of

_STOPPED = Fraction(1, 100)  # how exactly a routing is judged that was stopped before its optimum


def design_routable(
    network: Network,
    demands: Routable,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    symmetry: str = "auto",
    solver: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
    proved: Callable[[Bound], None] | None = None,
) -> Design:
    """The routing with the lowest oblivious ratio: exact where its numbers are short enough, else an interval.

    ``symmetry``, ``time_limit``, ``paths`` and ``proved`` as in ``design_worst_case``.  Raises InputError for what it
    cannot do (bounds on path lengths, other solvers), for a missing solver, and for networks that are too large or not
    connected.
    """
    for given, name in (
        (shortest, "--then path-length"),
        (path_length is not None, "--path-length"),
    ):
        if given:
            raise InputError(
                f"{name} does not go with --demands {demands.text}: its program is solved for the ratio alone"
            )
    if solver not in ("auto", "simplex"):
        raise InputError(f"--solver {solver} does not solve for --demands {demands.text}; auto or simplex was expected")
    check_nodes(network)
    step, deadline = stage or silent, Deadline(time_limit)
    with step("reduction"):
        whole = reduce(network, symmetry=symmetry, within=paths)
        parts = parts_of(network) if paths is None else [whole_of(network)]
    programs, solved, complete = list[RatioProgram](), list[Solution](), True
    for part in parts:
        own = whole if len(parts) == 1 else reduce(part.network, symmetry=symmetry)
        with step("program"):
            programs.append(ratio_program(own, paths))
        with step("oblivious ratio") as show:
            found = solve_by_rounds(programs[-1], deadline=deadline, progress=_shown(show))
        if found.interrupted:
            deadline = Deadline(0.0)
        complete = complete and found.complete
        with step("rounding"), held_interrupts():
            solved.append(solution_of(programs[-1], found))
    with step("judging") as show, held_interrupts():
        if len(parts) == 1:
            routing: Routing = solved[0].routing or routing_of_flows(whole, solved[0].classes)
            length, exact = solved[0].length, solved[0].whole
            adversary = FlowAdversary(network, solved[0].flows, whole.symmetry, paths=paths)
        else:
            routing = composed_routing(network, parts, solved)
            length, exact = composed_lengths(network, parts, solved), all(x.whole for x in solved)
            adversary = composed_adversary(network, parts, solved, programs)
        if proved is not None:
            proved(adversary)
        judged = _bounded(routing, length, whole=exact) if complete else _judged(routing, show)
    return _design(whole, judged, adversary, demands, complete=complete)


def _shown(show: Any) -> Any:
    if not callable(show):
        return None
    return lambda number, low, _: show(f"oblivious ratio: round {number}, at least {low:.6g}")


def _judged(routing: Routing, show: Any) -> ObliviousRatio:
    progress: Progress | None = None
    if callable(show):
        progress = lambda done, total: show(f"judging: {done} of {total} channels")  # noqa: E731
    return oblivious_ratio(routing, accuracy=_STOPPED, progress=progress)


def _bounded(routing: Routing, length: npt.NDArray[Any], *, whole: bool) -> ObliviousRatio:
    """What the lengths (C, C) of every channel prove of the routing: no more than that is known."""
    network = routing.network
    routing = dense(routing)
    classes = channel_classes(routing)
    kept, proof, high, worst = list[str](), dict[int, int](), Fraction(0), 0
    for c in classes.focus.tolist():
        loads = pair_loads(routing, c)
        if not len(loads):
            continue
        if whole:
            bound, chosen = loads.bound(length[c]), length[c]
        else:
            found = best_lengths(loads, (length[c],), Fraction(0))
            bound, chosen = (None, None) if found is None else found
        if bound is None or chosen is None:
            return oblivious_ratio(routing, accuracy=_STOPPED)
        proof[c] = len(kept)
        kept.append(pack_ints(np.asarray(chosen)))
        if bound / network.bandwidth[c] > high:
            high, worst = bound / network.bandwidth[c], c
    return ObliviousRatio(routing, Fraction(0), high, worst, (), kept, proof, classes, {})


def _design(
    reduction: Reduction, judged: ObliviousRatio, adversary: FlowAdversary, demands: Routable, *, complete: bool
) -> Design:
    routing = judged.routing
    if judged.high is None:
        raise NothingReachedError("interrupted before the routing was judged")
    stated = [x for x in ratio_claims(judged) if x.relation != ">="]
    worst = WorstCase.proved_by(stated, routing, demands, judged.high, judged.channel, {})
    length, minimal = average_path_length(routing), minimal_average(reduction.network)
    return Design(
        reduction, routing, worst, adversary, length, minimal, complete=complete, demands=demands
    )  # fmt: skip
