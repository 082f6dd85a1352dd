"""An example of a package that adds to routeproof: chordal rings, a routing on rings, and networks as lists of edges.

An entry is a constant; ``pyproject.toml`` says under which name routeproof finds it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from routeproof import Family, File, Format, InputError, Network, NextHop, Routing, RoutingEntry

__all__ = ["CHORDAL_RING", "CLOCKWISE", "EDGES", "chordal_ring", "clockwise"]


def chordal_ring(nodes: int, chord: int, *, bandwidth: str = "1") -> Network:
    """A ring of ``nodes`` nodes, each of which is also joined to the one ``chord`` further on.

    Source: Arden & Lee 1981 (IEEE Transactions on Computers), Analysis of chordal ring network.
    """
    if not 2 <= chord <= nodes - 2 or 2 * chord == nodes:
        raise InputError(f"the chord is {chord}; 2 to {nodes - 2} was expected, not half of {nodes}")
    ends = [(v, (v + step) % nodes) for v in range(nodes) for step in (1, -1, chord, -chord)]
    return Network.of(f"chordal-ring:{nodes},{chord}", nodes, ends, bandwidth=bandwidth)


CHORDAL_RING = Family(
    "chordal-ring:12,5",
    "a ring with chords: every node is also joined to the one so much further on",
    lambda p: chordal_ring(
        p.number(0, "number of nodes of chordal-ring"), p.number(1, "chord of chordal-ring"), bandwidth=p.bandwidth
    ),
    parameters=2,
)


def clockwise(network: Network, options: dict[str, Any]) -> Routing:
    """Every packet goes to the node with the next number, and from the last one to node 0.

    ``options``: what was written after the colon: ``clockwise:way=back`` is the other way round.
    """
    way = {"on": 1, "back": -1}.get(options.get("way", "on"))
    if way is None:
        raise InputError(f"clockwise: way is {options['way']!r}; on or back was expected")
    size = network.num_nodes
    after = [[-1 if v == d else (v + way) % size for d in range(size)] for v in range(size)]
    return NextHop(after, by="node").on(network)


CLOCKWISE = RoutingEntry(
    name="clockwise",
    help="always to the node with the next number",
    build=clockwise,
    options={"way": "on (to the next number) or back (to the one before)"},
)


def _read(file: File, _bandwidth: object) -> Network:
    """One link a line, both ways: ``0 1``, or ``0 1 3/2`` with its bandwidth.  Nodes are 0, 1, ..."""
    ends, widths = [], []
    for number, line in enumerate(file.text.splitlines(), start=1):
        words = line.split()
        if len(words) not in (2, 3) or not all(x.isdecimal() for x in words[:2]):
            raise InputError(f"{file.what}, line {number}: {line[:40]!r}; two nodes were expected, or with a bandwidth")
        u, v = int(words[0]), int(words[1])
        ends += [(u, v), (v, u)]
        widths += [words[2] if len(words) == 3 else "1"] * 2
    return Network.of(file.stem, 1 + max(map(max, ends), default=0), ends, bandwidth=widths)


def _write(network: Network, path: str | Path) -> None:
    reverse = network.reverse
    if reverse is None:
        raise InputError(f"{network.name} has channels without an opposite; a list of edges has links")
    links = [c for c, opposite in enumerate(reverse.tolist()) if c < opposite]
    lines = [f"{network.tail[c]} {network.head[c]} {network.bandwidth[c]}" for c in links]
    Path(path).write_text("\n".join([*lines, ""]), encoding="utf-8")


EDGES: Format[Network, Any] = Format("edges", "a list of edges", extensions=(".edges",), read=_read, write=_write)
