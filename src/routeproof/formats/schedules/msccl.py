"""MSCCL's XML: schedules of MSCCL, RCCL, Azure, ForestColl and ASTRA-sim.

What every attribute means is taken from the programs that run such files: ``mscclGetAlgoFromXmlFile`` in RCCL's
``src/misc/msccl/msccl_parser.cc`` and ``mscclRunInterpreter`` in its ``src/device/msccl_kernel_impl.h``, and the older
``src/graph/topo.cc`` and ``msccl_interpreter.h`` of MSCCL.  ``docs/schedules.md`` says it in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...core.errors import InputError, did_you_mean
from ...core.schedules.check import check_schedule
from ...core.schedules.collectives import COLLECTIVES, CUSTOM
from ...core.schedules.schedule import BUFFERS, Block, Place, Schedule, Step, chunks_text
from ..format import File
from ..text_files import brief
from ..xml_elements import Element, xml_root
from .msccl_writer import msccl_text
from .schedule_format import ScheduleFormat

_TYPES: Mapping[str, str] = {
    "s": "send",
    "r": "receive",
    "rcs": "receive-copy-send",
    "rrs": "receive-reduce-send",
    "rrc": "receive-reduce-copy",
    "rrcs": "receive-reduce-copy-send",
    "cpy": "copy",
    "re": "reduce",
    "nop": "wait",
}
_COLLECTIVES: Mapping[str, str] = {
    "allgather": "all-gather",
    "allreduce": "all-reduce",
    "reducescatter": "reduce-scatter",
    "reduce_scatter": "reduce-scatter",
    "alltoall": "all-to-all",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "custom": CUSTOM,
}
_IGNORED = "copy"
"""Of TACCL's files: what interpreters do not read."""
_MOST_RANKS, _MOST_CHUNKS = 1 << 16, 1 << 24


def is_msccl(file: File) -> bool:
    """Does its first element say so?"""
    return re.search(r"<algo[\s/>]", file.start) is not None


def read_msccl(file: File) -> Schedule:
    """The schedule, checked; raises InputError with the line or with rank, thread block and step."""
    root = xml_root(file.text, what=file.what)
    if root.tag != "algo":
        raise InputError(f"{root.place}: the file starts with <{root.tag[:40]}>; <algo> was expected")
    ranks = root.whole("ngpus", 1, most=_MOST_RANKS)
    chunks = root.whole("nchunksperloop", 1, most=_MOST_CHUNKS)
    coll = root.text("coll")
    if coll not in _COLLECTIVES:
        raise InputError(f"{root.place}: coll is {brief(coll)}; {did_you_mean(coll[:40], _COLLECTIVES)}")
    collective = _COLLECTIVES[coll]
    gpus: dict[int, Element] = {}
    for gpu in _children(root, "gpu"):
        rank = gpu.whole("id", most=ranks - 1)
        if rank in gpus:
            raise InputError(f"{gpu.place}: a second <gpu> with the id {rank}; one was expected")
        gpus[rank] = gpu
    missing = next((x for x in range(ranks) if x not in gpus), None)
    if missing is not None:
        raise InputError(f"{root.place}: ngpus is {ranks}, and there is no <gpu> with the id {missing}")
    inputs, outputs, scratch = (
        [gpus[x].whole(name, most=_MOST_CHUNKS) for x in range(ranks)] for name in ("i_chunks", "o_chunks", "s_chunks")
    )
    known = COLLECTIVES.get(collective)
    if known is not None:
        if known.shared and chunks % ranks:
            raise InputError(
                f"{root.place}: nchunksperloop is {chunks}; for {coll} a multiple of the {ranks} ranks was expected"
            )
        for name, sizes, size in (
            ("i_chunks", inputs, known.input_size(ranks, chunks)),
            ("o_chunks", outputs, known.output_size(ranks, chunks)),
        ):
            for rank, found in enumerate(sizes):
                if found > size:
                    raise InputError(
                        f"{gpus[rank].place}: {name} is {found}; {coll} with nchunksperloop {chunks} has {size}"
                    )
            sizes[:] = [size] * ranks
    blocks = tuple(_blocks(gpus[x], x) for x in range(ranks))
    schedule = Schedule(
        root.attributes.get("name") or file.stem,
        collective,
        chunks,
        blocks,
        tuple(inputs),
        tuple(outputs),
        tuple(scratch),
        _ways(root),
    )
    try:
        return check_schedule(schedule)
    except InputError as error:
        raise InputError(f"{file.what}: {error}") from None


def _children(parent: Element, tag: str, ignored: str | None = None) -> list[Element]:
    for child in parent.children:
        if child.tag not in (tag, ignored):
            raise InputError(f"{child.place}: <{child.tag[:40]}> in <{parent.tag}>; <{tag}> was expected")
    return [x for x in parent.children if x.tag == tag]


def _ways(root: Element) -> tuple[bool, ...]:
    """In place, out of place, or both: RCCL's files say each by itself, MSCCL's say the first alone."""
    inside = bool(root.whole("inplace", most=1))
    outside = bool(root.whole("outofplace", most=1, default=int(not inside)))
    found = tuple(x for x, said in ((False, outside), (True, inside)) if said)
    if not found:
        raise InputError(f"{root.place}: inplace and outofplace are both 0; a file for neither never runs")
    return found


