"""TACCL's topologies: one box, as profiled: ``links``, ``betas`` and ``invbws``, or for NDv2 two ``node_betas_list``.

Bandwidth is what a link carries in a time unit of the file (a microsecond), in units of the size that it was profiled
for (a name such as NDv2_1MB says which): 1 / beta.  Rows are receivers, columns senders (``taccl/topologies``,
microsoft/taccl, 426bd1e3).  Not used: alpha, invbws (alpha + beta, rounded), and what leaves the box: which GPU sends
to others is in the sketch.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...topologies.build import check_size
from ..format import File, Format, NetworkFormat
from ..text_files import brief, positive_number

_NDV2 = (
    (None, 0, 1, 1, 0, None, None, None),
    (0, None, 1, 0, None, 1, None, None),
    (1, 1, None, 0, None, None, 0, None),
    (1, 0, 0, None, None, None, None, 1),
    (0, None, None, None, None, 0, 1, 1),
    (None, 1, None, None, 0, None, 1, 0),
    (None, None, 0, None, 1, 1, None, 0),
    (None, None, None, 1, 1, 0, 0, None),
)
"""Which beta of the list a link has; None: no link."""


def is_taccl_topology(file: File) -> bool:
    return file.is_json and '"gpus_per_node"' in file.start and "betas" in file.start


def read_taccl_topology(file: File) -> Network:
    """The box; raises InputError for GPUs behind a switch, whose joint bandwidth the file does not say."""
    found, what = file.document, file.what
    size = found.get("gpus_per_node")
    if type(size) is not int or not 2 <= size <= 1 << 12:
        raise InputError(f"{what}: gpus_per_node is {brief(size)}; a whole number from 2 to {1 << 12} was expected")
    widths = _custom(found, size, what) if "links" in found else _ndv2(found, size, what)
    check_size(what, nodes=size, channels=len(widths))
    terminals = range(size)
    return Network.of(
        file.stem, size, list(widths), bandwidth=list(widths.values()), source=terminals, sink=terminals,
        labels=[f"gpu{k}" for k in terminals],
    )  # fmt: skip


def _ndv2(found: dict[str, Any], size: int, what: str) -> dict[tuple[int, int], Fraction]:
    betas = found.get("node_betas_list")
    if not isinstance(betas, list) or len(betas) != 2 or size != 8:
        raise InputError(
            f"{what}: {size} GPUs with node_betas_list {brief(betas)}; 8 GPUs with two of them (NDv2) or a matrix of "
            "links was expected: what a switch carries is not in such a file"
        )
    beta = [positive_number(x, what=f"{what}: node_betas_list[{k}]") for k, x in enumerate(betas)]
    return {(u, v): 1 / beta[kind] for v, row in enumerate(_NDV2) for u, kind in enumerate(row) if kind is not None}


def _custom(found: dict[str, Any], size: int, what: str) -> dict[tuple[int, int], Fraction]:
    links, betas = (_matrix(found.get(key), size, f"{what}: {key}") for key in ("links", "betas"))
    widths = {}
    for v in range(size):
        for u in range(size):
            if links[v][u] not in (0, 1):
                raise InputError(f"{what}: links[{v}][{u}] is {brief(links[v][u])}; 0 or 1 was expected")
            if links[v][u]:
                if u == v:
                    raise InputError(f"{what}: links[{v}][{u}] joins GPU {u} to itself")
                widths[u, v] = 1 / positive_number(betas[v][u], what=f"{what}: betas[{v}][{u}]")
    if not widths:
        raise InputError(f"{what}: its links are all 0; a link was expected")
    return widths


def _matrix(value: object, size: int, what: str) -> list[list[Any]]:
    if (
        not isinstance(value, list)
        or len(value) != size
        or not all(isinstance(row, list) and len(row) == size for row in value)
    ):
        raise InputError(f"{what} is {brief(value)}; {size} lists of {size} numbers were expected")
    return value


TACCL_TOPOLOGY: NetworkFormat = Format(
    "taccl-topology",
    "TACCL's topology",
    sniff=is_taccl_topology,
    read=lambda file, _bandwidth: read_taccl_topology(file),
)
