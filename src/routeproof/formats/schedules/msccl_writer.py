"""MSCCL's XML, written: what ``msccl`` reads again as the same schedule, but for the root of a broadcast."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from ...core.errors import InputError
from ...core.schedules.schedule import Place, Schedule, Step, place_of

_TYPES = {
    "send": "s",
    "receive": "r",
    "receive-copy-send": "rcs",
    "receive-reduce-send": "rrs",
    "receive-reduce-copy": "rrc",
    "receive-reduce-copy-send": "rrcs",
    "copy": "cpy",
    "reduce": "re",
}
_NO_PLACE = Place("i", 0)


def msccl_text(schedule: Schedule) -> str:
    """The file's text; raises InputError for steps that wait for several others, or only wait."""
    waited = {(r, *x) for r, _, _, step in schedule.steps() for x in step.after}
    channels = 1 + max((x.channel for rank in schedule.blocks for x in rank), default=0)
    coll = schedule.collective.replace("-", "")
    ways = f'inplace="{int(True in schedule.in_place)}" outofplace="{int(False in schedule.in_place)}"'
    lines = [
        f'<algo name={quoteattr(schedule.name)} proto="Simple" nchannels="{channels}" '
        f'nchunksperloop="{schedule.chunks}" ngpus="{schedule.num_ranks}" coll="{coll}" {ways} redop="nop">'
    ]
    for rank, blocks in enumerate(schedule.blocks):
        sizes = schedule.inputs[rank], schedule.outputs[rank], schedule.scratch[rank]
        lines.append('  <gpu id="{}" i_chunks="{}" o_chunks="{}" s_chunks="{}">'.format(rank, *sizes))
        for number, block in enumerate(blocks):
            peers = [-1 if x is None else x for x in (block.send_to, block.receive_from)]
            lines.append(f'    <tb id="{number}" send="{peers[0]}" recv="{peers[1]}" chan="{block.channel}">')
            lines += [
                _step(step, k, (rank, number, k) in waited, place_of(rank, number, k))
                for k, step in enumerate(block.steps)
            ]
            lines.append("    </tb>")
        lines.append("  </gpu>")
    return "\n".join([*lines, "</algo>", ""])


def _step(step: Step, k: int, waited: bool, where: str) -> str:
    if step.action not in _TYPES or len(step.after) > 1:
        raise InputError(f"{where} waits for {len(step.after)} steps; MSCCL's XML is written with one wait a step")
    block, last = step.after[0] if step.after else (-1, -1)
    source, target = step.source or _NO_PLACE, step.target or _NO_PLACE
    return (
        f'      <step s="{k}" type="{_TYPES[step.action]}" srcbuf="{source.buffer}" srcoff="{source.offset}" '
        f'dstbuf="{target.buffer}" dstoff="{target.offset}" cnt="{step.count}" depid="{block}" deps="{last}" '
        f'hasdep="{int(waited)}"/>'
    )
