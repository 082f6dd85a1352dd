"""htsim's ``.topo``: fat trees of two or three tiers, by numbers of ports and speeds.

``Nodes``, ``Tiers`` and ``Podsize``, then a block for each tier (``Tier 0``: the switches that hosts hang on):
``Downlink_speed_Gbps``, ``Radix_Down``, ``Radix_Up`` (not of the highest), ``Oversubscribed``, ``Bundle`` (parallel
links to each switch below).  As in ``fat_tree_topology.cpp`` of htsim: hosts in order hang on the switches of tier 0;
in a pod each of these is joined to each switch of tier 1; of a pod's ``a`` switches of tier 1, number x is joined to
switches x, x + a, x + 2a, ... of tier 2.  Links of a bundle are parallel channels.

Not used: latencies and lengths of queues, which change no load.  Numbers that do not fit together are refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...topologies.build import check_size
from ..format import Bandwidth, File, Format, NetworkFormat
from ..rated import RatedNetwork, in_units
from ..text_files import brief, whole_number

_HEADER = ("nodes", "tiers", "podsize")
_OF_TIER = {"downlink_speed_gbps": None, "radix_down": None, "radix_up": 0, "oversubscribed": 1, "bundle": 1}
"""What a tier has, in the order of ``_Tier``, and what is taken where it is not stated."""
_UNUSED = ("queue_up", "queue_down", "switch_latency_ns", "downlink_latency_ns")
_BEGINS = re.compile(r"([ \t]*(#[^\n]*)?\r?\n)*[ \t]*(nodes|tiers|podsize)[ \t]+[0-9]", re.I)
_TIER = re.compile(r"^[ \t]*tier[ \t]+[0-2][ \t]*\r?$", re.I | re.M)


class _Tier(NamedTuple):
    """Of the switches of one tier: Gb/s of a link down, ports down and up, parallel links down to one switch."""

    gbps: int
    down: int
    up: int
    oversubscribed: int
    bundle: int


def read_htsim(file: File, bandwidth: Bandwidth = None) -> Network:
    header, tiers = _parsed(file)
    what = file.what
    nodes, pod = header["nodes"], header["podsize"]
    pods = _divided(nodes, pod, f"{what}: {nodes} nodes in pods of {pod}")
    if len(tiers) == 2 and pods != 1:
        raise InputError(f"{what}: {pods} pods of two tiers are not joined; Podsize {nodes} was expected")
    low, middle = tiers[:2]
    if low.bundle != 1:
        raise InputError(f"{what}, tier 0: Bundle {low.bundle}; hosts have one link (htsim): 1 was expected")
    tors = _divided(pod, low.down, f"{what}: a pod of {pod} nodes on switches of {low.down} ports down (tier 0)")
    aggs = _above(what, 0, low, middle, switches=pods * tors, groups=pods) // pods
    cores = _above(what, 1, middle, tiers[2], switches=pods * aggs, groups=1) if len(tiers) == 3 else 0
    total = pods * (tors + aggs) + cores
    links = pods * tors * low.up + (pods * aggs * middle.up if cores else 0)
    check_size(what, nodes=total, channels=2 * links, terminals=nodes)
    below = _joined(pods, tors, aggs, middle.bundle)
    ends = [below]
    rates = [middle.gbps] * len(below)
    if cores:
        if cores * tiers[2].bundle != aggs * middle.up:
            raise InputError(
                f"{what}: tier 1 reaches {aggs * middle.up // tiers[2].bundle} switches of tier 2, not {cores}; "
                f"Radix_Down {pods * tiers[2].bundle} of tier 2 was expected: {tiers[2].bundle} for each of {pods} pods"
            )
        agg = np.arange(pods * aggs)
        each = middle.up // tiers[2].bundle
        core = (agg % aggs)[:, None] + aggs * np.arange(each)[None, :]
        above = np.stack([np.repeat(agg, each) + pods * tors, core.ravel() + pods * (tors + aggs)], axis=1)
        ends.append(np.repeat(above, tiers[2].bundle, axis=0))
        rates += [tiers[2].gbps] * (len(above) * tiers[2].bundle)
    there = np.concatenate(ends)
    both = [Fraction(x) for x in rates for _ in range(2)]
    widths, unit, slowest = in_units(bandwidth, both, [Fraction(low.gbps)], what=what)
    at = np.arange(nodes, dtype=np.int32) // low.down
    return RatedNetwork(
        name=file.stem,
        num_nodes=total,
        tail=there.ravel().astype(np.int32),
        head=there[:, ::-1].ravel().astype(np.int32),
        bandwidth=widths,
        source=at,
        sink=at,
        labels=tuple(
            f"{kind}{k}" for kind, count in (("tor", pods * tors), ("agg", pods * aggs), ("core", cores))
            for k in range(count)
        ),
        terminal_labels=tuple(f"host{k}" for k in range(nodes)),
        gbps=unit,
        host_bandwidth=slowest,
        host_widths=None if slowest is None else (slowest,) * nodes,
    )  # fmt: skip


def _joined(pods: int, tors: int, aggs: int, bundle: int) -> Int64:
    """The links between tiers 0 and 1: in every pod all with all, ``bundle`` parallel ones each."""
    pod, tor, agg = (x.ravel() for x in np.meshgrid(np.arange(pods), np.arange(tors), np.arange(aggs), indexing="ij"))
    return np.repeat(np.stack([pod * tors + tor, pods * tors + pod * aggs + agg], axis=1), bundle, axis=0)


def _above(what: str, tier: int, low: _Tier, high: _Tier, *, switches: int, groups: int) -> int:
    """How many switches tier + 1 has, all of its links taken; ``groups``: how many equal parts they must have."""
    where = f"{what}, tier {tier}"
    if low.down * low.gbps != low.up * high.gbps * low.oversubscribed:
        raise InputError(
            f"{where}: {low.down} links down of {low.gbps} Gb/s and {low.up} up of {high.gbps} Gb/s are "
            f"{Fraction(low.down * low.gbps, low.up * high.gbps)}:1, and Oversubscribed says {low.oversubscribed}"
        )
    for ports, name, of in ((low.up, "Radix_Up", tier), (high.down, "Radix_Down", tier + 1)):
        _divided(ports, high.bundle, f"{what}, tier {of}: {name} {ports} in bundles of {high.bundle}")
    count = _divided(switches * low.up, high.down, f"{what}: {switches * low.up} links up on {high.down} ports each "
                     f"(tier {tier + 1})")  # fmt: skip
    reached = low.up // high.bundle
    own = _divided(count, groups, f"{what}: {count} switches of tier {tier + 1} in {groups} pods")
    if tier == 0 and own != reached:
        raise InputError(f"{where}: its links up reach {reached} switches of tier 1, and a pod has {own}")
    return count


def _divided(count: int, by: int, what: str) -> int:
    if count % by:
        raise InputError(f"{what}: {count} is not divisible by {by}")
    return count // by


def _parsed(file: File) -> tuple[dict[str, int], list[_Tier]]:
    header: dict[str, int] = {}
    tiers: dict[int, dict[str, int]] = {}
    now: dict[str, int] | None = None
    for line in file.lines(comment_lines="#"):
        words = line.words
        name = words[0].lower()
        if len(words) != 2:
            raise line.error(f"{len(words)} words; a name and a number were expected, such as Radix_Down 8")
        value = whole_number(words[1], f"{line.place}: {words[0]}", "a whole number below 10^9")
        if name == "tier":
            if value > 2 or value in tiers:
                raise line.error(f"tier {value}{' again' if value in tiers else ''}; 0, 1 and 2 once each")
            now = tiers[value] = {}
            continue
        known = _HEADER if now is None else (*_OF_TIER, *_UNUSED)
        if name not in known:
            place = "before the tiers" if now is None else "of a tier"
            raise line.error(f"{brief(words[0])} {place} is unknown; {did_you_mean(name, known)}")
        into = header if now is None else now
        if name in into:
            raise line.error(f"{words[0]} is stated twice")
        if value == 0 and name not in _UNUSED:
            raise line.error(f"{words[0]} is 0; at least 1 was expected")
        into[name] = value
    missing = [x for x in _HEADER if x not in header]
    if missing:
        raise InputError(f"{file.what} has no {missing[0].capitalize()}; Nodes, Tiers and Podsize were expected")
    count = header["tiers"]
    if count not in (2, 3) or sorted(tiers) != list(range(count)):
        raise InputError(f"{file.what}: Tiers {count}, and blocks of tiers {sorted(tiers)}; 2 or 3 tiers from 0 on")
    return header, [_tier(file.what, k, tiers[k], top=k == count - 1) for k in range(count)]


def _tier(what: str, tier: int, found: dict[str, int], *, top: bool) -> _Tier:
    for name in ("downlink_speed_gbps", "radix_down", "radix_up")[: 2 if top else 3]:
        if name not in found:
            raise InputError(f"{what}, tier {tier} has no {name.capitalize()}")
    if top and "radix_up" in found:
        raise InputError(f"{what}, tier {tier} is the highest and has Radix_Up {found['radix_up']}; none was expected")
    return _Tier(*(found.get(x, usual or 0) for x, usual in _OF_TIER.items()))


HTSIM: NetworkFormat = Format(
    "htsim",
    "htsim's fat trees",
    sniff=lambda file: _BEGINS.match(file.start) is not None and _TIER.search(file.start) is not None,
    read=read_htsim,
    options=("bandwidth",),
)
