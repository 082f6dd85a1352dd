"""The rules of what a failure does, in words: the same ones on the terminal, on pages and in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RULES: Mapping[str, str] = {
    "none": "nobody reroutes; a pair of which any packet meets what failed loses packets, and sends nothing here",
    "split": "a hypothesis, as no device does it: pairs that crossed what failed take all shortest paths of what is "
    "left, in equal parts",
    "rebuild": "the routing is made anew on what is left",
}


def rule_text(subject: Mapping[str, Any], entries: int | None) -> str:
    """The rule that a report's failures are under; ``entries``: how many of today's entries it makes."""
    repair = str(subject["repair"]).replace("reroute", "split")
    if repair == "opensm":
        return f"the real {subject.get('program', 'OpenSM')}, engine {subject['engine']}, routes what is left, in ibsim"
    if repair != "installed-rule":
        return RULES[repair]
    rule = subject["rule"]
    parts = ", with today's weights" if "weight" in rule else ""
    parts += ", a port channel as one next hop" if "bundle" in rule else ""
    hosts = "; hosts send by all ports that are up, and nobody mends their cables" if rule.get("hosts") else ""
    longer = "" if rule["longer"] else ", as long as paths get no longer"
    many = "the" if entries is None else f"all {entries:,}"
    return (
        f"{many} next-hop groups that packets come to are what equal-cost multipath over shortest paths makes{parts}; "
        f"after a failure: the same on what is left{longer}{hosts}"
    )


def rule_lead(subject: Mapping[str, Any], entries: int | None) -> str:
    """The rule as a sentence begins with it."""
    repair = str(subject["repair"]).replace("reroute", "split")
    if repair == "opensm":
        program = f"the real {subject.get('program', 'OpenSM')}, engine {subject['engine']},"
        return f"With what {program} installs on what is left"
    if repair != "installed-rule":
        return _LEADS[repair]
    many = "today's next-hop groups" if entries is None else f"all {entries:,} next-hop groups of today"
    weights = " with today's weights" if "weight" in subject["rule"] else ""
    return (
        f"If the devices go on as now (equal-cost multipath over shortest paths{weights}, which makes {many}) on what "
        f"is left"
    )


_LEADS = {
    "none": "As long as nobody reroutes",
    "split": "By the hypothesis, as no device does it, that pairs that crossed what failed take all shortest paths of "
    "what is left, in equal parts",
    "rebuild": "With the routing made anew on what is left",
}
