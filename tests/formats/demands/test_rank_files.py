"""Files of ranks: terminals in an order, and what is wrong with a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.demands.ranks import read_ranks

NETWORK = Network.of(
    "hosts", 4, [(0, 1), (1, 2), (2, 3), (3, 0)],
    terminal_labels=["gpu00 port 1", "gpu00 port 2", "gpu01", "gpu02"],
)  # fmt: skip


def ranks(tmp_path: Path, text: str) -> tuple[int, ...]:
    path = tmp_path / "ranks"
    path.write_text(text, encoding="utf-8")
    return read_ranks(path, NETWORK)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("gpu02\ngpu01\n", (3, 2)),
        ("3 2 # the last ones first\n0\n", (3, 2, 0)),
        ("gpu[01-02]\ngpu00\n", (2, 3, 0, 1)),
        ('["gpu02", 0]', (3, 0)),
    ],
)
def test_ranks_in_order(tmp_path: Path, text: str, found: tuple[int, ...]) -> None:
    assert ranks(tmp_path, text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpu01\ngpu01\n", r"line 2: terminal gpu01 is a rank already \(.*line 1\)"),
        ("gpu01\ngpu3\n", "line 2: hosts has no terminal 'gpu3'"),
        ("gpu01\n", "names 1 of the terminals; two at least"),
        ("0\n4\n", "line 2: terminal 4; terminals are 0 to 3"),
        ('["gpu01", 1.5]', "entry 1: hosts has no terminal"),
        ('["gpu01", null]', "entry 1: hosts has no terminal"),
        ("[1, 2", "JSON"),
        ("", "names 0 of the terminals"),
        ("gpu[1-\n", "line 1"),
    ],
)
def test_damaged_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ranks(tmp_path, text)
