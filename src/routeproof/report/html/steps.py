"""What a page goes through step by step: the trees of a packing, the phases of an algorithm or of a schedule, and jobs
that meet.

Loads of phases are in messages (``Pattern.amount`` units each) or in units, those of trees in units per cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...claims.collectives.best import PACKING, trees_of
from ...claims.collectives.jobs import phases_of_job
from ...claims.collectives.phases import PHASES, alpha_of, asked_phases, rooted
from ...claims.collectives.subject import Ranks
from ...claims.schedules.times import SCHEDULE_TIME, sent_in_phases, times_of
from ...core.arrays import Bools
from ...core.claim import Claim
from ...core.collective import Broadcasts, broadcasts_of
from ...core.display import fraction_text
from ...core.escape import printable, quotation
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.schedules.collectives import COLLECTIVES
from ...core.schedules.own_phases import OWN
from ...core.schedules.phases import Phase
from ...core.schedules.relation import Relation
from ...core.traffic import Permutation, Traffic
from ...formats.documents.packed_ints import unpack_ints
from ...formats.schedules.document import schedule_from_document
from ...kernel.packings import Classes, PackedTree, sum_of_widths
from ...routing.base.routing import Routing
from ...worst.phase_loads import cells_of
from ...worst.worst_traffic import Pairs, loads_of
from .network import MOST_CHANNELS
from .scenes import Pattern, Scene, Story, StoryRow, Tree

_MOST_LOADS = 1 << 16  # loads of channels in all phases that a page carries
_MOST_STEPS = 128  # phases, trees or jobs that a page carries
_MOST_STRETCHES = 1 << 15  # channels of all trees that a page carries
_MOST_ROWS = 200


def steps_of(
    subject: Mapping[str, Any], claims: Sequence[Claim], network: Network, routing: Routing | None
) -> tuple[Network, list[Scene]]:
    """The network that is drawn, with the ranks' own cables where these count, and what is gone through on it; no
    scenes where the report is about something else."""
    kind, cables = subject.get("kind"), subject.get("host_cables")
    if kind == "jobs" and routing is not None and network.num_channels <= MOST_CHANNELS:
        some = next(iter(subject["jobs"].values()))["ranks"]
        ranks = Ranks(network, some, claims, cables=cables)
        return ranks.network, [_of_jobs(subject["jobs"], ranks, routing)]
    if kind not in ("collective", "schedule") or network.num_channels > MOST_CHANNELS:
        return network, []
    ranks = Ranks(network, subject.get("ranks"), claims, cables=cables, phases=subject.get("phases"))
    scenes = []
    if routing is not None:
        scenes += [_of_algorithm(ranks, x, routing) for x in claims if x.evidence.kind == PHASES.name]
        if any(x.evidence.kind == SCHEDULE_TIME.name for x in claims):
            scenes.append(_of_schedule(subject["schedule"], ranks, routing))
    above = {x.about["operation"]: x for x in claims if x.evidence.kind == PACKING.name and x.relation != ">="}
    scenes += [_of_trees(ranks, x, above.pop(x.about["operation"], None)) for x in claims if "trees" in x.evidence.data]
    for operation, claim in above.items():  # of no trees
        scenes.append(Scene(f"{operation}, bound", None, [_bound(ranks.task(claim.about), claim)], steps="bound"))
    return ranks.network, scenes


# -- phases -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Phase:
    """``pairs()``: who sends to whom how many messages, of ``amount`` units each; ``cycles``: how long it takes."""

    name: str
    words: str
    pairs: Callable[[], Pairs]
    amount: Fraction
    cycles: Fraction


def _of_algorithm(ranks: Ranks, claim: Claim, routing: Routing) -> Scene:
    about = claim.about
    order, alpha, start = rooted(ranks.ranks, about.get("root")), alpha_of(about), 1
    phases = []
    for phase, load in zip(asked_phases(ranks, about), claim.evidence.data["load"], strict=True):
        last = start + phase.times - 1
        name = f"phase {start}" if last == start else f"phases {start} to {last}"
        cycles = parse_fraction(load, what="a load") * phase.amount
        words = (
            f"messages of {_many(phase.amount, 'unit')}, {_many(cycles, 'cycle')}{'' if last == start else ' each'}"
            f"{f', and a latency of {fraction_text(alpha)}' if alpha else ''}"
        )
        phases.append(_Phase(name, words, partial(_pairs, phase, order), phase.amount, cycles))
        start = last + 1
    return _film(f"{about['operation']} by {_by(about['algorithm'])}", ranks, routing, phases, "messages")


def _pairs(phase: Phase, order: Sequence[int]) -> Pairs:
    ends = zip(phase.source.tolist(), phase.destination.tolist(), strict=True)
    return [(order[i], order[j], Fraction(n)) for (i, j), n in Counter(ends).items()]


def _of_schedule(document: Mapping[str, Any], ranks: Ranks, routing: Routing) -> Scene:
    schedule = schedule_from_document(document, what="the schedule")
    relation = Relation(schedule)
    number, _ = numbering_or_cycle(schedule.num_steps, *relation.edges)
    order = np.argsort(np.asarray(number), kind="stable").astype(np.int64)
    chunk = 1 / COLLECTIVES[schedule.collective].unit(schedule.num_ranks, schedule.chunks)
    times = times_of(relation, order, routing, ranks.ranks, ranks.cables)
    phases = []
    for k, (sent, busy) in enumerate(zip(sent_in_phases(relation, order), times.phases, strict=True)):
        cycles = max(busy.values(), default=Fraction(0))
        pairs = [(ranks.ranks[i], ranks.ranks[j], chunk * n) for (i, j), n in sent.items()]
        phases.append(_Phase(f"phase {k + 1}", _many(cycles, "cycle"), partial(list, pairs), Fraction(1), cycles))
    return _film("messages of the schedule", ranks, routing, phases, "units")


def _film(name: str, ranks: Ranks, routing: Routing, phases: Sequence[_Phase], unit: str) -> Scene:
    """The phases, or the longest ones of very many."""
    most = max(1, min(_MOST_STEPS, _MOST_LOADS // max(1, ranks.network.num_channels)))
    kept = sorted(sorted(range(len(phases)), key=lambda k: -phases[k].cycles)[:most])
    if len(kept) < len(phases):
        name += f": {len(kept)} of {len(phases):,} different phases, the longest"
    patterns = [_pattern(ranks, routing, phases[k]) for k in kept]
    return Scene(name, routing if ranks.cables is None else None, patterns, steps="phase", unit=(unit, "cycles"))


def _pattern(ranks: Ranks, routing: Routing, phase: _Phase) -> Pattern:
    pairs = phase.pairs()
    if ranks.cables is None:
        return Pattern(phase.name, phase.words, _traffic(pairs, ranks.network.num_terminals), amount=phase.amount)
    load = [*loads_of(routing, pairs), *[Fraction(0)] * (2 * ranks.network.num_terminals)]
    first = ranks.between.num_channels
    for i, j, rate in pairs:
        load[first + 2 * i] += rate
        load[first + 2 * j + 1] += rate
    return Pattern(phase.name, phase.words, load=load, amount=phase.amount)


def _traffic(pairs: Pairs, num_terminals: int) -> Traffic | Pairs:
    """A permutation, which takes less room, where that is the same."""
    sources, destinations = {i for i, _, _ in pairs}, {j for _, j, _ in pairs}
    if sources != destinations or len(sources) < len(pairs) or any(x != 1 for _, _, x in pairs):
        return pairs
    image = np.arange(num_terminals)
    for i, j, _ in pairs:
        image[i] = j
    return Traffic.of_permutation(Permutation(image))


def _by(algorithm: str) -> str:
    return "phases of its own" if algorithm == OWN else algorithm


def _many(x: Fraction, what: str) -> str:
    return f"{fraction_text(x)} {what}{'' if x == 1 else 's'}"


# -- jobs ---------------------------------------------------------------------------------------------------------


def _of_jobs(jobs: Mapping[str, Any], ranks: Ranks, routing: Routing) -> Scene:
    """What the worst phase of every job takes of each channel, and of all jobs together."""
    network = ranks.network
    total, patterns = [Fraction(0)] * network.num_channels, []
    for name, job in jobs.items():
        cells = cells_of(routing, phases_of_job(job, len(job["ranks"])), job["ranks"], ranks.cables)
        most = np.zeros(network.num_channels, dtype=cells.cycles.dtype)
        np.maximum.at(most, cells.channel, cells.cycles)
        load = [Fraction(int(x), cells.unit) * b for x, b in zip(most.tolist(), network.bandwidth, strict=True)]
        total = [x + y for x, y in zip(total, load, strict=True)]
        about = f"{job['operation']} by {_by(job['algorithm'])}; on each channel, its phase that takes most of it"
        patterns.append(Pattern(f"job {quotation(name)}", about, load=load))
    about = "on each channel, of every job the phase that takes most of it; some phases that meet need each"
    return Scene(
        "jobs at once", None, [Pattern("together", about, load=total), *patterns[:_MOST_STEPS]], steps="job",
        unit=("units", "cycles"),
    )  # fmt: skip


# -- trees --------------------------------------------------------------------------------------------------------


def _of_trees(ranks: Ranks, claim: Claim, above: Claim | None) -> Scene:
    """All trees together, the set of nodes that bounds the rate, and every tree."""
    network, about, data = ranks.network, claim.about, claim.evidence.data
    both = about["operation"] == "all-reduce"
    task = broadcasts_of(network, "all-gather", ranks=ranks.ranks) if both else ranks.task(about)
    trees, classes = trees_of(ranks, data), ranks.classes(task, data.get("symmetry"))
    load = _loads_of_trees(network, trees, classes, both=both)
    images = ", with its images under the network's symmetry" if "symmetry" in data else ""
    kept = _shown(trees)
    count = f"{len(trees):,} {'tree' if len(trees) == 1 else 'trees'}{images}"
    first = Pattern("all trees", f"what {count} put on every channel together", load=load)
    patterns = [first] if above is None else [first, _bound(task, above)]
    copies = np.ones_like(task.reached) if "switches" in about else task.reached
    for k in kept:
        tree, place = trees[k], printable(network.label(trees[k].root))
        into, way = 0, f"from {place}"
        if both:
            into, way = 2, f"of sums to {place}, over the reverse channels, and of results from there"
        elif task.reversed:
            into, way = 1, f"of sums to {place}"
        drawn = Tree(tree.root, tree.weight, tree.channels.tolist(), _hops(task, tree, copies), into)
        share = f"{_many(tree.weight, 'unit')} a cycle {way}{images}"
        patterns.append(Pattern(f"tree {k + 1}", share, tree=drawn))
    some = "" if len(kept) == len(trees) else f": {len(kept)} of {len(trees):,}, the heaviest"
    return Scene(
        f"{about['operation']}, trees{some}", None, patterns, steps="tree", unit=("units a cycle", "load / bandwidth")
    )


def _shown(trees: Sequence[PackedTree]) -> list[int]:
    """In order, the trees that a page carries: the heaviest."""
    left = _MOST_STRETCHES
    kept: list[int] = []
    for k in sorted(range(len(trees)), key=lambda k: -trees[k].weight)[:_MOST_STEPS]:
        left -= len(trees[k].channels)
        if left >= 0 or not kept:
            kept.append(k)
    return sorted(kept)


def _loads_of_trees(network: Network, trees: Sequence[PackedTree], classes: Classes, *, both: bool) -> list[Fraction]:
    """What every channel carries, of the trees and their images (``kernel.packings``)."""
    members = np.bincount(classes.node, minlength=network.num_nodes).tolist()
    sizes = np.bincount(classes.channel, minlength=network.num_channels).tolist()
    load = [Fraction(0)] * network.num_channels
    for tree in trees:
        crossed = np.concatenate([tree.channels, network.opposite[tree.channels]]) if both else tree.channels
        share = tree.weight * (1 if both else members[int(classes.node[tree.root])])
        for c in classes.channel[crossed].tolist():
            load[c] += share
    return [load[c] / sizes[c] for c in classes.channel.tolist()]


def _hops(task: Broadcasts, tree: PackedTree, copies: Bools) -> list[int]:
    """How many channels from its root every channel of a tree ends."""
    hop, under_way, found = {tree.root: 0}, -1, []
    for c in tree.channels.tolist():
        u, v = int(task.tail[c]), int(task.head[c])
        here = 1 + (hop[u] if under_way < 0 else under_way)
        under_way = -1 if copies[v] else here
        if copies[v]:
            hop[v] = here
        found.append(here)
    return found


def _bound(task: Broadcasts, claim: Claim) -> Pattern:
    """The set of nodes that a claim rests on, and the channels that all its units cross."""
    network = task.network
    inside = unpack_ints(claim.evidence.data["inside"], what="inside", max_items=network.num_nodes) == 1
    leaving = np.flatnonzero(inside[task.tail] & ~inside[task.head])
    emitted, width = int(task.supply[inside].sum()), fraction_text(sum_of_widths(task, leaving))
    if task.reversed:
        what = f"The marked nodes hold {emitted} of {task.total} ranks. All sums for these must come in"
    elif task.total == 1:
        what = "The marked nodes hold the root. All that it emits must go out"
    else:
        what = f"The marked nodes hold {emitted} of {task.total} ranks. All that these emit must go out"
    rate = fraction_text(claim.number)
    words = (
        f"{what} over the channels that are drawn, of bandwidth {width} together: no schedule is faster than {rate}."
    )
    rows = [
        StoryRow((fraction_text(network.bandwidth[c]), printable(network.channel_label(c))), channel=c)
        for c in leaving.tolist()
    ]
    nodes = tuple(np.flatnonzero(inside).tolist())
    story = Story(
        "What bounds the rate", words, ("bandwidth", "channel"), tuple(rows[:_MOST_ROWS]), tuple(leaving.tolist()),
        *(((), nodes) if task.reversed else (nodes, ())),
    )  # fmt: skip
    return Pattern(
        "the bound",
        f"a set of nodes; no schedule is faster than {rate}",
        load=[Fraction(0)] * len(task.tail),
        story=story,
    )
