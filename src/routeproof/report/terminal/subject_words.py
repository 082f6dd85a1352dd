"""What a report is about, in words: what was made anew by its name, and what the report gives in full.

A name that the package did not make something from is a quotation, and stands in quotation marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...claims.words import names_file
from ...core.claim import Claim
from ...core.escape import printable, quotation

_RUNS = frozenset({
    "packet-run", "circuit-run", "pipelined-circuit-run", "fault-propagation", "call-run", "cube-run", "cube-trials",
    "load-run",
})  # fmt: skip
_NOT_REPLAYED = "hamiltonian"  # its schedule is judged, not whether the algorithm makes it


def subject_lines(subject: Mapping[str, Any], claims: Sequence[Claim]) -> list[str]:
    """A few lines: network or wiring, routing or routings, traffic and rates that the claims give in full."""
    things = [x for x in ("network", "wiring", "splitter") if isinstance(subject.get(x), Mapping)]
    lines = [f"{x}: {_thing(subject[x], subject.get('topology'))}" for x in things]
    exchange = subject["exchange"] if isinstance(subject.get("exchange"), Mapping) else {}
    if exchange:
        inner = exchange.get("wiring", exchange.get("network"))
        described = {"spec": inner} if isinstance(inner, str) else inner
        if isinstance(described, Mapping):
            holds = "; a channel holds one call" if "network" in exchange and not isinstance(inner, str) else ""
            lines.append(f"network for calls: {_thing(described, subject.get('topology'))}{holds}")
    if subject.get("kind") in ("trials", "sweep") and isinstance(subject.get("topology"), str):
        lines.append(f"wiring: {printable(subject['topology'])}")
    if isinstance(subject.get("routing"), Mapping):
        lines.append(f"routing: {_routing(subject['routing'])}")
    if isinstance(subject.get("routings"), Mapping):
        lines.append("routings: " + ", ".join(_routing(x) for x in subject["routings"].values()))
    lines += _paths(subject)
    lines += _levels(subject.get("service_levels"), subject.get("routings"))
    if isinstance(subject.get("document"), str):
        lines.append(f"document: {quotation(subject['document'])}, given by the report")
    traffic = sorted(quotation(x) for x in _given_traffic(claims))
    if traffic:
        lines.append(f"traffic given by the report: {', '.join(traffic)}")
    settings = _plain(subject) | _plain(exchange)
    for name in ("kind", "topology", "document", "content", "verified", *_unused(subject)):
        settings.pop(name, None)
    if "tradeoff" in settings:  # what the curve was asked for; its claims say what it is
        settings["tradeoff"] = quotation(settings["tradeoff"])
    run = _settings(claims)
    if run.get("algorithm") == _NOT_REPLAYED:
        run["algorithm"] = quotation(_NOT_REPLAYED)
    for head, known in (("settings", settings), ("run", run)):
        if known:
            lines.append(f"{head}: " + ", ".join(f"{k} {printable(str(x))}" for k, x in known.items()))
    return lines + hose_lines(claims)


def _unused(subject: Mapping[str, Any]) -> list[str]:
    """Settings of trials that their verb does not read: they stand in reports, and change nothing."""
    if "verb" not in subject:
        return []
    verb, algorithm = subject["verb"], subject.get("algorithm")
    found = [] if algorithm == "pipelined" else ["rho", "distance"]
    found += [] if "faults" in subject else ["epsilon", "threshold"]
    return found + ([] if verb != "faults" and algorithm != "greedy" else ["load"])


def given_names(subject: Mapping[str, Any], claims: Sequence[Claim]) -> set[str]:
    """The names of what the report gives in full: routings, paths, traffic, demands, jobs, network or wiring."""
    described = subject.get("routings")
    every = [subject.get("routing"), *(described.values() if isinstance(described, Mapping) else ())]
    every += [x.evidence.data.get("routing") for x in claims]
    routings = {str(x["spec"]) for x in every if isinstance(x, Mapping) and "spec" in x and set(x) != {"spec"}}
    networks = [x for x in (subject.get("network"), subject.get("wiring")) if isinstance(x, Mapping) and "name" in x]
    sets = {str(x.about["demands"]) for x in claims if names_file(str(x.about.get("demands", "sparse:all")))}
    jobs = {str(x.about[key]) for x in claims for key in ("job", "across") if key in x.about}
    given = subject.get("demands")
    named = given.get("jobs") if isinstance(given, Mapping) else None
    jobs |= set(map(str, named)) if isinstance(named, Mapping) else set()
    of = subject.get("paths")
    paths = {f"of {of['spec']}"} if isinstance(of, Mapping) and "spec" in of and set(of) != {"spec"} else set[str]()
    return routings | _given_traffic(claims) | sets | jobs | paths | {str(x["name"]) for x in networks}


def _given_traffic(claims: Sequence[Claim]) -> set[str]:
    from ...topologies.patterns import is_pattern

    full = (x.evidence.data for x in claims if {"permutation", "matrix"} & set(x.evidence.data))
    names = {str(data["traffic"]) for data in full if "traffic" in data}
    return {x for x in names if not is_pattern(x.casefold()) and x != "worst"}


def _settings(claims: Sequence[Claim]) -> dict[str, Any]:
    """What is the same in all runs; what qualifies a claim stands beside it."""
    made = (x for x in claims if x.evidence.kind in _RUNS and "with" not in x.evidence.data)
    runs = [{k: x for k, x in _plain(claim.evidence.data).items() if k not in claim.about} for claim in made]
    return {k: x for k, x in runs[0].items() if all(k in run and run[k] == x for run in runs)} if runs else {}


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and short texts, and lists of texts; nothing that is packed."""
    packed = ("i1:", "i2:", "i4:", "i8:")
    short = {k: x for k, x in data.items() if isinstance(x, (int, str)) and not str(x).startswith(packed)}
    lists = {k: x for k, x in data.items() if isinstance(x, list) and x and all(isinstance(y, str) for y in x)}
    return short | {k: ", ".join(x) for k, x in lists.items()}


