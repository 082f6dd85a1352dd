"""``routeproof design``: the best oblivious routing that a network can have, and a proof that nothing better exists."""

from __future__ import annotations

import enum
from contextlib import AbstractContextManager
from typing import Annotated, Any

import typer

from ...core.errors import InputError
from ...machine.interrupts import process_watch
from ..frame.arguments import JsonReport, Topology
from ..frame.screen import note

__all__ = ["design"]


class _Objective(enum.StrEnum):
    WORST_CASE = "worst-case"
    AVERAGE_CASE = "average-case"
    CAPACITY = "capacity"


class _Then(enum.StrEnum):
    PATH_LENGTH = "path-length"


class _Paths(enum.StrEnum):
    TWO_TURN = "2turn"
    TABLES = "tables"


class _Solver(enum.StrEnum):
    AUTO = "auto"
    SIMPLEX = "simplex"
    INTERIOR = "interior"
    FIRST_ORDER = "first-order"


class _Symmetry(enum.StrEnum):
    AUTO = "auto"
    TRANSLATIONS = "translations"
    NONE = "none"


def design(
    topology: Topology,
    objective: Annotated[_Objective, typer.Option("--objective", help="What to optimise.")],
    then: Annotated[
        _Then | None, typer.Option("--then", help="Among the best, one with the shortest average path.")
    ] = None,
    path_length: Annotated[
        str | None,
        typer.Option(
            "--path-length", metavar="X", help="The average path is at most X times the shortest possible average."
        ),
    ] = None,
    paths: Annotated[
        _Paths | None,
        typer.Option(
            "--paths",
            help="Use these paths only: 2turn, at most two turns on tori and meshes of two dimensions; tables, one "
            "channel for every node and destination, as switches forward (found by local search).",
        ),
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option("--start", metavar="ROUTING", help="Tables: the routing to improve, such as a forwarding table."),
    ] = None,
    deadlock_free: Annotated[
        bool,
        typer.Option("--deadlock-free", help="Tables: no cycle of channel dependencies, without virtual channels."),
    ] = False,
    proposals: Annotated[
        int | None, typer.Option("--proposals", metavar="N", help="Tables: how many exchanges to try (100,000).")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="ROUTING.json", help="Write the routing as a document; tables also as .lft."
        ),
    ] = None,
    symmetry: Annotated[
        _Symmetry, typer.Option("--symmetry", help="How the program is made smaller; the answer is the same.")
    ] = _Symmetry.AUTO,
    solver: Annotated[
        _Solver,
        typer.Option(
            "--solver", help="Simplex ends at an exact optimum, interior and first-order at a certified interval."
        ),
    ] = _Solver.AUTO,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="Stop solving then, with the interval reached so far."),
    ] = None,
    traffic_model: Annotated[
        str | None,
        typer.Option(
            "--traffic-model",
            metavar="MODEL",
            help="Average case: permutation (default), two-permutations, three-permutations or sinkhorn.",
        ),
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="Average case: how many random traffic matrices (100).")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="Average case: the seed of the sample (0); tables: of the search."),
    ] = None,
    json: JsonReport = None,
) -> None:
    """Design the oblivious routing that is best for a network, with a proof that nothing better exists.

    For example: routeproof design torus:8x8 --objective worst-case --then path-length --output best.json
    """
    from ...core.rational import parse_fraction
    from ..frame.outcome import check_target

    check_target(json)
    check_target(output)
    sampling = {"--traffic-model": traffic_model, "--samples": samples}
    if paths is _Paths.TABLES:
        given = {"--solver": None if solver is _Solver.AUTO else solver, "--path-length": path_length, **sampling}
        _refuse_for_tables(objective, given)
        _tables(
            topology, start_from, output, json, proposals=100_000 if proposals is None else proposals, seed=seed or 0,
            deadlock_free=deadlock_free, shortest=then is not None, time_limit=time_limit,
        )  # fmt: skip
        return
    if start_from is not None or deadlock_free or proposals is not None:
        raise InputError("--start, --deadlock-free and --proposals go with --paths tables")
    if objective is not _Objective.AVERAGE_CASE:
        for name, value in {**sampling, "--seed": seed}.items():
            if value is not None:
                raise InputError(f"{name} is for --objective average-case, which samples traffic; {objective} does not")
    if solver is not _Solver.AUTO and (objective is not _Objective.WORST_CASE or paths is not None):
        what = f"--objective {objective}" if paths is None else f"--paths {paths}"
        raise InputError(f"--solver is for the worst case over all paths; {what} has one method only: leave it out")
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"--time-limit is {time_limit}; a positive number of seconds was expected")
    options: dict[str, Any] = {
        "shortest": then is not None,
        "path_length": None if path_length is None else parse_fraction(path_length, what="--path-length"),
        "paths": None if paths is None else paths.value,
        "symmetry": symmetry.value,
        "time_limit": time_limit,
    }
    sample = {"model": traffic_model or "permutation", "samples": 100 if samples is None else samples}
    more: dict[_Objective, dict[str, Any]] = {
        _Objective.WORST_CASE: {"solver": solver.value},
        _Objective.AVERAGE_CASE: {**sample, "seed": seed or 0},
        _Objective.CAPACITY: {},
    }
    _by_program(objective, topology, options, more[objective], output=output, json=json)


