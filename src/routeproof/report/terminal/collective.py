"""The best collective for people: the rates, the set of nodes that bounds them, and what the trees are like."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from ...claims.choice import Choice
from ...claims.collectives.sentences import assumed_of
from ...core.claim import Claim
from ...core.display import decimal_text, seconds_text
from ...core.escape import printable
from ...optimum.collectives.result import Best
from ...questions.collectives.best import CollectiveAnswer
from .parts import facts_table, quiet, ranks_text, title, units_text
from .table import claims_table

_MOST_NODES = 6
_SWITCHES = "nodes without ranks pass units on, and copy none"


def collective_parts(answer: CollectiveAnswer) -> list[RenderableType]:
    """Title, sizes, the table of claims, and both ends in words."""
    network, found = answer.of, answer.found
    facts = [("ranks", ranks_text(len(answer.ranks), network, answer.cables))]
    if any(not x.task.reached.all() for x in found.values()):
        copying = "switches" in answer.stated[0].about
        facts.append(("switches", "nodes without ranks pass units on, and copy them" if copying else _SWITCHES))
    for phase, best in found.items():
        name = "" if len(found) == 1 else f"{phase}: "
        facts.append(("from above", f"{name}{_cut_text(best)}"))
        if best.trees:
            facts.append(("from below", f"{name}{_trees_text(best)}"))
    if answer.operation == "all-to-all":
        facts += _of_all_to_all(answer)
    if network.gbps is not None:
        facts.append(("speeds", _speeds_text(answer, network.gbps)))
    if answer.operation == "all-reduce":
        facts.append(("all-reduce", _all_reduce_text(answer)))
    facts += [("schedule", printable(x)) for x in answer.notes]
    facts.append(("time", seconds_text(answer.seconds)))
    head = title(f"{answer.operation} on {printable(network.name)}")
    return [head, quiet(units_text(network)), Text(), claims_table(answer.claims()), Text(), facts_table(facts)]


def compared_with(claims: Sequence[Claim]) -> list[tuple[str, str]]:
    """What the optimum assumes that a time is compared with, as a fact; none where it is that of all schedules."""
    if not any(x.quantity == "times_optimal" for x in claims):
        return []
    rates = [x for x in claims if x.quantity == "collective_throughput"]
    assumed = assumed_of(Choice(claims), rates[0].about)
    return [("optimum", f"of all schedules{assumed}")] if assumed else []


def _of_all_to_all(answer: CollectiveAnswer) -> list[tuple[str, str]]:
    data = {k: x for claim in answer.stated for k, x in claim.evidence.data.items()}
    meaning = "every rank sends as much to each rank, itself included: uniform traffic"
    if "cable" in data:
        name = printable(answer.of.terminal_label(data["cable"]))
        above = f"the cable of {name}, which carries what it sends to all other ranks"
        return [("meaning", meaning), ("from above", above)]
    below = f"routing {data['routing']}" if "routing" in data else "a flow from every rank to all others"
    return [("meaning", meaning), ("from above", "lengths of channels, and shortest paths"), ("from below", below)]


def _speeds_text(answer: CollectiveAnswer, gbps: Fraction) -> str:
    """``algorithm bandwidth 400 Gb/s, bus bandwidth 375 Gb/s``."""
    some = [x for x in answer.stated if x.quantity in ("algorithm_bandwidth", "bus_bandwidth")]
    ends = {"==": "", "<=": "at most ", ">=": "at least "}
    return ", ".join(
        f"{x.quantity.replace('_', ' ')} {ends[x.relation]}{decimal_text(x.number * gbps)} Gb/s" for x in some
    )


def _cut_text(best: Best) -> str:
    """``what 15 of 16 ranks emit enters node (0,0) over channels of bandwidth 4``."""
    if best.above is not None:
        count = len(best.above.cuts)
        sets = "a set of nodes" if count == 1 else f"{count} sets of nodes with weights"
        return f"{sets}, and potentials of switches, which send no more than they receive"
    task, inside = best.task, best.cut.inside
    network = task.network
    emitted = int(task.supply[inside].sum())
    width = best.cut.rate * emitted
    outside = np.flatnonzero(~inside).tolist()
    some = outside if len(outside) <= len(inside) - len(outside) else np.flatnonzero(inside).tolist()
    names = ", ".join(printable(network.label(v)) for v in some[:_MOST_NODES])
    more = f", ... ({len(some)} nodes)" if len(some) > _MOST_NODES else ""
    verb = "must enter" if some is outside else "must leave"
    if task.reversed:
        verb = "must leave" if some is outside else "must enter"
    what = "sums for" if task.reversed else "units of"
    total = "the root" if task.total == 1 else f"{emitted} of {task.total} ranks"
    return f"{what} {total} {verb} {names}{more}, over channels of bandwidth {width}"


def _trees_text(best: Best) -> str:
    longest = max(len(x.channels) for x in best.trees)
    count = len(best.trees)
    images = "" if best.symmetry is None else ", each with all its images under the network's symmetry,"
    verb = "fits" if count == 1 and not images else "fit together"
    return f"{count:,} {'tree' if count == 1 else 'trees'} of up to {longest:,} channels{images} {verb}"


def _all_reduce_text(answer: CollectiveAnswer) -> str:
    own = [x for x in answer.stated if x.about["operation"] == "all-reduce" and x.quantity == "collective_throughput"]
    trees = sum(len(x.evidence.data.get("trees", ())) for x in own)
    phases = any("from" in x.evidence.data for x in own)
    way = f"{trees} {'tree' if trees == 1 else 'trees'}, used both ways" if trees else ""
    way = "a reduce-scatter and then an all-gather" if phases else way
    assumed = "if every message carries one value and switches neither add nor copy"
    if len(own) == 1 and own[0].relation == "==":
        return f"{way}; no other way is faster, {assumed}"
    return f"{f'from below {way}; ' if way else ''}from above, {assumed}"
