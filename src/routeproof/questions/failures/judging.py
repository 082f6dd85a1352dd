"""Judging failures by the rule that was chosen, in pieces that an engine may spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core.spread import Progress
from ..answer import subject_of

if TYPE_CHECKING:
    from ...demand_sets.demand_set import DemandSet
    from ...engine import Engine
    from ...routing.base.routing import Routing
    from ...topologies.failures import Failure
    from ...worst.failures import Base
    from .rules import Chosen

    Judge = Callable[[list[Failure], Progress | None], list[dict[str, Any]]]

_CHUNK = 16
_MODULE = "routeproof.worst.failures"


def judging(
    routing: Routing,
    chosen: Chosen,
    demands: DemandSet | None,
    engine: Engine,
    told: list[str],
    *,
    few: bool = False,
    switches: bool = True,
) -> tuple[dict[str, Any], Judge, Base | None]:
    """What the subject holds of the rule (with the potentials that results rest on), what judges failures, and the
    potentials, where there are some; ``told`` gets what is known of the rule only then.

    ``few``: not every channel of the whole network is solved before, which only many failures repay; ``switches``: do
    switches fail, too?
    """
    from ...engine import Work
    from ...formats.demands.description import describe_demands
    from ...formats.documents.packed_ints import pack_ints
    from ...routing.base.hop_by_hop import PLAIN
    from ...routing.base.pair_table import TooManyLoadsError
    from ...worst.failures import base_of, in_part
    from ...worst.rerouting_bound import bounds_of

    subject = subject_of(routing)
    shared: dict[str, Any] = {"network": subject["network"], "routing": subject["routing"]}
    more: dict[str, Any] = {"kind": "failures", "repair": chosen.repair}
    if chosen.rule is not None:
        more["rule"] = chosen.rule.describe()
    function, prepare, seconds = "solve_rebuilt", None, 0.2
    anew = chosen.repair == "opensm" or (chosen.repair == "rebuild" and (few or not in_part(routing, switches)))
    if chosen.engine:
        more |= {"engine": chosen.engine, "program": chosen.program}
    base = None
    if not anew and demands is None:
        try:
            base = base_of(routing, chosen.repair, more.get("rule"), few=few)
        except TooManyLoadsError:
            by_rule = chosen.rule is not None and chosen.rule.is_plain
            if chosen.repair != "rebuild" and not by_rule:
                raise
            anew = True  # only uniform traffic needs a table then
            shared["uniform"] = False
            if by_rule:
                shared |= {"routing": PLAIN, "longer": more["rule"]["longer"]}
    if not anew or demands is not None:
        shared |= {x: more[x] for x in ("repair", "rule") if x in more}
    if demands is not None:
        shared["demands"] = more["demands"] = describe_demands(demands)
        function, prepare, seconds = "solve_over", f"{_MODULE}:prepare_over", 0.2
    elif base is not None:
        shared["potentials"] = more["potentials"] = base.described()
        function, prepare, seconds = "solve_failures", f"{_MODULE}:prepare", 0.02
    if demands is None:
        far = bounds_of(routing.network).far
        if far is not None:
            more["far"] = pack_ints(far)

    def judge(wanted: list[Failure], progress: Progress | None) -> list[dict[str, Any]]:
        if not wanted:
            return []
        if chosen.engine:
            from .opensm import judged_by_opensm

            results, words = judged_by_opensm(routing, chosen.engine, wanted, engine, progress)
            told[:] = [words]
            return results
        what = [(list(x.nodes), x.channels(routing.network)) for x in wanted]
        pieces = {
            f"{at}-{min(at + _CHUNK, len(what)) - 1}": {"failures": what[at : at + _CHUNK]}
            for at in range(0, len(what), _CHUNK)
        }
        work = Work("failures", f"{_MODULE}:{function}", pieces, shared, prepare, seconds=seconds * len(what))
        return [result for part in engine.run(work, progress=progress).values() for result in part]

    return more, judge, base
