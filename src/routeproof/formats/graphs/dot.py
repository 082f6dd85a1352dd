"""Graphviz DOT, written only: a picture's worth of a network for ``dot``, ``neato`` or ``sfdp``."""

from __future__ import annotations

import re

from ...core.network import Network
from ..documents.network import number_text
from ..format import Format, NetworkFormat
from ..text_files import write_text_atomic

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def dot_text(network: Network) -> str:
    """A graph with an edge per link where all channels have opposites, else a digraph with an edge per channel.

    Nodes without terminals are boxes; bandwidths are labels where they are not all 1.
    """
    reverse = network.reverse
    arrow, kind = ("->", "digraph") if reverse is None else ("--", "graph")
    supply = (network.supply + network.demand).tolist()
    lines = [f"{kind} {_quoted(network.name)} {{"]
    for v in range(network.num_nodes):
        shape = "" if supply[v] else ", shape=box"
        lines.append(f"  {v} [label={_quoted(network.label(v))}{shape}];")
    plain = all(b == 1 for b in set(network.bandwidth))
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        if reverse is not None and int(reverse[c]) < c:
            continue
        label = "" if plain else f" [label={_quoted(str(number_text(network.bandwidth[c])))}]"
        lines.append(f"  {u} {arrow} {v}{label};")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    safe = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{safe}"'


DOT: NetworkFormat = Format(
    "dot",
    "Graphviz",
    extensions=(".dot", ".gv"),
    write=lambda network, path: write_text_atomic(path, dot_text(network)),
)
