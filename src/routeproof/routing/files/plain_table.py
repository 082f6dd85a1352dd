"""Weighted paths as a plain table, a row for every hop: for spreadsheets, scripts and hardware generators."""

from __future__ import annotations

import csv
import io

from ...formats.documents.network import number_text
from ...formats.format import Format
from ...formats.text_files import FilePath, write_text_atomic
from ..base.routing import Routing, check_pairs
from .table import RoutingFormat, wrote

_HEADS = ("source", "destination", "path", "weight", "hop", "channel", "from_node", "to_node")


def _write(routing: Routing, path: FilePath) -> str:
    """Terminals, path of the pair, weight, hop, channel, its nodes, and the virtual channel where it is stated."""
    network, paths = routing.network, routing.every_path()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_HEADS, *([] if paths.virtual is None else ["virtual_channel"])])
    ends, numbers = None, 0
    for k, (i, j, weight) in enumerate(
        zip(paths.source.tolist(), paths.sink.tolist(), paths.weight.fractions(), strict=True)
    ):
        numbers = numbers + 1 if ends == (i, j) else 0
        ends, virtual = (i, j), paths.path_virtual(k)
        for hop, c in enumerate(paths.path(k)):
            tail, head = int(network.tail[c]), int(network.head[c])
            writer.writerow([i, j, numbers, number_text(weight), hop, c, tail, head, *virtual[hop : hop + 1]])
    write_text_atomic(path, out.getvalue())
    return wrote("table of hops", routing)


PLAIN_TABLE: RoutingFormat = Format(
    "hops", "table of hops", extensions=(".csv",), write=_write, check_network=check_pairs
)
