"""Does a schedule make sense?  Sends are received, steps stay within buffers, nothing is read that is never written."""

from __future__ import annotations

from ..errors import InputError, did_you_mean
from .accesses import Memory
from .collectives import COLLECTIVES, CUSTOM
from .connections import connections
from .schedule import BUFFERS, Block, Place, Schedule, Step, chunks_text, place_of

_MOST_SLOTS = 1 << 24
_MOST_TOUCHED = 1 << 21


def check_schedule(schedule: Schedule) -> Schedule:
    """The schedule itself; raises InputError, with the place, for one that makes no sense."""
    n = schedule.num_ranks
    if schedule.collective not in (*COLLECTIVES, CUSTOM):
        raise InputError(
            f"the collective is '{schedule.collective[:40]}'; {did_you_mean(schedule.collective[:40], COLLECTIVES)}"
        )
    if n < 1 or schedule.chunks < 1:
        raise InputError(f"it has {n} ranks and {chunks_text(schedule.chunks)}; at least one of each was expected")
    slots = sum(sum(x) for x in (schedule.inputs, schedule.outputs, schedule.scratch))
    if slots > _MOST_SLOTS:
        raise InputError(f"its buffers have {slots} chunks in all; at most {_MOST_SLOTS} are read")
    known = COLLECTIVES.get(schedule.collective)
    if known is not None:
        if known.shared and schedule.chunks % n:
            raise InputError(
                f"{chunks_text(schedule.chunks)} cannot be shared by {n} ranks; a multiple of {n} was expected"
            )
        sizes = known.input_size(n, schedule.chunks), known.output_size(n, schedule.chunks)
        if set(zip(schedule.inputs, schedule.outputs, strict=True)) != {sizes}:
            raise InputError(
                f"{known.name} of {chunks_text(schedule.chunks)}: input and output have other sizes than {sizes}"
            )
    if known is None and True in schedule.in_place:
        raise InputError("it is a custom collective in place: how its input and its output overlap is not defined")
    if not schedule.in_place or len(set(schedule.in_place)) != len(schedule.in_place):
        raise InputError("it says neither that it runs in place nor that it runs out of place")
    if schedule.root is not None and known is not None and not known.rooted:
        raise InputError(f"the root is rank {schedule.root}; {known.name} has none")
    if schedule.root is not None and not 0 <= schedule.root < n:
        raise InputError(f"the root is rank {schedule.root}; a rank from 0 to {n - 1} was expected")
    for rank, blocks in enumerate(schedule.blocks):
        for number, block in enumerate(blocks):
            _check_block(schedule, rank, number, block)
    touched = sum(x.count for *_, x in schedule.steps())
    if touched > _MOST_TOUCHED:
        raise InputError(
            f"its steps are for {chunks_text(touched)} in all; at most {_MOST_TOUCHED} are judged: fewer and larger "
            "chunks say the same"
        )
    connections(schedule)
    _check_filled(schedule)
    return schedule


def _check_block(schedule: Schedule, rank: int, number: int, block: Block) -> None:
    where = f"rank {rank}, thread block {number}"
    for verb, peer in (("sends to", block.send_to), ("receives from", block.receive_from)):
        if peer is not None and (not 0 <= peer < schedule.num_ranks or peer == rank):
            others = f"another rank from 0 to {schedule.num_ranks - 1}"
            raise InputError(f"{where} {verb} rank {peer}; {others} was expected")
    for k, step in enumerate(block.steps):
        here = place_of(rank, number, k)
        if step.does.sends and block.send_to is None:
            raise InputError(f"{here} sends, and its thread block has no rank to send to")
        if step.does.receives and block.receive_from is None:
            raise InputError(f"{here} receives, and its thread block has no rank to receive from")
        _check_places(schedule, rank, step, here)
        for other, last in step.after:
            blocks = schedule.blocks[rank]
            if not 0 <= other < len(blocks) or not 0 <= last < len(blocks[other].steps):
                raise InputError(f"{here} waits for step {last} of thread block {other}, and there is no such step")


def _check_places(schedule: Schedule, rank: int, step: Step, here: str) -> None:
    if step.count < 1 and step.action != "wait":
        raise InputError(f"{here} is for {step.count} chunks; at least 1 was expected")
    for what, place, needed in (("source", step.source, step.reads_source), ("target", step.target, step.does.writes)):
        if needed and place is None:
            raise InputError(f"{here} ({step.action}) has no {what}")
        if not needed or place is None:
            continue
        size = schedule.size(rank, place.buffer)
        if not 0 <= place.offset < place.offset + step.count <= size:
            last = f" to {Place(place.buffer, place.offset + step.count - 1)}" if step.count > 1 else ""
            raise InputError(
                f"{here}: its {what} is {place}{last}, and the {BUFFERS[place.buffer]} of rank {rank} has "
                f"{chunks_text(size)}"
            )


def _check_filled(schedule: Schedule) -> None:
    """Every chunk that a step reads is written by some step, or is there from the start."""
    for in_place in schedule.in_place:
        memory = Memory.of(schedule, in_place=in_place)
        filled = memory.initial()
        for rank, _, _, step in schedule.steps():
            if step.does.writes and step.target is not None:
                filled.update(memory.slots(rank, step.target, step.count))
        for rank, number, k, step in schedule.steps():
            for place in step.reads:
                for j, slot in enumerate(memory.slots(rank, place, step.count)):
                    if slot not in filled:
                        verb = "sends" if step.does.sends else "reads"
                        raise InputError(
                            f"{place_of(rank, number, k)} {verb} {Place(place.buffer, place.offset + j)}, which rank "
                            f"{rank} does not have: nothing is there from the start, and no step writes it"
                        )
