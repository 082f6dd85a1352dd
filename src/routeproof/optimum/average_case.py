"""The routing with the lowest average of maximum channel loads over a sample of random traffic; and the best routing
of a sample for a series of bounds on the path length.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (9), (15) and Figure 6.  Loads become rows only where they are the largest
so far: the program starts without any, and whatever its solution overloads is added, until nothing is.

What differs from the paper: the routing keeps the symmetry that is asked for ("auto": all of it), which with a fixed
sample is a restriction; so the value on a fresh sample stands beside the one in the sample.

Every bound on the path length is a piece of work of its own, so that several processes share them and a run that was
killed goes on (``engine``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import Float64
from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Progress
from ..graphs.shortest import hops_to_all
from ..lp.exact import Triplets, solver_of
from ..lp.solver import Generation, SolverError, Status
from ..machine.deadlines import Deadline
from ..routing.base.routing import Routing
from ..routing.named.described import describe_routing, routing_from_description
from ..routing.path_sets.path_set import PathSet
from ..symmetry.pair_classes import Reduction, reduce
from ..topologies.traffic_models import sample_traffic
from ..worst.average import AverageThroughput, average_case, throughput_range
from ..worst.locality import average_path_length
from ..worst.scan.exact import worst_case
from ..worst.scan.scan import network_described, network_made_again
from .program.flow_program import FlowProgram, flow_columns, flow_rows, flows_of_pairs, hop_cost, length_bound
from .program.path_variables import designed_name

if TYPE_CHECKING:
    from ..engine import Engine

_MOST_CELLS = 1 << 25
_ROUNDS = 200
_CLOSE = 1e-7
_INSIDE = Fraction(1, 10_000)


@dataclass(frozen=True, eq=False)
class AverageCaseDesign:
    """A routing, its average case in its own sample and in a fresh one, and its path length.

    ``inside``: the mean throughput in the sample that the routing was made for, that very mean and no interval;
    ``fresh``: on another one, with its interval; ``inside_load``, ``fresh_load``: means of the maximum channel load,
    the quantity that (9) minimises; ``gap``: how far the mean load in the sample may be from the least that the solver
    believes possible (its own word, not proved).
    """

    network: Network
    routing: Routing
    model: str
    inside: AverageThroughput
    fresh: AverageThroughput
    inside_load: float
    fresh_load: float
    length: Fraction
    minimal: Fraction
    gap: float


def design_average_case(
    network: Network,
    *,
    model: str = "permutation",
    count: int = 100,
    seed: int = 0,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    name: str | None = None,
    symmetry: str = "auto",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> AverageCaseDesign:
    """Minimise the mean over ``count`` random matrices of the largest load per bandwidth; ``seed`` gives the sample,
    seed + 1 the fresh one.

    ``shortest``, ``path_length``, ``symmetry``, ``time_limit`` as in ``design_worst_case``; ``paths``: use those of a
    set only ("2turn"), and call the routing ``name``.  Raises InputError for bad options and networks that are too
    large.
    """
    if network.num_nodes**2 * network.num_channels > _MOST_CELLS:
        raise InputError(
            f"the average case of {network.name} needs {network.num_nodes**2 * network.num_channels:,} loads at once; "
            f"at most {_MOST_CELLS:,} are tried"
        )
    minimal, _ = length_bound(network, path_length)
    sample = sample_traffic(network, model, count=count, seed=seed)
    reduction = reduce(network, symmetry=symmetry, within=paths)
    work = _SampleGeneration(reduction, paths, sample, Deadline(time_limit), progress)
    most_hops = None
    if path_length == 1:
        work.only_shortest()
    elif path_length is not None:  # a little less, since solver and rounding are not exact
        most_hops = float((path_length - _INSIDE * (path_length - 1)) * minimal) * network.num_terminals**2
    x, believed = work.minimise(most_hops)
    if shortest:
        x = work.shorten(believed)
    routing = work.model.routing_from_floats(x, name or designed_name(paths))
    routing.check()
    length = average_path_length(routing)
    if path_length is not None and length > path_length * minimal:
        raise InputError(f"a routing of {network.name} within {path_length} of the minimal length was not made exact")
    limits = throughput_range(routing)
    worst = 1 / limits[0] if limits[0] else None
    inside, inside_load = average_case(routing, sample, seed=seed, worst_load=worst)
    other = sample_traffic(network, model, count=count, seed=seed + 1)
    fresh, fresh_load = average_case(routing, other, seed=seed + 1, worst_load=worst)
    gap = inside_load / believed - 1 if believed > 0 else 0.0 if inside_load <= 0 else float("inf")
    averages = (inside.own(), fresh, inside_load, fresh_load)
    return AverageCaseDesign(network, routing, model, *averages, length, minimal, gap)


class _SampleGeneration(Generation):
    """The program with the rows found so far, in a solver that starts from where it was; ``own``: its solution."""

    def __init__(
        self,
        reduction: Reduction,
        allowed: PathSet | None,
        sample: Float64,
        deadline: Deadline,
        progress: Progress | None,
    ) -> None:
        self.sample, self.deadline, self.progress = sample, deadline, progress
        self.count = count = len(sample)  # columns 0 .. count - 1: the maximum load of each matrix
        flow, size = flow_columns(reduction, count, allowed)
        entries = Triplets()
        bound, variables, self.size = flow_rows(reduction, flow, allowed, size, entries)
        program, hops = entries.program(self.size, len(bound), bound), hop_cost(reduction, flow, self.size)
        self.model = FlowProgram(reduction, program, flow, hops, variables, allowed)
        channels = np.arange(reduction.network.num_channels)
        self.of_pair = flows_of_pairs(reduction, flow, channels).reshape(len(channels), -1).T
        self.width = np.array([float(b) for b in reduction.network.bandwidth])
        self.hops = hops.astype(np.float64)
        cost = np.zeros(self.size)
        cost[:count] = 1 / count
        self.solver = solver_of(program, cost)
        self.known: set[tuple[int, int]] = set()

    def only_shortest(self) -> None:
        """No flow on channels that are on no shortest path of their pair."""
        network = self.model.reduction.network
        hops = hops_to_all(network).T
        far = np.where(hops < 0, np.inf, hops)
        for pair, columns in zip(self.model.reduction.pairs, self.model.flow, strict=True):
            i, j = pair.source, pair.destination
            longer = far[i, network.tail] + 1 + far[network.head, j] > far[i, j]
            at = np.unique(columns[longer & (columns >= 0)]).astype(np.int32)
            if len(at):
                self.solver.close_columns(at)

    def minimise(self, most_hops: float | None) -> tuple[Float64, float]:
        """(a solution, the mean maximum load that the solver believes least)."""
        if most_hops is not None:
            at = np.flatnonzero(self.hops)
            self.solver.add_row(-np.inf, most_hops, at, self.hops[at])
        x = self._settled()
        return x, float(x[: self.count].mean())

    def shorten(self, mean: float) -> Float64:
        """The shortest paths with the same mean maximum load as the solution's, up to one part in a million."""
        self.solver.add_row(-np.inf, mean * (1 + 1e-6), np.arange(self.count), np.full(self.count, 1 / self.count))
        cost = np.concatenate([np.zeros(self.count), self.hops[self.count :] / float(self.hops.max())])
        self.solver.set_costs(cost)
        return self._settled()

    def _settled(self) -> Float64:
        """Rounds until no row is missing, or the time is over: then the last solution.  The very first one is finished
        whatever the time."""
        before = self.rounds + 1

        def tell(rounds: int) -> None:
            if self.progress is not None:
                self.progress(rounds - before, rounds - before + (10 if self.added else 1))

        self.generate(most=_ROUNDS, tell=tell)
        return self.own

    def solve(self) -> bool:
        left = self.deadline.left() if self.rounds else None
        if left == 0 or (self.solver.run(left) is Status.OUT_OF_TIME and self.rounds):
            return False
        self.own, _ = self.solver.solution()
        if len(self.own) != self.size or not np.isfinite(self.own).all():
            raise SolverError("the solver stopped without a solution")
        return True

    def separate(self, share: float) -> int:  # noqa: ARG002  # there is no point but the solver's
        """Rows for the loads above what the solution calls the largest, a few for every matrix."""
        x, self.added = self.own, 0
        loads = self.sample @ np.where(self.of_pair >= 0, x[self.of_pair], 0.0) / self.width
        for k in range(self.count):
            over = np.nonzero(loads[k] > x[k] + _CLOSE * max(1.0, x[k]))[0]
            for c in over[np.argsort(-loads[k, over])][:6].tolist():
                if (k, c) in self.known:
                    continue
                self.known.add((k, c))
                columns = self.of_pair[:, c]
                inside = columns >= 0
                weight = np.bincount(columns[inside], weights=self.sample[k, inside], minlength=self.size)
                weight[k] = -self.width[c]
                at = np.nonzero(weight)[0].astype(np.int32)
                self.solver.add_row(-np.inf, 0.0, at, weight[at])
                self.added += 1
        return self.added


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """A designed ``routing`` with an average path length of ``length`` hops, no more than asked for; its mean
    throughput in the sample that it was made for (``inside``, no interval) and on another one (``fresh``)."""

    routing: Routing
    length: Fraction
    inside: AverageThroughput
    fresh: AverageThroughput


