"""The best oblivious routing that a network can have, and a proof that nothing better exists."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Setting, timed
from ..given import Given
from ..question import Option, Question, Verb, option, question, spelled
from ..shared import DEMANDS, JSON_REPORT, SEED, THEN, TIME_LIMIT, TOPOLOGY, seconds
from .tables import (
    DEADLOCK_FREE,
    LIDS,
    OF_TABLES,
    PATH_SELECTION,
    PROPOSALS,
    START,
    tables_asked,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from ...core.network import Network
    from ...optimum.design import Design as Made
    from ...routing.base.routing import Routing
    from ...routing.path_sets.path_set import PathSet
    from ..designing import DesignAnswer
    from ..given_demands import GivenDemands

_PATH_LENGTH = Option(
    value="X", text="The average path is at most X times the shortest possible average.", kind=str | None
)
_SEARCHED = ("tables", "single")
_BY_TURNS = 0.6  # of the time, where few virtual channels are asked for
_PATHS = Option(
    value="SET",
    text="Use these paths only (all, if not given): minimal, all shortest; ksp:K, the K shortest simple ones (or "
    "ksp:K,weight=ATTRIBUTE); a routing or its file, its paths with any weights; 2turn, at most two turns on "
    "tori and meshes of two dimensions; tables, one channel for every node and destination, as switches "
    "forward; single, one path for every source and destination (both found by local search).",
    kind=str | None,
    python="Use these paths only (None: all): minimal, all shortest; ksp:K, the K shortest simple ones; 2turn, at most "
    "two turns on tori and meshes of two dimensions; a routing, its paths with any weights.",
)
_CHANNELS = Option(value="V", text="Only paths that V virtual channels free of deadlock; with a proof.", min=1)
_ENTRIES = Option(
    value="M",
    text="Weights that fit tables of M entries: for a node and a destination (--paths minimal), or for a pair at "
    "its source (other --paths).",
    min=1,
)
_MEMBERS = Option(
    value="G",
    text="With --entries and --paths minimal: at most G members in all groups of a switch, equal groups counted once.",
    min=1,
)
_SYMMETRY = Option(
    text="How the program is made smaller; the answer is the same.", choices=("auto", "translations", "none")
)
_SOLVER = Option(
    text="Simplex ends at an exact optimum, the others at a certified interval.",
    choices=("auto", "simplex", "interior", "first-order", "half-flows"),
)
_MODEL = Option(
    value="MODEL",
    text="Average case: permutation (default), two-permutations, three-permutations or sinkhorn.",
    name="traffic_model",
    kind=str | None,
)
_SAMPLES = Option(value="N", text="Average case: how many random traffic matrices (100).", kind=int | None)


@question
class ByProgram(Question["DesignAnswer[Any]"]):
    """What designs by a linear program share."""

    network: Network = spelled(TOPOLOGY)
    _: KW_ONLY
    shortest: bool = spelled(THEN, default=False)
    path_length: Fraction | str | int | None = spelled(_PATH_LENGTH, default=None)
    paths: str | Routing | PathSet | None = spelled(_PATHS, default=None)
    max_virtual_channels: int | None = spelled(_CHANNELS, default=None)
    symmetry: str = spelled(_SYMMETRY, default="auto")
    time_limit: float | None = spelled(TIME_LIMIT, default=None)

    @property
    def title(self) -> str:
        return f"designed for {self.network.name}"

    @property
    def allowed(self) -> PathSet | None:
        """The set of paths that may be used, None for all.  Raises InputError where two are named."""
        from ...routing.named.spec import paths_given
        from ...routing.path_sets.names import few_virtual_channels, path_set

        if self.paths in _SEARCHED:
            more = ", single=True" if self.paths == "single" else ""
            raise InputError(f"paths={self.paths!r} are found by a search: design_tables(network{more}) makes it")
        if self.max_virtual_channels is None:
            return paths_given(self.paths, self.network)
        if self.paths is not None:
            raise InputError("--max-virtual-channels and --paths name two sets of paths; one of them was expected")
        return path_set(few_virtual_channels(self.max_virtual_channels), self.network)

    def program(self) -> dict[str, Any]:
        """As keyword arguments of the functions in ``optimum``."""
        from ...core.rational import parse_fraction

        length = None if self.path_length is None else parse_fraction(self.path_length, what="--path-length")
        return {
            "shortest": self.shortest, "path_length": length, "paths": self.allowed, "symmetry": self.symmetry,
            "time_limit": self.time_limit,
        }  # fmt: skip

    def write(self, answer: DesignAnswer[Any], path: str, write_document: Callable[[str, Any], None]) -> None:
        """By the ending of the name, a document for others; with the virtual channel of every hop where asked for."""
        from ...routing.files.table import routing_writer
        from ...worst.deadlock.channels import with_virtual_channels

        chosen = answer.routing if answer.lanes is None else with_virtual_channels(answer.routing, answer.lanes)
        if _has_ending_of_its_own(path):
            routing_writer(path, self.network)(chosen)
        else:
            write_document(path, chosen.document())


def _has_ending_of_its_own(path: str) -> bool:
    """Does the name end as files of another format than our document do?"""
    from ...routing.files.table import ROUTING_FILES

    ends = [x for entry in ROUTING_FILES.own.values() if entry.write is not None for x in entry.extensions]
    return path.lower().endswith(tuple(x for x in ends if x != ".json"))


@question
class Design(ByProgram):
    """The oblivious routing with the best worst case, with a proof that no other has a better one.

        >>> import routeproof as rp
        >>> best = rp.design(rp.torus(3, 3), shortest=True)
        >>> best.value("worst_case_throughput")
        Fraction(3, 2)

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 8 and 10.  Raises InputError for networks that are too large or not
    connected, and for bad options.
    """

    function = "design"

    _: KW_ONLY
    entries: int | None = spelled(_ENTRIES, default=None)
    members: int | None = spelled(_MEMBERS, default=None)
    solver: str = spelled(_SOLVER, default="auto")
    demands: GivenDemands = spelled(DEMANDS, default=None)

    def answer(self, setting: Setting = ALONE) -> DesignAnswer[Any]:
        from ..designing import with_simpler_paths

        found = self.designed(setting.of_programs)
        if setting.solving is not None and self.max_virtual_channels is None:  # somebody reads notes
            with contextlib.suppress(KeyboardInterrupt):  # the design itself is there
                return with_simpler_paths(found, self.program())
        return found

    @timed
    def designed(self, setting: Setting) -> DesignAnswer[Any]:
        """Without a look at simpler paths."""
        from ...core.vocabulary import is_factor
        from ...formats.demands.description import demands_subject
        from ...machine.deadlines import Deadline
        from ...optimum.claims import design_claims
        from ...optimum.over import design_over
        from ..designing import answer_of, capacity_claim, described, designed_for, fitted_tables
        from ..given_demands import bound_to

        if self.members is not None and self.entries is None:
            raise InputError("--members limits the groups that --entries M makes; --entries M was expected beside it")
        network, demands = self.network, bound_to(self.network, self.demands)
        most, deadline, best = self.max_virtual_channels, Deadline(self.time_limit), None
        by_turns, lanes = True, None
        try:
            program = self.program()
        except InputError:
            if most is None or most < 1 or self.paths is not None or self.entries is not None:
                raise
            by_turns, program = False, replace(self, max_virtual_channels=None).program()
        if demands is None or not is_factor({"demands": demands.text}):
            best = capacity_claim(network, seconds=self.time_limit)
        made: Made | None = None
        if by_turns:
            program["time_limit"] = deadline.left() if most is None else deadline.part(_BY_TURNS)
            made = design_over(network, demands, {**program, "solver": self.solver}, setting.stage)
        if most is not None and self.entries is None:
            from .in_lanes import in_any_lanes

            options, better = {**program, "solver": self.solver}, None
            with contextlib.suppress(KeyboardInterrupt):  # a design by turns stands
                better = in_any_lanes(network, most, made, demands, options, setting.stage, deadline)
            if better is None and made is None:
                raise KeyboardInterrupt
            if better is not None:
                (made, lanes), program = better, {**program, "paths": None, "shortest": False}
        assert made is not None
        asked = described(program)
        if self.entries is not None:
            made = fitted_tables(made, self.entries, program, demands, self.members)
            asked["entries"] = self.entries
            asked |= {} if self.members is None else {"members": self.members}
        more = {**designed_for({"objective": "worst-case", **asked}, program["paths"]), **demands_subject(demands)}
        return answer_of(made, design_claims(made, best), more, program, setting, lanes)


@question
class DesignCapacity(ByProgram):
    """The oblivious routing with the best throughput under uniform traffic; arguments and errors as in ``design``.

    >>> import routeproof as rp
    >>> rp.design_capacity(rp.torus(3, 3)).value("capacity")
    Fraction(3, 1)
    """

    function = "design_capacity"

    @timed
    def answer(self, setting: Setting = ALONE) -> DesignAnswer[Any]:
        from ...optimum.capacity import design_capacity, uniform_claims, with_capacity
        from ..designing import answer_of, described, designed_for
        from ..worst_case import answer_worst_case

        program = self.program()
        made = design_capacity(self.network, stage=setting.of_programs.stage, **program)
        own = answer_worst_case(made.routing, by_program=not made.gap).stated
        claims = [*with_capacity(made, own), *uniform_claims(made)]
        more = designed_for({"objective": "capacity", **described(program)}, program["paths"])
        return answer_of(made, claims, more, program, setting)


@question
class DesignAverageCase(ByProgram):
    """The oblivious routing that is best for a sample of random traffic; judge it by the fresh sample beside it.

        >>> import routeproof as rp
        >>> made = rp.design_average_case(rp.mesh(2, 2), samples=4)
        >>> made.claims()[0].about["sample"], made.claims()[0].grade.value
        ('fresh', 'SAMPLED')

    All else, also errors, as in ``design``.  Source: Towles, Dally & Boyd 2003 (SPAA), eq. 9.
    """

    function = "design_average_case"

    _: KW_ONLY
    model: str = spelled(_MODEL, default="permutation")
    samples: int = spelled(_SAMPLES, default=100)
    seed: int = spelled(SEED, default=0)

    @timed
    def answer(self, setting: Setting = ALONE) -> DesignAnswer[Any]:
        from ...optimum.average_case import design_average_case
        from ...optimum.claims import average_case_claims
        from ..designing import answer_of, capacity_claim, described, designed_for

        program, network = self.program(), self.network
        best = capacity_claim(network)
        with setting.stage("rounds") as progress:
            made = design_average_case(
                network, model=self.model, count=self.samples, seed=self.seed, progress=progress, **program
            )
        sample = {"traffic_model": self.model, "samples": self.samples, "seed": self.seed}
        more = designed_for({"objective": "average-case", **described(program), **sample}, program["paths"])
        return answer_of(made, average_case_claims(made, best), more, program, setting)


@question
class DesignVerb(Verb):
    """Design the oblivious routing that is best for a network, with a proof that nothing better exists.

    For example: routeproof design torus:8x8 --objective worst-case --then path-length --output best.json
    or, for few flows at a time: routeproof design torus:8x8 --objective worst-case --demands sparse:16
    """

    verb, place, long = "design", 80, "asked"
    panel = "Best possible"

    topology: str = spelled(TOPOLOGY, init=False)
    objective: str = option(
        None, "What to optimise.", init=False, choices=("worst-case", "average-case", "capacity"), required=True
    )
    demands: list[str] | None = spelled(DEMANDS, init=False)
    then: str | None = spelled(THEN, init=False)
    path_length: str | None = spelled(_PATH_LENGTH, init=False)
    paths: str | None = spelled(_PATHS, init=False)
    max_virtual_channels: int | None = spelled(_CHANNELS, init=False)
    entries: int | None = spelled(_ENTRIES, init=False)
    members: int | None = spelled(_MEMBERS, init=False)
    start_from: str | None = spelled(START, init=False)
    deadlock_free: bool = spelled(DEADLOCK_FREE, default=False, init=False)
    lids: int | None = spelled(LIDS, init=False)
    path_selection: str | None = spelled(PATH_SELECTION, init=False)
    proposals: int | None = spelled(PROPOSALS, init=False)
    output: str | None = option(
        "ROUTING.json", "Write it: .json, .sst.json or .csv; tables also as .lft.", "--output", "-o", init=False
    )
    symmetry: str = spelled(_SYMMETRY, default="auto", init=False)
    solver: str = spelled(_SOLVER, default="auto", init=False)
    time_limit: float | None = spelled(TIME_LIMIT, init=False)
    traffic_model: str | None = spelled(_MODEL, init=False)
    samples: int | None = spelled(_SAMPLES, init=False)
    seed: int | None = spelled(SEED, init=False)
    json: str | None = spelled(JSON_REPORT, init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        objective, paths = given["objective"], None if given["paths"] == "all" else given["paths"]
        method = None if given["solver"] == "auto" else given["solver"]
        sampling = {"--traffic-model": given["traffic_model"], "--samples": given["samples"]}
        if given["demands"] and objective != "worst-case":
            raise InputError(f"--demands is for --objective worst-case; found --objective {objective}")
        if given["entries"] is not None:
            _check_entries(given, paths)
        elif given["members"] is not None:
            raise InputError("--members limits the groups that --entries M makes; --entries M was expected beside it")
        if paths in _SEARCHED:
            return tables_asked(given, method, sampling)
        if given["deadlock_free"] or any(given[x] is not None for x in OF_TABLES):
            raise InputError(
                "--start, --deadlock-free, --lids, --path-selection and --proposals go with --paths tables"
            )
        for name, value in {**sampling, "--seed": given["seed"]}.items():
            if value is not None and objective != "average-case":
                raise InputError(f"{name} is for --objective average-case, which samples traffic; {objective} does not")
        most = given["max_virtual_channels"]
        if most is not None and paths is not None:
            raise InputError("--max-virtual-channels and --paths name two sets of paths; one of them was expected")
        if method is not None and (objective != "worst-case" or paths is not None or most is not None):
            which = f"paths {paths}" if paths else "max-virtual-channels"
            what = f"--objective {objective}" if paths is None and most is None else f"--{which}"
            raise InputError(f"--solver is for the worst case over all paths; {what} has one method only: leave it out")
        seconds(given, given["time_limit"])
        if given["output"] is not None and _has_ending_of_its_own(given["output"]):
            from ...routing.files.table import routing_writer

            routing_writer(given["output"], given.network)
        options: dict[str, Any] = {
            "shortest": given["then"] is not None,
            "path_length": _fraction(given["path_length"]),
            "paths": None if paths is None else given.paths(paths),
            "max_virtual_channels": most,
            "symmetry": given["symmetry"],
            "time_limit": given["time_limit"],
        }
        if objective == "capacity":
            return DesignCapacity(given.network, **options)
        if objective == "average-case":
            samples = 100 if given["samples"] is None else given["samples"]
            model, seed = given["traffic_model"] or "permutation", given["seed"] or 0
            return DesignAverageCase(given.network, model=model, samples=samples, seed=seed, **options)
        more = {x: given[x] for x in ("entries", "members", "solver")}
        return Design(given.network, demands=given["demands"] or None, **more, **options)


def _fraction(text: str | None) -> Fraction | None:
    from ...core.rational import parse_fraction

    return None if text is None else parse_fraction(text, what="--path-length")


def _check_entries(given: Given, paths: str | None) -> None:
    if given["objective"] != "worst-case":
        raise InputError(f"--entries is for --objective worst-case; found {given['objective']}")
    if given["path_length"] is not None:
        raise InputError("--entries does not go with --path-length: rounding may exceed the bound")
    if paths in _SEARCHED or (paths is None and given["max_virtual_channels"] is None):
        raise InputError(
            "--entries needs --paths: minimal, with groups for a node and a destination; ksp:K, 2turn or a routing's, "
            "with groups for a pair at its source (--paths tables and single have one entry each)"
        )
