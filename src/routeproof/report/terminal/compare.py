"""A comparison of routings on the terminal: title, sizes, a row for every routing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...answers.compare import Comparison, load_claimed
from ...core.claim import Claim
from ...core.vocabulary.units import HOPS, OF_CAPACITY, OF_MINIMAL
from .escape import printable
from .numbers import decimal_text, fraction_text
from .side_by_side import side_by_side

if TYPE_CHECKING:
    from rich.console import RenderableType


__all__ = ["comparison_parts"]


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
    if any(x.about.get("lanes") for claims in comparison.by_routing for x in claims):
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
        for claims in comparison.by_routing
    ]
    worst = {"worst case": [_exact(x.get("worst_case_throughput")) for x in of]}
    if any(load_claimed(claims, ">=") for claims in comparison.by_routing):
        worst["of best"] = [
            _decimal(load_claimed(claims, ">=") / load_claimed(claims)) for claims in comparison.by_routing
        ]
    worst[OF_CAPACITY] = [_decimal(x.get("worst_case_throughput_of_capacity")) for x in of]
    uniform = {
        "uniform": [_exact(x.get("throughput")) for x in of],
        OF_CAPACITY: [_decimal(x.get("throughput_of_capacity")) for x in of],
    }
    hops = {
        HOPS: [_exact(x.get("average_path_length")) for x in of],
        OF_MINIMAL: [_decimal(x.get("average_path_length_of_minimal")) for x in of],
    }
    deadlock = {"deadlock-free": [_verdict(claims) for claims in comparison.by_routing]}
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
