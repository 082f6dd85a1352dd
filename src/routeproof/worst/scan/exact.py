"""The exact worst case of any oblivious routing on any network, with its proof.

Loads that are differences need no transportation problem: medians bound every channel, and the permutation that sends
from the largest numbers to the least ones reaches the bound (``kernel.differences``).

Source: Towles & Dally 2002 (SPAA), sec. 2 to 4; the unbalanced model of its sec. 2.1 and the hose model besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import nlargest
from typing import Any, NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.display import short, small_table
from ...core.errors import InputError, check_choice
from ...core.loads import DifferenceLoads
from ...core.network import Network
from ...core.spread import Progress, Spread
from ...core.traffic import Permutation
from ...demand_sets.demand_set import DemandSet, Pair
from ...demand_sets.transport import TransportSet
from ...graphs.exact_transport import ExactSolution
from ...graphs.transport import Weights
from ...graphs.transport_arrays import Optimum, Rates
from ...routing.base.routing import Routing
from ...routing.base.views import dense
from ...symmetry.channel_classes import ChannelClasses, channel_classes, solve_folded
from .assignment import witness_of
from .models import MODELS, Curve, Model, balanced, hose, problem_of, saturating_rate, unbalanced
from .scan import SettledRatios
from .scan_block import Bounds

_CELLS = 1 << 22  # numbers looked at together


class ByMedians(NamedTuple):
    """``load``: the worst one, per bandwidth, on ``channels``, ascending; ``permutation``: it loads the first of them
    so; ``middle``: a median of every link, int64 (E,), over the unit of the loads."""

    load: Fraction
    channels: list[int]
    permutation: Permutation
    middle: Int64


def worst_by_medians(network: Network, loads: DifferenceLoads) -> ByMedians:
    """Over all permutations, where every node sends for as many terminals as it receives for."""
    size = network.num_terminals
    where, half = np.searchsorted(loads.node, network.source), size // 2
    middle, apart = np.zeros(len(loads.link), dtype=np.int64), np.zeros(len(loads.link), dtype=object)
    step = max(1, _CELLS // max(1, size))
    for first in range(0, len(loads.link), step):
        some = slice(first, first + step)
        number = np.sort(loads.flow[where, some], axis=0)
        middle[some] = number[half]
        upper, lower = number[size - half :], number[:half]
        wide = 2 * size * int(max(-int(number.min()), int(number.max()), 1)) >= 1 << 62
        apart[some] = (upper - lower).astype(object if wide else np.int64).sum(axis=0)
    width = [network.bandwidth[c] * loads.unit for c in loads.link.tolist()]
    ratio = [int(x) / b for x, b in zip(apart.tolist(), width, strict=True)]
    top = max(ratio)
    worst = [e for e, x in enumerate(ratio) if x == top]
    channels = sorted([*loads.link[worst].tolist(), *loads.back[worst].tolist()])
    return ByMedians(top, channels, _reaching(network, loads, channels[0]), middle)


def _reaching(network: Network, loads: DifferenceLoads, channel: int) -> Permutation:
    """The terminal of the k-th largest number sends to that of the k-th least."""
    there = np.flatnonzero(loads.link == channel)
    number = loads.flow[:, there[0]] if len(there) else -loads.flow[:, np.flatnonzero(loads.back == channel)[0]]
    source, sink = (number[np.searchsorted(loads.node, x)] for x in (network.source, network.sink))
    image = np.zeros(network.num_terminals, dtype=np.int64)
    image[np.argsort(-source, kind="stable")] = np.argsort(sink, kind="stable")
    return Permutation(image)


_FOLD_FROM_NODES = 512
EXACT = Weights(1, True, 0)


class NeverLoadedError(InputError):
    """No traffic of the model crosses any channel: there is no worst case."""


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The exact worst case of ``routing`` under ``model``.

    - ``load``: the largest load per unit of bandwidth that admissible traffic can put on a channel (for the unbalanced
      model: at the rate ``throughput``, so 1 unless nothing saturates);
    - ``throughput``: the rate that is guaranteed to saturate no channel, 1 / load (unbalanced: at most 1; hose: the
      factor by which all rates may grow);
    - ``channel``: a worst channel, ``worst_channels``: all of them that are known (every one where ``all_channels`` was
      asked for, else those proved equal by symmetry or solved to the end);
    - ``permutation`` (balanced) or ``traffic`` ([(i, j, rate)], other models): the witness; None where even full rate
      saturates nothing;
    - ``worst_focus``: the focus channels among the worst;
    - ``channel_loads``: the exact worst load per bandwidth of every channel, where asked for;
    - ``classes``: the focus channels and the symmetry that made them;
    - ``bounds``, ``exact``: the proof, where it is made of potentials; ``optima``: those of single channels;
      ``medians``: where it is made of these (over the unit of the routing's ``differences``);
    - ``stated``: what is claimed, with another proof, where it is not; ``curve``: of a set that has one.
    """

    routing: Routing
    model: Model
    load: Fraction
    throughput: Fraction
    channel: int
    worst_channels: list[int]
    worst_focus: list[int]
    classes: ChannelClasses
    permutation: Permutation | None = None
    traffic: list[tuple[int, int, Fraction]] | None = None
    channel_loads: list[Fraction] | None = None
    weights: Weights = EXACT
    bounds: Bounds = field(default_factory=Bounds, repr=False)
    exact: dict[int, ExactSolution] = field(default_factory=dict, repr=False)
    optima: dict[int, Optimum] = field(default_factory=dict, repr=False)
    medians: Int64 | None = field(default=None, repr=False)
    stated: tuple[Claim, ...] = field(default=(), repr=False)
    curve: Curve | None = field(default=None, repr=False)

    @classmethod
    def proved_by(
        cls,
        stated: Sequence[Claim],
        routing: Routing,
        demands: DemandSet,
        load: Fraction,
        channel: int,
        rates: Mapping[Pair, Fraction],
        *,
        channel_loads: Sequence[Fraction] | None = None,
        classes: ChannelClasses | None = None,
        curve: Curve | None = None,
    ) -> WorstCase:
        """One whose proof is not made of potentials, but in the claims ``stated``: ``rates`` put ``load`` on
        ``channel``."""
        nothing = np.zeros(0, dtype=np.int64)
        worst = [channel] if channel_loads is None else [c for c, x in enumerate(channel_loads) if x == load]
        model = Model("other", [], [], Rates(nothing, nothing, 1), False, demands=demands)
        return cls(
            routing,
            model,
            load,
            1 / load,
            channel,
            worst,
            worst,
            classes or channel_classes(routing, mode="none"),
            traffic=as_traffic(rates),
            channel_loads=None if channel_loads is None else list(channel_loads),
            stated=tuple(stated),
            curve=curve,
        )

    def __repr__(self) -> str:
        where = f"channel {self.channel}" if self.load else "no channel"
        return f"<WorstCase of {self.routing!r}: load {short(str(self.load))} on {where}, {self.model.name}>"

    @property
    def network(self) -> Network:
        return self.routing.network

    def hottest(self, count: int) -> list[tuple[int, Fraction]]:
        """(channel, its own worst load per bandwidth) of at most ``count`` channels, the highest first.

        Raises InputError unless the worst case of every channel was asked for (``all_channels``).
        """
        if self.channel_loads is None:
            raise InputError("the worst case of every channel is not known; all_channels=True asks for it")
        loads = self.channel_loads
        return [(c, loads[c]) for c in nlargest(count, range(len(loads)), key=loads.__getitem__)]

    @property
    def symmetry_used(self) -> tuple[str, ...]:
        return self.classes.names

    @property
    def num_focus_channels(self) -> int:
        return len(self.classes.focus)

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            ("worst-case load", str(self.load) if self.load.denominator < 10**30 else f"about {float(self.load):.6g}"),
            ("guaranteed throughput", f"{float(self.throughput):.6g}"),
            ("worst channel", self.network.channel_label(self.channel)),
            ("traffic model", self.model.name),
            ("focus channels", f"{self.num_focus_channels} for {self.network.num_channels} channels"),
        ]
        return small_table(f"{self.routing.name} on {self.network.name}", (), rows)