def hose_lines(claims: Sequence[Claim]) -> list[str]:
    """The rates of the hose model, which its worst case is about."""
    for claim in claims:
        model = claim.evidence.data.get("model")
        if isinstance(model, Mapping) and model.get("name") == "hose":
            sides = {"send": model.get("ingress"), "receive": model.get("egress")}
            return [f"hose rates, terminals {verb} at most: {_rates(rates)}" for verb, rates in sides.items()]
    return []


def _rates(rates: object) -> str:
    """``1 (3 terminals), 1/2 (terminal 4)``: the rates, each with how many terminals have it, or which one."""
    if not isinstance(rates, list):
        return "not given"
    parts, texts = [], [str(x) for x in rates]
    for rate, count in Counter(texts).most_common(8):
        who = f"terminal {texts.index(rate)}" if count == 1 else f"{count} terminals"
        parts.append(f"{printable(rate)} ({who})")
    more = len(set(texts)) - len(parts)
    return ", ".join(parts) + (f" and {more} other rates" if more > 0 else "")


def _thing(data: Mapping[str, Any], topology: object) -> str:
    if isinstance(data.get("spec"), str):
        called = isinstance(topology, str) and topology != data["spec"]
        words = f", called {quotation(str(topology))} by the report" if called else ""
        return printable(data["spec"]) + words
    names = [x for x in (topology, data.get("name")) if isinstance(x, str)]
    words = " ".join(quotation(x) for x in dict.fromkeys(names)) or "one"
    sizes = [f"{data[key]} {key.removeprefix('num_')}" for key in ("num_nodes", "inputs") if type(data.get(key)) is int]
    if isinstance(stated := data.get("channel_attributes"), Mapping):
        sizes += [f"{quotation(str(name))} of every channel" for name in stated]
    return f"{words}, given by the report in full" + "".join(f", {x}" for x in sizes)


def _paths(subject: Mapping[str, Any]) -> list[str]:
    """Which routings an optimum is the best of, where not of all."""
    design, given = subject.get("design"), subject.get("paths")
    name = design.get("paths") if isinstance(design, Mapping) else None
    if not isinstance(name, str) or name in ("tables", "single"):
        return []
    of = printable(name) if not isinstance(given, Mapping) else f"of {_routing(given)},"
    lines = [f"design: among routings with paths {of} only"]
    if isinstance(design, Mapping) and type(design.get("entries")) is int:
        members = design.get("members")
        more = f", at most {members:,} members at a switch" if type(members) is int else ""
        lines.append(f"tables: groups of at most {design['entries']:,} entries{more}")
    return lines


def _routing(data: object) -> str:
    if not isinstance(data, Mapping):
        return "one"
    if isinstance(data.get("adaptive"), str):
        return f"{printable(data['adaptive'])}, adaptive"
    name = str(data.get("spec", ""))
    if set(data) == {"spec"}:
        return printable(name)
    return f"{quotation(name)}, given by the report"


def _levels(data: object, routings: object) -> list[str]:
    """Of one routing, or by the names of routings: what the lanes rest on."""
    if not isinstance(data, Mapping):
        return []
    lines = []
    for name, levels in data.items() if isinstance(routings, Mapping) else (("", data),):
        missing = levels.get("missing", 0) if isinstance(levels, Mapping) else 0
        words = f"service levels{f' of {quotation(str(name))}' if name else ''}: given by the report"
        lines.append(words + (f"; {missing} pairs of terminals have none, and send nothing" if missing else ""))
    return lines
