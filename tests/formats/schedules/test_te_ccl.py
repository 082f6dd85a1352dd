"""TE-CCL's JSON: the schedules that its lines say, and one line with the place for what makes no sense."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.schedules.schedule import Place, Schedule
from routeproof.formats.schedules.table import read_schedule
from routeproof.worst.schedules.judge import judge

HEAD = {"1-Epoch_Duration": 1.0, "3-Epochs_Required": 2}
RING = [
    f"Chunk 0 from {origin} traveled over {(origin + k) % 3}->{(origin + k + 1) % 3} in epoch {k}"
    for k in range(2)
    for origin in range(3)
]


def read(document: Any, folder: Path) -> Schedule:
    path = folder / "a.json"
    path.write_text(json.dumps(document))
    return read_schedule(path)


def hop(here: int, there: int, volume: object, epoch: int, more: str = "") -> list[Any]:
    return [epoch, f"{here}->{there} with volume {volume} in epoch {epoch}{more}"]


def test_a_ring(tmp_path: Path) -> None:
    schedule = read(HEAD | {"7-Flows": RING}, tmp_path)
    assert (schedule.collective, schedule.num_ranks, schedule.chunks) == ("all-gather", 3, 3)
    first, second = schedule.blocks[0][1].steps
    assert (first.source, first.after) == (Place("i", 0), ())
    assert (second.source, second.after) == (Place("o", 2), ((2, 0),))
    found = judge(schedule)
    assert found.race is None
    assert found.outcome is not None
    assert found.outcome.wrong is None


def test_both_generations_of_keys(tmp_path: Path) -> None:
    assert read(HEAD | {"6-Flows": RING}, tmp_path) == read(HEAD | {"7-Flows": RING}, tmp_path)


def test_who_gets_nothing_is_named(tmp_path: Path) -> None:
    found = judge(read(HEAD | {"7-Flows": RING[:-1]}, tmp_path))
    assert list(found.findings()) == [
        "In every execution rank 1 ends with nothing in o[2]; i[0] of rank 2 was expected."
    ]


def test_ranks_are_the_nodes_that_chunks_are_from(tmp_path: Path) -> None:
    flows = [
        "Chunk 0 from 1 traveled over 1->3 in epoch 0 via switches 0 -> 2",
        "Chunk 0 from 3 traveled over 3->1 in epoch 4",
    ]
    with pytest.warns(RouteproofWarning, match="its 2 ranks are the nodes that chunks are from, in order: 1, 3"):
        assert read(HEAD | {"7-Flows": flows}, tmp_path).num_ranks == 2


PATHS = {
    "Demand at 1 for chunk 1 from 0 met by epoch 0": [[hop(0, 1, 0.3, 0)], [hop(0, 2, 0.7, 0), hop(2, 1, 0.7, 1)]],
    "Demand at 2 for chunk 2 from 0 met by epoch 0": [[hop(0, 2, 1.0, 0)]],
    "Demand at 0 for chunk 0 from 1 met by epoch 0": [[hop(1, 0, 1.0, 0)]],
    "Demand at 2 for chunk 2 from 1 met by epoch 0": [[hop(1, 2, 1.0, 0, " via switches 5->6")]],
    "Demand at 0 for chunk 0 from 2 met by epoch 0": [[hop(2, 0, 0.3333333, 0)], [hop(2, 0, 0.6666666, 1)]],
    "Demand at 1 for chunk 1 from 2 met by epoch 0": [[hop(2, 1, 1.0, 0)]],
}
FLOWS = [
    f"Chunk {key.split()[5]} from {key.split()[7]} traveled over {text}"
    for key, paths in PATHS.items()
    for path in paths
    for _, text in path
]


def test_an_all_to_all_divides_chunks_among_paths(tmp_path: Path) -> None:
    schedule = read(HEAD | {"6-Flows": FLOWS, "7-chunk paths": PATHS}, tmp_path)
    assert (schedule.collective, schedule.num_ranks, schedule.chunks) == ("all-to-all", 3, 3 * 30)  # tenths and thirds
    assert schedule.scratch == (0, 0, 21)
    found = judge(schedule)
    assert found.outcome is not None
    assert found.outcome.wrong is None
    assert schedule == read(HEAD | {"7-Flows": FLOWS, "8-Chunk paths": PATHS}, tmp_path)


FIRST = next(iter(PATHS))


def with_paths(key: str, paths: Any) -> dict[str, Any]:
    return {"7-Flows": FLOWS, "8-Chunk paths": {**PATHS, key: paths}}


ODD = [
    ({}, "has no key '7-Flows' (or '6-Flows')"),
    ({"7-Flows": []}, "7-Flows is []"),
    ({"7-Flows": {"a": 1}}, "7-Flows is an object"),
    ({"7-Flows": [*RING, "Chunk 0 from 0"]}, "flow 6 is 'Chunk 0 from 0'"),
    ({"7-Flows": [*RING, 3]}, "flow 6 is 3"),
    ({"7-Flows": [RING[0], *RING[3:]]}, "flow 2 (chunk 0 from 1 over 2->0 in epoch 1): it is sent before"),
    ({"7-Flows": [x.replace("epoch 1", "epoch 0") for x in RING]}, "it is sent before it has come there"),
    ({"7-Flows": [*RING, "Chunk 0 from 0 traveled over 0->9 in epoch 0"]}, "0->9 in epoch 0): node 9 is not a rank"),
    ({"7-Flows": FLOWS}, "has no key '8-Chunk paths' (or '7-chunk paths')"),
    (with_paths(FIRST, PATHS[FIRST][:1]), "the volumes of its paths add up to 0.3; 1 was expected"),
    (with_paths(FIRST, [[hop(0, 2, 1, 0), hop(2, 1, 0.5, 1)]]), "the hops of a path carry 0.5 to 1"),
    (with_paths(FIRST, [["0->1 in epoch 0"]]), "a hop is '0->1 in epoch 0'"),
    (with_paths(FIRST, [[hop(0, 1, 0.1234, 0)], [hop(0, 1, 0.8766, 1)]]), "a path has volume 0.1234; a fraction"),
    (with_paths(FIRST, [[hop(0, 1, "1e999", 0)]]), "a volume is '1e999'; a number from 0 to 1 was expected"),
    (with_paths(FIRST, [[hop(0, 1, "-1", 0)]]), "a volume is '-1'; a number from 0 to 1 was expected"),
    (with_paths("Demand", PATHS[FIRST]), "'Demand': 'Demand at 0 for chunk 1 from 2 met"),
    (with_paths(FIRST, [[hop(2, 1, 1, 0)]]), "it is sent before it has come there"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "message"), ODD, ids=[x[1][:50] for x in ODD])
def test_one_line_with_the_place(more: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read(HEAD | more, tmp_path)
    assert "\n" not in str(raised.value)
    assert "a.json" in str(raised.value)
