"""Small schedules that are right, some that are not, the same as MSCCL's XML, and what every interleaving does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from routeproof.core.schedules.collectives import COLLECTIVES
from routeproof.core.schedules.schedule import ACTIONS, Block, Place, Schedule, Step


def i(offset: int) -> Place:
    return Place("i", offset)


def o(offset: int) -> Place:
    return Place("o", offset)


def s(offset: int) -> Place:
    return Place("s", offset)


def schedule(collective: str, chunks: int, blocks: list[list[Block]], *, scratch: int = 0, **more: object) -> Schedule:
    known, n = COLLECTIVES[collective], len(blocks)
    sizes = (known.input_size(n, chunks),) * n, (known.output_size(n, chunks),) * n, (scratch,) * n
    return Schedule("small", collective, chunks, tuple(map(tuple, blocks)), *sizes, **more)  # type: ignore[arg-type]


def exchange() -> Schedule:
    """Two ranks add up in place: each must have sent its input before it adds to it."""
    ranks = []
    for rank in range(2):
        send = Block((Step("send", i(0)),), send_to=1 - rank)
        add = Block((Step("receive", None, s(0)), Step("reduce", s(0), i(0), after=((0, 0),))), receive_from=1 - rank)
        ranks.append([send, add])
    return schedule("all-reduce", 1, ranks, scratch=1, in_place=(True,))


def ring_all_gather(n: int) -> Schedule:
    """One thread block a rank: its own chunk out, the others on, the last kept."""
    ranks = []
    for rank in range(n):
        steps = [Step("copy", i(0), o(rank)), Step("send", o(rank))]
        steps += [Step("receive-copy-send", None, o((rank - k) % n)) for k in range(1, n - 1)]
        steps.append(Step("receive", None, o((rank + 1) % n)))
        ranks.append([Block(tuple(steps), (rank + 1) % n, (rank - 1) % n)])
    return schedule("all-gather", n, ranks)


def ring_all_reduce(n: int, *, in_place: tuple[bool, ...] = (False, True)) -> Schedule:
    ranks = []
    for rank in range(n):
        steps = [Step("send", i(rank))]
        steps += [Step("receive-reduce-send", i((rank - k) % n)) for k in range(1, n - 1)]
        last = (rank + 1) % n
        steps.append(Step("receive-reduce-copy-send", i(last), o(last)))
        steps += [Step("receive-copy-send", None, o((rank - k) % n)) for k in range(n - 2)]
        steps.append(Step("receive", None, o((rank + 2) % n)))
        ranks.append([Block(tuple(steps), (rank + 1) % n, (rank - 1) % n)])
    return schedule("all-reduce", n, ranks, in_place=in_place)


def recursive_doubling(n: int) -> Schedule:
    """Every rank adds up with partners at distance 1, 2, ...: a thread block to send and one to add for each."""
    ranks = []
    for rank in range(n):
        blocks: list[Block] = []
        distance = 1
        while distance < n:
            before = ((len(blocks) - 1, 1),) if blocks else ()
            partner, slot = rank ^ distance, distance.bit_length() - 1
            blocks.append(Block((Step("send", i(0), after=before),), send_to=partner, channel=slot))
            steps = Step("receive", None, s(slot)), Step("reduce", s(slot), i(0), after=((len(blocks) - 1, 0),))
            blocks.append(Block(steps, receive_from=partner, channel=slot))
            distance *= 2
        ranks.append(blocks)
    return schedule("all-reduce", 1, ranks, scratch=(n - 1).bit_length(), in_place=(True,))


def reduce_then_scatter(n: int) -> Schedule:
    """Rank 0 adds everything up, in the order of arrival of its channels, and sends each rank its share."""
    blocks: list[Block] = []
    for peer in range(1, n):
        adds = Step("receive-reduce-copy", i(0), i(0), n, after=((peer - 2, 0),) if peer > 1 else ())
        blocks.append(Block((adds,), receive_from=peer))
    for peer in range(1, n):
        blocks.append(Block((Step("send", i(peer), after=((n - 2, 0),)),), send_to=peer))
    blocks.append(Block((Step("copy", i(0), o(0), after=((n - 2, 0),)),)))
    others = [[Block((Step("send", i(0), None, n), Step("receive", None, o(0))), 0, 0)] for _ in range(1, n)]
    return schedule("reduce-scatter", n, [blocks, *others])


def pairwise_all_to_all(n: int) -> Schedule:
    ranks = []
    for rank in range(n):
        blocks = [Block((Step("copy", i(rank), o(rank)),))]
        for k in range(1, n):
            there, here = (rank + k) % n, (rank - k) % n
            blocks.append(Block((Step("send", i(there)), Step("receive", None, o(here))), there, here))
        ranks.append(blocks)
    return schedule("all-to-all", n, ranks)


def broadcast(n: int) -> Schedule:
    """A chain from rank 0."""
    ranks = []
    for rank in range(n):
        there, here = rank + 1 if rank + 1 < n else None, rank - 1 if rank else None
        if rank == 0:
            steps = [Step("copy", i(0), o(0)), Step("send", i(0))]
        else:
            steps = [Step("receive-copy-send" if there is not None else "receive", None, o(0))]
        ranks.append([Block(tuple(steps), there, here)])
    return schedule("broadcast", 1, ranks, root=0)


def waiting_for_one_another() -> Schedule:
    """Every rank receives before it sends."""
    ranks = [
        [
            Block(
                (Step("copy", i(0), o(rank)), Step("receive", None, o(1 - rank)), Step("send", i(0))),
                1 - rank,
                1 - rank,
            )
        ]
        for rank in range(2)
    ]
    return schedule("all-gather", 2, ranks)


def racing() -> Schedule:
    """As ``exchange``, and rank 0 does not wait until it has sent."""
    right = exchange()
    first, add = right.blocks[0][1].steps
    return with_steps(right, 0, 1, (first, replace(add, after=())))


def wrong() -> Schedule:
    """Rank 0 adds what it receives to nothing."""
    right = exchange()
    first, add = right.blocks[0][1].steps
    return with_steps(right, 0, 1, (first, replace(add, action="copy")))


def deep(messages: int) -> Schedule:
    """Rank 1 takes the last chunk first, which comes on a channel of its own after all others were sent."""
    n = messages + 1
    out = [Step("send", i(k)) for k in range(messages)]
    first = [Block(tuple(out), send_to=1), Block((Step("send", i(messages), after=((0, messages - 1),)),), 1, None, 1)]
    first.append(Block(tuple(Step("copy", i(k), o(k)) for k in range(n))))
    takes = [Step("receive", None, o(k), after=((1, 0),)) for k in range(messages)]
    second = [Block(tuple(takes), None, 0), Block((Step("receive", None, o(messages)),), None, 0, 1)]
    return schedule("broadcast", n, [first, second], root=0)


RIGHT = {
    "exchange": exchange(),
    "ring all-gather": ring_all_gather(3),
    "ring all-reduce": ring_all_reduce(3),
    "recursive doubling": recursive_doubling(4),
    "reduce-scatter": reduce_then_scatter(3),
    "all-to-all": pairwise_all_to_all(2),
    "broadcast": broadcast(3),
    "deep": deep(3),
}


def mutated(right: Schedule, ranks: int) -> Iterator[Schedule]:
    """On one of the first ranks: a step removed, two neighbours swapped, a wait dropped, or a chunk moved by one."""
    for rank, blocks in enumerate(right.blocks[:ranks]):
        for number, block in enumerate(blocks):
            steps = block.steps
            for k, step in enumerate(steps):
                yield with_steps(right, rank, number, steps[:k] + steps[k + 1 :])
                if k + 1 < len(steps):
                    yield with_steps(right, rank, number, (*steps[:k], steps[k + 1], step, *steps[k + 2 :]))
                if step.after:
                    yield with_steps(right, rank, number, (*steps[:k], replace(step, after=()), *steps[k + 1 :]))
                for key in ("source", "target"):
                    place = getattr(step, key)
                    for shift in (-1, 1):
                        if place is not None:
                            moved = replace(step, **{key: Place(place.buffer, place.offset + shift)})
                            yield with_steps(right, rank, number, (*steps[:k], moved, *steps[k + 1 :]))


def with_steps(given: Schedule, rank: int, block: int, steps: tuple[Step, ...]) -> Schedule:
    blocks = [list(row) for row in given.blocks]
    blocks[rank][block] = replace(blocks[rank][block], steps=steps)
    return replace(given, blocks=tuple(map(tuple, blocks)))


_MSCCL = {
    "send": "s", "receive": "r", "receive-copy-send": "rcs", "receive-reduce-send": "rrs",
    "receive-reduce-copy": "rrc", "receive-reduce-copy-send": "rrcs", "copy": "cpy", "reduce": "re", "wait": "nop",
}  # fmt: skip


def msccl_text(given: Schedule) -> str:
    """The schedule as MSCCL's XML; of a step with several waits, all but the last become steps of their own."""
    coll = {"all-to-all": "alltoall", "all-gather": "allgather", "all-reduce": "allreduce"}
    coll["reduce-scatter"] = "reducescatter"
    ways = f'inplace="{int(True in given.in_place)}" outofplace="{int(False in given.in_place)}"'
    lines = [
        f'<algo name="{given.name}" proto="LL" nchannels="2" nchunksperloop="{given.chunks}" '
        f'ngpus="{given.num_ranks}" coll="{coll.get(given.collective, given.collective)}" {ways} minBytes="0" '
        'maxBytes="1024">'
    ]
    for rank, blocks in enumerate(given.blocks):
        waited = {x for block in blocks for step in block.steps for x in step.after}
        sizes = f'i_chunks="{given.inputs[rank]}" o_chunks="{given.outputs[rank]}" s_chunks="{given.scratch[rank]}"'
        lines.append(f'  <gpu id="{rank}" {sizes}>')
        for number, block in enumerate(blocks):
            ends = [-1 if x is None else x for x in (block.send_to, block.receive_from)]
            lines.append(f'    <tb id="{number}" send="{ends[0]}" recv="{ends[1]}" chan="{block.channel}">')
            for k, step in enumerate(block.steps):
                source, target = step.source or Place("i", -1), step.target or Place("o", -1)
                wait = step.after[0] if step.after else (-1, -1)
                lines.append(
                    f'      <step s="{k}" type="{_MSCCL[step.action]}" srcbuf="{source.buffer}" '
                    f'srcoff="{source.offset}" dstbuf="{target.buffer}" dstoff="{target.offset}" cnt="{step.count}" '
                    f'depid="{wait[0]}" deps="{wait[1]}" hasdep="{int((number, k) in waited)}"/>'
                )
            lines.append("    </tb>")
        lines.append("  </gpu>")
    return "\n".join([*lines, "</algo>"])


