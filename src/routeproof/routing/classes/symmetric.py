"""Routings given for one pair of every class of pairs equivalent under symmetry: made, and read from reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.symmetry import check_automorphism
from ...core.translations import translations_of
from ...formats.documents.packed_ints import unpack_ints
from ...symmetry.described import ClassSymmetry, symmetry_of
from ..base.routing import Routing
from ..path_sets.names import path_set
from .invariant import InvariantRouting
from .path_classes import ClassPaths, PathClassRouting
from .symmetric_table import ClassLoads, SymmetricRouting

_MOST_TABLED = 4_000_000


def routing_of_classes(network: Network, name: str, classes: Sequence[ClassLoads], symmetry: ClassSymmetry) -> Routing:
    """A ``SymmetricRouting`` or, where its table is too large and translations do instead, an ``InvariantRouting``."""
    longest = max((len(one.channel) for one in classes), default=0)
    if network.num_nodes**2 * longest > _MOST_TABLED:
        for g in symmetry.generators:
            check_automorphism(network, g)
        shift = translations_of(network, symmetry.generators)
        if shift is not None:
            return InvariantRouting(network, name, classes, symmetry, shift)
    return SymmetricRouting(network, name, classes, symmetry)


def read_symmetric(network: Network, data: Mapping[str, Any]) -> Routing:
    """The routing that ``describe_classes`` wrote.  Whether it delivers every pair is not yet checked: call ``check``.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    classes = _listed(data, "classes", "loads by class")
    scale = _scale(data, "loads")
    symmetry = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 4:
            raise InputError("a class of pairs is [source, destination, channels, loads]")
        i, j = (_node(network, x) for x in item[:2])
        channel, inside = _channels(network, item[2], "the channels of a class")
        if i == j or not inside or len(np.unique(channel)) != len(channel):
            raise InputError(f"the class of nodes {i} and {j} names wrong channels")
        found.append(ClassLoads(i, j, channel.astype(np.int32), _loads(item[3], len(channel)), scale))
    return routing_of_classes(network, data["spec"], found, symmetry)


def read_path_classes(network: Network, data: Mapping[str, Any]) -> PathClassRouting:
    """The routing that ``PathClassRouting.written_in_full`` wrote.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    allowed = data.get("allowed")
    if allowed is not None and not isinstance(allowed, str):
        raise InputError("'allowed' must name a set of paths")
    classes = _listed(data, "path_classes", "paths by class")
    scale = _scale(data, "weights")
    symmetry = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[2], list):
            raise InputError("a class of pairs is [source, destination, [[weight, channels], ...]]")
        i, j = (_node(network, x) for x in item[:2])
        paths = []
        for entry in item[2]:
            if not isinstance(entry, list) or len(entry) != 2:
                raise InputError("a path of a class is [weight, channels]")
            channel, inside = _channels(network, entry[1], "the channels of a path")
            if not inside:
                raise InputError(f"a path from node {i} to node {j} names wrong channels")
            paths.append((parse_fraction(entry[0], what="a weight") / scale, [int(c) for c in channel]))
        found.append(ClassPaths(i, j, paths))
    within = None if allowed is None else path_set(allowed, network)
    return PathClassRouting(network, data["spec"], found, symmetry, within=within)


def _listed(data: Mapping[str, Any], key: str, what: str) -> list[Any]:
    items = data[key]
    if not isinstance(items, list):
        raise InputError(f"{what} need '{key}' (a list)")
    return items


def _scale(data: Mapping[str, Any], of: str) -> int:
    scale = parse_fraction(data.get("scale"), what=f"the scale of the {of}")
    if scale.denominator != 1 or scale < 1:
        raise InputError(f"the scale of the {of} must be a whole number, at least 1")
    return int(scale)


def _channels(network: Network, value: object, what: str) -> tuple[npt.NDArray[np.int64], bool]:
    """The packed channels, and whether all of them are channels of the network."""
    channel = unpack_ints(value, what=what, max_items=network.num_channels)
    return channel, bool(((channel >= 0) & (channel < network.num_channels)).all())


def _loads(value: object, count: int) -> list[int]:
    if isinstance(value, str):
        load = [int(x) for x in unpack_ints(value, what="the loads of a class", max_items=count)]
    elif isinstance(value, list):
        numbers = [parse_fraction(x, what="a load") for x in value]
        load = [int(x) if x.denominator == 1 else 0 for x in numbers]
    else:
        raise InputError("the loads of a class must be packed, or a list of whole numbers")
    if len(load) != count or any(x <= 0 for x in load):
        raise InputError(f"a class with {count} channels needs as many positive loads")
    return load


def _node(network: Network, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < network.num_nodes:
        raise InputError(f"node {str(value)[:40]!r} of a class is outside 0 to {network.num_nodes - 1}")
    return value
