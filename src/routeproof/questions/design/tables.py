"""Forwarding tables with a low worst case: what switches hold, one channel for every node and destination."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Setting, timed
from ..given import Given
from ..question import Option, Question, parameter, question, spelled
from ..shared import DEMANDS, SEED, THEN, TIME_LIMIT, TOPOLOGY, seconds

if TYPE_CHECKING:
    from ...core.network import Network
    from ...demand_sets.demand_set import DemandSet
    from ...optimum.tables.exchange import Improved
    from ...routing.base.routing import Routing
    from ..designing import TablesAnswer
    from ..given_demands import GivenDemands

_MOST_PROPOSALS = 10**9
_PROPOSALS, _PROPOSALS_OVER = 100_000, 1_000  # unless told; over a set, each is judged by its own method
_OF_START = 0.2  # of the time: for tables with names
_OF_SEARCH = 0.5  # of what is left: for the search; bounds have the rest
_OF_CAPACITY = 0.1  # of what is left: for the capacity by a program
_JUDGED_AGAIN = 1  # times: the tables that are found
_SOON = 0.01  # seconds
START = Option(
    value="ROUTING",
    text="Tables: the routing to improve, such as a forwarding table.",
    name="start_from",
    names=("--start",),
    kind=str | None,
    python="A table, or a mixture of tables, to improve; None: the best of shortest paths (up*/down* where "
    "deadlock-free) and of tables with names.",
)
DEADLOCK_FREE = Option(
    text="Tables: no cycle of channel dependencies, without virtual channels.", names=("--deadlock-free",), kind=bool
)
LIDS = Option(value="N", text="Tables: N LIDs for each host (LMC), a table for each: 2, 4, ..., 128.", kind=int | None)
PATH_SELECTION = Option(
    text="Tables with --lids: each source is pinned to one LID of a destination (path records), or packets are spread "
    "evenly over its LIDs.",
    choices=("spread", "pinned"),
)
PROPOSALS = Option(
    value="N", text="Tables: how many exchanges to try (100,000; with --demands 1,000).", kind=int | None
)
OF_TABLES = ("start_from", "lids", "path_selection", "proposals")


@question
class DesignTables(Question["TablesAnswer"]):
    """Forwarding tables with a low worst case, by local search, and what no oblivious routing can beat.

        >>> import routeproof as rp
        >>> rp.design_tables(rp.mesh(2, 2), proposals=100).value("worst_case_load")
        Fraction(1, 1)

    Raises InputError where ``start`` is not a table or does not have the property asked for, or there are no paths.
    """

    network: Network = spelled(TOPOLOGY)
    start: Routing | None = spelled(START, default=None)
    _: KW_ONLY
    deadlock_free: bool = spelled(DEADLOCK_FREE, default=False)
    shortest: bool = spelled(THEN, default=False)
    lids: int | None = spelled(LIDS, default=None)
    path_selection: str = spelled(PATH_SELECTION, default="spread")
    single: bool = parameter("One path for each source and destination, in place of tables.", default=False)
    proposals: int | None = spelled(PROPOSALS, default=None)
    seed: int = spelled(SEED, default=0)
    time_limit: float | None = spelled(TIME_LIMIT, default=None)
    name: str = "tables"
    demands: GivenDemands = spelled(DEMANDS, default=None)

    function, long = "design_tables", "asked"

    @property
    def title(self) -> str:
        return f"designed for {self.network.name}"

    @timed
    def answer(self, setting: Setting = ALONE) -> TablesAnswer:
        from ...core.claim import Claim
        from ...kernel.table_bounds import single_paths
        from ...machine.deadlines import (
            Deadline,
            OutOfTimeError,
            certified_before_interrupt,
            ended_in_time,
            was_interrupted,
        )
        from ...optimum.tables.bounds import TablesBounds
        from ...optimum.tables.exchange import check_size, improve_tables, usual_start
        from ...optimum.tables.rounds import improve_in_rounds, lids_asked, single_start, with_lids
        from ...worst.deadlock.channels import deadlock
        from ...worst.scan.exact import worst_case
        from ..designing import TablesAnswer, designed_for
        from ..given_demands import bound_to
        from ..worst_case import answer_worst_case, worst_case_alone

        network, start = self.network, self.start
        demands = bound_to(network, self.demands)
        if demands is not None and demands.text == "permutations":
            demands = None
        proposals = self.proposals or (_PROPOSALS if demands is None else _PROPOSALS_OVER)
        if self.proposals is not None and not 1 <= self.proposals <= _MOST_PROPOSALS:
            raise InputError(f"--proposals is {self.proposals}; 1 to {_MOST_PROPOSALS:,} was expected")
        if demands is not None:
            return self._answer_over(demands, proposals, setting)
        if self.single and (self.deadlock_free or self.lids is not None):
            raise InputError(
                "--deadlock-free, --max-virtual-channels and --lids go with --paths tables; with --paths single, leave "
                "them out"
            )
        lids = single_paths(network) if self.single else lids_asked(network, self.lids, self.path_selection)
        check_size(network, network.num_terminals * (network.num_terminals if self.single else lids.count))
        deadline = Deadline(self.time_limit)
        search: dict[str, Any] = {"proposals": proposals, "seed": self.seed, "minimal": self.shortest}
        if start is None and self.single:
            start = single_start(network, time_limit=deadline.part(_OF_SEARCH / 2), **search)
        if start is None:
            start = usual_start(
                network, deadlock_free=self.deadlock_free, minimal=self.shortest, lids=lids,
                time_limit=deadline.part(_OF_START),
            )  # fmt: skip
        known = lids if self.single or self.lids is not None or len(start.parts or [start]) == 1 else None
        start = with_lids(start, lids)
        with deadline.measured(_JUDGED_AGAIN):
            before = worst_case(start)
        bounds = TablesBounds(network, known, deadline=deadline, stage=setting.solving)
        if self.time_limit is None:
            bounds.look(before.load)
        improve = improve_tables if setting.engine is None else partial(improve_in_rounds, setting.engine)
        with setting.stage("proposals") as progress:
            found = improve(
                network, start, time_limit=deadline.part(_OF_SEARCH), deadlock_free=self.deadlock_free, name=self.name,
                enough=bounds.value, lids=lids, progress=progress,
                **{**search, "proposals": 0 if was_interrupted() else proposals},
            )  # fmt: skip
        stopped = found.interrupted or was_interrupted()
        worst, judged, of_deadlock = None, None, list[Claim]()
        try:
            if not stopped:
                load = found.curve[-1][1]
                bounds.look(load)
                with setting.stage("refutations") as progress:
                    any_table = not (self.shortest or self.deadlock_free)
                    better = bounds.settle(load, self.name, free=any_table, progress=progress)
                if better is not None:
                    found = replace(found, routing=better)
                worst = worst_case(found.routing)
                with ended_in_time(deadline.left(_SOON)):
                    most, alone = deadline.part(_OF_CAPACITY), replace(setting, engine=None)
                    judged = answer_worst_case(found.routing, worst=worst, setting=alone, seconds=most)
                    of_deadlock = [deadlock(found.routing).claim()]
        except KeyboardInterrupt as error:
            stopped = type(error) is not OutOfTimeError
        if stopped:
            certified_before_interrupt()
        judged = judged or worst_case_alone(worst or worst_case(found.routing))
        load = judged.worst_case.load
        claims = [*judged.stated, *bounds.claims(load), *of_deadlock]
        several = lids.count > 1 and not lids.single
        asked = {
            "objective": "worst-case", "paths": "single" if lids.single else "tables", "start": found.start.name,
            **self._searched(found), **({"lids": lids.count, "path_selection": self.path_selection} if several else {}),
        }  # fmt: skip
        return TablesAnswer(
            routing=found.routing, topology=setting.topology, more=designed_for(asked), stated=claims, made=found,
            judged=judged, before=before, bound=bounds.words(load), by_paths=lids.single,
        )  # fmt: skip

    def _searched(self, found: Improved) -> dict[str, Any]:
        return {
            "seed": found.seed, "proposals": found.proposals, "deadlock_free": self.deadlock_free,
            "shortest": self.shortest, "curve": ", ".join(f"{load} after {done}" for done, load in found.curve),
        }  # fmt: skip

    def _answer_over(self, demands: DemandSet, proposals: int, setting: Setting) -> TablesAnswer:
        from ...formats.demands.description import demands_subject
        from ...machine.deadlines import Deadline, certified_before_interrupt
        from ...optimum.tables.over import bound_over, check_over, improve_tables_over, start_over
        from ...worst.deadlock.channels import deadlock
        from ...worst.over import worst_over
        from ..designing import TablesAnswer, designed_for
        from ..worst_case import answer_worst_case

        if self.single or self.deadlock_free or self.lids is not None:
            raise InputError(
                "--demands goes with --paths tables of one LID for each host; with --paths single, --lids, "
                "--deadlock-free and --max-virtual-channels tables are for all permutations: leave it out"
            )
        network, deadline = self.network, Deadline(self.time_limit)
        check_over(network, demands)
        start = self.start or start_over(network, demands, minimal=self.shortest, time_limit=deadline.part(_OF_START))
        with deadline.measured(_JUDGED_AGAIN):
            before = worst_over(start, demands)
        bound = bound_over(network, demands, time_limit=deadline.part(1 - _OF_SEARCH), stage=setting.solving)
        with setting.stage("proposals") as progress:
            found = improve_tables_over(
                network, demands, start, proposals=proposals, seed=self.seed, time_limit=deadline.left(),
                minimal=self.shortest, name=self.name, enough=bound.of_tables, progress=progress,
            )  # fmt: skip
        most = deadline.part(_OF_CAPACITY)
        if found.interrupted:
            certified_before_interrupt()
        judged = answer_worst_case(found.routing, demands=demands, seconds=most, setting=setting)
        asked = {"objective": "worst-case", "paths": "tables", "start": found.start.name, **self._searched(found)}
        claims = [*judged.stated, *bound.claims(), deadlock(found.routing).claim()]
        return TablesAnswer(
            routing=found.routing, topology=setting.topology, more={**designed_for(asked), **demands_subject(demands)},
            stated=claims, made=found, judged=judged, before=before, bound=bound.words(judged.worst_case.load),
            by_paths=False,
        )  # fmt: skip

    def write(self, answer: TablesAnswer, path: str, _: Callable[[str, Any], None]) -> None:
        """In the format that the name says."""
        from ...routing.files.table import routing_writer

        routing_writer(path, self.network)(answer.routing)


def tables_asked(given: Given, method: str | None, sampling: dict[str, Any]) -> DesignTables:
    from ...routing.base.routing import check_pairs
    from ...routing.files.table import routing_writer

    single, most, output = given["paths"] == "single", given["max_virtual_channels"], given["output"]
    if most not in (None, 1):
        raise InputError(
            f"--max-virtual-channels is {most}; tables are designed for 1 (as --deadlock-free), or for any number "
            f"without the option"
        )
    for name, other in {"--solver": method is not None, "--symmetry": given["symmetry"] != "auto"}.items():
        if other:
            raise InputError(f"{name} does not go with --paths {given['paths']}, which are found by local search")
    if given["objective"] != "worst-case":
        raise InputError(f"--paths {given['paths']} is for --objective worst-case; found {given['objective']}")
    for name, value in {"--path-length": given["path_length"], **sampling}.items():
        if value is not None:
            raise InputError(
                f"{name} does not go with --paths {given['paths']}; --then path-length keeps to shortest paths"
            )
    network, start, selection = given.network, given["start_from"], given["path_selection"]
    if selection is not None and given["lids"] is None:
        raise InputError(f"--path-selection {selection} is between LIDs of a host; --lids N says how many it has")
    if output is not None:
        routing_writer(output, network, by_terminal=True)
        if (single or selection == "pinned") and output.lower().endswith(".json"):
            check_pairs(network)  # written path by path
    return DesignTables(
        network,
        None if start is None else given.routing(start),
        deadlock_free=given["deadlock_free"] or most == 1,
        shortest=given["then"] is not None,
        lids=given["lids"],
        single=single,
        path_selection=selection or "spread",
        proposals=given["proposals"],
        seed=given["seed"] or 0,
        time_limit=seconds(given, given["time_limit"]),
        name=output or given["paths"],
        demands=given["demands"] or None,
    )
