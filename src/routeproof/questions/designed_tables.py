"""Better deterministic forwarding tables by local search, with the bound that no oblivious routing can beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..optimum.tables.exchange import Improved, improve_tables
from ..optimum.worst_case import least_load
from ..worst.deadlock.channels import deadlock
from ..worst.scan.exact import WorstCase, worst_case
from .answer import Setting, Shown, timed
from .designing import DesignAnswer, designed_for
from .worst_case import WorstCaseAnswer, answer_worst_case

if TYPE_CHECKING:
    from .design import DesignTables

_MOST_PROPOSALS = 10**9


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TablesAnswer(DesignAnswer[Any]):
    """``made``: the search's result; ``judged``: its worst case and all else; ``before``: the worst case of the
    routing that the search began with; ``bound``: in words, what is known of the best oblivious routing."""

    shown = Shown("terminal.designed:tables_parts")

    made: Improved
    judged: WorstCaseAnswer
    before: WorstCase
    bound: str


@timed
def answer_tables(question: DesignTables, setting: Setting) -> TablesAnswer:
    """Search for tables with a low worst case, and judge them exactly.

    Raises InputError where ``start`` is not a table or does not have the property asked for, or there are no paths.
    """
    network = question.network
    if not 1 <= question.proposals <= _MOST_PROPOSALS:
        raise InputError(f"--proposals is {question.proposals}; 1 to {_MOST_PROPOSALS:,} was expected")
    with setting.stage("proposals") as progress:
        found = improve_tables(
            network, question.start, proposals=question.proposals, seed=question.seed, time_limit=question.time_limit,
            minimal=question.shortest, deadlock_free=question.deadlock_free, name=question.name, progress=progress,
        )  # fmt: skip
    judged = answer_worst_case(found.routing, setting=setting)
    bound, words = least_load(network, time_limit=question.time_limit, stage=setting.solving)
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
