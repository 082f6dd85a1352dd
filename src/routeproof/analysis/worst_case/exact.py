"""The exact worst case of any oblivious routing on any network, with its proof.

Source: Towles & Dally 2002 (SPAA), sec. 2 to 4; the unbalanced model of its sec. 2.1 and the hose model besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError, did_you_mean
from ...core.loads import LoadBlock
from ...core.stage import Progress
from ...routing.base.routing import Routing
from .assignment import flow_permutation, flow_traffic
from .channel_classes import channel_classes
from .dense import dense
from .exact_optimum import ExactSolution
from .models import MODELS, Model, balanced, hose, saturating_rate, unbalanced
from .result import WorstCase
from .spread import Spread
from .sweep import sweep
from .sweep_block import base_totals
from .sweep_types import Bounds, Rates
from .transport import solve_exactly

__all__ = ["worst_case"]

Int32 = npt.NDArray[np.int32]
_FOLD_FROM_NODES = 512


def worst_case(
    routing: Routing,
    *,
    model: str = "balanced",
    rates: tuple[Sequence[Fraction], Sequence[Fraction]] | None = None,
    symmetry: str = "auto",
    all_channels: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> WorstCase:
    """The largest load per bandwidth over all channels and all admissible traffic, exactly, with its proof.

        >>> from routeproof import DOR, mesh, worst_case
        >>> wc = worst_case(DOR().on(mesh(3, 3)))
        >>> wc.load, wc.throughput, wc.network.channel_label(wc.channel)
        (Fraction(2, 1), Fraction(1, 2), '(0,0) -> (0,1)')

    The result's main parts are ``load``, ``throughput``, ``channel`` and ``permutation`` (who sends to whom);
    ``WorstCase`` describes all of them, and ``evidence.worst_case_claims`` states them with evidence.

    - ``model``: "balanced" (every terminal sends and receives at one rate: a permutation is worst), "unbalanced" (rows
      of the traffic at most the rate, columns at most 1) or "hose" (``rates``: what each terminal may send, receive);
    - ``symmetry``: "auto" uses declared symmetries that the routing is checked to respect, or finds the network's;
      "none" treats every channel;
    - ``all_channels``: also the exact worst case of every single channel;
    - ``workers``: threads; ``progress(done, total)`` is called now and then, in channels (in blocks with ``spread``);
    - ``spread``: does blocks of channels elsewhere, such as an ``engine.Engine``'s; the claims are the same.

    Source: Towles & Dally 2002 (SPAA), sec. 2 to 4; known as maximum-weight matching, or assignment, per channel.
    Raises InputError for bad options, networks on which no channel is ever loaded, and loads beyond 64-bit arithmetic.
    """
    if model not in MODELS:
        raise InputError(f"model is '{model}'; {did_you_mean(model, MODELS)}")
    if (rates is not None) != (model == "hose"):
        raise InputError(
            "rates go with the hose model, and the hose model needs them (what each terminal sends, receives)"
        )
    try:
        if model == "unbalanced":
            return _unbalanced(routing, symmetry, all_channels, workers, progress, spread)
        chosen = balanced(routing) if rates is None else hose(routing, *rates)
        return _solve(routing, chosen, symmetry, all_channels, workers, progress, spread)
    except OverflowError as error:
        raise InputError(
            f"the worst case of {routing.name} on {routing.network.name} is out of reach: {error}"
        ) from None


def _solve(
    routing: Routing,
    model: Model,
    symmetry: str,
    all_channels: bool,
    workers: int | None,
    progress: Progress | None,
    spread: Spread | None,
) -> WorstCase:
    network = routing.network
    routing.check_room_of_each()
    rates = model.rates
    strict = model.name == "unbalanced"  # a channel that just saturates needs a proof of its own
    # Sending and receiving are alike at rate 1 even there, but not below it, where the answer may lie.
    alike = model.sends == model.receives and not strict
    classes = channel_classes(routing, mode=symmetry, rates_uniform=model.uniform, reversal=alike)
    folded: list[int] = []
    plain: list[int] = []
    for c in classes.focus.tolist():
        fold = network.num_nodes >= _FOLD_FROM_NODES and bool(classes.stabiliser(c))
        (folded if fold and routing.channel_loads([c], rows=_none(routing)).base is None else plain).append(c)
    exact: dict[int, ExactSolution] = {}
    ratios: dict[int, Fraction] = {}
    best = Fraction(0)
    if folded:
        from .fold import solve_folded

        for c in folded:
            exact[c] = solve_folded(routing, c, classes.stabiliser(c), rates.supply, rates.demand)
            ratios[c] = exact[c].value / rates.unit / network.bandwidth[c]
            best = max(best, ratios[c])
    found = sweep(
        routing, np.array(plain, dtype=np.int32), rates, lower=best, all_channels=all_channels, strict=strict,
        workers=workers, progress=progress, spread=spread,
    )  # fmt: skip
    best = max(best, found.lower)
    solved: dict[int, ExactSolution] = {}

    def settle(c: int) -> Fraction:
        block = routing.channel_loads([c])
        solved[c] = _solve_one(block, rates)
        return (solved[c].value / rates.unit + base_totals(block, rates)[0]) / network.bandwidth[c]

    ratios.update(found.upper if found.weights.exact and not all_channels else found.values)
    # Channels whose rounded-up optimum reaches the best ratio, or that have no bound yet, are settled exactly.
    unsure = set() if found.weights.exact else {c for c, x in found.upper.items() if x >= best and c not in ratios}
    for c in sorted(unsure | {c for c in found.open if c not in ratios}):
        ratios[c] = settle(c)
    best = max([best, *ratios.values()]) if ratios else best
    if not best:
        raise InputError(
            f"no channel of {network.name} is ever loaded by {routing.name}: there is no worst case "
            f"({network.num_terminals} terminals)"
        )
    # Proofs against the final ratio for what the sweep left open; what rounding still leaves open keeps exact ones.
    left = np.array(sorted(found.open), dtype=np.int32)
    again = sweep(routing, left, rates, lower=best, strict=strict, workers=workers)
    for c in again.open:
        if c not in solved:
            ratios[c] = settle(c)
        exact[c] = solved[c]
    bounds = _merged(found.bounds, again.bounds)
    worst = [c for c, x in sorted(ratios.items()) if x == best]
    if not worst:
        raise ArithmeticError("the worst channel was lost")
    channel = worst[0]
    block = routing.channel_loads([channel])
    answer = exact.get(channel) or solved.get(channel) or _solve_one(block, rates)
    permutation = traffic = None
    if model.name == "balanced":
        permutation = flow_permutation(routing, block.row, block.column, answer.flow, apart=block.base is not None)
        if permutation is None:
            return _solve(dense(routing), model, symmetry, all_channels, workers, progress, spread)
    else:
        traffic = flow_traffic(routing, block.row, block.column, answer.flow, model.sends, model.receives, rates.unit)
        if block.base is not None:
            return _solve(dense(routing), model, symmetry, all_channels, workers, progress, spread)
    if block.base is not None and all_channels and not all(_reaches_base(routing, c, rates) for c in plain):
        return _solve(dense(routing), model, symmetry, all_channels, workers, progress, spread)
    label = classes.label
    return WorstCase(
        routing,
        model,
        best,
        1 / best,
        channel,
        np.nonzero(np.isin(label, worst))[0].tolist(),
        worst,
        permutation,
        traffic,
        [ratios[c] for c in label.tolist()] if all_channels else None,
        classes,
        found.weights,
        bounds,
        exact,
    )


def _reaches_base(routing: Routing, channel: int, rates: Rates) -> bool:
    """Can the channel's optimum be completed so that every packet leaves its node, as its base load assumes?"""
    block = routing.channel_loads([channel])
    flow = _solve_one(block, rates).flow
    return flow_permutation(routing, block.row, block.column, flow, apart=True) is not None


