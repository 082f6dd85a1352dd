"""``routeproof simulate packets`` on a t-nary d-cube: a destination graph, or a reference algorithm to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.claim import Interval
from ...core.errors import InputError, did_you_mean
from ...formats.resolve_cube import NamedCube

__all__ = ["CubeRequest", "cube_packets"]

_GRAPH = "destination-graph"
_MAX_TRIALS = 100_000


@dataclass(frozen=True)
class CubeRequest:
    """The options of the verb that speak of cubes."""

    permutation: list[str]
    many_one: str | None
    algorithm: str | None
    seed: int
    trials: int | None
    until_width: str | None
    plot: str | None
    json: str | None


def cube_packets(named: NamedCube, asked: CubeRequest) -> None:
    """Run it, check it, print it."""
    from ...answers.answer import PlainAnswer
    from ...formats.documents.destination_graph import graph_to_document
    from ...formats.resolve_cube import resolve_request
    from ...report.terminal.cube_run import cube_run_shown
    from ...simulate.cube.algorithms import CUBE_ALGORITHMS, run_graph, run_on_cube
    from ...simulate.cube.claims import cube_run_claims
    from ..frame.outcome import finish

    cube = named.cube
    algorithm = asked.algorithm or (_GRAPH if named.graph is not None else "e-cube")
    if algorithm != _GRAPH and algorithm not in CUBE_ALGORITHMS:
        known = [_GRAPH, *CUBE_ALGORITHMS]
        raise InputError(f"unknown algorithm '{algorithm[:40]}' for cubes; {did_you_mean(algorithm[:40], known)}")
    if algorithm != _GRAPH and named.graph is not None:
        raise InputError(f"a destination graph is run as it is; for {algorithm} name the cube, such as hypercube:6")
    many_one = asked.many_one is not None
    wanted = [*asked.permutation, *([] if asked.many_one is None else [asked.many_one])]
    if len(wanted) != 1:
        raise InputError(
            f"{len(wanted)} requests are given; one --permutation such as bit-reversal, or one --many-one FILE, was "
            "expected"
        )
    destination = resolve_request(wanted[0], cube, many_one=many_one)
    subject: dict[str, Any] = {"kind": "destination-graph", "radix": cube.radix, "dimensions": cube.dimensions}
    if asked.trials is not None or asked.until_width is not None:
        _trials(named, asked, algorithm, destination, subject)
        return
    if asked.plot is not None:
        from ...report.drawing.cube_picture import check_cube_picture

        check_cube_picture(asked.plot, cube)
    if algorithm == _GRAPH:
        graph = named.graph if named.graph is not None else _known(cube, many_one=many_one)
        run = run_graph(graph, destination, many_one=many_one)
        subject = {"document": named.name, "kind": "destination-graph", "graph": graph_to_document(graph)}
    else:
        run = run_on_cube(algorithm, cube, destination, many_one=many_one, seed=asked.seed)
    random = algorithm in CUBE_ALGORITHMS and CUBE_ALGORITHMS[algorithm].random
    claims = cube_run_claims(run, algorithm, many_one=many_one, seed=asked.seed if random else None)
    title = named.name if named.graph is not None else algorithm
    finish(PlainAnswer(subject, claims), json=asked.json, shown=cube_run_shown(title, run, claims))
    if asked.plot is not None:
        from ...report.drawing.cube_picture import plot_cube_run

        plot_cube_run(run, asked.plot, title=title)


def _known(cube: Any, *, many_one: bool) -> Any:
    """The best graph of the catalogue; raises InputError where it has none."""
    from ...search.catalogue import catalogue_graph

    kind = "many-one" if many_one else "permutation"
    graph = catalogue_graph(kind, cube.radix, cube.dimensions, 1 << 20)
    if graph is None:
        raise InputError(
            f"the catalogue has no {kind} graph for radix {cube.radix} and {cube.dimensions} dimensions; "
            "routeproof search may find one"
        )
    return graph


def _trials(named: NamedCube, asked: CubeRequest, algorithm: str, destination: Any, subject: dict[str, Any]) -> None:
    from ...answers.answer import PlainAnswer
    from ...core.sampling.stopping import stopping_asked
    from ...report.terminal.cube_run import trials_shown
    from ...simulate.cube.algorithms import CUBE_ALGORITHMS
    from ...simulate.cube.claims import run_trials, trial_claims, trials_until
    from ..frame.engine_options import engine_if_asked
    from ..frame.outcome import finish
    from ..frame.progress import counted

    cube = named.cube
    if algorithm == _GRAPH or not CUBE_ALGORITHMS[algorithm].random:
        raise InputError(f"--trials is for randomized algorithms; {algorithm} is deterministic")
    if asked.plot is not None:
        raise InputError("--plot draws one run; leave --trials out")
    if asked.trials is not None and not 1 <= asked.trials <= _MAX_TRIALS:
        raise InputError(f"{asked.trials} trials were asked for; 1 to {_MAX_TRIALS:,} were expected")
    stopping = stopping_asked(asked.until_width, asked.trials)
    bounds = [2 * cube.dimensions]
    options: dict[str, Any] = {"seed": asked.seed, "many_one": asked.many_one is not None}
    with counted("trials") as progress, engine_if_asked() as engine:
        options |= {"progress": progress, "engine": engine}
        if stopping is None:
            found = run_trials(algorithm, cube, destination, trials=asked.trials or 0, **options)
        else:
            found = trials_until(algorithm, cube, destination, bounds, stopping, **options)
    claims = trial_claims(found, bounds, stopping)
    notes = [] if stopping is None else stopping.told(x.value for x in claims if isinstance(x.value, Interval))
    finish(PlainAnswer(subject, claims), json=asked.json, shown=trials_shown(algorithm, cube, found, claims, notes))
