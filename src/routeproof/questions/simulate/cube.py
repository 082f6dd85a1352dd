"""Packets on a t-nary d-cube: a destination graph, or an algorithm to compare with; once, or as random trials."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError, did_you_mean
from ..answer import ALONE, Answer, Setting, Shown
from ..given import Given
from ..question import Question, parameter, question

if TYPE_CHECKING:
    from ...core.cube.destination_graph import Cube, DestinationGraph, TimedMoves
    from ...formats.resolve import NamedCube
    from ...simulate.cube.claims import Trials

_GRAPH = "destination-graph"
_MAX_TRIALS = 100_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CubeAnswer(Answer):
    """One run on the cube ``named``; ``graph``: the one that was run, None for another algorithm."""

    shown = Shown("terminal.simulated:cube_parts", plot="drawing.cubes:plot_answer")

    named: NamedCube
    title: str
    graph: DestinationGraph | None
    run: TimedMoves

    @property
    def subject(self) -> dict[str, Any]:
        from ..document import cube_subject, destination_graph_subject

        if self.graph is not None:
            return destination_graph_subject(self.graph, self.named.name)
        return cube_subject(self.named.cube)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CubeTrialsAnswer(Answer):
    """``found``: the steps of every trial."""

    shown = Shown("terminal.simulated:cube_trials_parts")

    cube: Cube
    algorithm: str
    found: Trials

    @property
    def subject(self) -> dict[str, Any]:
        from ..document import cube_subject

        return cube_subject(self.cube)


@question
class CubePackets(Question[Answer]):
    """Packets on a t-nary d-cube, step by step: a destination graph, or an algorithm to compare with.

        >>> import routeproof as rp
        >>> rp.simulate_cube("hypercube:4", "bit-reversal").value("steps")
        Fraction(4, 1)

    Raises InputError for a text that names no cube, and for bad options.
    """

    function = "simulate_cube"
    plot_check = "drawing.cubes:check_plot"

    cube: str = parameter('"hypercube:6", "hyperx:3x3", or a destination graph\'s file, which then is run.')
    request: str = parameter(
        "A permutation by name or in a file; with ``many_one``, destinations that are not all different."
    )
    _: KW_ONLY
    many_one: bool = parameter("Destinations may be alike.", default=False)
    algorithm: str | None = parameter(
        '"destination-graph", "e-cube", "valiant-brebner", "greedy" and others; None for the graph, where there is '
        "one, or else e-cube.",
        default=None,
    )
    seed: int = parameter("Of the algorithm's random choices.", default=0)
    trials: int | None = parameter("So many runs of a randomized algorithm.", default=None)
    until_width: str | None = parameter("As many as make every interval so narrow.", default=None)

    @classmethod
    def read(cls, given: Given) -> CubePackets:
        """From the options of ``simulate packets``."""
        faulty = given["faults"] is not None or given["epsilon"] != "1/4" or given["threshold"] is not None
        if faulty or given["load"] != 1 or given["trace"] is not None:
            raise InputError(
                "--faults, --epsilon, --threshold, --load and --trace are for multistage networks; a cube has none of "
                "them here"
            )
        many_one, trials, until_width = given["many_one"], given["trials"], given["until_width"]
        wanted = [*(given["permutation"] or []), *([] if many_one is None else [many_one])]
        if len(wanted) != 1:
            raise InputError(
                f"{len(wanted)} requests are given; one --permutation such as bit-reversal, or one --many-one FILE, "
                "was expected"
            )
        asked = cls(
            given["wiring"], wanted[0], many_one=many_one is not None, algorithm=given["algorithm"],
            seed=given["seed"], trials=trials, until_width=until_width,
        )  # fmt: skip
        if asked.repeated and given["plot"] is not None:
            raise InputError("--plot draws one run; leave --trials out")
        return asked

    @property
    def repeated(self) -> bool:
        return self.trials is not None or self.until_width is not None

    @property
    def engine(self) -> str:
        return "asked" if self.repeated else ""

    @property
    def title(self) -> str:
        return f"packets on {self.named.name}"

    @property
    def named(self) -> NamedCube:
        """Raises InputError for a text that names no cube."""
        from ...formats.resolve import resolve_cube

        found = resolve_cube(self.cube)
        if found is None:
            raise InputError(
                f"'{self.cube[:60]}' is not a cube; hypercube:6, hyperx:3x3 or a destination graph was expected"
            )
        return found

    def answer(self, setting: Setting = ALONE) -> Answer:
        from ...formats.resolve import resolve_request
        from ...simulate.cube.algorithms import CUBE_ALGORITHMS, run_graph, run_on_cube
        from ...simulate.cube.claims import cube_run_claims

        named, many_one = self.named, self.many_one
        destination = resolve_request(self.request, named.cube, many_one=many_one)
        algorithm = self._algorithm(named)
        random = algorithm != _GRAPH and CUBE_ALGORITHMS[algorithm].random
        if self.repeated:
            if not random:
                raise InputError(f"--trials is for randomized algorithms; {algorithm} is deterministic")
            return self._trials(named.cube, algorithm, destination, setting)
        graph = None
        if algorithm == _GRAPH:
            graph = named.graph or _known(named.cube, many_one=many_one)
            run = run_graph(graph, destination, many_one=many_one)
        else:
            run = run_on_cube(algorithm, named.cube, destination, many_one=many_one, seed=self.seed)
        claims = cube_run_claims(run, algorithm, many_one=many_one, seed=self.seed if random else None)
        title = named.name if named.graph is not None else algorithm
        return CubeAnswer(named=named, title=title, graph=graph, run=run, stated=claims)

    def _algorithm(self, named: NamedCube) -> str:
        """Raises InputError for one that is not known, or does not go with a graph."""
        from ...simulate.cube.algorithms import CUBE_ALGORITHMS

        algorithm = self.algorithm or (_GRAPH if named.graph is not None else "e-cube")
        if algorithm != _GRAPH and algorithm not in CUBE_ALGORITHMS:
            known = [_GRAPH, *CUBE_ALGORITHMS]
            raise InputError(f"unknown algorithm '{algorithm[:40]}' for cubes; {did_you_mean(algorithm[:40], known)}")
        if algorithm != _GRAPH and named.graph is not None:
            raise InputError(f"a destination graph is run as it is; for {algorithm} name the cube, such as hypercube:6")
        return algorithm

    def _trials(self, cube: Cube, algorithm: str, destination: Any, setting: Setting) -> CubeTrialsAnswer:
        """So many runs of a randomized algorithm, or until the intervals are narrow."""
        from ...core.claim import Interval
        from ...core.sampling.stopping import stopping_asked
        from ...simulate.cube.claims import run_trials, trial_claims, trials_until

        trials, stopping = self.trials, stopping_asked(self.until_width, self.trials)
        if trials is not None and not 1 <= trials <= _MAX_TRIALS:
            raise InputError(f"{trials} trials were asked for; 1 to {_MAX_TRIALS:,} were expected")
        bounds = [2 * cube.dimensions]
        with setting.stage("trials") as progress:
            options: dict[str, Any] = {
                "seed": self.seed, "many_one": self.many_one, "progress": progress, "engine": setting.engine
            }  # fmt: skip
            if stopping is None:
                found = run_trials(algorithm, cube, destination, trials=trials or 0, **options)
            else:
                found = trials_until(algorithm, cube, destination, bounds, stopping, **options)
        claims = trial_claims(found, bounds, stopping)
        notes = [] if stopping is None else stopping.notes(x.value for x in claims if isinstance(x.value, Interval))
        return CubeTrialsAnswer(cube=cube, algorithm=algorithm, found=found, stated=claims, notes=notes)


def _known(cube: Cube, *, many_one: bool) -> DestinationGraph:
    """The best graph of the catalogue; raises InputError where it has none."""
    from ...searching.catalogue import catalogue_graph

    kind = "many-one" if many_one else "permutation"
    graph = catalogue_graph(kind, cube.radix, cube.dimensions, 1 << 20)
    if graph is None:
        raise InputError(
            f"the catalogue has no {kind} graph for radix {cube.radix} and {cube.dimensions} dimensions; "
            "routeproof search may find one"
        )
    return graph
