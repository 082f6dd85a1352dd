"""What a change that an operator plans would cost or gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ..answer import ALONE, Setting, timed
from ..failures.rules import REPAIRS
from ..given import Given
from ..question import Question, flag, option, question, spelled
from ..shared import JSON_REPORT, ROUTING, TOPOLOGY

if TYPE_CHECKING:
    from ...routing.base.routing import Routing
    from .drain import DrainAnswer
    from .mend import MendAnswer

_DRAIN = "--drain"


def _names(given: Given, texts: Any) -> Sequence[int | str]:
    del given
    return tuple(texts or ())


@question
class Plan(Question["DrainAnswer | MendAnswer"]):
    """What a change costs or gains before it is made: --drain a switch, --mend cables, or --add-cables.

    Several drains are judged each alone and all together. Mended is what deviates from --intent: missing, one-sided,
    slow and swapped cables. What the fabric does then is a rule, which is printed.

    For example: routeproof plan examples/infiniband --drain s1

        >>> import routeproof as rp
        >>> plan = rp.plan(rp.named_routing("ecmp:choice=per-path", rp.network("fat-tree:4")), drain=["L3.0"])
        >>> plan.value("worst_case_load", failed="dead-nodes=16")
        Fraction(4, 3)

    Raises InputError for a switch that there is not (with the closest names), where nobody is left, where nothing is to
    mend, for an unknown rule and for sampled loads.
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
        default=(),
        command_default=None,
        read=_names,
        python="The switches to drain: names, numbers, GUIDs or lids.",
    )
    mend: bool = flag(
        "What mending each missing, one-sided, slow or swapped cable gains, and which to mend first.",
        "--mend",
        default=False,
    )
    intent: str | None = option(
        "TOPOLOGY",
        "With --mend: the network that the fabric is meant to be, such as fat-tree:32,levels=3, or a file. Not needed "
        "where dead-links= or the like say what is missing.",
        default=None,
        complete="topology",
    )
    steps: int | None = option("K", "With --mend: how many are mended one after the other (3).", default=None, min=1)
    add_cables: int | None = option(
        "N", "Which N cables between free ports raise the guarantee most.", default=None, min=1
    )
    radix: int | None = option("K", "With --add-cables: ports of a switch, where no dump says it.", default=None, min=1)
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
    def answer(self, setting: Setting = ALONE) -> DrainAnswer | MendAnswer:
        from ...topologies.removal import nodes_named
        from .drain import answer_drains
        from .mend import answer_mend

        network = self.routing.network
        planned = bool(self.drain) + self.mend + (self.add_cables is not None)
        if planned != 1:
            what = "changes are planned one at a time" if planned else "plan needs what is planned"
            raise InputError(f"{what}; --drain SWITCH, --mend or --add-cables N was expected")
        if self.add_cables is not None:
            if self.intent is not None or self.steps is not None:
                raise InputError("--intent and --steps go with --mend, and --add-cables is given")
            ports = [self.radix] * network.num_nodes if self.radix is not None else network.switch_ports
            if ports is None:
                raise InputError(
                    f"how many ports the switches of {network.name} have is not known; --radix K was expected, such as "
                    "--radix 64"
                )
            return answer_mend(self.routing, None, self.repair, self.add_cables, setting, ports=ports)
        if self.radix is not None:
            raise InputError("--radix goes with --add-cables")
        if self.mend:
            return answer_mend(self.routing, self.intent, self.repair, self.steps, setting)
        if self.intent is not None or self.steps is not None:
            raise InputError("--intent and --steps go with --mend, and --drain is given")
        drained = [v for x in self.drain for v in nodes_named(network, str(x), _DRAIN)]
        return answer_drains(self.routing, drained, self.repair, setting)
