"""Topologies for so many hosts, of switches with so many ports: one of each kind that fits, as texts, and the usual
routing on each; and what a network takes to build.

Each kind is built as small as it can be, with at least so many hosts; what is chosen is in the text, and nothing says
that another choice of its parameters is no better.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from ..core.errors import InputError
from ..core.network import Network

_MOST_HOSTS = 20_000
_GROUPS = 3  # of dragonflies, at least: with two there is none to go round by
_RAIL_NVLINK = 9  # 450 GB/s beside an interface of 50 GB/s


def candidates(hosts: int, radix: int, *, rails: int | None = None, planes: int = 1) -> Iterator[tuple[str, str]]:
    """(topology, routing) for each kind that fits: with ``rails``, of servers with so many GPUs each."""
    for what, x, least, most in (
        ("--hosts", hosts, 2, _MOST_HOSTS), ("--radix", radix, 4, 1_024),
        ("--rails", 1 if rails is None else rails, 1, 64), ("--planes", planes, 1, 8),
    ):  # fmt: skip
        if not least <= x <= most:
            raise InputError(f"{what} is {x}; {least} to {most} was expected")
    if planes > 1 and rails is None:
        raise InputError("--planes is of clusters with --rails, and none are given")
    if rails is not None:
        yield from _rails(hosts, radix, rails, planes)
        return
    half = radix // 2
    for down in dict.fromkeys((half, radix * 2 // 3, radix * 3 // 4)):
        yield from _two_levels(hosts, radix, down, radix - down)
    yield from _three_levels(hosts, radix)
    if (h := _fewest(hosts, [2 * h * h for h in range(1, (radix + 1) // 4 + 1)])) is not None:
        groups = max(_GROUPS, ceil(hosts / (2 * h * h)))
        for routing in ("dragonfly-minimal", "valiant"):
            yield f"dragonfly:{h},{2 * h},{h}" + _groups(groups, 2 * h * h + 1), routing
    if (m := _fewest(hosts, [m * m for m in range(1, half + 1)])) is not None:
        groups = max(_GROUPS, ceil(hosts / m**2))
        for routing in ("ecmp", "valiant"):
            yield f"dragonfly-plus:{m},{m},{m},{m}" + _groups(groups, m * m + 1), routing
    side = next((s for s in range(2, half + 2) if ceil(hosts / s**2) <= s), radix)
    if 2 * (side - 1) + (each := ceil(hosts / side**2)) <= radix:
        for routing in ("dor", "valiant"):
            yield f"hyperx:{side}x{side},concentration={each}", routing
    for q in (3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25):
        degree = (3 * q - {0: 0, 1: 1, 3: -1}[q % 4]) // 2
        if 2 * q * q * ceil(degree / 2) >= hosts and degree + ceil(degree / 2) <= radix:
            for routing in ("minimal", "valiant"):
                yield f"slim-fly:{q}", routing
            break
    each = max(1, radix // 3)
    count = ceil(hosts / each)
    count += count * (radix - each) % 2
    if count > radix - each:
        for routing in ("ecmp", "valiant"):
            yield f"jellyfish:{count},ports={radix},degree={radix - each},seed=1", routing


def _fewest(hosts: int, group: list[int]) -> int | None:
    """The number k of the groups of ``group[k - 1]`` hosts, in 2k switches each, that takes the fewest switches; there
    can be one more group than hosts in one."""
    fits = [k for k, x in enumerate(group, 1) if x * (x + 1) >= hosts]
    return min(fits, key=lambda k: (k * max(_GROUPS, ceil(hosts / group[k - 1])), k), default=None)


def _groups(wanted: int, most: int) -> str:
    return f",groups={wanted}" if wanted < most else ""


def _two_levels(hosts: int, radix: int, down: int, up: int) -> Iterator[tuple[str, str]]:
    """Leaves with ``down`` hosts, and as few spines as have ports for all: up / s cables from each to every leaf."""
    leaves = ceil(hosts / down)
    spines = next((s for s in range(1, up + 1) if up % s == 0 and leaves * (up // s) <= radix), None)
    if spines is not None and leaves > 1:
        wide = f",bandwidth={up // spines},cables=1" if up > spines else ""
        yield f"leaf-spine:{down},{leaves},{spines}{wide}", "ecmp"


def _three_levels(hosts: int, radix: int) -> Iterator[tuple[str, str]]:
    """Not oversubscribed: pods of as many leaves as aggregation switches, with the links between them as wide as that
    takes, and as few core switches as have ports for all."""
    half = radix // 2
    leaves = ceil(hosts / half)
    fits = list[tuple[int, int, int, int]]()
    for pods in range(2, radix + 1):
        inside = ceil(leaves / pods)
        cores = next((c for c in range(1, half + 1) if half % c == 0 and pods * (half // c) <= radix), None)
        if cores is not None and inside > 1 and half % inside == 0:
            fits.append((inside * (2 * pods + cores), pods, inside, cores))
    if fits:
        _, pods, inside, cores = min(fits)
        wide = ",cables=1" if min(inside, cores) < half else ""
        yield f"three-tier-clos:{half},{inside},{inside},{cores},{pods},oversubscription=1{wide}", "ecmp"


def _rails(hosts: int, radix: int, rails: int, planes: int) -> Iterator[tuple[str, str]]:
    servers, half = ceil(hosts / rails), radix // 2
    pods = ceil(servers / half)
    each = ceil(servers / pods)
    beside = f",nvlink={_RAIL_NVLINK}" + (f",planes={planes}" if planes > 1 else "")
    spines = next((s for s in range(1, each + 1) if each % s == 0 and pods * rails * (each // s) <= radix), None)
    if spines is not None:
        text = f"rail-optimized:{each},{rails},spines={spines}" + (f",pods={pods}" if pods > 1 else "") + beside
        for routing in ("rail-local", "rail-local:pxn=no"):
            yield text, routing
    if servers <= radix:
        for routing in ("rail-local", "minimal"):
            yield f"rail-optimized:{servers},{rails}{beside}", routing
    if planes == 1:
        yield from _two_levels(hosts, radix, half, half)


def parts_of(network: Network) -> tuple[int, int]:
    """(switches, cables): of clusters of GPUs without what is inside a server (the GPUs and the NVSwitch).

    A link of bandwidth b is as many cables, rounded up; every terminal on a switch has one of its own.
    """
    labels = network.labels or [""] * network.num_nodes
    ends = [x.rpartition(".")[2] for x in labels]
    gpu = [x.startswith("gpu") for x in ends]
    inside = [x == "nvswitch" for x in ends]
    cables = sum(not gpu[v] for v in network.source.tolist())
    both = sum(
        ceil(network.bandwidth[c])
        for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True))
        if not (inside[u] or inside[v])
    )
    return network.num_nodes - sum(gpu) - sum(inside), cables + both // 2
