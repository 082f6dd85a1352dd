"""What a family counts before it builds is what it builds; so refusals of what is too large say true sizes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from routeproof.core.errors import InputError
from routeproof.topologies import build
from routeproof.topologies.family import TOPOLOGIES, network_from_spec

SIZES = ["1", "2", "3", "4", "5", "6", "7", "10007", "1000000", "10" * 6, "1" + "0" * 40, "0", "-1", "2.5", "x", ""]
EXAMPLES = [x.usage for x in TOPOLOGIES.own.values()]
MORE = [
    "dring:8,3,ports=20",
    "slim-fly:4,concentration=3",
    "fat-tree:4,levels=2",
    "rail-optimized:2,3,spines=2",
    "polarfly:3",
]


def texts(usage: str, sizes: list[str]) -> list[str]:
    """The example with every number in turn, and with all of them, replaced."""
    head, _, rest = usage.partition(":")
    parts = [x for x in rest.split(",") if x]
    found = []
    for size in sizes:
        changed = [re.sub(r"\d+", size, x) if "=" not in x else x for x in parts]
        ways = [changed, *([*parts[:k], changed[k], *parts[k + 1 :]] for k in range(len(parts)))]
        found += [f"{head}:{','.join(way)}" for way in ways]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("usage", [*(x for x in EXAMPLES if x != "petersen"), *MORE])
def test_every_limit_says_what_would_have_been_built(usage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With limits of almost nothing, one after the other, each small network is refused with the size that it has."""
    for text in [usage, *texts(usage, ["2", "3", "4", "5"])]:
        try:
            made = network_from_spec(text)
        except InputError:
            continue
        if made.num_nodes > 3000:
            continue
        sizes = {"nodes": made.num_nodes, "terminals": made.num_terminals, "channels": made.num_channels}
        for name, units in (("MAX_NODES", ("nodes", "terminals")), ("MAX_CHANNELS", ("channels",))):
            with monkeypatch.context() as patch:
                patch.setattr(build, name, 1)
                with pytest.raises(InputError) as caught:
                    network_from_spec(text)
            said = re.search(r"would have at least ([0-9,]+) (\w+) and take", str(caught.value))
            assert said is not None, (text, caught.value)
            assert said[2] in units
            assert int(said[1].replace(",", "")) <= sizes[said[2]], (text, str(caught.value))
            if not text.startswith(("slim-fly", "spectralfly")):  # their first count is a bound from below
                assert int(said[1].replace(",", "")) == sizes[said[2]], (text, str(caught.value))


@pytest.mark.parametrize("usage", EXAMPLES)
def test_no_parameter_is_too_odd_for_one_line(usage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MAX_NODES", 3000)
    monkeypatch.setattr(build, "MAX_CHANNELS", 30_000)
    for text in texts(usage, SIZES):
        said: Any = ""
        try:
            network_from_spec(text)
        except InputError as error:
            said = str(error)
            assert "\n" not in said
            assert len(said) < 400, text
            assert not re.search(r"such as\s*,|\b(or|and) ?[,;.]|  ", said), said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("polarfly:10007", "100,150,057 nodes"),
        ("dring:1000000,1000", "1,000,000,000 nodes"),
        ("fat-clique:1,1000,1000,1000", "1,000,000,000 nodes"),
        ("k-ary-tree:10007,3", "300,420,147 nodes"),
        ("polarstar:3,10007", "modulo 4, such as 127 or 128, and at most 128"),
    ],
)
def test_sizes_that_were_wrong(text: str, found: str) -> None:
    with pytest.raises(InputError, match=found):
        network_from_spec(text)
