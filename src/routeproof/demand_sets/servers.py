"""Servers: hosts with several terminals (HCAs, ports, GPUs), and the sets that leave traffic inside a server out.

Which terminals are one server is read off their names: ``gpu01 mlx5_0`` and ``gpu01 mlx5_1`` (InfiniBand), ``h1/P1``
and ``h1/P2`` (several cables of a host), ``pod0.server1.gpu0``.  The rail of a terminal is the rest of its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..core.arrays import Int32
from ..core.errors import InputError
from ..core.network import Network
from .permutations import permutations
from .transport import TransportSet

_DEVICE = r"(?i:HCA-|mlx|hfi|bnxt|qedr|irdma|ib|roce|rdma|mthca|qib|cxgb|efa|gpu|nic|npu|eth)[\w-]*\d"
_FORMS = (
    re.compile(rf"(?!MT\d)(\S+) ({_DEVICE}(?:/P\d+)?)"),
    re.compile(r"(\S+)/(P\d+)"),
    re.compile(rf"(\S+)\.({_DEVICE})"),
)


@dataclass(frozen=True)
class Servers:
    """Of every terminal the name of its server, and its rail; "" of one that is no part of a server, or of no rail."""

    server: tuple[str, ...]
    rail: tuple[str, ...]

    def __post_init__(self) -> None:
        seen: set[tuple[str, str]] = set()
        for x in zip(self.server, self.rail, strict=True):
            if all(x) and x in seen:
                raise InputError(f"server {x[0][:40]} has two terminals on rail {x[1][:40]}; one at most was expected")
            seen.add(x)

    @property
    def known(self) -> bool:
        """Has any server two terminals?"""
        named = [x for x in self.server if x]
        return len(set(named)) < len(named)

    @cached_property
    def numbers(self) -> Int32:
        """int32 (T,): the first terminal of everyone's server."""
        first: dict[str, int] = {}
        found = [first.setdefault(x, i) if x else i for i, x in enumerate(self.server)]
        return np.array(found, dtype=np.int32)


def servers_of(network: Network) -> Servers:
    """As the names of the terminals, or of their nodes, say."""
    labels = network.terminal_labels
    if labels is None:
        labels = tuple(network.label(v) for v in network.source.tolist()) if network.labels else ()
    found = [_divided(x) for x in labels] or [("", "")] * network.num_terminals
    count: dict[tuple[str, str], int] = {}
    for x in found:
        count[x] = count.get(x, 0) + 1
    kept = [x if count[x] == 1 else ("", "") for x in found]  # two terminals of one name are no two devices
    return Servers(tuple(x for x, _ in kept), tuple(x for _, x in kept))


def _divided(label: str) -> tuple[str, str]:
    for form in _FORMS:
        if found := form.fullmatch(label):
            return found[1], found[2]
    return "", ""


def across_servers(servers: Servers, *, text: str = "servers") -> TransportSet:
    """A permutation without a packet inside a server; raises InputError where no server has two terminals."""
    if not servers.known:
        raise InputError(
            f"{text}: no server with two terminals is known by its name (gpu01 mlx5_0, gpu01 mlx5_1); "
            f"servers:FILE with lines such as gpu01: h1 h2 was expected"
        )
    found = replace(permutations(len(servers.server)), text=text, apart=servers.numbers)
    found.check_possible()
    return found


def same_rail(servers: Servers, *, text: str = "rails") -> TransportSet:
    """A permutation whose packets go from a server to another one and stay on their rail."""
    across = across_servers(servers, text=text)
    rails = list(dict.fromkeys(x for x in servers.rail if x))
    number = {x: k for k, x in enumerate(rails)}
    group = np.array([number.get(x, -1) for x in servers.rail], dtype=np.int32)
    found = replace(across, group=group, jobs=tuple(rails))
    found.check_possible()
    return found


def check_servers(demands: TransportSet, rest: str | None, network: Network) -> None:
    """Raise InputError where a set that names no file has other servers than the network's names tell."""
    if rest is None and demands.apart is not None:
        _check_same(servers_of(network).numbers, demands.apart, f"{demands.text} on {network.name}: the servers")


def check_rails(demands: TransportSet, rest: str | None, network: Network) -> None:
    """The same, and of the rails, where no other part of the set has groups."""
    check_servers(demands, rest, network)
    if rest is None and demands.text == "rails" and demands.group is not None:
        wanted = same_rail(servers_of(network)).group
        assert wanted is not None
        _check_same(wanted, demands.group, f"{demands.text} on {network.name}: the rails")


def _check_same(one: Int32, other: Int32, what: str) -> None:
    """Raise InputError unless two lists of numbers divide the terminals alike."""
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    if not len(pairs) == len(set(one.tolist())) == len(set(other.tolist())):
        raise InputError(f"{what} are not those of its names")
