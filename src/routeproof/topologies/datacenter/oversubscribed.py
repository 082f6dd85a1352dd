"""Folded Clos networks as they are planned: so many hosts and switches, and how far each tier is oversubscribed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction
from ..build import Bandwidth, axis_bandwidths, named_after, whole_numbers
from ..family import family
from .fat_tree import xgft


def leaf_spine(
    hosts: int, leaves: int, spines: int, *, oversubscription: Bandwidth | None = None, bandwidth: Bandwidth = 1
) -> Network:
    """Two tiers: ``leaves`` with ``hosts`` terminals each, joined to each of the ``spines``.

    ``oversubscription``: what the hosts of a leaf send at most, of what its links up carry; each of these has
    bandwidth hosts / (spines * oversubscription) then.  Without it links have ``bandwidth``, where a host has 1.
    Leaves are nodes 0 to l - 1, then the spines.

    The worst case of ``minimal`` is the oversubscription, where there are two leaves and it is at least 1.
    Declared symmetry and numbers as of ``xgft``: XGFT(2; h, l; 1, s).
    Source: Clos 1953; Alizadeh & Edsall 2013 (HotI), On the data path performance of leaf-spine datacenter fabrics.
    """
    h, count, s = whole_numbers((hosts, leaves, spines), "hls", "leaf-spine:h,l,s")
    name = f"leaf-spine:{h},{count},{s}"
    ratios = _ratios(oversubscription, 1, name)
    given = axis_bandwidths(bandwidth, 1, family=name)
    return _named([h, count], [1, s], given, None if ratios is None else [h / (s * ratios[0])], name, ratios)


def three_tier_clos(
    hosts: int,
    leaves: int,
    aggregation: int,
    cores: int,
    pods: int,
    *,
    oversubscription: Bandwidth | Sequence[Bandwidth] | None = None,
    bandwidth: Bandwidth | Sequence[Bandwidth] = 1,
) -> Network:
    """Three tiers: ``pods`` of ``leaves`` with ``hosts`` terminals each, all joined to all ``aggregation`` switches;
    aggregation switch x of every pod is joined to the same ``cores`` switches, those of plane x.

    ``oversubscription``: of leaves, and of aggregation switches, one for both or "3x2": what comes from below at most,
    of what the links up carry; it makes their bandwidths.  Without it links have ``bandwidth``, one for both tiers or
    "2x1" from below, where a host has 1.  Leaves are numbered first, pod by pod, then the aggregation switches, then
    the cores.

    The worst case of ``minimal`` is the product, where there are two pods and both are at least 1.
    Declared symmetry and numbers as of ``xgft``: XGFT(3; h, l, p; 1, a, c).
    Source: Clos 1953; Al-Fares, Loukissas & Vahdat 2008 (SIGCOMM): ``fat-tree:k`` is h = l = a = c = k/2, p = k.
    """
    sizes = whole_numbers((hosts, leaves, aggregation, cores, pods), "hlacp", "three-tier-clos:h,l,a,c,p")
    h, count, a, c, p = sizes
    name = "three-tier-clos:" + ",".join(map(str, sizes))
    ratios = _ratios(oversubscription, 2, name)
    given = axis_bandwidths(bandwidth, 2, family=name)
    made = None
    if ratios is not None:
        low = h / (a * ratios[0])
        made = [low, count * low / (c * ratios[1])]
    return _named([h, count, p], [1, a, c], given, made, name, ratios)


def _ratios(given: Bandwidth | Sequence[Bandwidth] | None, tiers: int, name: str) -> list[Fraction] | None:
    if given is None:
        return None
    parts: Sequence[Bandwidth]
    if isinstance(given, str):
        parts = given.split("x")
    else:
        parts = given if isinstance(given, Sequence) else [given]
    found = [parse_fraction(x, what=f"oversubscription of {name}") for x in parts]
    if len(found) == 1:
        found *= tiers
    if len(found) != tiers:
        raise InputError(f"oversubscription of {name} has {len(found)} ratios for {tiers} tiers; one each was expected")
    for x in found:
        if x <= 0:
            raise InputError(f"oversubscription of {name} is {x}; a number above 0 was expected, such as 3")
    return found


def _named(
    down: list[int],
    up: list[int],
    given: Sequence[Fraction],
    made: Sequence[Fraction] | None,
    name: str,
    ratios: Sequence[Fraction] | None,
) -> Network:
    if made is not None and any(x != 1 for x in given):
        raise InputError(f"{name} with oversubscription= and bandwidth=; the first makes the second: one was expected")
    network = xgft(down, up, bandwidth=given if made is None else made)
    option = "" if ratios is None else f"oversubscription={'x'.join(map(str, ratios))}"
    return named_after(network, name, option, bandwidth=given)


LEAF_SPINE = family(
    "leaf-spine:8,4,4,oversubscription=2",
    "h hosts a leaf, l leaves, s spines; oversubscription=: of the leaves, makes the bandwidth of links",
    leaf_spine,
    "h,l,s",
)
THREE_TIER_CLOS = family(
    "three-tier-clos:4,4,2,2,3,oversubscription=3x2",
    "h hosts a leaf, l leaves and a aggregation switches a pod, c cores each, p pods; oversubscription=",
    three_tier_clos,
    "h,l,a,c,p",
)