def _blocks(gpu: Element, rank: int) -> tuple[Block, ...]:
    found: dict[int, Element] = {}
    for tb in _children(gpu, "tb", _IGNORED):
        number = tb.whole("id")
        if number in found:
            raise InputError(f"{tb.place}: rank {rank} has a second <tb> with the id {number}; one was expected")
        found[number] = tb
    missing = next((x for x in range(len(found)) if x not in found), None)
    if missing is not None:
        raise InputError(f"{gpu.place}: rank {rank} has {len(found)} thread blocks, and none with the id {missing}")
    flags = {number: _flags(tb) for number, tb in found.items()}
    return tuple(_block(found[x], rank, x, flags) for x in range(len(found)))


def _flags(tb: Element) -> list[int]:
    """Of every step the first one from it on after which the thread block says how far it is; -1 where there is none.

    The interpreter writes its flag after steps with hasdep="1", and never after a nop, which it does not run.
    """
    first, found = -1, []
    steps = _children(tb, "step")
    for k in range(len(steps) - 1, -1, -1):
        if steps[k].whole("hasdep", most=1) and steps[k].text("type") != "nop":
            first = k
        found.append(first)
    return found[::-1]


def _block(tb: Element, rank: int, number: int, flags: Mapping[int, Sequence[int]]) -> Block:
    where = f"rank {rank}, thread block {number}"
    peers = [tb.whole(x, -1) for x in ("send", "recv")]
    steps: list[Step] = []
    elements = list(tb.children)
    while elements and elements[-1].text("type") == "nop":
        elements.pop()  # the interpreter does not run them
    for k, element in enumerate(elements):
        steps.append(_step(element, f"{where}, step {k}", k, flags))
        _check_interpreted(elements, steps, f"{element.place}: {where}, step {k}")
    send_to, receive_from = (None if x < 0 else x for x in peers)
    return Block(tuple(steps), send_to, receive_from, tb.whole("chan", -1))


def _step(element: Element, where: str, k: int, flags: Mapping[int, Sequence[int]]) -> Step:
    place, kind = f"{element.place}: {where}", element.text("type")
    if kind not in _TYPES:
        raise InputError(f"{place}: the type is {brief(kind)}; {did_you_mean(kind[:40], _TYPES)}")
    if element.whole("s", -1) != k:
        raise InputError(f"{place}: s is {element.text('s')}; {k}, its place in the thread block, was expected")
    after: tuple[tuple[int, int], ...] = ()
    block = element.whole("depid", -1)
    if block >= 0:
        last = element.whole("deps", -1)
        if block not in flags or not 0 <= last < len(flags[block]):
            raise InputError(f"{place} waits for step {last} of thread block {block}, and there is no such step")
        flag = flags[block][last]
        if flag < 0:
            raise InputError(
                f"{place} waits for step {last} of thread block {block}, and neither that step nor a later one has "
                'hasdep="1": it would wait for ever'
            )
        after = ((block, flag),)
    action = _TYPES[kind]
    if action == "wait":
        return Step(action, None, None, 0, after)
    step = Step(action, None, None, element.whole("cnt", most=_MOST_CHUNKS), after)
    source, target = (_place(element, side, place) for side in ("src", "dst"))
    return replace(step, source=source if step.reads_source else None, target=target if step.does.writes else None)


def _place(element: Element, side: str, where: str) -> Place:
    buffer, offset = element.text(f"{side}buf"), element.whole(f"{side}off", -1)
    if buffer not in BUFFERS:
        raise InputError(f"{where}: {side}buf is {brief(buffer)}; i, o or s was expected")
    return Place(buffer, offset)


def _check_interpreted(elements: Sequence[Element], steps: Sequence[Step], where: str) -> None:
    """The last step is run as the file says it: interpreters count nops by their waits, give these to the next step,
    and run reductions into one chunk as one."""
    last, before = steps[-1], steps[-2] if len(steps) > 1 else None
    if last.action == "wait" and not last.after:
        raise InputError(
            f"{where} is a nop that waits for nothing: interpreters do not count it, so that later steps have other "
            "numbers than the file gives"
        )
    if before is not None and before.action == "wait" and not last.after:
        raise InputError(f"{where} follows a nop and waits for nothing itself; interpreters refuse that")
    if (
        before is not None
        and before.action == last.action == "reduce"
        and not last.after
        and before.target == last.target
        and before.source is not None
        and last.source is not None
        and before.source.buffer == last.source.buffer
        and before.count != last.count
        and not elements[len(steps) - 2].whole("hasdep", most=1)
    ):
        raise InputError(
            f"{where} reduces {chunks_text(last.count)} into {last.target}, and the step before it {before.count}; "
            "interpreters run both as one, with the last count"
        )


MSCCL = ScheduleFormat("msccl", "MSCCL's XML", is_msccl, read_msccl, ".xml", msccl_text)
