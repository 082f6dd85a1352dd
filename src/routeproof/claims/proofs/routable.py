"""Worst cases over everything that some flow carries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...formats.documents.packed_ints import unpack_ints
from ..reading import as_fraction
from .images import Image, images, maps_of
from .proof import NotElaborated, expect_bytes, number, numbers
from .work import Work, each_way
from .written import ROUTABLE, distances_from, senders


def elaborate_routable(work: Work, claim: Claim) -> None:
    network, data = work.network, claim.evidence.data
    about = {"routing": work.routing, "demands": work.proof.set_of(ROUTABLE)}

    def one_way(relation: str) -> None:
        assert isinstance(claim.value, Fraction)
        if relation == ">=":
            found = work.claim(
                "worst-case-at-least", claim.value, **about, channel=data["channel"], demand=flow_of(data)
            )
        else:
            channels = None if "channel" not in claim.about else [int(claim.about["channel"])]
            evidence = _evidence(work, data, channels)
            expect_bytes(8 * len(evidence) * network.num_nodes**2, f"the oblivious ratio on {network.name}")
            found = work.claim("worst-case-at-most", claim.value, **about, channels=channels, evidence=evidence)
        work.states(claim, relation, found)

    each_way(claim, one_way)


def flow_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The demand that the evidence's flow carries, with the flow."""
    flow = [(i, j, as_fraction(x, "amount"), path) for i, j, x, path in data["flow"]]
    weight = math.lcm(*(x.denominator for *_, x, _ in flow))
    sent: dict[tuple[int, int], int] = {}
    for i, j, x, _ in flow:
        sent[i, j] = sent.get((i, j), 0) + int(x * weight)
    return {
        "weight": number(weight), "entries": [[i, j, number(n)] for (i, j), n in sent.items() if n],
        "because": [[i, j, number(int(x * weight)), path] for i, j, x, path in flow if x],
    }  # fmt: skip


def _evidence(work: Work, data: Mapping[str, Any], channels: list[int] | None) -> list[list[Any]]:
    network, nodes = work.network, senders(work.network)
    count = network.num_channels
    focus = unpack_ints(data["focus"], what="focus", max_items=count).tolist()
    proof = unpack_ints(data["proof"], what="proof", max_items=count).tolist()
    tables = {}
    for which in set(proof):
        length = unpack_ints(data["lengths"][which], what="lengths", max_items=count).tolist()
        tables[which] = length, distances_from(network, range(network.num_nodes), length)
    of = dict(zip(focus, proof, strict=True))
    maps = maps_of(work.context, data["symmetry"])
    found = []
    carried = images(network, focus, maps)
    loaded = np.diff(work.table.offset) > 0
    for c in channels or range(count):
        if c in carried:
            image = carried[c]
            length, far = _moved(work, tables[of[image.of]], image)
        elif loaded[c]:
            raise NotElaborated(f"channel {c} has lengths for which no symmetry of the report is enough")
        else:
            length, far = [0] * count, {s: [0] * network.num_nodes for s in range(network.num_nodes)}
        found.append([c, numbers(length), [[s, numbers(far[s])] for s in nodes]])
    return found


def _moved(
    work: Work, table: tuple[list[int], dict[int, list[int]]], image: Image
) -> tuple[list[int], dict[int, list[int]]]:
    """Lengths and distances, carried along the image; where it reverses paths, from v to s as they were from s to v."""
    length, far = table
    network, node = work.network, image.node.tolist()
    there = [0] * network.num_channels
    for c, x in zip(image.channel.tolist(), length, strict=True):
        there[c] = x
    moved = {}
    for s, s_there in enumerate(node):
        row = [0] * network.num_nodes
        for v, v_there in enumerate(node):
            row[v_there] = far[v][s] if image.swap else far[s][v]
        moved[s_there] = row
    return there, moved


ELABORATED = {"routable": elaborate_routable}
