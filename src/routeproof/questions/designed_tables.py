"""Better deterministic forwarding tables by local search, with the bound that no oblivious routing can beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Stage
from ..optimum.tables.exchange import Improved, improve_tables
from ..optimum.worst_case import least_load
from ..routing.base.routing import Routing
from ..worst.deadlock.channels import deadlock
from ..worst.scan.exact import WorstCase, worst_case
from .answer import ALONE, Setting, timed
from .designing import DesignAnswer, designed_for
from .worst_case import WorstCaseAnswer, answer_worst_case

_MOST_PROPOSALS = 10**9


@dataclass(frozen=True, kw_only=True)
class TablesQuestion:
    """How to search.

    - ``deadlock_free``: keep the channel dependencies free of cycles, without virtual channels;
    - ``shortest``: never take a longer way than the shortest;
    - ``proposals``: how many exchanges to try, at most 10^9; ``seed``: of the search; ``time_limit``: seconds;
    - ``name``: what the tables are called.
    """

    deadlock_free: bool = False
    shortest: bool = False
    proposals: int = 100_000
    seed: int = 0
    time_limit: float | None = None
    name: str = "tables"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TablesAnswer(DesignAnswer[Any]):
    """``made``: the search's result; ``judged``: its worst case and all else; ``before``: the worst case of the
    routing that the search began with; ``bound``: in words, what is known of the best oblivious routing."""

    made: Improved
    judged: WorstCaseAnswer
    before: WorstCase
    bound: str


@timed
def answer_tables(
    network: Network,
    start: Routing | None,
    question: TablesQuestion,
    *,
    solving: Stage | None = None,
    setting: Setting = ALONE,
) -> TablesAnswer:
    """Search for tables with a low worst case from ``start`` (None: shortest paths, or up*/down* where they are to be
    free of deadlock), and judge them exactly.

    ``solving(name)``: entered for each stage of solving the program of the bound.  Raises InputError where ``start`` is
    not a table or does not have the property asked for, or there are no paths.
    """
    if not 1 <= question.proposals <= _MOST_PROPOSALS:
        raise InputError(f"--proposals is {question.proposals}; 1 to {_MOST_PROPOSALS:,} was expected")
    with setting.stage("proposals") as progress:
        found = improve_tables(
            network, start, proposals=question.proposals, seed=question.seed, time_limit=question.time_limit,
            minimal=question.shortest, deadlock_free=question.deadlock_free, name=question.name, progress=progress,
        )  # fmt: skip
    judged = answer_worst_case(found.routing, setting=setting)
    bound, words = least_load(network, time_limit=question.time_limit, stage=solving)
    claims = [*judged.stated, *([] if bound is None else [bound])]
    if found.routing.network.num_channels:
        claims.append(deadlock(found.routing).claim())
    asked = {
        "objective": "worst-case", "paths": "tables", "start": found.start.name, "seed": found.seed,
        "proposals": found.proposals, "deadlock_free": question.deadlock_free, "shortest": question.shortest,
    }  # fmt: skip
    return TablesAnswer(
        routing=found.routing, topology=setting.topology, more=designed_for(asked), stated=claims, made=found,
        judged=judged, before=worst_case(found.start), bound=words,
    )  # fmt: skip
