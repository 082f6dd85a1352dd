"""Packets on a t-nary d-cube: a destination graph, or an algorithm to compare with; once, or as random trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.claim import Interval
from ...core.cube.destination_graph import Cube, DestinationGraph
from ...core.cube.timed_moves import TimedMoves
from ...core.errors import InputError, did_you_mean
from ...core.sampling.stopping import Stopping
from ...formats.resolve import NamedCube
from ...searching.catalogue import catalogue_graph
from ...simulate.cube.algorithms import CUBE_ALGORITHMS, run_graph, run_on_cube
from ...simulate.cube.claims import Trials, cube_run_claims, run_trials, trial_claims, trials_until
from ..answer import ALONE, Answer, Setting
from ..document import cube_subject, destination_graph_subject

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_GRAPH = "destination-graph"
_MAX_TRIALS = 100_000


@dataclass(frozen=True, eq=False)
class CubeQuestion:
    """``destination``: of every node, int32, shape (N,), -1 for none; ``many_one``: not all different.

    ``algorithm``: None for the graph, where there is one, or else e-cube; ``seed``: of its random choices.
    """

    named: NamedCube
    destination: npt.NDArray[np.int32]
    many_one: bool = False
    algorithm: str | None = None
    seed: int = 0

    @property
    def cube(self) -> Cube:
        return self.named.cube

    def chosen(self) -> str:
        """The algorithm; raises InputError for one that is not known, or does not go with a graph."""
        algorithm = self.algorithm or (_GRAPH if self.named.graph is not None else "e-cube")
        if algorithm != _GRAPH and algorithm not in CUBE_ALGORITHMS:
            known = [_GRAPH, *CUBE_ALGORITHMS]
            raise InputError(f"unknown algorithm '{algorithm[:40]}' for cubes; {did_you_mean(algorithm[:40], known)}")
        if algorithm != _GRAPH and self.named.graph is not None:
            raise InputError(f"a destination graph is run as it is; for {algorithm} name the cube, such as hypercube:6")
        return algorithm


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CubeAnswer(Answer):
    """One run; ``graph``: the one that was run, None for another algorithm."""

    question: CubeQuestion
    title: str
    graph: DestinationGraph | None
    run: TimedMoves

    @property
    def subject(self) -> dict[str, Any]:
        if self.graph is not None:
            return destination_graph_subject(self.graph, self.question.named.name)
        return cube_subject(self.question.cube)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CubeTrialsAnswer(Answer):
    """``found``: the steps of every trial."""

    question: CubeQuestion
    algorithm: str
    found: Trials

    @property
    def subject(self) -> dict[str, Any]:
        return cube_subject(self.question.cube)


def answer_cube(question: CubeQuestion) -> CubeAnswer:
    """Run it once, and check it.  Raises InputError, also where the catalogue has no graph for the cube."""
    algorithm, cube, many_one = question.chosen(), question.cube, question.many_one
    graph = None
    if algorithm == _GRAPH:
        graph = question.named.graph or _known(cube, many_one=many_one)
        run = run_graph(graph, question.destination, many_one=many_one)
    else:
        run = run_on_cube(algorithm, cube, question.destination, many_one=many_one, seed=question.seed)
    random = algorithm in CUBE_ALGORITHMS and CUBE_ALGORITHMS[algorithm].random
    claims = cube_run_claims(run, algorithm, many_one=many_one, seed=question.seed if random else None)
    title = question.named.name if question.named.graph is not None else algorithm
    return CubeAnswer(question=question, title=title, graph=graph, run=run, stated=claims)


def answer_cube_trials(
    question: CubeQuestion, *, trials: int | None = None, stopping: Stopping | None = None, setting: Setting = ALONE
) -> CubeTrialsAnswer:
    """So many runs of a randomized algorithm; ``stopping``: when they could end.  Raises
    InputError, also for an algorithm without random choices."""
    algorithm, cube = question.chosen(), question.cube
    if algorithm == _GRAPH or not CUBE_ALGORITHMS[algorithm].random:
        raise InputError(f"--trials is for randomized algorithms; {algorithm} is deterministic")
    if trials is not None and not 1 <= trials <= _MAX_TRIALS:
        raise InputError(f"{trials} trials were asked for; 1 to {_MAX_TRIALS:,} were expected")
    bounds = [2 * cube.dimensions]
    with setting.stage("trials") as progress:
        options: dict[str, Any] = {
            "seed": question.seed, "many_one": question.many_one, "progress": progress, "engine": setting.engine
        }  # fmt: skip
        if stopping is None:
            found = run_trials(algorithm, cube, question.destination, trials=trials or 0, **options)
        else:
            found = trials_until(algorithm, cube, question.destination, bounds, stopping, **options)
    claims = trial_claims(found, bounds, stopping)
    notes = [] if stopping is None else stopping.notes(x.value for x in claims if isinstance(x.value, Interval))
    return CubeTrialsAnswer(question=question, algorithm=algorithm, found=found, stated=claims, notes=notes)


def _known(cube: Cube, *, many_one: bool) -> DestinationGraph:
    """The best graph of the catalogue; raises InputError where it has none."""
    kind = "many-one" if many_one else "permutation"
    graph = catalogue_graph(kind, cube.radix, cube.dimensions, 1 << 20)
    if graph is None:
        raise InputError(
            f"the catalogue has no {kind} graph for radix {cube.radix} and {cube.dimensions} dimensions; "
            "routeproof search may find one"
        )
    return graph
