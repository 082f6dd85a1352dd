"""NVLinks between the GPUs of a server, as ``nvidia-smi topo -m`` prints them: a matrix of texts.

``NV4`` means four NVLinks between two GPUs.  ``PIX``, ``PXB``, ``PHB``, ``NODE``, ``SYS`` (``SOC`` of old drivers) say
over which bridges, CPUs and NUMA nodes of PCIe a path leads, not what these carry, so that only NVLinks are read.
Bandwidth 1 is one NVLink, whatever its generation; ``bandwidth=25`` says what that is in GB/s each way.

Where GPUs are on NVSwitches, each shows all its NVLinks to every other one.  So equal counts that add up to more than a
GPU has (18) are those of NVSwitches, which are one node, as in NCCL.  GPUs on NVSwitches have 6 NVLinks at least.
Source: the legend of the program; matrices of DGX-1, HGX A100, H100 and B200, and of boards with bridges, as people
publish them.
"""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from ...core.errors import InputError, warn
from ...core.graph import hops_from
from ...core.network import Network
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief, positive_number
from .nccl import Link, Part, Server, network_of_server

_MOST, _LEAST_SWITCHED = 18, 6  # NVLinks of a GPU: the most of any; the fewest of one that is on NVSwitches
_MARKS = re.compile(r"\x1b\[\d*m")  # the program underlines the heading
_WORD = re.compile(r"NV([1-9]\d?)|PIX|PXB|PHB|NODE|SYS|SOC")
_HEADING = re.compile(r"^(?:\x1b\[\d*m|\s)*GPU0(?:\x1b\[\d*m|\s)+(?:GPU\d|NIC\d|mlx\S*|CPU Affinity)", re.M)
_INSTEAD = "NCCL's topology XML (NCCL_TOPO_DUMP_FILE) has all links with their bandwidths"


def read_matrix(file: File, bandwidth: Bandwidth = None) -> Network:
    """The NVLinks; raises InputError for GPUs that these do not join, and where they may be direct or to NVSwitches."""
    links = _links(file)
    size, what = len(links), file.what
    each = {sum(row) for row in links}
    near = {x for a, row in enumerate(links) for b, x in enumerate(row) if a != b}
    total = (size - 1) * min(near, default=0)
    is_even = len(near) == 1 and size > 2
    tail, head = np.nonzero(np.array(links))
    if size < 2 or (hops_from(size, tail, head, 0) < 0).any():
        raise InputError(
            f"{what}: NVLinks do not join all of its {size} GPUs, and what PCIe carries is not said there; {_INSTEAD}"
        )
    if is_even and total <= _MOST and min(near) >= _LEAST_SWITCHED:
        raise InputError(
            f"{what}: NV{min(near)} between all {size} GPUs is either so many NVLinks for each pair, or all that a GPU "
            f"has to NVSwitches: the matrix does not say which; {_INSTEAD}"
        )
    if not is_even and max(each) > _MOST:
        raise InputError(f"{what}: a GPU with {max(each)} NVLinks; {_MOST} at most were expected")
    unit = Fraction(1) if bandwidth is None else positive_number(bandwidth, what=f"{what}: bandwidth")
    server = Server([Part("gpu", f"GPU{k}", 0) for k in range(size)], gpus=list(range(size)))
    if is_even and total > _MOST:
        server.parts.append(Part("nvswitch", "NVSwitch", 0))
        ends = [(k, size, min(near)) for k in range(size)] + [(size, k, min(near)) for k in range(size)]
    else:
        ends = [(a, b, x) for a, row in enumerate(links) for b, x in enumerate(row) if x]
    server.links = [Link(a, b, "NVLink", x * unit) for a, b, x in ends]
    warn(f"{what}: NVLinks alone are read; NICs and paths over PCIe, whose bandwidths are not said, are left out")
    network = network_of_server(server, name=file.stem)
    return network if bandwidth is not None else network.plain()


def _links(file: File) -> list[list[int]]:
    """How many NVLinks there are between each two GPUs."""
    size, rows = 0, list[list[int]]()
    for line in file.lines(indented=True):
        words = _MARKS.sub("", line.text).split()
        if not size and words[:1] == ["GPU0"]:
            size = next((k for k, x in enumerate(words) if x != f"GPU{k}"), len(words))
        elif size and words and words[0] == f"GPU{len(rows)}" and len(rows) < size:
            rows.append([_count(words[1 + k :], k == len(rows), line) for k in range(size)])
    if len(rows) != size:
        raise InputError(f"{file.what} has {len(rows)} rows for {size} GPUs; one for each was expected")
    wrong = next(((a, b) for a in range(size) for b in range(a) if rows[a][b] != rows[b][a]), None)
    if wrong is not None:
        raise InputError(f"{file.what}: GPU{wrong[0]} and GPU{wrong[1]} state different numbers of NVLinks")
    return rows


def _count(words: list[str], is_self: bool, line: Line) -> int:
    word = words[0] if words else ""
    known = _WORD.fullmatch(word)
    if (word == "X") != is_self or (known is None and not is_self):
        raise line.error(f"{brief(word)}; {'X' if is_self else 'NV and a number, PIX, PXB, PHB, NODE or SYS'} expected")
    return int(known[1] or 0) if known is not None else 0


NVIDIA_SMI: NetworkFormat = Format(
    "nvidia-smi",
    "the matrix of nvidia-smi topo -m",
    sniff=lambda file: _HEADING.search(file.start) is not None,
    read=read_matrix,
    options=("bandwidth",),
)
