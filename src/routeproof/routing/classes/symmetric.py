"""Routings given for one pair of every class of pairs equivalent under symmetry: loads in full, and their reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.symmetry import Automorphism, check_automorphism
from ...core.translations import translations_of
from ...formats.documents.packed_ints import unpack_ints
from ..base.routing import Routing
from .class_loads import ClassLoads, describe_classes, symmetry_of
from .invariant import InvariantRouting
from .symmetric_table import SymmetricRouting

__all__ = [
    "ClassLoads",
    "SymmetricRouting",
    "describe_classes",
    "read_symmetric",
    "routing_of_classes",
    "symmetry_of",
]

_MOST_TABLED = 4_000_000


def routing_of_classes(
    network: Network,
    name: str,
    classes: Sequence[ClassLoads],
    *,
    generators: Sequence[Automorphism],
    reversal: bool,
    declared: Sequence[str] | None,
) -> Routing:
    """A ``SymmetricRouting`` or, where its table is too large and translations do instead, an ``InvariantRouting``."""
    longest = max((len(one.channel) for one in classes), default=0)
    if network.num_nodes**2 * longest > _MOST_TABLED:
        for g in generators:
            check_automorphism(network, g)
        shift = translations_of(network, generators)
        if shift is not None:
            return InvariantRouting(
                network, name, classes, translations=shift, generators=generators, reversal=reversal, declared=declared
            )
    return SymmetricRouting(network, name, classes, generators=generators, reversal=reversal, declared=declared)


def read_symmetric(network: Network, data: Mapping[str, Any]) -> Routing:
    """The routing that ``describe`` wrote.  Whether it delivers every pair is not yet checked: call ``check``.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    name, classes = data["spec"], data["classes"]
    if not isinstance(classes, list):
        raise InputError("loads by class need 'classes' (a list)")
    scale = parse_fraction(data.get("scale"), what="the scale of the loads")
    if scale.denominator != 1 or scale < 1:
        raise InputError("the scale of the loads must be a whole number, at least 1")
    generators, reversal, declared = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 4:
            raise InputError("a class of pairs is [source, destination, channels, loads]")
        i, j = (_node(network, x) for x in item[:2])
        channel = unpack_ints(item[2], what="the channels of a class", max_items=network.num_channels)
        outside = len(channel) and (int(channel.min()) < 0 or int(channel.max()) >= network.num_channels)
        if i == j or outside or len(np.unique(channel)) != len(channel):
            raise InputError(f"the class of nodes {i} and {j} names wrong channels")
        load = _loads(item[3], len(channel))
        found.append(ClassLoads(i, j, channel.astype(np.int32), load, int(scale)))
    return routing_of_classes(network, name, found, generators=generators, reversal=reversal, declared=declared)


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
