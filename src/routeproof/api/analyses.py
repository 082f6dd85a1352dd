"""``rp.average_case``, ``compare``, ``expansion`` and ``failures``: what is asked of given objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..answers.compare import Comparison, answer_compare, by_column
from ..answers.expansion import ExpansionAnswer, answer_expansion, answer_wiring_expansion
from ..answers.failures import FailuresAnswer, answer_failures
from ..answers.worst_case import answer_average
from ..core.claim import Interval
from ..core.display import short, small_table
from ..core.errors import InputError
from ..core.multistage.splitter import Splitter
from ..core.multistage.wiring import Wiring
from ..core.sampling.stopping import stopping_asked
from ..core.traffic import Traffic
from ..demand_sets.demand_set import DemandSet
from ..questions.answer import RoutingAnswer, Setting
from ..questions.given_demands import Demands, bound_to
from ..report.notebook.progress import setting_here, stage_here
from ..routing.base.routing import Routing
from ..topologies.failures import Failure
from .result import DrawnResult, Result, check_routing

if TYPE_CHECKING:
    import pandas

    from ..routing.infiniband.service_levels import ServiceLevels


class AverageCaseResult(Result[RoutingAnswer]):
    """``throughput``: an interval for the mean, with how often it holds; of capacity where that is known."""

    @property
    def throughput(self) -> Interval:
        value = self.claims()[0].value
        assert isinstance(value, Interval)
        return value


class CompareResult(DrawnResult[Comparison]):
    """``routings`` in the order in which they are shown, and what is claimed of each."""

    @property
    def routings(self) -> tuple[Routing, ...]:
        return self.answer.routings

    def to_frame(self) -> pandas.DataFrame:
        """A row for every routing, a column for every quantity, as a pandas DataFrame; values stay exact."""
        from ..report.notebook.frames import frame_of_table

        return frame_of_table(
            {
                routing.name: {name: x.value for name, x in by_column(claims).items()}
                for routing, claims in zip(self.routings, self.answer.by_routing, strict=True)
            }
        )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        """A row for every routing, with the columns of the terminal."""
        from ..report.terminal.compare import comparison_table

        return comparison_table(self.answer)

    def _repr_html_(self) -> str:
        """For notebooks: a row for every routing, with the columns of the terminal."""
        return small_table(self._title, *self._table())


class ExpansionResult(Result[ExpansionAnswer]):
    """The least neighbourhood of subsets of every size, with the subsets, as claims."""


class FailuresResult(Result[FailuresAnswer]):
    """``loads``: the worst-case load after every failure, the worst first; None where it separates terminals."""

    @property
    def loads(self) -> dict[Failure, Fraction | None]:
        return {x.failure: x.load for x in self.answer.judged}


def average_case(
    routing: Routing,
    *,
    model: str = "permutation",
    samples: int | None = None,
    until_width: str | None = None,
    seed: int = 0,
) -> AverageCaseResult:
    """The mean, over random traffic matrices, of the throughput of ``routing``: SAMPLED, with its interval.

        >>> import routeproof as rp
        >>> mean = rp.average_case(rp.DOR().on(rp.mesh(3, 3)), samples=10).throughput
        >>> mean.low <= mean.best <= mean.high, mean.trials
        (True, 10)

    - ``model``: "permutation", "shift", "ring", "two-permutations", "three-permutations" or "sinkhorn";
    - ``samples``: how many matrices (100); ``until_width``: as many as make the interval so narrow, such as "5%", at
      most ``samples`` (100,000).

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.4.  Raises InputError for bad options.
    """
    check_routing(routing)
    count = 100 if samples is None else samples
    stopping = stopping_asked(until_width, samples)
    answer = answer_average(routing, model=model, samples=count, seed=seed, stopping=stopping, setting=setting_here())
    return AverageCaseResult(answer, f"{_on(routing)}, average case", routing)


def compare(
    routings: Sequence[Routing],
    *,
    traffics: Sequence[Traffic] = (),
    traffic_model: str | None = None,
    samples: int = 100,
    seed: int = 0,
    virtual_channels: bool = False,
    deadlock: bool = True,
    best: bool = False,
    time_limit: float | None = None,
    levels: Mapping[str, ServiceLevels] | None = None,
    demands: Demands | DemandSet | str | Sequence[str] | None = None,
) -> CompareResult:
    """Worst case, uniform throughput, path length and deadlock freedom of routings on one network.

    - ``traffics``: the throughput under these, too; ``traffic_model``, ``samples``, ``seed``: and the average case, as
      in ``average_case``, over the same matrices for all;
    - ``deadlock``: judge whether packets can deadlock on one virtual channel; ``virtual_channels``: also look for
      virtual channels that free each routing of it;
    - ``best``: rank them, and bound the best oblivious routing by a linear program, for at most ``time_limit`` seconds;
    - ``levels``: service levels, by name of a routing;
    - ``demands``: the worst case is over this set, as in ``worst_case``.

    Raises InputError for no routings, two of one name, several networks, or sampled loads, which are no exact numbers.
    """
    if isinstance(routings, str) or not isinstance(routings, Sequence):
        raise InputError(f"compare was given {short(routings)}; a list of routings was expected")
    for routing in routings:
        check_routing(routing)
    wanted = bound_to(routings[0].network, demands) if routings else None
    answer = answer_compare(
        routings, traffics=traffics, traffic_model=traffic_model, samples=samples, seed=seed, virtual=virtual_channels,
        judge_deadlock=deadlock, best=best, time_limit=time_limit, levels=levels, demands=wanted,
        setting=setting_here(),
    )  # fmt: skip
    from ..report.figures.compare import compare_figure

    return CompareResult(answer, answer.network.name, compare_figure)


def expansion(
    of: Splitter | Wiring,
    *,
    level: int | None = None,
    block: int | None = None,
    direction: str | None = None,
    unique: int | None = None,
) -> ExpansionResult:
    """The least neighbourhood of subsets of every size of the inputs of a splitter, or of a wiring's splitters.

        >>> import routeproof as rp
        >>> rp.expansion(rp.multibutterfly(16, d=2, seed=7)).claims()[0].quantity
        'least_neighbourhood'

    Of a wiring: for every level with splitters of at most 32 inputs, the worst over all of them and both directions;
    ``level``, ``block``, ``direction`` ("up", "down"): these alone.  ``unique``: unique neighbours of subsets up to
    this size, 0 for none.  Exact for up to 64 inputs, proved bounds beyond.

    Source: Maggs, Randomly Wired Multistage Networks, sec. 1.2.  Raises InputError for a level or block that is not
    there.
    """
    if isinstance(of, Wiring):
        answer = answer_wiring_expansion(
            of, level=level, block=block, direction=direction, unique=unique, setting=setting_here()
        )
    elif level is not None or block is not None or direction is not None:
        raise InputError("level, block and direction are for wirings; a splitter is one splitter")
    else:
        answer = answer_expansion(of, unique=unique, setting=setting_here())
    return ExpansionResult(answer, f"expansion of {answer.topology}")


def failures(
    routing: Routing,
    *,
    links: int | None = None,
    cables: int = 0,
    switches: int = 0,
    repair: str = "reroute",
    samples: int | None = None,
    until_width: str | None = None,
    seed: int = 0,
    demands: Demands | DemandSet | str | Sequence[str] | None = None,
    workers: int = 1,
) -> FailuresResult:
    """The exact worst case after every failure of so many links (1 by default), cables and switches, the worst first.

    - ``repair``: "reroute" (only pairs that crossed what failed, by shortest paths) or "rebuild" (the routing anew);
    - ``samples``: draw so many failures with ``seed``; ``until_width``: as many as make every interval so narrow;
    - ``demands``: the worst cases are over this set, as in ``worst_case``; with "reroute", and not sampled;
    - ``workers``: processes.

    Raises InputError for an unknown repair, sampled loads, a routing that cannot be made anew, and too many failures.
    """
    from ..engine import Engine

    check_routing(routing)
    with Engine(workers=workers) as engine:
        answer = answer_failures(
            routing, links=links, cables=cables, switches=switches, repair=repair, samples=samples, seed=seed,
            stopping=stopping_asked(until_width, samples), demands=bound_to(routing.network, demands),
            setting=Setting(engine=engine, stage=stage_here()),
        )  # fmt: skip
    return FailuresResult(answer, f"{_on(routing)}, after failures")


def _on(routing: Routing) -> str:
    return f"{routing.name} on {routing.network.name}"
