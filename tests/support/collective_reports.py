"""Reports about collectives on small networks, to be verified as they are and damaged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from answered_reports import reports_of
from routeproof.core.network import Network
from routeproof.questions.collectives.best import Collective
from routeproof.topologies.family import network_from_spec

F = Fraction
BOX = Network.of(  # two switches with two ranks each, and a link between them
    "box", 6, [(0, 4), (4, 0), (1, 4), (4, 1), (2, 5), (5, 2), (3, 5), (5, 3), (4, 5), (5, 4)],
    bandwidth=[3] * 8 + [1, 1], source=[0, 1, 2, 3], sink=[0, 1, 2, 3],
)  # fmt: skip
FORK = Network.of("fork", 4, [(0, 3), (3, 1), (3, 2)], source=[0, 1, 2], sink=[0, 1, 2])
UNEVEN = Network.of("uneven", 2, [(0, 1), (1, 0)], bandwidth=[7, F(13, 3)], source=[0, 0, 1], sink=[0, 0, 1])
ONE_LEAF = Network.of("leaf", 2, [(0, 1), (1, 0)], source=[0] * 4, sink=[0] * 4)
CASES = {
    "all-gather": Collective(BOX, operation="all-gather"),
    "reduce-scatter": Collective(BOX, operation="reduce-scatter"),
    "broadcast": Collective(BOX, operation="broadcast", root=2),
    "ranks": Collective(BOX, operation="all-gather", ranks=[3, 0, 1]),
    "all-reduce": Collective(network_from_spec("torus:3x3"), operation="all-reduce"),
    "both ways": Collective(network_from_spec("mesh:2x3"), operation="all-reduce"),
    "interval": Collective(UNEVEN, operation="all-reduce"),
    "all-to-all": Collective(BOX, operation="all-to-all"),
    "some to all": Collective(BOX, operation="all-to-all", ranks=[2, 0, 1]),
    "closed form": Collective(network_from_spec("torus:4x4"), operation="all-to-all"),
    "multicast": Collective(FORK, operation="broadcast", multicast=True),
    "fork": Collective(FORK, operation="broadcast"),
    "cables": Collective(BOX, operation="all-gather", host_cables=F(1, 2)),
    "cables, all-reduce": Collective(network_from_spec("fat-tree:2"), operation="all-reduce", host_cables=1),
    "cables, all-to-all": Collective(BOX, operation="all-to-all", host_cables=F(1, 5)),
    "wide cables, all-to-all": Collective(BOX, operation="all-to-all", host_cables=4),
    "one leaf": Collective(ONE_LEAF, operation="all-gather", host_cables=50),
    "one leaf, all-to-all": Collective(ONE_LEAF, operation="all-to-all", host_cables=50),
    "bound": Collective(BOX, operation="all-gather", bound=True),
}


report = reports_of(lambda name: CASES[name].answer())


def evidence(document: dict[str, Any], number: int = 0) -> dict[str, Any]:
    data: dict[str, Any] = document["claims"][number]["evidence"]
    return data
