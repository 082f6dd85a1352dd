"""Clusters of GPUs whose network is optimised for rails: GPU r of every server on a leaf switch of rail r."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, check_size, family_name, one_bandwidth, whole_number, whole_numbers
from ..family import called, family
from ..text import Pieces


def rail_optimized(
    servers: int,
    gpus: int,
    *,
    pods: int = 1,
    spines: int = 0,
    planes: int = 1,
    nvlink: Bandwidth | None = None,
    uplink: Bandwidth | None = None,
) -> Network:
    """``pods`` of n = ``servers`` with r = ``gpus`` each; in a pod, each rail has one leaf switch a plane.

    Every GPU is a terminal on a node of its own.  Its network interface has bandwidth 1, divided among ``planes`` that
    do not meet: 1 / planes to the leaf of its rail in each.  ``spines``: in each plane so many, each joined to all its
    leaves with bandwidth ``uplink``, by default n / (planes spines): as much up as down.  None (rail only) takes one
    pod.  ``nvlink``: a GPU's bandwidth to the NVSwitch node of its server; None where there is no such node.

    GPU x of server y of pod z is node (z n + y) r + x; then the NVSwitches by server, the leaves by plane, pod and
    rail, and the spines by plane.  Declared symmetry: none; it is looked for where it is needed.

    Source: NVIDIA DGX SuperPOD reference architecture; Wang et al. 2023, Rail-only: a low-cost high-performance network
    for training LLMs (no spines); Qian et al. 2024 (SIGCOMM), Alibaba HPN (two planes).
    Raises InputError where parts of the cluster are not joined.
    """
    n, r = whole_numbers((servers, gpus), "nr", "rail-optimized:n,r")
    b = whole_number(pods, what="pods of rail-optimized", least=1)
    s = whole_number(spines, what="spines of rail-optimized", least=0)
    e = whole_number(planes, what="planes of rail-optimized", least=1)
    options = [f"{what}={x}" if x != usual else "" for what, x, usual in (("pods", b, 1), ("spines", s, 0),
               ("planes", e, 1))]  # fmt: skip
    name = family_name(f"rail-optimized:{n},{r}", *options)
    if not s and (b > 1 or (r > 1 and nvlink is None)):
        missing = "spines=" if b > 1 else "spines= or nvlink="
        raise InputError(f"{name}: {'pods' if b > 1 else 'rails'} are not joined; {missing} was expected")
    if not s and uplink is not None:
        raise InputError(f"{name} has no spines, and uplink={uplink}; spines= was expected beside it")
    near = None if nvlink is None else one_bandwidth(nvlink, family=f"nvlink of {name}")
    usual = Fraction(n, e * s) if s else Fraction(1)
    up = usual if uplink is None else one_bandwidth(uplink, family=f"uplink of {name}")
    count = b * n * r
    nodes = count + (b * n if near else 0) + e * (b * r + s)
    check_size(name, nodes=nodes, channels=2 * (count * (bool(near) + e) + e * b * r * s), terminals=count)
    gpu = np.arange(count)
    first_leaf = count + (b * n if near else 0)
    first_spine = first_leaf + e * b * r
    links, widths = [], []
    if near:
        links.append(np.stack([gpu, count + gpu // r], axis=1))
        widths.append(near)
    for plane in range(e):
        links.append(np.stack([gpu, first_leaf + (plane * b + gpu // (n * r)) * r + gpu % r], axis=1))
        widths.append(Fraction(1, e))
    for plane in range(e if s else 0):
        leaf, spine = np.meshgrid(np.arange(b * r), np.arange(s), indexing="ij")
        ends = np.stack([first_leaf + plane * b * r + leaf, first_spine + plane * s + spine], axis=-1)
        links.append(ends.reshape(-1, 2))
        widths.append(up)
    there = np.concatenate(links)
    along = np.repeat(np.arange(len(links)), [len(x) for x in links])
    named = [f"nvlink={near}" if near else "", f"uplink={up}" if up != usual else ""]
    labels = [f"pod{x // (n * r)}.server{x // r % n}.gpu{x % r}" for x in range(count)]
    labels += [f"pod{y // n}.server{y % n}.nvswitch" for y in range(b * n if near else 0)]
    labels += [f"plane{p}.pod{z}.rail{x}" for p in range(e) for z in range(b) for x in range(r)]
    labels += [f"plane{p}.spine{x}" for p in range(e) for x in range(s)]
    spec = family_name(name, *named)
    return Network.of(
        spec,
        len(labels),
        np.concatenate([there, there[:, ::-1]]),
        bandwidth=[widths[k] for k in np.concatenate([along, along]).tolist()],
        source=gpu,
        sink=gpu,
        labels=labels,
        spec=spec,
    )


def _rails_of(pieces: Pieces) -> Network:
    if "bandwidth" in pieces.options:
        raise InputError(
            "rail-optimized has interfaces of bandwidth 1; nvlink= or uplink= was expected, not bandwidth="
        )
    return called(rail_optimized, ("n of rail-optimized:n,r", "r of rail-optimized:n,r"))(pieces)


RAIL_OPTIMIZED = family(
    "rail-optimized:4,8,spines=4,nvlink=9",
    "n servers of r GPUs, a leaf switch for each rail; pods=, spines=, planes=, nvlink=, uplink=",
    rail_optimized,
    "n,r",
    build=_rails_of,
)
