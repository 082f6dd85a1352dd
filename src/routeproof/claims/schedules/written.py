"""A schedule and the claims about it, written out for a proof (version 3 of the format)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ...core.claim import Claim
from ...core.schedules.relation import Relation
from ...core.schedules.schedule import Block, Place, Schedule, Step
from ...routing.base.routing import Routing
from ..collectives.subject import Ranks
from ..collectives.written import SIDE, CollectiveWork
from ..context import Context
from ..proofs.proof import NotElaborated, Proof, each_way, fraction
from ..proofs.work import Work
from ..proofs.written import written_network
from ..reading import as_numbers


class ScheduleWork(CollectiveWork):
    """What the elaboration of a report's claims about one schedule shares; ``placed``: its routing and its ranks, where
    it has a network."""

    def __init__(self, proof: Proof, schedule: Schedule, placed: tuple[Routing, Ranks] | None) -> None:
        self.proof, self.schedule, self.relation, self.written = proof, schedule, Relation(schedule), []
        proof.schedule = written_schedule(schedule)
        if placed is not None:
            self.followed, self.ranks = placed
            proof.network = written_network(self.ranks.network)

    @cached_property
    def of_routing(self) -> Work:
        if self.ranks.cables is not None:
            raise NotElaborated("it counts the ranks' own cables, over which no routing of a proof leads")
        return Work(self.proof, Context(self.followed, ()))

    def numbers(self, steps: Sequence[Sequence[int]]) -> list[int]:
        """Of steps that are given by rank, thread block and step."""
        return [self.relation.number(*x) for x in steps]

    @cached_property
    def first_message(self) -> list[int]:
        """A send and its receive."""
        return [int(x[0]) for x in next(iter(self.relation.messages.values()))]


def written_schedule(schedule: Schedule) -> dict[str, Any]:
    return {
        "name": schedule.name, "collective": schedule.collective, "chunks": schedule.chunks, "root": schedule.root,
        "in_place": list(schedule.in_place), "inputs": list(schedule.inputs), "outputs": list(schedule.outputs),
        "scratch": list(schedule.scratch), "ranks": [[_block(x) for x in blocks] for blocks in schedule.blocks],
    }  # fmt: skip


def _block(block: Block) -> dict[str, Any]:
    ends = {"send_to": block.send_to, "receive_from": block.receive_from, "channel": block.channel}
    return {**ends, "steps": [_step(x) for x in block.steps]}


def _step(step: Step) -> list[Any]:
    source, target = step.source if step.reads_source else None, step.target if step.does.writes else None
    return [step.action, _place(source), _place(target), step.count, [list(x) for x in step.after]]


def _place(place: Place | None) -> list[Any] | None:
    return None if place is None else list(place)


def elaborate_order(work: ScheduleWork, _: Claim) -> None:
    work.proof.claim("schedule-deadlock-free", room=None)


def elaborate_cycle(work: ScheduleWork, claim: Claim) -> None:
    work.proof.claim("schedule-deadlock", room=None, cycle=work.numbers(claim.evidence.data["cycle"]))


def elaborate_depth(work: ScheduleWork, claim: Claim) -> None:
    """So many messages are enough, and one less is not."""
    depth = int(claim.number)
    work.proof.claim("schedule-deadlock-free", room=depth)
    if depth:
        cycle = work.numbers(claim.evidence.data["cycle"]) if depth > 1 else work.first_message
        work.proof.claim("schedule-deadlock", room=depth - 1, cycle=cycle)


def elaborate_race_free(work: ScheduleWork, _: Claim) -> None:
    work.proof.claim("schedule-race-free")


def elaborate_race(work: ScheduleWork, claim: Claim) -> None:
    data = claim.evidence.data
    buffer, offset = data["chunk"][0], int(data["chunk"][2:-1])
    steps = work.numbers(data["steps"])
    work.proof.claim("schedule-race", steps=steps, in_place=data["in_place"], buffer=buffer, chunk=offset)


def elaborate_result(work: ScheduleWork, claim: Claim) -> None:
    if claim.quantity == "reduction_orders":
        work.proof.claim("schedule-reduction-orders", value=int(claim.number))
    else:
        work.proof.claim("schedule-result")


def elaborate_wrong(work: ScheduleWork, claim: Claim) -> None:
    data = claim.evidence.data
    number = as_numbers(data["number"], "its number", work.schedule.num_steps)
    where = {key: data[key] for key in ("in_place", "rank", "chunk")}
    work.proof.claim("schedule-wrong-result", order=number.argsort(kind="stable").tolist(), **where)


def elaborate_time(work: ScheduleWork, claim: Claim) -> None:
    about = {"routing": work.of_routing.routing, "ranks": work.ranks.ranks, "value": fraction(claim.number)}

    def one_way(relation: str) -> None:
        channel = {"channel": claim.evidence.data["channel"]} if relation == ">=" else {}
        work.proof.claim(f"schedule-time-at-{SIDE[relation]}", **about, **channel)

    each_way(claim, one_way)
