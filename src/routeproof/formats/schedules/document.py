"""Our schedule document: what every thread block of every rank does, as JSON.

``{"format": "routeproof/schedule", "collective": "all-gather", "chunks": 2, "ranks": [[block, ...], ...]}`` with blocks
``{"send_to": 1, "receive_from": null, "channel": 0, "steps": [{"do": "send", "source": "i[0]"}, ...]}``.  What a key
means is said where the fields are (``core.schedules.schedule``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError, did_you_mean
from ...core.schedules.check import check_schedule
from ...core.schedules.collectives import COLLECTIVES, CUSTOM
from ...core.schedules.schedule import ACTIONS, Block, Place, Schedule, Step, place_of
from ..text_files import brief
from .schedule_format import ScheduleFormat

_PLACE = re.compile(r"([ios])\[(0|[1-9][0-9]{0,8})\]", re.ASCII)
_FORMAT = "routeproof/schedule"


def schedule_from_document(document: Mapping[str, Any], *, what: str, name: str = "schedule") -> Schedule:
    """The schedule that a parsed document describes, checked; raises InputError, with rank, thread block and step."""
    from ..structure import ScheduleDocument, document_of

    data = document_of(ScheduleDocument, document, what=what)
    n, known = len(data.ranks), COLLECTIVES.get(data.collective)
    if data.collective not in (*COLLECTIVES, CUSTOM):
        raise InputError(
            f"{what}: the collective is {brief(data.collective)}; {did_you_mean(data.collective[:40], COLLECTIVES)}"
        )
    if not n or data.chunks < 1:
        raise InputError(f"{what} has {n} ranks and {data.chunks} chunks; at least one of each was expected")
    inputs, outputs = data.inputs, data.outputs
    if known is not None:
        inputs = inputs or [known.input_size(n, data.chunks)] * n
        outputs = outputs or [known.output_size(n, data.chunks)] * n
    scratch = [data.scratch] * n if isinstance(data.scratch, int) else data.scratch
    for key, sizes in (("inputs", inputs), ("outputs", outputs), ("scratch", scratch)):
        if sizes is None or len(sizes) != n or any(x < 0 for x in sizes):
            raise InputError(f"{what}: {key} must be {n} whole numbers, one for each rank")
    assert inputs is not None
    assert outputs is not None
    blocks = tuple(
        tuple(_block(x, rank, number, what=what) for number, x in enumerate(row)) for rank, row in enumerate(data.ranks)
    )
    schedule = Schedule(
        data.name or name, data.collective, data.chunks, blocks, tuple(inputs), tuple(outputs), tuple(scratch),
        tuple(data.in_place), data.root,
    )  # fmt: skip
    try:
        return check_schedule(schedule)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _block(data: Mapping[str, Any], rank: int, number: int, *, what: str) -> Block:
    from ..structure import BlockEntry, validated

    entry = validated(BlockEntry, dict(data), what=f"{what}: rank {rank}, thread block {number}")
    steps = tuple(_step(x, f"{what}: {place_of(rank, number, k)}") for k, x in enumerate(entry.steps))
    return Block(steps, entry.send_to, entry.receive_from, entry.channel)


def _step(data: Mapping[str, Any], where: str) -> Step:
    from ..structure import StepEntry, validated

    entry = validated(StepEntry, dict(data), what=where)
    if entry.do not in ACTIONS:
        raise InputError(f"{where}: do is {brief(entry.do)}; {did_you_mean(entry.do[:40], ACTIONS)}")
    source, target = (_place(x, f"{where}: {key}") for key, x in (("source", entry.source), ("target", entry.target)))
    if any(len(x) != 2 for x in entry.after):
        raise InputError(f"{where}: after is {brief(entry.after)}; pairs [thread block, step] were expected")
    return Step(entry.do, source, target, entry.count, tuple((x[0], x[1]) for x in entry.after))


def _place(text: str | None, what: str) -> Place | None:
    if text is None:
        return None
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InputError(f"{what} is {brief(text)}; a chunk of a buffer such as i[0], o[3] or s[1] was expected")
    return Place(found[1], int(found[2]))


def schedule_to_document(schedule: Schedule) -> dict[str, Any]:
    """The document, which gives the same schedule again."""
    document: dict[str, Any] = {
        "format": _FORMAT,
        "name": schedule.name,
        "collective": schedule.collective,
        "chunks": schedule.chunks,
        "in_place": list(schedule.in_place),
        "scratch": list(schedule.scratch),
    }
    if schedule.collective not in COLLECTIVES:
        document |= {"inputs": list(schedule.inputs), "outputs": list(schedule.outputs)}
    if schedule.root is not None:
        document["root"] = schedule.root
    document["ranks"] = [[_block_entry(x) for x in blocks] for blocks in schedule.blocks]
    return document


def _block_entry(block: Block) -> dict[str, Any]:
    ends = {"send_to": block.send_to, "receive_from": block.receive_from}
    steps = [_step_entry(x) for x in block.steps]
    return {**{k: x for k, x in ends.items() if x is not None}, "channel": block.channel, "steps": steps}


def _step_entry(step: Step) -> dict[str, Any]:
    found: dict[str, Any] = {"do": step.action}
    if step.reads_source:
        found["source"] = str(step.source)
    if step.does.writes:
        found["target"] = str(step.target)
    if step.count != 1:
        found["count"] = step.count
    if step.after:
        found["after"] = [list(x) for x in step.after]
    return found


DOCUMENT = ScheduleFormat(
    "document",
    "a schedule document",
    lambda file: file.says(_FORMAT),
    lambda file: schedule_from_document(file.document, what=file.what, name=file.stem),
    ".json",
    lambda schedule: json.dumps(schedule_to_document(schedule)) + "\n",
)
