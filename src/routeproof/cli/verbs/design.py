"""``routeproof design``: the best oblivious routing that a network can have, and a proof that nothing better exists."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from ...core.errors import InputError
from ...core.stage import Stage
from ..frame import inputs, outcome, progress
from ..frame.arguments import Demands, JsonReport, Topology, flag, option
from ..frame.solving import solving

if TYPE_CHECKING:
    from ...routing.base.routing import Routing

_Objective = enum.StrEnum(
    "_Objective", {"WORST_CASE": "worst-case", "AVERAGE_CASE": "average-case", "CAPACITY": "capacity"}
)
_Then = enum.StrEnum("_Then", {"PATH_LENGTH": "path-length"})
_Solver = enum.StrEnum(
    "_Solver", {"AUTO": "auto", "SIMPLEX": "simplex", "INTERIOR": "interior", "FIRST_ORDER": "first-order"}
)
_Symmetry = enum.StrEnum("_Symmetry", {"AUTO": "auto", "TRANSLATIONS": "translations", "NONE": "none"})


def design(
    topology: Topology,
    objective: Annotated[_Objective, option(None, "What to optimise.")],
    demands: Demands = None,
    then: Annotated[_Then | None, option(None, "Among the best, one with the shortest average path.")] = None,
    path_length: Annotated[
        str | None, option("X", "The average path is at most X times the shortest possible average.")
    ] = None,
    paths: Annotated[
        str | None,
        option(
            "SET",
            "Use these paths only (all, if not given): minimal, all shortest; ksp:K, the K shortest simple ones (or "
            "ksp:K,weight=ATTRIBUTE); a routing or its file, its paths with any weights; 2turn, at most two turns on "
            "tori and meshes of two dimensions; tables, one channel for every node and destination, as switches "
            "forward (found by local search).",
        ),
    ] = None,
    max_virtual_channels: Annotated[
        int | None,
        option("V", "Only paths that V virtual channels free of deadlock, on tori and meshes; with a proof.", min=1),
    ] = None,
    entries: Annotated[
        int | None,
        option(
            "M",
            "Weights that fit tables of M entries: for a node and a destination (--paths minimal), or for a pair at "
            "its source (other --paths).",
            min=1,
        ),
    ] = None,
    start_from: Annotated[
        str | None, option("ROUTING", "Tables: the routing to improve, such as a forwarding table.", "--start")
    ] = None,
    deadlock_free: Annotated[
        bool, flag("Tables: no cycle of channel dependencies, without virtual channels.", "--deadlock-free")
    ] = False,
    proposals: Annotated[int | None, option("N", "Tables: how many exchanges to try (100,000).")] = None,
    output: Annotated[
        str | None,
        option("ROUTING.json", "Write it: .json, .sst.json or .csv; tables also as .lft.", "--output", "-o"),
    ] = None,
    symmetry: Annotated[
        _Symmetry, option(None, "How the program is made smaller; the answer is the same.")
    ] = _Symmetry.AUTO,
    solver: Annotated[
        _Solver, option(None, "Simplex ends at an exact optimum, interior and first-order at a certified interval.")
    ] = _Solver.AUTO,
    time_limit: Annotated[
        float | None, option("SECONDS", "Stop solving then, with the interval reached so far.")
    ] = None,
    traffic_model: Annotated[
        str | None,
        option("MODEL", "Average case: permutation (default), two-permutations, three-permutations or sinkhorn."),
    ] = None,
    samples: Annotated[int | None, option("N", "Average case: how many random traffic matrices (100).")] = None,
    seed: Annotated[int | None, option("S", "Average case: the seed of the sample (0); tables: of the search.")] = None,
    json: JsonReport = None,
) -> None:
    """Design the oblivious routing that is best for a network, with a proof that nothing better exists.

    For example: routeproof design torus:8x8 --objective worst-case --then path-length --output best.json
    or, for few flows at a time: routeproof design torus:8x8 --objective worst-case --demands sparse:16
    """
    from ...core.rational import parse_fraction
    from ...routing.path_sets.names import few_virtual_channels

    paths = None if paths == "all" else paths
    average_case, method = objective is _Objective.AVERAGE_CASE, None if solver is _Solver.AUTO else solver
    sampling = {"--traffic-model": traffic_model, "--samples": samples}
    if demands and (objective is not _Objective.WORST_CASE or paths == "tables"):
        what = f"--objective {objective}" if objective is not _Objective.WORST_CASE else "--paths tables"
        raise InputError(f"--demands is for --objective worst-case, and not for tables; found {what}")
    if entries is not None:
        _check_entries(objective, paths, max_virtual_channels, path_length)
    if paths == "tables":
        if max_virtual_channels not in (None, 1):
            raise InputError(
                f"--max-virtual-channels is {max_virtual_channels}; tables are designed for 1 (as --deadlock-free), or "
                f"for any number without the option"
            )
        deadlock_free = deadlock_free or max_virtual_channels == 1
        _check_tables(objective, method, {"--path-length": path_length, **sampling})
        _tables(
            topology, start_from, output, json, proposals=100_000 if proposals is None else proposals, seed=seed or 0,
            deadlock_free=deadlock_free, shortest=then is not None, time_limit=time_limit,
        )  # fmt: skip
        return
    if start_from is not None or deadlock_free or proposals is not None:
        raise InputError("--start, --deadlock-free and --proposals go with --paths tables")
    for name, value in {**sampling, "--seed": seed}.items():
        if value is not None and not average_case:
            raise InputError(f"{name} is for --objective average-case, which samples traffic; {objective} does not")
    if max_virtual_channels is not None and paths is not None:
        raise InputError("--max-virtual-channels and --paths name two sets of paths; one of them was expected")
    within = paths
    if max_virtual_channels is not None:
        within = few_virtual_channels(max_virtual_channels)
    if method is not None and (objective is not _Objective.WORST_CASE or within is not None):
        what = (
            f"--objective {objective}"
            if within is None
            else f"--{'paths ' + paths if paths else 'max-virtual-channels'}"
        )
        raise InputError(f"--solver is for the worst case over all paths; {what} has one method only: leave it out")
    inputs.check_seconds(time_limit)
    options = {
        "shortest": then is not None,
        "path_length": None if path_length is None else parse_fraction(path_length, what="--path-length"),
        "paths": within,
        "entries": entries,
        "symmetry": symmetry.value,
        "time_limit": time_limit,
    }
    sample = {
        "model": traffic_model or "permutation",
        "samples": 100 if samples is None else samples,
        "seed": seed or 0,
    }
    more = sample if average_case else {"solver": solver.value} if objective is _Objective.WORST_CASE else {}
    _by_program(objective, topology, options, more, demands=demands, output=output, json=json)


def _by_program(
    objective: _Objective,
    topology: str,
    options: dict[str, Any],
    more: dict[str, Any],
    *,
    demands: list[str] | None,
    output: str | None,
    json: str | None,
) -> None:
    """``options``: of ``DesignQuestion``; ``more``: of the objective alone."""
    from ...answers import design as answers
    from ...formats.resolve import resolve_network
    from ...report.terminal import designed as terminal

    methods: dict[_Objective, tuple[Any, Any, Stage]] = {
        _Objective.WORST_CASE: (answers.answer_design_worst_case, terminal.design_parts, solving),
        _Objective.CAPACITY: (answers.answer_design_capacity, terminal.capacity_parts, solving),
        _Objective.AVERAGE_CASE: (answers.answer_design_average_case, terminal.average_case_parts, progress.bar),
    }
    ask, parts, stage = methods[objective]
    network = resolve_network(topology)
    setting = inputs.setting_here(topology, stage=stage)
    allowed = inputs.paths_given(options["paths"], network)
    question = answers.DesignQuestion(**{**options, "paths": allowed})
    over = inputs.demands_given(demands, network)
    if over is not None:
        more = {**more, "demands": over}
    answer = ask(network, question, setting=setting, **more)
    if objective is _Objective.WORST_CASE:
        with contextlib.suppress(KeyboardInterrupt):  # the design itself is there
            answer = answers.with_simpler_paths(answer, question)
    if output is not None:
        _write_routing(output, answer.routing, virtual=question.virtual_channels is not None)
    outcome.finish(answer, parts, json=json)


def _write_routing(output: str, routing: Routing, *, virtual: bool) -> None:
    """By the ending of the name, a document for others; with the virtual channel of every hop where asked for."""
    from ...routing.files.table import routing_writer
    from ...worst.deadlock.hops import with_virtual_channels

    chosen = with_virtual_channels(routing) if virtual else routing
    if output.endswith((".csv", ".sst.json")):
        routing_writer(output)(chosen)
    else:
        outcome.write_document(output, chosen.document())


def _tables(topology: str, start: str | None, output: str | None, json: str | None, **options: Any) -> None:
    """``options``: of ``TablesQuestion``."""
    from ...answers.tables import TablesQuestion, answer_tables
    from ...formats.resolve import resolve_network
    from ...report.terminal.designed import tables_parts
    from ...routing.files.table import routing_writer

    network = resolve_network(topology)
    write = None if output is None else routing_writer(output, network)
    first = None if start is None else inputs.routing_given(start, network)
    question = TablesQuestion(**options, name=output or "tables")
    answer = answer_tables(network, first, question, solving=solving, setting=inputs.setting_here(topology))
    if write is not None:
        write(answer.routing)
    outcome.finish(answer, tables_parts, json=json, routing=answer.routing)


def _check_entries(
    objective: _Objective, paths: str | None, max_virtual_channels: int | None, path_length: str | None
) -> None:
    if objective is not _Objective.WORST_CASE:
        raise InputError(f"--entries is for --objective worst-case; found {objective.value}")
    if path_length is not None:
        raise InputError("--entries does not go with --path-length: rounding may exceed the bound")
    if paths == "tables" or (paths is None and max_virtual_channels is None):
        raise InputError(
            "--entries needs --paths: minimal, with groups for a node and a destination; ksp:K, 2turn or a routing's, "
            "with groups for a pair at its source (--paths tables has one entry each)"
        )


def _check_tables(objective: _Objective, solver: _Solver | None, given: Mapping[str, object]) -> None:
    if solver is not None:
        raise InputError("--solver does not go with --paths tables, which are found by local search")
    if objective is not _Objective.WORST_CASE:
        raise InputError(f"--paths tables is for --objective worst-case; found {objective.value}")
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} does not go with --paths tables; --then path-length keeps to shortest paths")