def as_traffic(rates: Mapping[Pair, Fraction]) -> list[tuple[int, int, Fraction]]:
    """[(source, destination, rate)] in order, of positive rates by pair."""
    return [(i, j, x) for (i, j), x in sorted(rates.items()) if x]


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
    check_choice("model", model, MODELS)
    if (rates is not None) != (model == "hose"):
        raise InputError(
            "rates go with the hose model, and the hose model needs them (what each terminal sends, receives)"
        )
    options = _Options(symmetry, all_channels, workers, progress, spread)
    try:
        if model == "unbalanced":
            return _unbalanced(routing, options)
        return _solve(routing, balanced(routing) if rates is None else hose(routing, *rates), options)
    except OverflowError as error:
        network, hint = routing.network, ""
        if model == "unbalanced":
            hint = f" (they follow from the bandwidths: {network.longest_bandwidth}; state it with fewer digits)"
        raise InputError(f"the worst case of {routing.name} on {network.name} is out of reach: {error}{hint}") from None


def worst_case_over(
    routing: Routing, demands: TransportSet, *, job: str | None = None, among: Int64 | None = None, **options: Any
) -> WorstCase:
    """As ``worst_case``, over the demands of the set; symmetry is used where all pairs may send and all terminals have
    the same limits.

    ``job``: of this job alone; ``among``: on these channels alone, without symmetry.  Raises InputError also for boxes,
    and for sets without a limit.
    """
    demands.check_between(routing.network)
    if demands.box is not None:
        raise InputError(f"{demands.text}: the worst case over demands between two limits is not available yet")
    if not demands.is_bounded:
        raise InputError(f"{demands.text}: nothing limits the demand, so there is no worst case")
    shaped, model = problem_of(routing, demands if job is None else demands.alone(job))
    if among is not None:
        options = {**options, "symmetry": "none", "among": among}
    try:
        return _solve(shaped, replace(model, job=job), _Options(**options))
    except NeverLoadedError:
        raise InputError(
            f"over {demands.text} no channel of {routing.network.name} is ever loaded: packets stay at their switch, "
            f"and nothing collides"
        ) from None
    except OverflowError as error:
        raise InputError(f"the worst case of {routing.name} over {demands.text} is out of reach: {error}") from None


