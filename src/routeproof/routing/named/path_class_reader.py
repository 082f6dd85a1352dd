"""Routings by weighted paths for every class of pairs, as reports write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.plain_names import plain_name
from ...core.rational import parse_fraction
from ...formats.documents.packed_ints import unpack_ints
from ...topologies.traffic_models import TRAFFIC_MODELS
from ..base.entry import RoutingEntry
from ..classes.class_loads import symmetry_of
from ..classes.path_classes import ClassPaths, PathClassRouting
from ..function.settings import settings_of, whole
from .names import ROUTINGS

__all__ = ["read_path_classes"]


def read_path_classes(network: Network, data: Mapping[str, Any]) -> PathClassRouting:
    """The routing that ``PathClassRouting.written_in_full`` wrote.

    A name of this package that stands for paths of a set must be true of the paths.  Raises InputError or
    VerificationError for anything that does not fit the network.
    """
    name, classes, allowed = data["spec"], data["path_classes"], data.get("allowed")
    if re.match(r"designed\s+(with|as)\b", plain_name(name)):
        # As the package writes it, to the letter: what the routing was made for is told by its options.
        designed = re.fullmatch(r"designed (?:with|as) ([0-9a-z]+)(?::(.*))?", name)
        made = None if designed is None else ROUTINGS.own.get(designed[1])
        if designed is None or made is None or made.solved_within is None or allowed != made.solved_within:
            raise InputError(
                f"the routing is called '{name[:40]}', but its paths are not said to be those of that design"
            )
        _check_options(designed[1], designed[2], made)
    if allowed is not None and not isinstance(allowed, str):
        raise InputError("'allowed' must name a set of paths")
    if not isinstance(classes, list):
        raise InputError("paths by class need 'path_classes' (a list)")
    scale = parse_fraction(data.get("scale"), what="the scale of the weights")
    if scale.denominator != 1 or scale < 1:
        raise InputError("the scale of the weights must be a whole number, at least 1")
    generators, reversal, declared = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[2], list):
            raise InputError("a class of pairs is [source, destination, [[weight, channels], ...]]")
        ends = item[:2]
        if any(isinstance(x, bool) or not isinstance(x, int) or not 0 <= x < network.num_nodes for x in ends):
            raise InputError("a class of pairs names no two nodes of the network")
        paths = []
        for entry in item[2]:
            if not isinstance(entry, list) or len(entry) != 2:
                raise InputError("a path of a class is [weight, channels]")
            channel = unpack_ints(entry[1], what="the channels of a path", max_items=network.num_channels)
            if len(channel) and (int(channel.min()) < 0 or int(channel.max()) >= network.num_channels):
                raise InputError(f"a path from node {ends[0]} to node {ends[1]} names wrong channels")
            paths.append((parse_fraction(entry[0], what="a weight") / scale, [int(c) for c in channel]))
        found.append(ClassPaths(int(ends[0]), int(ends[1]), paths))
    return PathClassRouting(
        network, name, found, generators=generators, reversal=reversal, declared=declared, allowed=allowed
    )


def _check_options(name: str, options: str | None, made: RoutingEntry) -> None:
    given = settings_of(name, [] if options is None else options.split(","), made.options)
    for key in {"samples", "seed"} & set(given):
        whole(name, key, given[key])
    if given.get("traffic", "permutation") not in TRAFFIC_MODELS:
        raise InputError(f"{name}: its traffic is '{given['traffic'][:40]}'; known: {', '.join(TRAFFIC_MODELS)}")
