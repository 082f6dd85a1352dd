"""Tokens to experts: against every choice of experts, by every router, and in reports that verify."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof import mesh, named_routing
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.rational import Rationals
from routeproof.demand_sets.demand_set import Weights
from routeproof.formats.demands.description import demands_from_description, describe_demands
from routeproof.formats.demands.experts import expert_parallel
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.formats.documents.report import document_to_claims
from routeproof.verification import verify_claims
from true_reports import sealed

F = Fraction
GROUPS = [[0, 3, 1, 4], [5, 2]]
SET = "expert-parallel:groups,experts=6,top=2,capacity=5/4"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "groups").write_text("a: 0 3 1 4\nb: 5 2\n")
    monkeypatch.chdir(tmp_path)


def by_expert(load: dict[tuple[int, int], F], experts: int, top: int, capacity: F | None) -> float:
    """The most of ``load`` that tokens make: a program with a variable for each rank and expert."""
    most = 0.0
    for ranks in GROUPS:
        home = [ranks[e % len(ranks)] for e in range(experts)]
        pairs = [(i, e) for i in ranks for e in range(experts)]
        weights = [-float(load.get((i, home[e]), 0)) if i != home[e] else 0.0 for i, e in pairs]
        rows = [[float(i == x) for i, _ in pairs] for x in ranks]
        sides = [float(top)] * len(ranks)
        if capacity is not None:
            rows += [[float(e == x) for _, e in pairs] for x in range(experts)]
            sides += [float(capacity * top * len(ranks) / experts)] * experts
        most -= linprog(weights, A_ub=rows, b_ub=sides, bounds=(0, 1)).fun
    return most


@pytest.mark.parametrize(
    ("experts", "top", "capacity"), [(6, 2, F(5, 4)), (6, 2, None), (3, 2, F(1)), (9, 4, F(3, 2)), (1, 1, None)]
)
def test_the_worst_of_all_choices_of_experts(experts: int, top: int, capacity: F | None) -> None:
    net = mesh(3, 2)
    routing = named_routing("valiant", net)
    found = expert_parallel(GROUPS, 6, experts=experts, top=top, capacity=capacity)
    pairs = [(i, j) for i in range(6) for j in range(6) if i != j]
    block = routing.pair_loads([i for i, _ in pairs], [j for _, j in pairs])
    loads = [block.as_dict(k) for k in range(len(pairs))]
    for c in range(net.num_channels):
        load = {p: x[c] for p, x in zip(pairs, loads, strict=True) if c in x}
        source, destination = np.array(list(load), dtype=np.int64).T
        most = found.maximise(Weights(source, destination, Rationals.of(load.values()))).value
        assert float(most) == pytest.approx(by_expert(load, experts, top, capacity))


def test_the_first_ranks_have_one_expert_more() -> None:
    found = expert_parallel([[3, 0]], 4, experts=3, top=2, capacity=F(2))
    assert found.sends == (F(2), F(0), F(0), F(2))
    assert found.receives == (F(8, 3), F(0), F(0), F(16, 3))
    assert found.box == {(0, 3): (F(0), F(2)), (3, 0): (F(0), F(1))}


BAD = [
    ("expert-parallel:groups,experts=6", "does not say top"),
    ("expert-parallel:groups,experts=6,top=7", "top is 7, of 6 experts; 6 at most"),
    ("expert-parallel:groups,experts=0,top=1", "experts is '0'; a whole number"),
    ("expert-parallel:groups,experts=6,top=1.5", "top is '1.5'; a whole number"),
    ("expert-parallel:groups,experts=6,top=2,capacity=0", "a factor above 0"),
    ("expert-parallel:groups,experts=6,top=2,factor=1", "takes no option 'factor'"),
    ("expert-parallel", "needs a value"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_no_set(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        demands_from_spec([text], mesh(3, 2))


def test_too_many_pairs() -> None:
    with pytest.raises(InputError, match="pairs; 1,048,576 at most"):
        expert_parallel([range(1100)], 1100, experts=8, top=2)


@pytest.mark.parametrize("command", ["worst-case mesh:3x2 --routing valiant", "design mesh:3x2 --objective worst-case"])
def test_every_router_answers_and_verifies(command: str) -> None:
    assert main([*command.split(), "--demands", SET, "--json", "r.json", "--quiet"]) == 0
    verify(json.loads(Path("r.json").read_text()))


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


@pytest.mark.parametrize(("old", "new"), [("experts=6", "experts=7"), ("top=2", "top=1"), ("5/4", "1"), (",top=2", "")])
def test_a_report_that_says_other_numbers_is_refused(old: str, new: str) -> None:
    main(["worst-case", "mesh:3x2", "--routing", "dor", "--demands", SET, "--json", "r.json", "--quiet"])
    text = Path("r.json").read_text()
    assert text.count(old) > 1
    with pytest.raises((InputError, VerificationError), match="limits are not those of"):
        verify(json.loads(text.replace(old, new)))


def test_an_intersection_is_no_wider() -> None:
    both = demands_from_spec([SET, "within:groups"], mesh(3, 2))
    described = describe_demands(both)
    assert describe_demands(demands_from_description(described, 6)) == described
    with pytest.raises(InputError, match="limits are not those of"):
        demands_from_description({**described, "limits": [[0, 3, "0", "3"]]}, 6)


def test_without_a_capacity_a_rank_takes_what_all_send() -> None:
    found = expert_parallel(GROUPS, 6, experts=6, top=2)
    assert found.receives == tuple(map(F, (6, 3, 2, 6, 3, 2)))