class _Options(NamedTuple):
    symmetry: str = "auto"
    all_channels: bool = False
    workers: int | None = None
    progress: Progress | None = None
    spread: Spread | None = None
    among: Int64 | None = None


def _solve(routing: Routing, model: Model, options: _Options) -> WorstCase:
    """With base loads where traffic of the model can use them fully, and does; else with all loads pair by pair.  Over
    permutations, loads that are differences are judged by their medians, unless single channels are asked for."""
    alone = options.all_channels or options.among is not None
    if routing.differences is not None and model.name == "balanced" and not alone:
        return _of_differences(routing, model, routing.differences)
    found = None if model.name == "unbalanced" and routing.has_base else _reached(routing, model, options)
    found = found or _reached(dense(routing), model, options)
    if found is None:
        raise ArithmeticError(f"no admissible traffic reaches the bound of {routing.name}")
    return found


def _of_differences(routing: Routing, model: Model, loads: DifferenceLoads) -> WorstCase:
    found = worst_by_medians(routing.network, loads)
    if not found.load:
        raise _never_loaded(routing)
    classes = channel_classes(routing, mode="none")
    return WorstCase(
        routing, model, found.load, 1 / found.load, found.channels[0], found.channels, found.channels, classes,
        found.permutation, medians=found.middle,
    )  # fmt: skip


