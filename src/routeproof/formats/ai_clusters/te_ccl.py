"""TE-CCL's inputs: the network that ``TopologyParams`` names, in GB/s each way.

Networks are built as ``teccl/topologies`` (microsoft/TE-CCL, c128bf24) does.  Its mesh also joins the last node of a
row to the first one of the next; a warning says so.  Not used: ``chunk_size``, in which TE-CCL counts, ``alpha``, the
options of solver and instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.errors import InputError, did_you_mean, warn
from ...core.network import Network
from ...topologies.build import check_size
from ...topologies.datacenter.gpu_boxes import dgx1, dgx2, mi250, ndv2
from ..format import File, Format, NetworkFormat
from ..text_files import brief

_KEY = "TopologyParams"
_NAMES = ("DGX1", "DGX2", "NDv2", "AMD", "Mesh")
_MESH = 100


def read_te_ccl_input(file: File) -> Network:
    """The network; raises InputError for another name, and for numbers of chassis that TE-CCL builds otherwise."""
    what = f"{file.what}: {_KEY}"
    found = file.document.get(_KEY)
    if not isinstance(found, dict):
        raise InputError(f"{what} is {brief(found)}; an object with name and chassis was expected")
    name = found.get("name", "DGX1")
    if name not in _NAMES:
        known = did_you_mean(name[:40], _NAMES) if isinstance(name, str) else f"one of {', '.join(_NAMES)} was expected"
        raise InputError(f"{what}: name is {brief(name)}; {known}")
    chassis = _whole(found, "chassis", 1, what)
    if name == "Mesh":
        return _mesh(_whole(found, "side_length", 4, what), file)
    only = {"DGX1": 1, "DGX2": 2, "AMD": 1}.get(name)
    if only is not None and chassis != only:
        raise InputError(f"{what}: {name} has {chassis} chassis; {only}, as TE-CCL builds it, is read")
    if name == "NDv2" and chassis == 1:
        raise InputError(f"{what}: TE-CCL puts a switch between GPUs 0 and 1 of one NDv2; ndv2:1 is without")
    builders: dict[str, Callable[[], Network]] = {
        "DGX1": dgx1,
        "DGX2": lambda: dgx2(2),
        "AMD": lambda: mi250(1),
        "NDv2": lambda: ndv2(chassis),
    }
    return builders[name]()


def _whole(found: dict[str, Any], key: str, usual: int, what: str) -> int:
    value = found.get(key, usual)
    if type(value) is not int or not 1 <= value < 1 << 20:
        raise InputError(f"{what}: {key} is {brief(value)}; a whole number of at least 1 was expected")
    return value


def _mesh(side: int, file: File) -> Network:
    if side < 2:
        raise InputError(f"{file.what}: {_KEY}: side_length is {side}; at least 2 was expected")
    nodes = side * side
    check_size(file.what, nodes=nodes, channels=2 * (nodes - 1 + nodes - side))
    pairs = [(v, v + step) for step in dict.fromkeys((1, side)) for v in range(nodes - step)]
    warn(f"{file.what}: as in TE-CCL, its mesh joins the last node of every row to the first one of the next")
    terminals = range(nodes)
    ends = [x for a, b in pairs for x in ((a, b), (b, a))]
    return Network.of(file.stem, nodes, ends, bandwidth=[_MESH] * len(ends), source=terminals, sink=terminals)


TE_CCL_INPUT: NetworkFormat = Format(
    "te-ccl-input",
    "TE-CCL's input",
    sniff=lambda file: file.is_json and f'"{_KEY}"' in file.start,
    read=lambda file, _bandwidth: read_te_ccl_input(file),
)
