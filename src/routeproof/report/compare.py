"""Several routings on one network side by side: worst case, uniform traffic, path lengths, deadlock; as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.display import small_table
from ..core.errors import InputError
from ..core.network import Network
from ..routing.base.routing import Routing
from ..routing.named.names import report_name
from .analyse import analyse
from .deadlock import described
from .stage import Stage
from .terminal.escape import printable
from .terminal.numbers import decimal_text, fraction_text
from .terminal.side_by_side import side_by_side

if TYPE_CHECKING:
    import pandas
    from rich.console import RenderableType

    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["Comparison", "compare", "comparison_parts", "comparison_subject"]


@dataclass(frozen=True, eq=False)
class Comparison:
    """``claims[k]`` are about ``routings[k]``: those of ``analyse``, and ``deadlock_free`` (with ``virtual_channels``
    where asked for) unless ``unjudged[k]`` says why not.

    ``best``: in words, what is known of the best oblivious routing, where it was asked for; each routing's claims then
    end with ``worst_case_load >=`` that (if it is known), and the routings come best worst case first.

    ``levels``: the service levels of some of them, by name; their deadlock freedom is judged with these too.
    """

    network: Network
    routings: tuple[Routing, ...]
    claims: tuple[tuple[Claim, ...], ...]
    unjudged: tuple[str | None, ...]
    best: str | None = None
    levels: Mapping[str, ServiceLevels] = field(default_factory=dict)

    def to_frame(self) -> pandas.DataFrame:
        """A row for every routing, a column for every quantity, as a pandas DataFrame."""
        from .notebook.frames import frame_of_table

        return frame_of_table(
            {
                routing.name: {x.quantity: x.value for x in claims if "channel" not in x.about}
                for routing, claims in zip(self.routings, self.claims, strict=True)
            }
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        names = ["worst_case_throughput", "throughput", "average_path_length", "deadlock_free"]
        rows = []
        for routing, claims in zip(self.routings, self.claims, strict=True):
            value = {x.quantity: x.value_text() for x in claims if "channel" not in x.about}
            rows.append([routing.name, *(value.get(name, "") for name in names)])
        return small_table(self.network.name, ["routing", *(name.replace("_", " ") for name in names)], rows)

    def all_claims(self) -> list[Claim]:
        """All claims, each qualified by the name of its routing."""
        return [
            replace(claim, about={**claim.about, "routing": report_name(routing)})
            for routing, claims in zip(self.routings, self.claims, strict=True)
            for claim in claims
        ]


def compare(
    routings: Sequence[Routing],
    *,
    virtual: bool = False,
    best: bool = False,
    time_limit: float | None = None,
    stage: Stage | None = None,
    levels: Mapping[str, ServiceLevels] | None = None,
) -> Comparison:
    """Judge all of ``routings``, which are on one network; ``virtual``: look for virtual channels too.

    ``best``: rank them, and say how far from the best oblivious routing they are; see ``design.least_load``, also for
    ``time_limit``.  ``levels``: service levels, by name of a routing.

    Raises InputError for no routings, two of one name, several networks, or sampled loads, which are no exact numbers;
    and for service levels that fit no routing.
    """
    from ..analysis.deadlock.channels import deadlock, virtual_channels
    from ..analysis.deadlock.lanes import lane_deadlock
    from ..analysis.worst_case.sampled import is_sampled

    if not routings:
        raise InputError("no routings to compare; at least one was expected")
    names = [routing.name for routing in routings]
    for k, routing in enumerate(routings):
        if routing.name in names[:k]:
            raise InputError(f"routing {routing.name} is given twice")
        if routing.network is not routings[0].network:
            raise InputError(f"{routing.name} is on another network than {names[0]}")
        if is_sampled(routing):
            raise InputError(f"{routing.name} is sampled; only exact loads can be compared")
    given = {} if levels is None else levels
    for name in given:
        if name not in names:
            raise InputError(f"service levels are given for {name}, which is none of the routings")
    found, unjudged = [], []
    for routing in routings:
        claims = list(analyse(routing, stage=stage).claims)
        reason = None
        try:
            if routing.name in given:
                claims.append(lane_deadlock(routing, given[routing.name]).claim())
            alone = deadlock(routing)
            claims.append(alone.claim())
            if virtual:
                claims.append(virtual_channels(routing, alone=alone).claim())
        except InputError as error:  # too many paths
            reason = f"deadlock is not judged: {error}"
        found.append(tuple(claims))
        unjudged.append(reason)
    words = None
    ranked = list(range(len(routings)))
    if best:
        from ..design.least_load import least_load

        bound, words = least_load(routings[0].network, time_limit=time_limit)
        if bound is not None:
            found = [(*claims, bound) for claims in found]
        ranked.sort(key=lambda k: _load(found[k]))
    return Comparison(
        routings[0].network,
        tuple(routings[k] for k in ranked),
        tuple(found[k] for k in ranked),
        tuple(unjudged[k] for k in ranked),
        words,
        given,
    )


def _load(claims: Sequence[Claim], relation: str = "==") -> Fraction:
    """The worst-case load, or the bound on it; 0 where there is none."""
    for x in claims:
        own = x.quantity == "worst_case_load" and x.relation == relation and "channel" not in x.about
        if own and isinstance(x.value, Fraction):
            return x.value
    return Fraction(0)


def comparison_subject(comparison: Comparison, *, topology: str) -> dict[str, Any]:
    """As ``subject_of``, with ``routings``, by name, in place of ``routing``."""
    from .subject import subject_of

    subject = subject_of(comparison.routings[0], topology=topology)
    del subject["routing"]
    subject["kind"] = "comparison"
    subject["routings"] = {report_name(routing): described(routing) for routing in comparison.routings}
    if comparison.levels:
        names = {routing.name: report_name(routing) for routing in comparison.routings}
        subject["service_levels"] = {names[x]: levels.describe() for x, levels in comparison.levels.items()}
    return subject


def comparison_parts(comparison: Comparison) -> list[RenderableType]:
    """Title, sizes, and one row for every routing."""
    from rich.text import Text

    network = comparison.network
    sizes = f"{network.num_nodes} nodes, {network.num_channels} channels, {network.num_terminals} terminals"
    page: list[RenderableType] = [
        Text(printable(network.name, limit=70), style="bold"),
        Text(f"{sizes}; throughput per terminal, exact; every number is proved", style="dim"),
        side_by_side("routing", [printable(x.name, limit=60) for x in comparison.routings], _groups(comparison)),
    ]
    if comparison.best is not None:
        page.append(Text(printable(comparison.best, limit=300)))
    if any(x.about.get("lanes") for claims in comparison.claims for x in claims):
        words = (
            "by level: free of deadlock on the virtual lanes of the service levels given, not if all shared one lane"
        )
        page.append(Text(words, style="dim"))
    for routing, reason in zip(comparison.routings, comparison.unjudged, strict=True):
        if reason is not None:
            page.append(Text(f"{printable(routing.name, limit=60)}: {printable(reason, limit=200)}"))
    return page


def _groups(comparison: Comparison) -> list[dict[str, list[str]]]:
    """The columns, in groups that stay together: head and cells, one for every routing."""
    of = [
        {x.quantity: x.value for x in claims if "channel" not in x.about and x.relation != ">="}
        for claims in comparison.claims
    ]
    worst = {"worst case": [_exact(x.get("worst_case_throughput")) for x in of]}
    if any(_load(claims, ">=") for claims in comparison.claims):
        worst["of best"] = [_decimal(_load(claims, ">=") / _load(claims)) for claims in comparison.claims]
    worst["of capacity"] = [_decimal(x.get("worst_case_throughput_of_capacity")) for x in of]
    uniform = {
        "uniform": [_exact(x.get("throughput")) for x in of],
        "of capacity": [_decimal(x.get("throughput_of_capacity")) for x in of],
    }
    hops = {
        "hops": [_exact(x.get("average_path_length")) for x in of],
        "of minimal": [_decimal(x.get("average_path_length_of_minimal")) for x in of],
    }
    deadlock = {"deadlock-free": [_verdict(claims) for claims in comparison.claims]}
    if any("virtual_channels" in x for x in of):
        deadlock["channels"] = [f"{x['virtual_channels']} virtual" if "virtual_channels" in x else "" for x in of]
    return [worst, uniform, hops, deadlock]


def _verdict(claims: Sequence[Claim]) -> str:
    """``yes`` or ``no`` on one lane; where that is no, ``by level`` or ``not by level`` with service levels."""
    found = {"lanes" in x.about: x.value == "true" for x in claims if x.quantity == "deadlock_free"}
    if not found:
        return "not judged"
    if found.get(False) or True not in found:
        return "yes" if found[False] else "no"
    return "by level" if found[True] else "not by level"


def _exact(value: object) -> str:
    return fraction_text(value) if isinstance(value, Fraction) else ""


def _decimal(value: object) -> str:
    return decimal_text(value) if isinstance(value, Fraction) else "?"