@dataclass(frozen=True, eq=False)
class AverageCurve:
    """``points`` from the best average case to the shortest paths; ``model``, ``count``, ``seed``: the sample."""

    network: Network
    minimal: Fraction
    model: str
    count: int
    seed: int
    points: list[CurvePoint]


def average_case_tradeoff(
    network: Network,
    *,
    model: str = "permutation",
    count: int = 100,
    seed: int = 0,
    num_points: int = 9,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> AverageCurve:
    """Solve for ``num_points`` bounds, evenly spaced from the length that the best average case needs down to 1.

    ``engine``: who does the pieces; by default this process, one after the other.  ``progress(done, total)``: in
    points.  Other options as in ``design_average_case``.  Raises InputError as that does.
    """
    if num_points < 2:
        raise InputError(f"the curve has {num_points} points; at least 2 were expected")
    options: dict[str, Any] = {"model": model, "count": count, "seed": seed}
    best = design_average_case(network, shortest=True, **options)
    if progress is not None:
        progress(1, num_points)
    longest = best.length / best.minimal
    bounds = [longest - (longest - 1) * Fraction(k, num_points - 1) for k in range(1, num_points)]
    bounds = [x.limit_denominator(10**6) if x > 1 else x for x in bounds] if longest > 1 else []
    points = [_point(best)]
    if engine is not None:
        points += _solved_by(engine, network, bounds, options, progress)
        bounds = []
    for bound in bounds:
        points.append(_point(design_average_case(network, path_length=bound, **options)))
        if progress is not None:
            progress(len(points), len(bounds) + 1)
    return AverageCurve(network, best.minimal, model, count, seed, points)


def solve_bound(subject: Mapping[str, Any], path_length: Fraction, options: Mapping[str, Any]) -> dict[str, Any]:
    """One piece: the best average case within a bound, as plain data; ``subject``: of ``network_described``."""
    design = design_average_case(network_made_again(subject), path_length=path_length, **options)
    inside, fresh = ({**asdict(x), "normal": list(x.normal)} for x in (design.inside, design.fresh))
    return {"routing": describe_routing(design.routing), "length": design.length, "inside": inside, "fresh": fresh}


def _solved_by(
    engine: Engine, network: Network, bounds: Sequence[Fraction], options: Mapping[str, Any], progress: Progress | None
) -> Iterator[CurvePoint]:
    from ..engine import Work

    work = Work(
        "bounds on path length",
        solve_bound,
        {str(x): {"path_length": x} for x in bounds},
        shared={"subject": network_described(network), "options": dict(options)},
        seconds=5.0 * len(bounds),
    )
    results = engine.run(work, progress=progress)
    for bound in bounds:
        data = results[str(bound)]
        routing = routing_from_description(data["routing"], network)
        averages = ({**data[x], "normal": tuple(data[x]["normal"])} for x in ("inside", "fresh"))
        yield CurvePoint(routing, data["length"], *(AverageThroughput(**x) for x in averages))


def _point(design: AverageCaseDesign) -> CurvePoint:
    return CurvePoint(design.routing, design.length, design.inside, design.fresh)


def judge_average(curve: AverageCurve, routings: Sequence[Routing]) -> list[CurvePoint]:
    points = []
    for routing in routings:
        worst = worst_case(routing).load
        inside, fresh = (
            average_case(
                routing, sample_traffic(curve.network, curve.model, count=curve.count, seed=seed, ends=routing),
                seed=seed, worst_load=worst,
            )[0]
            for seed in (curve.seed, curve.seed + 1)
        )  # fmt: skip
        points.append(CurvePoint(routing, average_path_length(routing), inside.own(), fresh))
    return points
