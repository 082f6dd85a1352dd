"""Our schedule document: the same schedule again, and one line with the place for what makes no sense."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError
from routeproof.formats.schedules.document import schedule_from_document, schedule_to_document
from routeproof.formats.schedules.table import read_schedule
from small_schedules import RIGHT, broadcast, exchange, waiting_for_one_another


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_schedule(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(schedule_to_document(RIGHT[name])))
    assert read_schedule(path) == RIGHT[name]


def test_a_custom_collective_says_its_sizes() -> None:
    document = schedule_to_document(waiting_for_one_another()) | {"collective": "custom"}
    with pytest.raises(InputError, match="inputs must be 2 whole numbers, one for each rank"):
        schedule_from_document(document, what="it")
    found = schedule_from_document(document | {"inputs": [1, 1], "outputs": [2, 2]}, what="it")
    assert found.asks is None
    assert schedule_from_document(schedule_to_document(found), what="it") == found


def _first_step(**values: Any) -> dict[str, Any]:
    document = schedule_to_document(exchange())
    document["ranks"][0][0]["steps"][0] |= values
    return document


ODD = [
    (schedule_to_document(exchange()) | {"collective": "all-red"}, "did you mean 'all-reduce'?"),
    (schedule_to_document(exchange()) | {"chunks": 0}, "2 ranks and 0 chunks"),
    (schedule_to_document(exchange()) | {"chunks": 1 << 40}, "chunks in all; at most"),
    (schedule_to_document(exchange()) | {"in_place": []}, "neither that it runs in place"),
    (schedule_to_document(exchange()) | {"ranks": []}, "0 ranks"),
    (schedule_to_document(exchange()) | {"root": 1}, "the root is rank 1; all-reduce has none"),
    (schedule_to_document(broadcast(2)) | {"root": 2}, "the root is rank 2; a rank from 0 to 1"),
    (schedule_to_document(exchange()) | {"scratch": [1]}, "scratch must be 2 whole numbers"),
    (schedule_to_document(exchange()) | {"rounds": []}, "unknown key 'rounds'"),
    (_first_step(do="sned"), "rank 0, thread block 0, step 0: do is 'sned'; did you mean 'send'?"),
    (_first_step(source="i[00]"), "rank 0, thread block 0, step 0: source is 'i[00]'"),
    (_first_step(source=None), "rank 0, thread block 0, step 0 (send) has no source"),
    (_first_step(after=[[1]]), "pairs [thread block, step] were expected"),
    (_first_step(after=[[1, 5]]), "waits for step 5 of thread block 1, and there is no such step"),
    (_first_step(color="red"), "unknown key 'color'"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "message"), ODD, ids=[x[1][:50] for x in ODD])
def test_one_line_with_the_place(document: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read_schedule(path)
    assert "\n" not in str(raised.value)
