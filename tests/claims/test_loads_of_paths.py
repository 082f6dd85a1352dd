"""verify sums the paths of small routings up anew: loads that are not theirs are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from routeproof.claims.subject import check_loads_of_paths
from routeproof.core.errors import VerificationError
from routeproof.core.loads import LoadBlock
from routeproof.core.rational import Rationals
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec

CASES = [
    ("torus:4x4", "dor"), ("torus:4x4", "valiant"), ("mesh:4x4", "u2turn"), ("torus:3x3", "worst-hash:romm"),
    ("fat-tree:4", "minimal"), ("rail-optimized:3,2,nvlink=9,spines=2", "rail-local"),
    ("torus:4x3", "mix:1/2*dor+1/2*ksp"),
]  # fmt: skip


@pytest.mark.parametrize(("topology", "text"), CASES)
def test_one_changed_load_is_refused(topology: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    routing = routing_from_spec(text, network_from_spec(topology))
    check_loads_of_paths(routing)
    own = type(routing).channel_loads

    def changed(self: Any, channels: Any, *, rows: Any = None) -> LoadBlock:
        block = own(self, channels, rows=rows)
        if block.base is not None:
            block.base.row.num[0] += 1
        elif len(block.load) > 0:
            num = block.load.num.copy()
            num[0] += block.load.den[0]
            return replace(block, load=Rationals(num, block.load.den))
        return block

    monkeypatch.setattr(type(routing), "channel_loads", changed)
    with pytest.raises(
        VerificationError, match=r"the loads of .* are not those of its paths: of what goes from"
    ) as caught:
        check_loads_of_paths(routing)
    assert "\n" not in str(caught.value)
