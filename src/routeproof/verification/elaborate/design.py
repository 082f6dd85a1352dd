"""Bounds on all routings by adversaries, and the routings that reach them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.checks.shortest_paths import distances
from ...core.claim import Claim
from ...core.network import Network
from ...formats.documents.packed_ints import unpack_ints
from ..context import Context
from ..reading import as_fraction
from ..subject import made_routing
from .derived import path_length
from .images import maps_of, pair_images
from .proof import NotElaborated, expect_bytes, fraction, number, numbers
from .work import Work
from .worst_case import worst_case
from .written import permutations

KINDS = {"worst_case_load": "best-load-at-least", "average_path_length": "best-path-length-at-least"}
_PLAIN = {"worst_case_load": {"model": "balanced"}, "average_path_length": {}}


def elaborate_design(work: Work, claim: Claim) -> None:
    data, kind, value = claim.evidence.data, claim.evidence.kind, claim.value
    assert isinstance(value, Fraction)
    bound = data["adversary"] if kind == "optimum" else data
    if work.context.demands is not None and "model" not in claim.about:
        raise NotElaborated("the best routing over a set of demands is not in the format")
    if kind != "adversary":
        _reached(work, claim, data["reached"] if kind == "optimum" and "routing" not in data else data)
    if kind != "reached":
        if "paths" in bound:
            reached = "that the routing reaches it is in the proof, " if kind == "optimum" else ""
            raise NotElaborated(f"{reached}that no routing with the paths of {bound['paths']} does better is not")
        work.states(claim, ">=", _bound(work, claim.quantity, value, bound))


def _reached(work: Work, claim: Claim, data: Mapping[str, Any]) -> None:
    """A routing's own worst-case load or path length: the subject's or, at the corner of a trade-off, its own."""
    plain = _plain(claim, claim.quantity)
    if "routing" in data:
        own = Work(work.proof, Context(made_routing(data["routing"], work.network), ()))
        worst_case(own, _plain(claim, "worst_case_load"), data["reached"]["worst-case"])
        path_length(own, plain)
        return
    if claim.quantity == "worst_case_load":
        worst_case(work, plain, data["worst-case"])
    else:
        path_length(work, plain)
    work.states(claim, "<=", work.stated(claim.quantity, "<=", plain.about))


def _plain(claim: Claim, quantity: str) -> Claim:
    return replace(claim, quantity=quantity, about=_PLAIN[quantity], relation="==")


def _bound(work: Work, quantity: str, value: Fraction, data: Mapping[str, Any]) -> int:
    network, within = work.network, data.get("within", {})
    if int(max(network.supply.max(), network.demand.max())) > 1:
        between, weight = "nodes", network.supply[:, None] * network.demand[None, :]
    else:
        between, weight = "terminals", np.ones((network.num_nodes, network.num_nodes), dtype=np.int64)
    limit = next((as_fraction(x, "within") for x in within.values()), None)
    hops = int(data["hops"])
    adversaries, rows, factor = _expanded(work, data, hops, weight, between)
    if not (hops if quantity == "worst_case_load" else any(adversaries)):
        limit = None  # it does not count
    return work.claim(
        KINDS[quantity], value, demands=work.proof.set_of(permutations(network.num_terminals)), between=between,
        hops=number(hops * factor), within=None if limit is None else fraction(limit), adversaries=adversaries,
        distances=rows,
    )  # fmt: skip


def _expanded(
    work: Work, data: Mapping[str, Any], hops: int, weight: Any, between: str
) -> tuple[list[Any], list[list[Any]], int]:
    """(adversaries of all channels, distances of all pairs, what every whole number was multiplied by)."""
    network = work.network
    maps = maps_of(work.context, data["symmetry"])
    classes = []
    factor = math.lcm(*{int(x) for x in np.unique(weight) if x})
    entries = 0
    for item in data["pairs"]:
        i, j = item["source"], item["destination"]
        traffic = unpack_ints(item["traffic"], what="traffic", max_items=network.num_channels, wide=True).tolist()
        found, label = pair_images(network, i, j, maps)
        expect_bytes(entries := entries + len(found) * network.num_nodes * 8, f"the bound on {network.name}")
        members: dict[int, list[int]] = {}
        for c, k in enumerate(label.tolist()):
            members.setdefault(k, []).append(c)
        sums = {k: (sum(traffic[c] for c in some), some) for k, some in members.items()}
        factor = math.lcm(factor, *(Fraction(x, len(some)).denominator for x, some in sums.values()))
        classes.append((i, j, found, sums))
    demands: list[dict[tuple[int, int], int]] = [{} for _ in range(network.num_channels)]
    rows = []
    for i, j, found, sums in classes:
        mean = [0] * network.num_channels
        for x, some in sums.values():
            for c in some:
                mean[c] = x * factor // len(some)
        each = hops * factor * int(network.supply[i]) * int(network.demand[j])
        p = _capped(network, i, j, [x + each for x in mean])
        for image in found:
            ends = (image.i, image.j) if between == "nodes" else _terminals(network, image.i, image.j)
            there = [0] * network.num_nodes
            for v, x in zip(image.node.tolist(), p, strict=True):
                there[v] = -x if image.swap else x
            rows.append([*ends, numbers(there)])
            for c, x in zip(image.channel.tolist(), mean, strict=True):
                if x:
                    demands[c][image.i, image.j] = x
    return [_adversary(network, of) for of in demands], rows, factor


def _capped(network: Network, i: int, j: int, length: list[int]) -> list[int]:
    """Distances from i, none beyond that of j: they are feasible, and shorter to write."""
    far = distances(network, length)(i)
    most = far[j]
    assert most is not None
    return [most if x is None else min(x, most) for x in far]


def _terminals(network: Network, i: int, j: int) -> tuple[int, int]:
    return int(np.flatnonzero(network.source == i)[0]), int(np.flatnonzero(network.sink == j)[0])


def _adversary(network: Network, of: Mapping[tuple[int, int], int]) -> dict[str, Any] | None:
    """Traffic between nodes, spread evenly over their terminals; its weight is the largest row or column."""
    if not of:
        return None
    entries: list[list[Any]] = []
    sums: dict[tuple[int, int], int] = {}
    for (a, b), x in sorted(of.items()):
        sources, sinks = np.flatnonzero(network.source == a).tolist(), np.flatnonzero(network.sink == b).tolist()
        share = x // (len(sources) * len(sinks))
        for s in sources:
            for t in sinks:
                entries.append([s, t, number(share)])
                sums[s, 0] = sums.get((s, 0), 0) + share
                sums[t, 1] = sums.get((t, 1), 0) + share
    return {"weight": number(max(sums.values())), "entries": entries, "because": None}


ELABORATED = dict.fromkeys(("reached", "adversary", "optimum"), elaborate_design)
