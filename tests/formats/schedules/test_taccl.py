"""TACCL's algorithms: the schedules that they say, and one line with the place for what makes no sense."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.schedule import Schedule
from routeproof.formats.schedules.table import read_schedule
from routeproof.worst.schedules.judge import judge

Document = dict[str, Any]


def read(document: object, folder: Path) -> Schedule:
    path = folder / "a.json"
    path.write_text(json.dumps(document))
    return read_schedule(path)


def algorithm(chunks: list[tuple[list[int], list[int]]], steps: list[list[list[Any]]], n: int = 3) -> Document:
    return {
        "sccl_type": "algorithm",
        "name": "it",
        "collective": {
            "sccl_type": "collective",
            "name": "it",
            "nodes": n,
            "chunks": [{"sccl_type": "chunk", "pre": x, "post": y, "addr": 10 + k} for k, (x, y) in enumerate(chunks)],
        },
        "steps": [{"sccl_type": "step", "rounds": 1, "sends": x} for x in steps],
    }


RING = algorithm(
    [([r], [0, 1, 2]) for r in range(3)],
    [[[10 + r, (r + k) % 3, (r + k + 1) % 3, 0.5 * k, 0] for r in range(3)] for k in range(2)],
)
PERSONAL = algorithm(
    [([k % 3], [k // 3]) for k in range(9)],
    [[[10 + k, k % 3, k // 3] for k in range(9) if k % 3 != k // 3 and k != 5], [[15, 2, 0]], [[15, 0, 1]]],
)


@pytest.mark.parametrize(("document", "collective"), [(RING, "all-gather"), (PERSONAL, "all-to-all")])
def test_what_is_read(document: Document, collective: str, tmp_path: Path) -> None:
    schedule = read(document, tmp_path)
    assert (schedule.collective, schedule.num_ranks, schedule.chunks) == (collective, 3, 3)
    found = judge(schedule)
    assert found.race is None
    assert found.outcome is not None
    assert found.outcome.wrong is None


def test_who_gets_nothing_is_named(tmp_path: Path) -> None:
    document = copy.deepcopy(RING)
    document["steps"][1]["sends"].pop()
    assert list(judge(read(document, tmp_path)).findings()) == [
        "In every execution rank 1 ends with nothing in o[2]; i[0] of rank 2 was expected."
    ]


def _set(*path: Any, to: Any) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


CHUNK, SEND = ("collective", "chunks", 0), ("steps", 0, "sends", 0)
ODD = [
    (_set("sccl_type", to="step"), "its sccl_type is 'step'; algorithm was expected"),
    (_set("collective", to=3), "collective holds 3"),
    (_set("collective", "nodes", to=-1), "collective.nodes is -1"),
    (_set("collective", "chunks", to=[]), "its chunks go neither each to all ranks nor each to one rank"),
    (_set(*CHUNK, "post", to=[0, 1]), "its chunks go neither each to all ranks nor each to one rank"),
    (_set(*CHUNK, "pre", to=[0, 1]), "collective.chunks[0] is on 2 ranks"),
    (_set(*CHUNK, "pre", to=[1]), "its ranks have different numbers of chunks"),
    (_set(*CHUNK, "pre", to=[7]), "collective.chunks[0]: a rank is 7; a whole number from 0 to 2"),
    (_set(*CHUNK, "addr", to=11), "collective.chunks[1] has an addr that another one has"),
    (_set(*SEND, to=[10, 0]), "steps[0].sends[0] is [10, 0]"),
    (_set(*SEND, to=[10, 0, 1, 0, 0, "+"]), "steps[0].sends[0] is [10, 0, 1, ...]"),
    (_set(*SEND, to=[99, 0, 1]), "steps[0].sends[0]: no chunk has the addr 99"),
    (_set(*SEND, to=[10, 1, 2]), "steps[0].sends[0] (addr 10 over 1->2): it is sent before it has come there"),
    (_set("steps", 0, "sends", to=None), "steps[0].sends is null"),
]


@pytest.mark.parametrize(("change", "message"), ODD, ids=[x[1][:50] for x in ODD])
def test_one_line_with_the_place(change: Callable[[Document], None], message: str, tmp_path: Path) -> None:
    document = copy.deepcopy(RING)
    change(document)
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read(document, tmp_path)
    assert "\n" not in str(raised.value)
    assert "a.json" in str(raised.value)
