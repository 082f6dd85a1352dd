"""Routings that people run, by name: what ``spec`` lists of them, and how each is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.network import Network
from ..base.routing import Routing

__all__ = ["PRACTICE"]

_Make = Callable[[Network, dict[str, Any]], Routing]


def _up_down(network: Network, options: dict[str, Any]) -> Routing:
    from ..graph.up_down import UpDown

    return UpDown(**options).on(network)


def _dmodk(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.mod_k import ModK

    return ModK("destination").on(network)


def _smodk(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.mod_k import ModK

    return ModK("source").on(network)


def _random_path(network: Network, options: dict[str, Any]) -> Routing:
    from ..graph.single_paths import RandomPath

    return RandomPath(**options).on(network)


def _lash(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.single_paths import FirstPath

    return FirstPath().on(network)


def _sssp(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.single_paths import ShortestTrees

    return ShortestTrees().on(network)


def _few_shortest(network: Network, options: dict[str, Any]) -> Routing:
    from ..graph.k_shortest import FewShortest

    return FewShortest(**options).on(network)


def _dragonfly_minimal(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.dragonfly import DragonflyMinimal

    return DragonflyMinimal().on(network)


def _dragonfly_valiant(network: Network, options: dict[str, Any]) -> Routing:
    from ..graph.dragonfly import DragonflyValiant

    return DragonflyValiant(**options).on(network)


def _wcmp(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.wcmp import WCMP

    return WCMP(network)


def _hashed(network: Network, _: dict[str, Any]) -> Routing:
    from ..graph.per_hop import per_hop_routing

    return per_hop_routing(network)


PRACTICE: Mapping[str, tuple[str, _Make, Mapping[str, str], frozenset[str]]] = {
    "updown": (
        "up*/down*: shortest paths that never go up after they went down, on any network",
        _up_down,
        {
            "root": "the node that up leads to; by default the most central one, without terminals if possible",
            "paths": "all (alike) or one (the first)",
        },
        frozenset({"root"}),
    ),
    "dmodk": ("D-mod-K on fat trees: the way up by digits of the destination", _dmodk, {}, frozenset()),
    "smodk": ("S-mod-K on fat trees: the way up by digits of the source", _smodk, {}, frozenset()),
    "random-path": (
        "one random shortest path for each pair of nodes, fixed; on fat trees, static random routing",
        _random_path,
        {"seed": "of the draw, needed"},
        frozenset({"seed"}),
    ),
    "sssp": ("for each terminal a tree of shortest paths that avoids loaded channels", _sssp, {}, frozenset()),
    "dfsssp": ("another name of sssp, whose layers --virtual-channels finds", _sssp, {}, frozenset()),
    "lash": ("the first shortest path of each pair, whose layers --virtual-channels finds", _lash, {}, frozenset()),
    "ksp": (
        "the k shortest simple paths of each pair, alike (Yen)",
        _few_shortest,
        {"k": "how many paths (8)"},
        frozenset({"k"}),
    ),
    "dragonfly-minimal": (
        "within groups and over one global channel, on dragonflies",
        _dragonfly_minimal,
        {},
        frozenset(),
    ),
    "dragonfly-valiant": (
        "through a random third group, on dragonflies",
        _dragonfly_valiant,
        {"local": "minimal, or valiant: through a random node for packets within a group"},
        frozenset(),
    ),
    "hashed-ecmp": ("another name of minimal:choice=per-hop: an equal split at every switch", _hashed, {}, frozenset()),
    "wcmp": ("shortest paths, split at every switch in proportion to bandwidth", _wcmp, {}, frozenset()),
}
