"""What a failure does is a rule: the one that is asked for, or the one that the fabric is known to follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from ...core.claim import Claim
    from ...routing.base.hop_by_hop import HopRule
    from ...routing.base.routing import Routing

REPAIRS = ("none", "installed-rule", "rebuild", "split")
OPENSM = "opensm"
_OLD_NAMES = {"reroute": "split"}
_TRIED = 4  # failures after which a routing by name is made anew, before it is chosen


@dataclass(frozen=True, eq=False)
class Chosen:
    """``repair``: the rule by name; ``why`` it was chosen, in words ("" where it was asked for); ``rule``: what
    ``installed-rule`` is here; ``claims``: what is known of it; ``engine`` and ``program``: of ``opensm``."""

    repair: str
    why: str = ""
    rule: HopRule | None = None
    claims: Sequence[Claim] = ()
    engine: str = ""
    program: str = ""


def chosen_rule(routing: Routing, asked: str | None) -> Chosen:
    """The rule that ``asked`` names; without one, ``installed-rule`` where it makes every entry of a fabric's routes,
    ``rebuild`` for a routing by name that can be made anew, else ``none``.

    Raises InputError for a rule that there is not, and for one that does not fit the routing.
    """
    from ...routing.fabrics.installed_rule import rule_of

    repair = None if asked is None else _OLD_NAMES.get(asked, asked)
    name, _, engine = (repair or "").partition(":")
    if repair is not None and repair not in REPAIRS and name != OPENSM:
        raise InputError(f"--repair is '{repair[:40]}'; {did_you_mean(repair, (*REPAIRS, 'opensm:ENGINE'))}")
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled; failures are judged exactly")
    if name == OPENSM:
        from ...routing.fabrics.opensm import opensm_version
        from .opensm import fabric_of

        fabric_of(routing, engine)
        return Chosen(OPENSM, engine=engine, program=opensm_version(engine))
    if repair == "rebuild" and routing.in_full:
        raise InputError(
            f"--repair rebuild needs a routing by name; {routing.name} is a table: --repair none says what is lost"
        )
    if repair == "installed-rule" or (repair is None and routing.in_full):
        found = rule_of(routing)
        if found.rule is not None:
            from ...claims.routings.failures import INSTALLED_RULE

            return Chosen("installed-rule", "", found.rule, [INSTALLED_RULE.claim(found.entries, source="")])
        if repair is not None:
            raise InputError(f"--repair installed-rule does not fit {routing.network.name}: {found.why}")
        return Chosen("none", found.why)
    if repair is None:
        why = _why_not_anew(routing)
        return Chosen("none", why) if why else Chosen("rebuild")
    return Chosen(repair)


def _why_not_anew(routing: Routing) -> str:
    """Why a routing by name cannot be made on what a failure leaves; the empty text where it can, as far as tried."""
    from ...core.faults import Faults
    from ...core.graph import lost_pair
    from ...routing.named.described import describe_routing, routing_from_description
    from ...topologies.failures import Failure, links_of

    network, described = routing.network, describe_routing(routing)
    every = links_of(network)
    for ends in every[:: max(1, len(every) // _TRIED)]:
        left = Faults((), Failure(links=(ends,)).channels(network)).survivors(network).network
        if lost_pair(left) is not None:
            continue
        try:
            routing_from_description(described, left)
        except InputError as error:
            return f"{routing.name} is not defined on what a failure leaves: {str(error).partition(';')[0]}"
    return ""
