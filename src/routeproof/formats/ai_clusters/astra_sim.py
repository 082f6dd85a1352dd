"""ASTRA-sim's analytical networks: ``topology``, ``npus_count``, ``bandwidth`` and ``latency``, a value a dimension.

NPUs are numbered with dimension 0 fastest, as ASTRA-sim does.  The NPUs that differ in one dimension alone are joined
by its building block: ``Ring`` (links both ways between neighbours; between two NPUs one), ``FullyConnected`` (a link
from each to each), or ``Switch`` (a switch of their own, a link both ways for each NPU).  ``bandwidth`` is that of
every such link in either direction, and is kept in the file's unit, GB/s: a throughput is the GB/s that every NPU can
send.

Not used: ``latency``, which changes no load.  All other keys are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...topologies.build import check_size
from ...topologies.grid.lattice import hyperx, torus
from ..format import File, Format, NetworkFormat
from ..text_files import brief, parse_number, positive_number, unexpected
from .flow_yaml import Value, parse_flow_yaml
from .meshes import whole

_KEYS = ("topology", "npus_count", "bandwidth", "latency")
_BLOCKS = ("Ring", "FullyConnected", "Switch")
_SINGLE = re.compile(r"(?:^|[{,])[ \t]*\"?(topology|npus_count|bandwidth)\"?\s*:", re.M)
_OLD = re.compile(r"\"(topology-name|topologies-per-dim|units-count|logical-dims)\"\s*:")


def _is_mine(file: File) -> bool:
    found = set(_SINGLE.findall(file.start))
    return ("topology" in found and len(found) > 1) or "npus_count" in found or bool(_OLD.search(file.start))


def read_astra_sim(file: File) -> Network:
    found = parse_flow_yaml(file.text, what=file.what)
    _check_keys(found, file.what)
    blocks, counts, speeds = (_words(found, x, file.what) for x in _KEYS[:3])
    for x in blocks:
        if x not in _BLOCKS:
            raise InputError(f"{file.what}: topology {brief(x)} is unknown; {did_you_mean(x, _BLOCKS)}")
    sizes = [whole(x, f"{file.what}: npus_count", least=2) for x in counts]
    widths = [positive_number(x, what=f"{file.what}: bandwidth") for x in speeds]
    latencies = _words(found, "latency", file.what) if "latency" in found else blocks
    for x in latencies if "latency" in found else ():
        if parse_number(x, what=f"{file.what}: latency") < 0:
            raise unexpected(f"{file.what}: latency", x, "a number of at least 0")
    for name, values in (("npus_count", sizes), ("bandwidth", widths), ("latency", latencies)):
        if len(values) != len(blocks):
            raise InputError(f"{file.what}: {len(blocks)} dimensions of topology and {len(values)} of {name}; one each")
    kinds = set(blocks)
    if kinds == {"Ring"}:
        return torus(*sizes[::-1], bandwidth=widths[::-1])
    if kinds == {"FullyConnected"}:
        return hyperx(*sizes[::-1], bandwidth=widths[::-1])
    return _product(file, blocks, sizes, widths)


def _product(file: File, blocks: list[str], sizes: list[int], widths: list[Fraction]) -> Network:
    npus = math.prod(sizes)
    switches = sum(npus // k for x, k in zip(blocks, sizes, strict=True) if x == "Switch")
    each = sum(k - 1 if x == "FullyConnected" else 2 for x, k in zip(blocks, sizes, strict=True))
    check_size(file.what, nodes=npus + switches, channels=npus * each)
    labels = [f"npu{k}" for k in range(npus)]
    ends: list[Int64] = []
    along: list[Fraction] = []
    for dimension, (block, size, width) in enumerate(zip(blocks, sizes, widths, strict=True)):
        step = math.prod(sizes[:dimension])
        first = np.arange(npus).reshape(-1, size, step)[:, 0, :].ravel()  # the first of all that differ in it alone
        if block == "Switch":
            switch = len(labels) + np.arange(len(first))
            labels += [f"dim{dimension}.switch{k}" for k in range(len(first))]
            up = [np.stack([first + k * step, switch], axis=1) for k in range(size)]
            found = [x for link in up for x in (link, link[:, ::-1])]
        else:
            found = [np.stack([first + a * step, first + b * step], axis=1) for a, b in _pairs(block, size)]
        ends += found
        along += [width] * sum(map(len, found))
    return Network.of(
        file.stem, len(labels), np.concatenate(ends), bandwidth=along, source=np.arange(npus), sink=np.arange(npus),
        labels=labels,
    )  # fmt: skip


def _pairs(block: str, size: int) -> Iterator[tuple[int, int]]:
    """Which of ``size`` NPUs are joined, both ways."""
    for a in range(size):
        for b in range(size):
            if a != b and (block == "FullyConnected" or (b - a) % size in (1, size - 1)):
                yield a, b


def _check_keys(found: dict[str, Value], what: str) -> None:
    if "logical-dims" in found:
        raise InputError(
            f"{what} has ASTRA-sim's logical dimensions alone; the network is in the list of links for ns-3 beside it"
        )
    if "topologies-per-dim" in found or "units-count" in found:
        raise InputError(
            f"{what} is a network of ASTRA-sim 1 (units-count, links-count); that of ASTRA-sim 2 was expected, with "
            f"topology, npus_count, bandwidth and latency"
        )
    for name in found:
        if name not in _KEYS:
            raise InputError(f"{what} has an unknown key {brief(name)}; {did_you_mean(name, _KEYS)}")


def _words(found: dict[str, Value], name: str, what: str) -> list[str]:
    if name not in found:
        raise InputError(f"{what} has no key '{name}'; {', '.join(_KEYS)} were expected")
    values = found[name]
    if not isinstance(values, list) or not values:
        raise unexpected(f"{what}: {name}", values, "a list with a value for each dimension")
    for x in values:
        if not isinstance(x, str):
            raise unexpected(f"{what}: {name}", x, "a word or a number for each dimension")
    return [str(x) for x in values]


ASTRA_SIM: NetworkFormat = Format(
    "astra-sim", "ASTRA-sim's analytical network", sniff=_is_mine, read=lambda file, _bandwidth: read_astra_sim(file)
)
