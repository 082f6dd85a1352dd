"""``rp.simulate_packets`` and its like: one function for every kind of simulation, with the arguments that it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.multistage.wiring import Wiring
from ..core.network import Network
from ..core.traffic import Traffic
from ..questions.answer import Answer
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from .result import DrawnResult, check_routing

if TYPE_CHECKING:
    from ..questions.simulate.load import LoadAnswer


class SimulationResult(DrawnResult[Answer]):
    """What came of a simulation, as claims: EXHAUSTED for one run, which anybody can run again; SAMPLED for trials."""


class LoadResult(SimulationResult):
    """Accepted rate and delay by offered rate, beside the proved throughput."""


def simulate_packets(
    wiring: Wiring | str,
    permutation: str | Sequence[str],
    *,
    load: int = 1,
    algorithm: str = "upfal",
    faults: str | None = None,
    epsilon: str = "1/4",
    threshold: int | None = None,
    trials: int | None = None,
    until_width: str | None = None,
) -> SimulationResult:
    """How many steps permutations take through a multistage network.

        >>> import routeproof as rp
        >>> run = rp.simulate_packets("multibutterfly:64,d=2,seed=7", "bit-reversal", load=4)
        >>> run.value("steps"), run.value("delivered")
        (Fraction(38, 1), Fraction(64, 1))

    - ``wiring``, ``permutation``, ``faults``: objects by name, with the texts of the command line, or files;
    - ``algorithm``: "upfal" (waves of at most ``load`` packets) or "greedy", with queues;
    - ``faults``: of switches; ``epsilon``, ``threshold``: how they spread, as in ``simulate_faults``;
    - ``trials``: so many runs, with the number of each in the place of ``{trial}`` in the texts; ``until_width``: as
      many as make every interval so narrow.

    Source: Maggs, Randomly Wired Multistage Networks, sec. 2; Upfal 1989 (STOC).  Raises InputError.
    """
    return _wired(
        "packets", wiring, permutation, trials, until_width, load=load, algorithm=algorithm, faults=faults,
        epsilon=epsilon, threshold=threshold,
    )  # fmt: skip


def simulate_circuits(
    wiring: Wiring | str,
    permutation: str | Sequence[str],
    *,
    load: int = 1,
    algorithm: str = "simple",
    faults: str | None = None,
    epsilon: str = "1/4",
    threshold: int | None = None,
    trials: int | None = None,
    until_width: str | None = None,
) -> SimulationResult:
    """Connect inputs to outputs by disjoint paths, every ``load``-th row being a terminal.

        >>> import routeproof as rp
        >>> run = rp.simulate_circuits("multibutterfly:64,d=2,seed=7", "bit-reversal", load=4)
        >>> run.value("delivered")
        Fraction(16, 1)

    ``algorithm``: "simple" (level by level) or "pipelined"; all else as in ``simulate_packets``.

    Source: Maggs, sec. 3; Arora, Leighton & Maggs 1990 (STOC).  Raises InputError.
    """
    return _wired(
        "circuits", wiring, permutation, trials, until_width, load=load, algorithm=algorithm, faults=faults,
        epsilon=epsilon, threshold=threshold,
    )  # fmt: skip


def simulate_faults(
    wiring: Wiring | str,
    faults: str,
    *,
    epsilon: str = "1/4",
    threshold: int | None = None,
    trials: int | None = None,
    until_width: str | None = None,
) -> SimulationResult:
    """What faulty switches leave of a multistage network: which inputs and outputs survive.

        >>> import routeproof as rp
        >>> left = rp.simulate_faults("multibutterfly:64,d=2,seed=7", "random:count=5,seed=1")
        >>> left.value("faults")
        Fraction(5, 1)

    - ``faults``: a pattern such as "random:count=5,seed=1", or a file with a JSON list of [level, row];
    - ``epsilon``: a block is erased if more than this fraction of it is faulty;
    - ``threshold``: so many edges up, or down, to faulty switches make a switch faulty (half of them, rounded up);
    - ``trials``, ``until_width``: as in ``simulate_packets``.

    Source: Leighton & Maggs 1992.  Raises InputError.
    """
    return _wired("faults", wiring, (), trials, until_width, faults=faults, epsilon=epsilon, threshold=threshold)


def simulate_calls(
    topology: str,
    *,
    strict: bool = False,
    time_limit: float = 60.0,
    adversary: int = 0,
    permutation: str | Sequence[str] = (),
    rearrangeable: bool = False,
    **calls: Any,
) -> SimulationResult:
    """Connect calls one by one and hang up: how often is one blocked, and can one be blocked at all?

        >>> import routeproof as rp
        >>> rp.simulate_calls("clos:3,2,2", trials=20, strict=True).value("strictly_nonblocking")
        'true'

    - ``strict``: decide, in ``time_limit`` seconds, whether any call can ever be blocked;
    - ``adversary``: so many tries of a search for calls that block another;
    - ``permutation``: connect it, all calls at once; ``rearrangeable``: go through all permutations;
    - ``calls``: of random calls, ``load``, ``trials``, ``until_width``, ``events``, ``occupancy``, ``seed``, ``paths``
      ("first", "random"), ``beta``, ``merger``, ``together``, ``replay``, as the command's options.

    Raises InputError for networks that calls cannot run on, and TypeError for a name that is not among these.
    """
    from ..questions.simulate.calls import CallsQuestion, answer_calls
    from ..simulate.calls.runs import CallRequest

    asked = CallRequest(topology, **calls)
    question = CallsQuestion(asked, strict, time_limit, adversary, _texts(permutation), rearrangeable)
    return SimulationResult(answer_calls(question, setting=setting_here()), f"calls on {topology}")


def simulate_load(
    routing: Routing,
    traffic: Traffic | None = None,
    *,
    rates: Sequence[Fraction | str] = (),
    order: str = "fifo",
    cycles: int = 8000,
    warm_up: int = 2000,
    seed: int = 0,
) -> SimulationResult:
    """Packets with queues without limit, at rates around the proved throughput, which is stated beside them.

        >>> import routeproof as rp
        >>> run = rp.simulate_load(rp.DOR().on(rp.torus(4, 4)), rates=["1/4"], cycles=200, warm_up=50)
        >>> run.value("throughput"), run.value("accepted_rate").trials > 1
        (Fraction(2, 3), True)

    - ``traffic``: None for the routing's worst permutation;
    - ``rates``: packets per cycle and terminal, none for rates around the proved throughput;
    - ``order``: "fifo" or "farthest-first"; ``cycles`` are measured after ``warm_up``; ``seed``: of all random choices.

    Raises InputError for a rate that is not in 0 < rate <= 1.
    """
    from ..questions.simulate.load import LoadSettings, answer_load

    check_routing(routing)
    settings = LoadSettings(order, cycles, warm_up, seed)
    return _load(answer_load(routing, traffic, rates=rates, settings=settings, setting=setting_here()))


def simulate_adaptive_load(
    network: Network,
    routing: str,
    traffic: Traffic,
    *,
    rates: Sequence[Fraction | str] = (),
    order: str = "fifo",
    cycles: int = 8000,
    warm_up: int = 2000,
    seed: int = 0,
) -> SimulationResult:
    """As ``simulate_load`` for an adaptive routing, "minimal-adaptive" or "goal", of which nothing is proved.

    >>> import routeproof as rp
    >>> net = rp.torus(4, 4)
    >>> uniform = rp.traffic("uniform", net)
    >>> run = rp.simulate_adaptive_load(net, "goal", uniform, rates=["1/4"], cycles=200, warm_up=50)
    >>> {x.grade.value for x in run.claims()}
    {'SAMPLED'}
    """
    from ..questions.simulate.load import LoadSettings, answer_adaptive_load

    settings = LoadSettings(order, cycles, warm_up, seed)
    return _load(
        answer_adaptive_load(network, routing, traffic, rates=rates, settings=settings, setting=setting_here())
    )


def simulate_cube(
    cube: str,
    request: str,
    *,
    many_one: bool = False,
    algorithm: str | None = None,
    seed: int = 0,
    trials: int | None = None,
    until_width: str | None = None,
) -> SimulationResult:
    """Packets on a t-nary d-cube, step by step: a destination graph, or an algorithm to compare with.

        >>> import routeproof as rp
        >>> rp.simulate_cube("hypercube:4", "bit-reversal").value("steps")
        Fraction(4, 1)

    - ``cube``: "hypercube:6", "hyperx:3x3", or a destination graph's file, which then is run;
    - ``request``: a permutation by name or in a file; with ``many_one``, destinations that are not all different;
    - ``algorithm``: "destination-graph", "e-cube", "valiant-brebner", "greedy" and others; ``seed``: of its random
      choices;
    - ``trials``: so many runs of a randomized algorithm; ``until_width``: as in ``simulate_packets``.

    Raises InputError for a text that names no cube, and for bad options.
    """
    from ..core.sampling.stopping import stopping_asked
    from ..formats.resolve import resolve_cube, resolve_request
    from ..questions.simulate.cube import CubeQuestion, answer_cube, answer_cube_trials

    named = resolve_cube(cube)
    if named is None:
        raise InputError(f"'{cube[:60]}' is not a cube; hypercube:6, hyperx:3x3 or a destination graph was expected")
    destination = resolve_request(request, named.cube, many_one=many_one)
    question = CubeQuestion(named, destination, many_one, algorithm, seed)
    if trials is None and until_width is None:
        return SimulationResult(answer_cube(question), f"packets on {named.name}")
    answer = answer_cube_trials(
        question, trials=trials, stopping=stopping_asked(until_width, trials), setting=setting_here()
    )
    return SimulationResult(answer, f"packets on {named.name}")


def _wired(
    verb: str,
    wiring: Wiring | str,
    permutation: str | Sequence[str],
    trials: int | None,
    until_width: str | None,
    **options: Any,
) -> SimulationResult:
    from ..core.sampling.stopping import stopping_asked
    from ..questions.simulate.wired import answer_circuits, answer_faults, answer_packets, answer_trials
    from ..report.figures.circuits import circuits_run_figure
    from ..report.figures.packets import packets_run_figure
    from ..simulate.multistage.runs import WiredRequest

    asked = WiredRequest(_text(wiring), _texts(permutation), **options)
    title = f"{verb} on {asked.wiring}"
    if trials is not None or until_width is not None:
        stopping = stopping_asked(until_width, trials)
        return SimulationResult(
            answer_trials(verb, asked, trials=trials, stopping=stopping, setting=setting_here()), title
        )
    once: dict[str, tuple[Callable[..., Answer], Any]] = {
        "packets": (answer_packets, packets_run_figure),
        "circuits": (answer_circuits, circuits_run_figure),
        "faults": (answer_faults, None),
    }
    answer, figure = once[verb]
    return SimulationResult(answer(asked, setting=setting_here()), title, figure=figure)


def _load(answer: LoadAnswer) -> SimulationResult:
    from ..report.figures.load import load_figure

    return LoadResult(answer, answer.title, figure=load_figure)


def _texts(texts: str | Sequence[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


def _text(wiring: Wiring | str) -> str:
    if isinstance(wiring, str):
        return wiring
    if wiring.spec is None:
        raise InputError(f"{wiring.name} has no name that makes it again: write_wiring it into a file, and name that")
    return wiring.spec