def _by_program(
    objective: _Objective,
    topology: str,
    options: dict[str, Any],
    more: dict[str, Any],
    *,
    output: str | None,
    json: str | None,
) -> None:
    """``options``: of ``DesignQuestion``; ``more``: of the objective alone."""
    from ...answers.design import (
        DesignQuestion,
        answer_design_average_case,
        answer_design_capacity,
        answer_design_worst_case,
    )
    from ...design.program.highs import check_solver
    from ...formats.resolve import resolve_network
    from ...report.terminal.designed import average_case_parts, capacity_parts, design_parts
    from ..frame.outcome import finish, write_document
    from ..frame.progress import counted

    check_solver()
    network = resolve_network(topology)
    question = DesignQuestion(**options)
    answer: Any
    parts: Any
    if objective is _Objective.WORST_CASE:
        answer = answer_design_worst_case(network, question, topology=topology, solving=_solving, **more)
        parts = design_parts
    elif objective is _Objective.CAPACITY:
        answer = answer_design_capacity(network, question, topology=topology, solving=_solving, **more)
        parts = capacity_parts
    else:
        answer = answer_design_average_case(network, question, topology=topology, stage=counted, **more)
        parts = average_case_parts
    if output is not None:
        write_document(output, answer.routing.document())
    finish(answer, json=json, shown=[] if json == "-" else parts(answer))


def _tables(topology: str, start: str | None, output: str | None, json: str | None, **options: Any) -> None:
    """``options``: of ``TablesQuestion``."""
    from ...answers.tables import TablesQuestion, answer_tables
    from ...formats.resolve import resolve_network
    from ...report.terminal.tables import tables_parts
    from ...routing.named.files import routing_writer
    from ...routing.named.spec import routing_from_spec
    from ..frame.outcome import finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    write = None if output is None else routing_writer(output)
    network = resolve_network(topology)
    first = None
    if start is not None:
        with results_only():
            first = routing_from_spec(start, network)
    question = TablesQuestion(**options, name=output or "tables")
    answer = answer_tables(network, first, question, topology=topology, stage=counted, solving=_solving)
    if write is not None:
        write(answer.routing)
    finish(answer, json=json, shown=[] if json == "-" else tables_parts(answer), routing=answer.routing)


def _refuse_for_tables(objective: _Objective, given: dict[str, Any]) -> None:
    if given.pop("--solver") is not None:
        raise InputError("--solver does not go with --paths tables, which are found by local search")
    if objective is not _Objective.WORST_CASE:
        raise InputError(f"--paths tables is for --objective worst-case; found {objective.value}")
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} does not go with --paths tables; --then path-length keeps to shortest paths")


def _solving(name: str) -> AbstractContextManager[Any]:
    """A stage of solving, named on standard error while it lasts."""
    from ..frame.progress import told

    return _Told(told(), name)


class _Told:
    """Says what is being done while it lasts."""

    def __init__(self, line: AbstractContextManager[Any], name: str) -> None:
        self._line, self._name = line, name

    def __enter__(self) -> Any:
        tell = self._line.__enter__()
        if tell is not None:
            tell(self._name)
        return tell

    def __exit__(self, *details: Any) -> None:
        self._line.__exit__(*details)
        if details[0] is KeyboardInterrupt:
            line = f"interrupted during the stage '{self._name}', before anything was certified"
            watch = process_watch()
            if watch is None:
                note(line)
            else:
                watch.line = line
