"""ForestColl's trees: the all-gather that they say, and one line with the place for what makes no sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.schedules.schedule import Place, Schedule
from routeproof.formats.schedules.table import read_schedule
from routeproof.worst.schedules.judge import judge


def name(rank: int) -> str:
    return f"(0, 'GPU', {rank})"


def send(here: int, there: int) -> str:
    return f'    <send src="{name(here)}" dst="{name(there)}" path="{name(here)},{name(there)}"/>'


def tree(root: int, sends: list[tuple[int, int]], index: int = 0, chunks: int = 1) -> str:
    head = f'  <tree root="{name(root)}" index="{index}" nchunks="{chunks}" height="2">'
    return "\n".join([head, *(send(*x) for x in sends), "  </tree>"])


CHAINS = [tree(r, [(r, (r + 1) % 3), ((r + 1) % 3, (r + 2) % 3)], 0, 2) for r in range(3)]
STARS = [tree(r, [(r, x) for x in range(3) if x != r], 1) for r in range(3)]


def text(trees: list[str], chunks: int = 3) -> str:
    return "\n".join([f'<Algo nchunkspernode="{chunks}">', *trees, "</Algo>"])


def read(content: str, folder: Path) -> Schedule:
    path = folder / "trees.xml"
    path.write_text(content)
    return read_schedule(path)


def test_trees_of_one_root_divide_its_chunks(tmp_path: Path) -> None:
    with pytest.warns(RouteproofWarning, match=re.escape("its 3 ranks are the roots, in order: (0, 'GPU', 0), ")):
        schedule = read(text([*CHAINS, *STARS]), tmp_path)
    assert (schedule.collective, schedule.num_ranks, schedule.chunks) == ("all-gather", 3, 9)
    sent = [x for block in schedule.blocks[0] for x in block.steps if x.action == "send"]
    assert [(x.source, x.count) for x in sent[:2]] == [(Place("i", 0), 2), (Place("i", 2), 1)]
    found = judge(schedule)
    assert found.race is None
    assert found.outcome is not None
    assert found.outcome.wrong is None


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_the_order_of_the_sends_does_not_matter(tmp_path: Path) -> None:
    turned = [tree(r, [((r + 1) % 3, (r + 2) % 3), (r, (r + 1) % 3)], 0, 2) for r in range(3)]
    assert read(text(turned, 2), tmp_path) == read(text(CHAINS, 2), tmp_path)


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_a_rank_that_no_tree_reaches(tmp_path: Path) -> None:
    found = judge(read(text([tree(0, [(0, 1)], 0, 2), *CHAINS[1:]], 2), tmp_path))
    assert list(found.findings()) == [
        "In every execution rank 2 ends with nothing in o[0]; i[0] of rank 0 was expected."
    ]


ODD = [
    (text(CHAINS, 3), "the trees of (0, 'GPU', 0) have 2 chunks; 3 were expected"),
    (text(CHAINS, 1), "nchunks is '2'; a whole number from 1 to 1"),
    (text([*CHAINS, *CHAINS], 3), "the trees of (0, 'GPU', 0) have more than the 3 chunks of nchunkspernode"),
    (text([*CHAINS[1:], tree(0, [(1, 2)], 0, 2)], 2), "1) sends, and the tree of (0, 'GPU', 0) does not reach it"),
    (text([*CHAINS[1:], tree(0, [(0, 1), (0, 2), (2, 1)], 0, 2)], 2), "reaches (0, 'GPU', 1) twice"),
    (text([*CHAINS[1:], tree(0, [(0, 7)], 0, 2)], 2), "dst is \"(0, 'GPU', 7)\", which is the root of no tree"),
    (text([], 2), "<Algo> is empty; <tree> was expected in it"),
    (text([*CHAINS, "<leaf/>"], 2), "<leaf> in <Algo>; <tree> was expected"),
    (text(CHAINS, 2).replace(' index="0"', ""), "line 2: <tree> has no attribute 'index'"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "message"), ODD, ids=[x[1][:50] for x in ODD])
def test_one_line_with_the_place(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read(content, tmp_path)
    assert "\n" not in str(raised.value)
