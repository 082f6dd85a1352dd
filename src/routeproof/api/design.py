"""``rp.design`` and its like: the best oblivious routing of a network, or better forwarding tables; ``rp.tradeoff``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..answers import design as answers
from ..answers.design import DesignAnswer, DesignQuestion
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from ..demand_sets.demand_set import DemandSet
from ..questions.given_demands import Demands, bound_to
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from ..routing.named.described import paths_of
from ..routing.named.spec import paths_from_spec
from ..routing.path_sets.names import few_virtual_channels, path_set
from ..routing.path_sets.path_set import PathSet
from .result import Result, check_network


class DesignResult(Result[DesignAnswer[Any]]):
    """``routing``: what was designed; judge it further with ``worst_case``, ``deadlock`` and the others."""

    def __init__(self, answer: DesignAnswer[Any]) -> None:
        super().__init__(answer, f"designed for {answer.network.name}", answer.routing)

    @property
    def routing(self) -> Routing:
        return self.answer.routing

    @property
    def network(self) -> Network:
        return self.answer.network

    def write_routing(self, path: str | Path, *, virtual_channels: bool = False) -> None:
        """Write the routing into a file: .json (a document), .sst.json, .csv (a row for every hop), or .lft (tables of
        InfiniBand); ``virtual_channels``: with the virtual channel of every hop.  Raises InputError.
        """
        from ..routing.files.table import routing_writer
        from ..worst.deadlock.hops import with_virtual_channels

        write = routing_writer(str(path))
        write(with_virtual_channels(self.routing) if virtual_channels else self.routing)


def design(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | str | int | None = None,
    paths: str | Routing | None = None,
    max_virtual_channels: int | None = None,
    entries: int | None = None,
    symmetry: str = "auto",
    solver: str = "auto",
    time_limit: float | None = None,
    demands: Demands | DemandSet | str | Sequence[str] | None = None,
) -> DesignResult:
    """The oblivious routing with the best worst case, with a proof that no other has a better one.

        >>> import routeproof as rp
        >>> best = rp.design(rp.torus(3, 3), shortest=True)
        >>> best.value("worst_case_throughput")
        Fraction(3, 2)

    - ``shortest``: among the best routings, one with the shortest average path;
    - ``path_length``: the average path is at most this multiple of the shortest possible average;
    - ``paths``: use the paths of this set only: "2turn", on grids of two dimensions; "minimal", all shortest ones;
      "ksp:4", the 4 shortest simple paths; or a routing whose paths are known, with any weights;
    - ``max_virtual_channels``: use paths only that so many free of deadlock (on tori and meshes), with a proof;
    - ``entries``: weights that fit tables of so many entries, for a node and a destination (``paths="minimal"``) or for
      a pair at its source (other sets of ``paths``);
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``solver``: "simplex" ends at an exact optimum, "interior" and "first-order" at a certified interval, which gives
      two claims, ``<=`` and ``>=``; "auto" chooses by size;
    - ``time_limit``: seconds; then the interval reached so far is the answer;
    - ``demands``: the set of demands that can happen, in place of all permutations, such as ``rp.demands.sparse(16)``,
      or a text as --demands takes it.

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 8 and 10.  Raises InputError for networks
    that are too large or not connected, and for bad options.
    """
    question = _question(network, shortest, path_length, paths, max_virtual_channels, symmetry, time_limit)
    return DesignResult(
        answers.answer_design_worst_case(
            network,
            replace(question, entries=entries),
            solver=solver,
            demands=bound_to(network, demands),
            setting=setting_here(),
        )
    )


def design_capacity(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | str | int | None = None,
    paths: str | Routing | None = None,
    max_virtual_channels: int | None = None,
    symmetry: str = "auto",
    time_limit: float | None = None,
) -> DesignResult:
    """The oblivious routing with the best throughput under uniform traffic; arguments and errors as in ``design``.

    >>> import routeproof as rp
    >>> rp.design_capacity(rp.torus(3, 3)).value("capacity")
    Fraction(3, 1)
    """
    return DesignResult(
        answers.answer_design_capacity(
            network,
            _question(network, shortest, path_length, paths, max_virtual_channels, symmetry, time_limit),
            setting=setting_here(),
        )
    )


def design_average_case(
    network: Network,
    *,
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    shortest: bool = False,
    path_length: Fraction | str | int | None = None,
    paths: str | Routing | None = None,
    max_virtual_channels: int | None = None,
    symmetry: str = "auto",
    time_limit: float | None = None,
) -> DesignResult:
    """The oblivious routing that is best for a sample of random traffic; judge it by the fresh sample beside it.

        >>> import routeproof as rp
        >>> made = rp.design_average_case(rp.mesh(2, 2), samples=4)
        >>> made.claims()[0].about["sample"], made.claims()[0].grade.value
        ('fresh', 'SAMPLED')

    - ``model``: "permutation", "two-permutations", "three-permutations" or "sinkhorn";
    - ``samples``: how many random matrices; ``seed`` gives the sample, seed + 1 the fresh one.

    All else, also errors, as in ``design``.  Source: Towles, Dally & Boyd 2003 (SPAA), eq. 9.
    """
    question = _question(network, shortest, path_length, paths, max_virtual_channels, symmetry, time_limit)
    return DesignResult(
        answers.answer_design_average_case(
            network, question, model=model, samples=samples, seed=seed, setting=setting_here()
        )
    )


def design_tables(
    network: Network,
    start: Routing | None = None,
    *,
    deadlock_free: bool = False,
    shortest: bool = False,
    proposals: int = 100_000,
    seed: int = 0,
    time_limit: float | None = None,
) -> DesignResult:
    """Forwarding tables with a low worst case, by local search from ``start``, and what no oblivious routing can beat.

        >>> import routeproof as rp
        >>> rp.design_tables(rp.mesh(2, 2), proposals=100).value("worst_case_load")
        Fraction(1, 1)

    - ``start``: a table, or a mixture of tables; None: shortest paths, or up*/down* where ``deadlock_free``;
    - ``deadlock_free``: no cycle of channel dependencies, without virtual channels;
    - ``shortest``: never take a longer way than the shortest;
    - ``proposals``: how many exchanges to try; ``seed``: of the search; ``time_limit``: seconds.

    Raises InputError where ``start`` is not a table or does not have the property asked for, or there are no paths.
    """
    from ..answers.tables import TablesQuestion, answer_tables

    question = TablesQuestion(
        deadlock_free=deadlock_free, shortest=shortest, proposals=proposals, seed=seed, time_limit=time_limit
    )
    return DesignResult(answer_tables(network, start, question, setting=setting_here()))


def _question(
    network: Network,
    shortest: bool,
    path_length: Fraction | str | int | None,
    paths: str | Routing | None,
    max_virtual_channels: int | None,
    symmetry: str,
    time_limit: float | None,
) -> DesignQuestion:
    check_network(network)
    allowed: PathSet | None = None
    most: Fraction | None = None if path_length is None else parse_fraction(path_length, what="path_length")
    if max_virtual_channels is not None:
        if paths is not None:
            raise InputError("paths and max_virtual_channels name two sets of paths; one of them was expected")
        allowed = path_set(few_virtual_channels(max_virtual_channels), network)
    elif paths is not None and paths != "all":
        allowed = paths_from_spec(paths, network) if isinstance(paths, str) else paths_of(paths)
    return DesignQuestion(shortest=shortest, path_length=most, paths=allowed, symmetry=symmetry, time_limit=time_limit)
