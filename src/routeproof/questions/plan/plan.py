"""What a change that an operator plans would cost or gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Setting, timed
from ..failures.rules import REPAIRS
from ..given import Given
from ..question import Question, option, question, spelled
from ..shared import JSON_REPORT, ROUTING, TOPOLOGY

if TYPE_CHECKING:
    from ...routing.base.routing import Routing
    from .drain import DrainAnswer

_DRAIN = "--drain"


def _names(given: Given, texts: Any) -> Sequence[int | str]:
    del given
    return tuple(texts or ())


@question
class Plan(Question["DrainAnswer"]):
    """What draining a switch costs, before it is drained: who is cut off, and what the other hosts keep.

    Several drains are judged each alone and all together. What the fabric does then is a rule, which is printed.

    For example: routeproof plan examples/infiniband --drain s1

        >>> import routeproof as rp
        >>> plan = rp.plan(rp.named_routing("ecmp:choice=per-path", rp.network("fat-tree:4")), drain=["L3.0"])
        >>> plan.value("worst_case_load", failed="dead-nodes=16")
        Fraction(4, 3)

    Raises InputError for a switch that there is not (with the closest names), where nobody is left, for an unknown
    rule and for sampled loads.
    """

    verb, place, function = "plan", 42, "plan"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    drain: Sequence[int | str] = option(
        "SWITCH",
        "Drain this switch: by name (in double quotes or not; * and ? stand for any letters), number, GUID or lid "
        "('lid 12'). May be given several times.",
        _DRAIN,
        kind=list[str] | None,
        command_default=None,
        read=_names,
        python="The switches to drain: names, numbers, GUIDs or lids.",
    )
    repair: str | None = option(
        "RULE",
        "What the fabric does then, as failures has it; by default what it is known to do.",
        default=None,
        words=REPAIRS,
    )
    json: str | None = spelled(JSON_REPORT, init=False)

    @property
    def title(self) -> str:
        return f"{super().title}, as planned"

    @timed
    def answer(self, setting: Setting = ALONE) -> DrainAnswer:
        from ...topologies.removal import nodes_named
        from .drain import answer_drains

        network = self.routing.network
        if not self.drain:
            raise InputError("plan needs what is planned; --drain SWITCH was expected")
        drained = [v for x in self.drain for v in nodes_named(network, str(x), _DRAIN)]
        return answer_drains(self.routing, drained, self.repair, setting)
