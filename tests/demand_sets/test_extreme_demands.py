"""Sets with too many extreme demands are known before all of them are gone through, and no others."""

from __future__ import annotations

import pytest

from routeproof import InputError, network
from routeproof.demand_sets import extreme as module
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.extreme import extreme_demands
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse

SETS = [
    ("ring:3", permutations(3)), ("ring:5", permutations(5)), ("ring:6", sparse(6, 2)), ("ring:7", sparse(7, 3)),
    ("complete:3,concentration=2", permutations(6)), ("complete:4,concentration=2", sparse(8, 3)),
    ("fat-tree:2", sparse(2, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "demands"), SETS)
def test_there_are_at_least_as_many(text: str, demands: DemandSet, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    real = module._at_least
    monkeypatch.setattr(module, "_at_least", lambda *given: counted.append(real(*given)) or 0)
    found = extreme_demands(network(text), demands)
    assert 1 <= counted[0] <= len(found)


@pytest.mark.parametrize("text", ["ring:30", "complete:20,concentration=4"])
def test_too_many_are_refused_at_once(text: str) -> None:
    net, visited = network(text), list[int]()
    with pytest.raises(InputError, match="more than 50,000 extreme demands"):
        extreme_demands(net, permutations(net.num_terminals), spend=visited.append)
    assert not visited
