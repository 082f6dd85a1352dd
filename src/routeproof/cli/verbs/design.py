"""``routeproof design``: the best oblivious routing that a network can have, and a proof that nothing better exists."""

from __future__ import annotations

import enum
import time
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Annotated, Any

import typer

from ...core.errors import InputError
from ...machine.interrupts import process_watch
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
    topology: Annotated[
        str, typer.Argument(metavar="TOPOLOGY", help="family:parameters such as torus:8x8, or a network file.")
    ],
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
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - for standard output.")
    ] = None,
) -> None:
    """Design the oblivious routing that is best for a network, with a proof that nothing better exists.

    For example: routeproof design torus:8x8 --objective worst-case --then path-length --output best.json
    """
    start = time.perf_counter()
    from ...analysis.capacity import capacity
    from ...answers.answer import PlainAnswer
    from ...answers.subject import subject_of
    from ...answers.worst_case import answer_worst_case
    from ...core.rational import parse_fraction
    from ...design.average_case import design_average_case
    from ...design.average_case_claims import average_case_claims
    from ...design.capacity import capacity_if_possible
    from ...design.claims import design_claims
    from ...design.program.highs import check_solver
    from ...design.restricted import design_restricted
    from ...design.uniform import design_capacity, uniform_claims
    from ...design.worst_case import design_worst_case
    from ...formats.resolve import resolve_network
    from ...report.terminal.designed import average_case_parts, capacity_parts, design_parts
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted
    from .design_tables import design_tables

    check_target(json)
    check_target(output)
    if paths is _Paths.TABLES:
        if solver is not _Solver.AUTO:
            raise InputError("--solver does not go with --paths tables, which are found by local search")
        _refuse(objective, path_length, traffic_model, samples)
        design_tables(
            topology, start=start_from, deadlock_free=deadlock_free, shortest=then is not None, proposals=proposals,
            seed=seed, time_limit=time_limit, output=output, json=json, stage=_stage(),
        )  # fmt: skip
        return
    if start_from is not None or deadlock_free or proposals is not None:
        raise InputError("--start, --deadlock-free and --proposals go with --paths tables")
    given = {"--traffic-model": traffic_model, "--samples": samples, "--seed": seed}
    if objective is not _Objective.AVERAGE_CASE:
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name} is for --objective average-case, which samples traffic; {objective} does not")
    if solver is not _Solver.AUTO and (objective is not _Objective.WORST_CASE or paths is not None):
        what = f"--objective {objective}" if paths is None else f"--paths {paths}"
        raise InputError(f"--solver is for the worst case over all paths; {what} has one method only: leave it out")
    check_solver()
    network = resolve_network(topology)
    limit: Fraction | None = None
    if path_length is not None:
        limit = parse_fraction(path_length, what="--path-length")
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"--time-limit is {time_limit}; a positive number of seconds was expected")
    described = _described(objective, then, limit, paths)
    if objective is _Objective.CAPACITY:
        made_for_capacity = design_capacity(
            network,
            shortest=then is not None,
            path_length=limit,
            paths=None if paths is None else paths.value,
            symmetry=symmetry.value,
            time_limit=time_limit,
            stage=_stage(),
        )
        routing = made_for_capacity.routing
        if output is not None:
            _write(routing, output)
        stated = [*answer_worst_case(routing).stated, *uniform_claims(made_for_capacity)]
        subject = {**subject_of(routing, topology=topology), "kind": "design", "design": described}
        parts = [] if json == "-" else capacity_parts(made_for_capacity, stated, seconds=time.perf_counter() - start)
        finish(PlainAnswer(subject, stated), json=json, shown=parts)
        return
    best = capacity(network) or capacity_if_possible(network)
    if objective is _Objective.AVERAGE_CASE:
        model, count, seed = traffic_model or "permutation", 100 if samples is None else samples, seed or 0
        with counted("rounds") as progress:
            average = design_average_case(
                network,
                model=model,
                count=count,
                seed=seed,
                shortest=then is not None,
                path_length=limit,
                paths=None if paths is None else paths.value,
                symmetry=symmetry.value,
                time_limit=time_limit,
                progress=progress,
            )
        found = average_case_claims(average, best)
        if output is not None:
            _write(average.routing, output)
        about = {
            **described,
            "traffic_model": model,
            "samples": count,
            "seed": seed,
        }
        page = [] if json == "-" else average_case_parts(average, found, seconds=time.perf_counter() - start)
        subject = {**subject_of(average.routing, topology=topology), "kind": "design", "design": about}
        finish(PlainAnswer(subject, found), json=json, shown=page)
        return
    if paths is not None:
        made = design_restricted(
            network,
            paths.value,
            shortest=then is not None,
            path_length=limit,
            symmetry=symmetry.value,
            time_limit=time_limit,
            stage=_stage(),
        )
    else:
        made = design_worst_case(
            network,
            shortest=then is not None,
            path_length=limit,
            symmetry=symmetry.value,
            solver=solver.value,
            time_limit=time_limit,
            stage=_stage(),
        )
    claims = design_claims(made, best)
    if output is not None:
        _write(made.routing, output)
    subject = {**subject_of(made.routing, topology=topology), "kind": "design", "design": described}
    shown = [] if json == "-" else design_parts(made, claims, seconds=time.perf_counter() - start)
    finish(PlainAnswer(subject, claims), json=json, shown=shown)


def _refuse(objective: _Objective, path_length: str | None, traffic_model: str | None, samples: int | None) -> None:
    if objective is not _Objective.WORST_CASE:
        raise InputError(f"--paths tables is for --objective worst-case; found {objective.value}")
    for name, value in (("--path-length", path_length), ("--traffic-model", traffic_model), ("--samples", samples)):
        if value is not None:
            raise InputError(f"{name} does not go with --paths tables; --then path-length keeps to shortest paths")


def _described(
    objective: _Objective, then: _Then | None, limit: Fraction | None, paths: _Paths | None
) -> dict[str, Any]:
    described: dict[str, Any] = {"objective": objective.value}
    if then is not None:
        described["then"] = then.value
    if limit is not None:
        described["path_length"] = str(limit)
    if paths is not None:
        described["paths"] = paths.value
    return described


def _write(routing: Any, path: str) -> None:
    from ...formats.documents.routing import paths_to_document
    from ...report.terminal.designed import every_path
    from ...routing.classes.classes_document import classes_to_document
    from ...routing.classes.invariant import InvariantRouting
    from ..frame.outcome import write_document

    if isinstance(routing, InvariantRouting):  # too many paths for a table
        write_document(path, classes_to_document(routing))
        return
    write_document(path, paths_to_document(every_path(routing), routing.network))


def _stage() -> Any:
    from ..frame.progress import told

    def stage(name: str) -> AbstractContextManager[object]:
        return _Told(told(), name)

    return stage


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