Value = object
State = tuple[tuple[int, ...], tuple[tuple[object, ...], ...], tuple[object, ...]]


@dataclass(frozen=True)
class Interleavings:
    """Every state that some execution reaches.

    ``stuck``: can some execution end before all steps do?  ``finals``: what the outputs hold at the end of those that
    do not; ``before``: (a, b) where step a ends before step b in some execution."""

    stuck: bool
    finals: frozenset[tuple[object, ...]]
    before: frozenset[tuple[int, int]]

    def ordered(self, a: int, b: int) -> bool:
        """Does one of the two end before the other in every execution?"""
        return (a, b) not in self.before or (b, a) not in self.before


def interleavings(given: Schedule, *, in_place: bool, room: int | None = None) -> Interleavings:
    """By going through all of them; every step is one event, and a connection holds ``room`` messages."""
    blocks = [(rank, number, block) for rank, row in enumerate(given.blocks) for number, block in enumerate(row)]
    place_of = {(rank, number): k for k, (rank, number, _) in enumerate(blocks)}
    ways = sorted({(rank, x.send_to, x.channel) for rank, _, x in blocks if x.send_to is not None})
    ways = sorted({*ways, *((x.receive_from, rank, x.channel) for rank, _, x in blocks if x.receive_from is not None)})
    cells = _cells(given, in_place)
    size = 1 + max(cells.values())
    memory: list[object] = [None] * size
    for rank in range(given.num_ranks):
        if given.collective == "broadcast" and rank != given.root:
            continue
        for k in range(given.inputs[rank]):
            memory[cells[rank, "i", k]] = ("in", rank, k)
    start: State = (0,) * len(blocks), ((),) * len(ways), tuple(memory)
    seen, todo, stuck, finals = {start}, [start], False, set()
    while todo:
        state = todo.pop()
        following = list(_following(given, blocks, place_of, ways, cells, state, room))
        if not following:
            if all(p == len(b.steps) for p, (_, _, b) in zip(state[0], blocks, strict=True)):
                held = state[2]
                finals.add(
                    tuple(held[cells[r, "o", k]] for r in range(given.num_ranks) for k in range(given.outputs[r]))
                )
            else:
                stuck = True
        for x in following:
            if x not in seen:
                seen.add(x)
                todo.append(x)
    numbers = [[given_number(given, rank, number, k) for k in range(len(b.steps))] for rank, number, b in blocks]
    before = set()
    for positions in {x[0] for x in seen}:
        done = [row[k] for row, p in zip(numbers, positions, strict=True) for k in range(p)]
        rest = [row[k] for row, p in zip(numbers, positions, strict=True) for k in range(p, len(row))]
        before |= {(a, b) for a in done for b in rest}
    return Interleavings(stuck, frozenset(finals), frozenset(before))


