"""A slow judge of what a proof says of a schedule: it runs all interleavings of the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx

from routeproof.core.schedules.schedule import ACTIONS, Block, Place, Schedule, Step
from small_schedules import Interleavings, _cells, inputs_of, interleavings, outputs, wanted


def schedule_of(data: Mapping[str, Any]) -> Schedule:
    def step(x: Any) -> Step:
        source, target = (None if place is None else Place(*place) for place in x[1:3])
        return Step(x[0], source, target, x[3], tuple(map(tuple, x[4])))

    blocks = tuple(
        tuple(Block(tuple(map(step, x["steps"])), x["send_to"], x["receive_from"], x["channel"]) for x in row)
        for row in data["ranks"]
    )
    sizes = (tuple(data[key]) for key in ("inputs", "outputs", "scratch"))
    return Schedule("", data["collective"], data["chunks"], blocks, *sizes, tuple(data["in_place"]), data["root"])


class ScheduleJudge:
    """``loads``: by channel, what pairs of terminals put on it; ``width``: the bandwidths."""

    def __init__(self, data: Mapping[str, Any], loads: Any = (), width: Any = ()) -> None:
        self.schedule, self.loads, self.width = schedule_of(data), loads, width
        self.steps = list(self.schedule.steps())
        self.known: dict[tuple[bool, int | None], Interleavings] = {}

    def runs(self, in_place: bool, room: int | None = None) -> Interleavings:
        if (in_place, room) not in self.known:
            self.known[in_place, room] = interleavings(self.schedule, in_place=in_place, room=room)
        return self.known[in_place, room]

    def holds(self, claim: Mapping[str, Any]) -> bool:
        found: bool = getattr(self, claim["kind"].replace("-", "_"))(claim)
        return found

    def schedule_deadlock_free(self, claim: Mapping[str, Any]) -> bool:
        return not self.runs(self.schedule.in_place[0], claim["room"]).stuck

    def schedule_deadlock(self, claim: Mapping[str, Any]) -> bool:
        return not self.runs(self.schedule.in_place[0], claim["room"]).finals

    def touched(self, number: int, in_place: bool) -> Iterator[tuple[int, bool, str]]:
        cells = _cells(self.schedule, in_place)
        rank, _, _, step = self.steps[number]
        places = [(x, False) for x in step.reads] + ([(step.target, True)] if ACTIONS[step.action].writes else [])
        for place, writes in places:
            assert place is not None
            for k in range(step.count):
                yield cells[rank, place.buffer, place.offset + k], writes, f"{place.buffer}{place.offset + k}"

    def races(self, one: int, two: int, in_place: bool) -> set[str]:
        """What step ``two`` calls the chunks on which these two have no order, one of them writing."""
        a, b = (list(self.touched(x, in_place)) for x in (one, two))
        step = self.steps[one][3]
        if one == two:
            read = [c for c, *_ in a][: step.count] if step.reads_source else []
            written = [c for c, writes, _ in a if writes]
            return {name for *_, name in a} if read != written and set(read) & set(written) else set()
        if self.runs(in_place).ordered(one, two):
            return set()
        return {name for cell, writes, name in b for c, w, _ in a if c == cell and (w or writes)}

    def schedule_race(self, claim: Mapping[str, Any]) -> bool:
        name = f"{claim['buffer']}{claim['chunk']}"
        return claim["in_place"] in self.schedule.in_place and name in self.races(*claim["steps"], claim["in_place"])

    def schedule_race_free(self, _: Mapping[str, Any]) -> bool:
        numbers = range(len(self.steps))
        return not any(self.races(a, b, x) for x in self.schedule.in_place for a in numbers for b in numbers)

    def held(self, in_place: bool) -> Iterator[dict[tuple[int, int], object]]:
        for final in self.runs(in_place).finals:
            yield outputs(self.schedule, final)

    def schedule_result(self, _: Mapping[str, Any]) -> bool:
        ends = [x for way in self.schedule.in_place for x in self.held(way)]
        right = all(inputs_of(x) == wanted(self.schedule, *place) for end in ends for place, x in end.items())
        return right and not self.runs(self.schedule.in_place[0]).stuck

    def schedule_wrong_result(self, claim: Mapping[str, Any]) -> bool:
        place = claim["rank"], claim["chunk"]
        return any(inputs_of(x[place]) != wanted(self.schedule, *place) for x in self.held(claim["in_place"]))

    def schedule_reduction_orders(self, claim: Mapping[str, Any]) -> bool:
        most = 0
        for way in self.schedule.in_place:
            for end in self.held(way):
                values: dict[str, set[object]] = {}
                for place, x in end.items():
                    values.setdefault(str(wanted(self.schedule, *place)), set()).add(x)
                most = max([most, *map(len, values.values())])
        return most == int(claim["value"])

    # -- on a network -------------------------------------------------------------------------------------------------

    @cached_property
    def sent(self) -> list[tuple[int, int, int, int]]:
        """(phase, sender, receiver, chunks) of every message; the phase by the longest way of messages to it."""
        graph, place = nx.DiGraph(), {(r, b, k): n for n, (r, b, k, _) in enumerate(self.steps)}
        ends: dict[tuple[Any, ...], tuple[list[int], list[int]]] = {}
        for n, (rank, number, k, step) in enumerate(self.steps):
            block = self.schedule.blocks[rank][number]
            graph.add_edges_from(
                (place[rank, b, last], n) for b, last in (*step.after, *([(number, k - 1)] if k else []))
            )
            if step.does.sends:
                ends.setdefault((rank, block.send_to, block.channel), ([], []))[0].append(n)
            if step.does.receives:
                ends.setdefault((block.receive_from, rank, block.channel), ([], []))[1].append(n)
        for sends, receives in ends.values():
            graph.add_edges_from(zip(sends, receives, strict=True))
        phase: dict[int, int] = {}
        for n in nx.topological_sort(graph):
            phase[n] = max((phase[x] for x in graph.predecessors(n)), default=0) + self.steps[n][3].does.sends
        return [(phase[n], *way[:2], self.steps[n][3].count) for way, (sends, _) in ends.items() for n in sends]

    def busy(self, claim: Mapping[str, Any], channel: int) -> Counter[int]:
        """By phase, for how long the channel is busy."""
        schedule, loads = self.schedule, self.loads[claim["routing"]][channel]
        whole = schedule.collective in ("broadcast", "reduce", "all-to-all")
        chunk = 1 / Fraction(schedule.chunks, 1 if whole else schedule.num_ranks)
        found: Counter[int] = Counter()
        for phase, i, j, count in self.sent:
            load = loads.get((claim["ranks"][i], claim["ranks"][j]), 0)
            found[phase] += float(chunk) * count * load / self.width[channel]  # type: ignore[assignment]
        return found

    def schedule_time_at_least(self, claim: Mapping[str, Any]) -> bool:
        return sum(self.busy(claim, claim["channel"]).values()) >= float(Fraction(*map(int, claim["value"]))) - 1e-6

    def schedule_time_at_most(self, claim: Mapping[str, Any]) -> bool:
        busy = [self.busy(claim, c) for c in range(len(self.width))]
        most = sum(max(x[phase] for x in busy) for phase in {x[0] for x in self.sent})
        return most <= float(Fraction(*map(int, claim["value"]))) + 1e-6