def _solve_one(block: LoadBlock, rates: Rates) -> ExactSolution:
    return solve_exactly(block.row, block.column, block.load, rates.supply, rates.demand)


def _none(routing: Routing) -> npt.NDArray[np.bool_]:
    return np.zeros(len(routing.row_node), dtype=bool)


def _merged(first: Bounds, second: Bounds) -> Bounds:
    """One set of bounds in ascending order of channel."""
    channel = first.channel + second.channel
    order = sorted(range(len(channel)), key=channel.__getitem__)
    shift = first.shift + second.shift
    quantum = first.quantum + second.quantum
    return Bounds([channel[k] for k in order], [shift[k] for k in order], [quantum[k] for k in order])


def _unbalanced(
    routing: Routing,
    symmetry: str,
    all_channels: bool,
    workers: int | None,
    progress: Progress | None,
    spread: Spread | None,
) -> WorstCase:
    """The smallest injection rate, at most 1, that saturates a channel, by Newton's method over the worst channels.

    A channel's worst load is concave and not decreasing in the rate.  So the rate at which the worst channel of one
    round meets its bandwidth is at most the round's own; in the last round no channel is above its bandwidth, and those
    that meet it have potentials whose line rises: below this rate they do not.
    """
    if bool(routing.channel_loads([0], rows=_none(routing)).base):
        routing = dense(routing)
    rate = Fraction(1)
    while True:
        result = _solve(routing, unbalanced(routing, rate), symmetry, all_channels, workers, progress, spread)
        lines: dict[int, ExactSolution] = {}
        first = rate
        for c in result.worst_focus if result.load >= 1 else ():
            block = routing.channel_loads([c])
            saturating, lines[c] = saturating_rate(routing, block, routing.network.bandwidth[c])
            first = min(first, saturating)
        if first == rate:
            break
        rate = first
    kept = [k for k, c in enumerate(result.bounds.channel) if c not in lines]
    bounds = Bounds(*([getattr(result.bounds, x)[k] for k in kept] for x in ("channel", "shift", "quantum")))
    return replace(
        result,
        throughput=rate,
        traffic=result.traffic if lines else None,
        bounds=bounds,
        exact={**result.exact, **lines},
    )