def given_number(given: Schedule, rank: int, block: int, step: int) -> int:
    rows = [len(x.steps) for r, row in enumerate(given.blocks) for b, x in enumerate(row) if (r, b) < (rank, block)]
    return sum(rows) + step


def _cells(given: Schedule, in_place: bool) -> dict[tuple[int, str, int], int]:
    """The cell of every chunk of every buffer; in place, as NCCL lays input and output over one another."""
    found: dict[tuple[int, str, int], int] = {}
    for rank in range(given.num_ranks):
        sizes = {"i": given.inputs[rank], "o": given.outputs[rank], "s": given.scratch[rank]}
        for buffer, size in sizes.items():
            for k in range(size):
                found[rank, buffer, k] = len(found)
        if in_place:
            n = given.num_ranks
            for k in range(given.inputs[rank] if given.collective == "all-gather" else given.outputs[rank]):
                if given.collective == "all-gather":
                    found[rank, "i", k] = found[rank, "o", rank * (given.chunks // n) + k]
                elif given.collective == "reduce-scatter":
                    found[rank, "o", k] = found[rank, "i", rank * (given.chunks // n) + k]
                else:
                    found[rank, "o", k] = found[rank, "i", k]
    return found


def _following(given, blocks, place_of, ways, cells, state, room):  # type: ignore[no-untyped-def]
    positions, queues, memory = state
    for b, (rank, _, block) in enumerate(blocks):
        if positions[b] == len(block.steps):
            continue
        step = block.steps[positions[b]]
        if any(positions[place_of[rank, other]] <= last for other, last in step.after):
            continue
        name, now, held = step.action, list(queues), list(memory)
        moved = [None] * step.count
        if name.startswith("receive"):
            way = ways.index((block.receive_from, rank, block.channel))
            if not now[way]:
                continue
            moved, now[way] = list(now[way][0]), now[way][1:]
        chunk = lambda place, k, rank=rank: cells[rank, place.buffer, place.offset + k]  # noqa: E731
        if name in ("send", "copy", "reduce"):
            moved = [held[chunk(step.source, k)] for k in range(step.count)]
        if "receive-reduce" in name:
            moved = [_sum(x, held[chunk(step.source, k)]) for k, x in enumerate(moved)]
        if name == "reduce":
            moved = [_sum(x, held[chunk(step.target, k)]) for k, x in enumerate(moved)]
        if name in ("receive", "copy", "reduce") or "-copy" in name:
            for k, x in enumerate(moved):
                held[chunk(step.target, k)] = x
        if name == "send" or name.endswith("-send"):
            way = ways.index((rank, block.send_to, block.channel))
            if room is not None and len(now[way]) >= room:
                continue
            now[way] = (*now[way], tuple(moved))
        yield (*positions[:b], positions[b] + 1, *positions[b + 1 :]), tuple(now), tuple(held)


def _sum(one: object, two: object) -> object:
    return None if one is None or two is None else ("+", *sorted((one, two), key=repr))


def inputs_of(value: object) -> list[object]:
    """The inputs that are added up, with multiplicity."""
    if isinstance(value, tuple) and value[0] == "+":
        return sorted([*inputs_of(value[1]), *inputs_of(value[2])], key=repr)
    return [value]


def wanted(given: Schedule, rank: int, chunk: int) -> list[object]:
    n = given.num_ranks
    share = given.chunks // n
    if given.collective == "all-gather":
        return [("in", chunk // share, chunk % share)]
    if given.collective == "all-reduce":
        return [("in", x, chunk) for x in range(n)]
    if given.collective == "reduce-scatter":
        return [("in", x, rank * share + chunk) for x in range(n)]
    if given.collective == "all-to-all":
        return [("in", chunk // share, rank * share + chunk % share)]
    return [("in", given.root, chunk)]


def outputs(given: Schedule, final: tuple[object, ...]) -> dict[tuple[int, int], object]:
    places = [(rank, k) for rank in range(given.num_ranks) for k in range(given.outputs[rank])]
    return dict(zip(places, final, strict=True))


def is_right(given: Schedule, final: tuple[object, ...]) -> bool:
    return all(inputs_of(x) == wanted(given, *place) for place, x in outputs(given, final).items())


assert set(_MSCCL) == set(ACTIONS)
assert all(a != b for a, b in pairwise(RIGHT))
