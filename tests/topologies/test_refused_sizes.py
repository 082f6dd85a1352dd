"""Networks that no memory holds: refused at once, in one line that says how much they would take, for every family."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from routeproof.core.errors import InputError
from routeproof.formats.resolve import resolve_network
from routeproof.topologies.family import TOPOLOGIES

SIZES = (10_000_019, 10**12 + 39, 10**40)
_GIGABYTE = 10**9
MADE_IN_PIECES = ("dring:7,3", "dring:5,2", "polarfly:7", "orthogonal-fat-tree:5", "cray-dragonfly:1,4x3,1")


def _huge(usage: str, size: int) -> str:
    """The example of a family with every number replaced; without any, with so many terminals at a node."""
    text = re.sub(r"\d+", str(size), usage)
    return text if text != usage else f"{usage},concentration={size}"


EVERY = [_huge(family.usage, size) for family in TOPOLOGIES.own.values() for size in SIZES]


@pytest.mark.parametrize("text", EVERY)
def test_every_family_refuses_huge_sizes_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        resolve_network(text)
    said = str(error.value)
    assert "\n" not in said
    assert len(said) < 400


def test_refusals_take_no_memory() -> None:
    """All of them in one process that may have one gigabyte: none runs out of it."""
    script = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({_GIGABYTE}, {_GIGABYTE}))
from routeproof.core.errors import InputError
from routeproof.formats.resolve import resolve_network
for text in {EVERY!r}:
    try:
        resolve_network(text)
    except InputError:
        continue
    raise AssertionError(text)
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=600)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("complete:100000", "9,999,900,000 channels and take about 1.1 TB of memory"),
        ("torus:100000x100000", "10,000,000,000 nodes and take about"),
        ("fat-tree:1000", "250,000,000 terminals and take about"),
        ("hypercube:30", "1,073,741,824 nodes and take about 3.7 TB of memory"),
        ("hypercube:1000000", "more than 10^15 nodes and take more than 10^18 bytes of memory"),
        ("random-regular:10000000000,degree=6,seed=1", "10,000,000,000 nodes and take about 7.6 TB of memory"),
        ("torus:4x4,concentration=1000000000", "16,000,000,000 terminals and take about 128.0 GB of memory"),
        ("multibutterfly:64,d=2000000,seed=7", "of memory"),
        ("slim-fly:1009", "of memory"),
    ],
)
def test_the_line_says_how_much_memory(text: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        resolve_network(text)


def test_random_graphs_are_judged_by_what_drawing_them_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.machine.memory.free_memory", lambda: 5 * _GIGABYTE)
    with pytest.raises(InputError, match=r"drawn by networkx, would take about 7\.2 GB; 5\.0 GB of memory are free"):
        resolve_network("random-regular:4000000,degree=6,seed=7")


@pytest.mark.parametrize(
    "text", ["dring:7,3", "dring:5,2", "polarfly:7", "orthogonal-fat-tree:5", "cray-dragonfly:1,4x3,1"]
)
def test_what_is_made_in_pieces_is_what_its_definition_says(text: str) -> None:
    """Channels come by tail and then by head where the family says so, and none twice."""
    network = resolve_network(text)
    pairs = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert {(b, a) for a, b in pairs} == set(pairs)
