"""Sets of paths by name: what a report names, whoever verifies it makes again.

``2turn``, ``virtual-channels:V``, ``minimal``, ``minimal:weight=ATTRIBUTE``, ``ksp:K``, ``ksp:K,weight=ATTRIBUTE``.
"""

from __future__ import annotations

import re

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from .few_turns import FewVirtualChannels, TwoTurns
from .path_set import PathSet
from .shortest import ShortestPaths
from .some import few_shortest

_FEW = "virtual-channels"
_KSP = re.compile(r"ksp:([1-9][0-9]{0,3})(?:,weight=([^,:]{1,100}))?")
_SHORTEST = re.compile(r"minimal(?::weight=([^,:]{1,100}))?")

PATH_SETS = {
    "2turn": "at most two turns between dimensions and no reversal, on tori and meshes of two dimensions",
    _FEW: "virtual-channels:V, what V virtual channels free of deadlock, by turns and datelines; on tori and meshes",
    "minimal": "all shortest paths, by hops or, minimal:weight=ATTRIBUTE, by an attribute of the channels",
    "ksp": "ksp:K, the K shortest paths without a node twice; ksp:K,weight=ATTRIBUTE, by an attribute of the channels",
}


def few_virtual_channels(most: int) -> str:
    """The name of the set of paths for ``most`` virtual channels; raises InputError for less than one."""
    if most < 1:
        raise InputError(f"{most} virtual channels were asked for; at least 1 was expected")
    return f"{_FEW}:{most}"


def virtual_channels_of(name: str | None) -> int | None:
    """How many virtual channels a set of that name is for; None where it is another set."""
    kind, _, count = (name or "").partition(":")
    if kind != _FEW or not count.isdecimal() or not count.isascii() or len(count) > 3 or count != str(int(count)):
        return None
    return int(count) or None


def is_path_set(name: str) -> bool:
    """Does ``name`` have the form of one of the sets?"""
    few = virtual_channels_of(name) is not None
    return name == "2turn" or few or bool(_KSP.fullmatch(name) or _SHORTEST.fullmatch(name))


def path_set(name: str, network: Network) -> PathSet:
    """The set called ``name`` on ``network``; raises InputError where there is none."""
    if (few := _KSP.fullmatch(name)) is not None:
        return few_shortest(name, network, int(few[1]), few[2])
    if (shortest := _SHORTEST.fullmatch(name)) is not None:
        return ShortestPaths(name, network, shortest[1])
    if name.partition(":")[0] == "ksp":
        raise InputError(
            f"the paths are called '{name[:40]}'; ksp:K was expected, K from 1 to 1,024, or ksp:K,weight=ATTRIBUTE"
        )
    most, grid = virtual_channels_of(name), network.grid
    if most is None and name != "2turn":
        raise InputError(f"the paths are called '{name[:40]}'; {did_you_mean(name, PATH_SETS)}")
    if grid is None:
        raise InputError(
            f"paths of at most two turns need a torus or mesh of two dimensions; {network.name} is not one"
            if most is None
            else f"paths for {most} virtual channels need a torus or mesh; {network.name} has no grid layout "
            f"(forwarding tables for one virtual channel can be designed for any network: --paths tables "
            f"--deadlock-free)"
        )
    return TwoTurns(name, network, grid) if most is None else FewVirtualChannels(name, network, grid, most)