def _never_loaded(routing: Routing) -> NeverLoadedError:
    network = routing.network
    return NeverLoadedError(
        f"no channel of {network.name} is ever loaded by {routing.name}: there is no worst case "
        f"({network.num_terminals} terminals; packets between terminals of one node cross no channel)"
    )


def _reached(routing: Routing, model: Model, options: _Options) -> WorstCase | None:
    """None where base loads raise a channel's bound to what no traffic reaches."""
    network, rates = routing.network, model.rates
    routing.check_room_of_each()
    strict = model.name == "unbalanced"  # a channel that just saturates needs a proof of its own
    # Sending and receiving are alike at rate 1 even there, but not below it, where the answer may lie.
    alike = model.sends == model.receives and not strict
    classes = channel_classes(routing, mode=options.symmetry, rates_uniform=model.uniform, reversal=alike)
    focus = classes.focus.tolist() if options.among is None else options.among.tolist()
    ratios = SettledRatios(routing, rates, strict=strict, workers=options.workers)
    for c in focus if network.num_nodes >= _FOLD_FROM_NODES else ():
        folded = solve_folded(routing, c, classes, rates)
        if folded is not None:
            ratios.take(c, folded)
    plain = [c for c in focus if c not in ratios.solved]
    if model.name == "balanced" and routing.spans is not None and not options.all_channels:
        plain = ratios.take_spans(np.array(plain, dtype=np.int64), routing.spans)
    exact = dict(ratios.solved)
    found = ratios.scan(plain, all_channels=options.all_channels, progress=options.progress, spread=options.spread)
    best = ratios.best
    if not best:
        raise _never_loaded(routing)
    # Proofs against the final ratio for what the scan left open; what rounding still leaves open keeps exact ones.
    again, more = ratios.prove(sorted(found.open))
    worst = [c for c, x in sorted(ratios.ratios.items()) if x == best]
    if not worst:
        raise ArithmeticError("the worst channel was lost")
    witness = _witness(routing, model, worst[0], ratios)
    every = plain if options.all_channels and routing.has_base else []
    if witness is None or any(_witness(routing, model, c, ratios) is None for c in every):
        return None
    label = classes.label
    return WorstCase(
        routing,
        model,
        best,
        1 / best,
        worst[0],
        np.nonzero(np.isin(label, worst))[0].tolist(),
        worst,
        classes,
        *witness,
        channel_loads=[ratios.ratios[c] for c in label.tolist()] if options.all_channels else None,
        weights=found.weights,
        bounds=found.bounds.merged(again.bounds),
        exact={**exact, **more},
        optima=found.optima,
    )


def _witness(
    routing: Routing, model: Model, channel: int, ratios: SettledRatios
) -> tuple[Permutation | None, list[tuple[int, int, Fraction]] | None] | None:
    return witness_of(routing, model, routing.channel_loads([channel]), ratios.solve(channel).flow)


def _unbalanced(routing: Routing, options: _Options) -> WorstCase:
    """The smallest injection rate, at most 1, that saturates a channel, by Newton's method over the worst channels.

    A channel's worst load is concave and not decreasing in the rate.  So the rate at which the worst channel of one
    round meets its bandwidth is at most the round's own; in the last round no channel is above its bandwidth, and those
    that meet it have potentials whose line rises: below this rate they do not.
    """
    rate = Fraction(1)
    while True:
        result = _solve(routing, unbalanced(routing, rate), options)
        routing = result.routing
        lines: dict[int, ExactSolution] = {}
        first = rate
        for c in result.worst_focus if result.load >= 1 else ():
            block = routing.channel_loads([c])
            saturating, lines[c] = saturating_rate(routing, block, routing.network.bandwidth[c])
            first = min(first, saturating)
        if first == rate:
            break
        rate = first
    return replace(
        result,
        throughput=rate,
        traffic=result.traffic if lines else None,
        bounds=result.bounds.chosen(k for k, c in enumerate(result.bounds.channel) if c not in lines),
        exact={**result.exact, **lines},
    )
