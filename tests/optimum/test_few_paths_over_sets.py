"""The best weights on given paths over sets of demands: against a program over all extreme demands."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.core.errors import VerificationError
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.formats.documents.report import digest
from routeproof.routing.named.spec import paths_from_spec
from routeproof.routing.path_sets.path_set import PathSet

Demand = Mapping[tuple[int, int], Fraction]


def simple_paths(net: rp.Network, source: int, destination: int) -> Iterator[list[int]]:
    stack: list[tuple[int, list[int], set[int]]] = [(source, [], {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == destination:
            yield path
            continue
        for c in np.nonzero(net.tail == node)[0].tolist():
            if int(net.head[c]) not in seen:
                stack.append((int(net.head[c]), [*path, c], seen | {int(net.head[c])}))


def least_load(net: rp.Network, allowed: PathSet, demands: Sequence[Demand]) -> float:
    """One variable a path, one row for every channel and every demand (scipy's HiGHS, floating point)."""
    from scipy.optimize import linprog

    pairs = list(itertools.permutations(range(net.num_nodes), 2))
    paths = {(i, j): [x for x in simple_paths(net, i, j) if allowed.holds(i, j, x)] for i, j in pairs}
    column = {key: 1 + n for n, key in enumerate((i, j, k) for i, j in pairs for k in range(len(paths[i, j])))}
    size = 1 + len(column)
    rows = set()
    for demand in demands:
        table = np.zeros((net.num_channels, size))
        table[:, 0] = [-float(b) for b in net.bandwidth]
        for (s, t), rate in demand.items():
            i, j = int(net.source[s]), int(net.sink[t])
            for k, path in enumerate(paths[i, j] if i != j else ()):
                np.add.at(table[:, column[i, j, k]], path, float(rate))
        rows |= {tuple(row) for row in table.tolist()}
    equal = np.zeros((len(pairs), size))
    for n, (i, j) in enumerate(pairs):
        equal[n, [column[i, j, k] for k in range(len(paths[i, j]))]] = 1
    table = np.array(sorted(rows))
    cost = np.eye(1, size)[0]
    answer = linprog(cost, A_ub=table, b_ub=np.zeros(len(table)), A_eq=equal, b_eq=np.ones(len(pairs)))
    assert answer.success
    return float(answer.fun)


def partial_permutations(size: int, most: int, may: Any = None) -> list[Demand]:
    """All of at most ``most`` packets, between terminals that ``may`` send to each other."""
    found: list[Demand] = []
    for count in range(1, most + 1):
        for senders in itertools.combinations(range(size), count):
            for receivers in itertools.permutations(range(size), count):
                demand = {(i, j): Fraction(1) for i, j in zip(senders, receivers, strict=True)}
                if all(i != j and (may is None or may(i, j)) for i, j in demand):
                    found.append(demand)
    return found


FIRST = {(0, 3): Fraction(2), (1, 4): Fraction(3, 2), (4, 0): Fraction(1)}
SECOND = {(0, 3): Fraction(1), (2, 0): Fraction(5, 2), (3, 1): Fraction(2)}


def same_job(i: int, j: int) -> bool:
    return (i < 3) == (j < 3)


SETS: dict[str, tuple[DemandSet, list[Demand]]] = {
    "sparse": (rp.demands.sparse(2), partial_permutations(5, 2)),
    "jobs": (
        rp.demands.within({"a": [0, 1, 2], "b": [3, 4]}), partial_permutations(5, 5, same_job),
    ),
    "matrix": (rp.demands.matrix(FIRST), [FIRST]),
    "matrices": (rp.demands.matrix(FIRST, SECOND), [FIRST, SECOND]),
}  # fmt: skip


@pytest.mark.parametrize("net", [rp.ring(5), rp.network("mesh:5,bandwidth=2"), rp.complete(5)], ids=str)
@pytest.mark.parametrize("text", ["minimal", "ksp:1", "ksp:2"])
@pytest.mark.parametrize("name", SETS)
def test_agreement_with_a_program_over_all_extreme_demands(
    net: rp.Network, text: str, name: str, tmp_path: Path
) -> None:
    demands, extreme = SETS[name]
    made = rp.design(net, paths=text, demands=demands)
    value = made.value("worst_case_load")
    assert isinstance(value, Fraction)
    assert float(value) == pytest.approx(least_load(net, paths_from_spec(text, net), extreme), abs=1e-7)
    assert rp.worst_case(made.routing, demands=demands).load == value
    made.write(tmp_path / "report.json")
    rp.verify(tmp_path / "report.json")


def least_ratio(net: rp.Network, allowed: PathSet) -> float:
    """The least oblivious ratio of any weights on the paths, by theorem 1 of Applegate & Cohen 2003: lengths of all
    channels and distances between all nodes for every channel (scipy's HiGHS)."""
    from scipy.optimize import linprog

    nodes, count = net.num_nodes, net.num_channels
    pairs = list(itertools.permutations(range(nodes), 2))
    paths = {(i, j): [x for x in simple_paths(net, i, j) if allowed.holds(i, j, x)] for i, j in pairs}
    column = {key: 1 + n for n, key in enumerate((i, j, k) for i, j in pairs for k in range(len(paths[i, j])))}
    first = 1 + len(column)
    width = [float(b) for b in net.bandwidth]

    def length(c: int, e: int) -> int:
        return first + c * count + e

    def far(c: int, i: int, j: int) -> int:
        return first + count * count + (c * nodes + i) * nodes + j

    size = first + count * count + count * nodes * nodes
    rows: list[dict[int, float]] = []
    for c in range(count):
        rows.append({0: -width[c], **{length(c, e): width[e] for e in range(count)}})
        for i, j in pairs:
            used = {column[i, j, k]: 1.0 for k, path in enumerate(paths[i, j]) if c in path}
            rows.append({**used, far(c, i, j): -1.0})
            rows += [
                {far(c, i, j): 1.0, far(c, i, int(net.tail[e])): -1.0, length(c, e): -1.0}
                for e in range(count)
                if int(net.head[e]) == j
            ]
    table = np.zeros((len(rows), size))
    for r, row in enumerate(rows):
        for k, x in row.items():
            table[r, k] += x
    equal = np.zeros((len(pairs) + count * nodes, size))
    for n, (i, j) in enumerate(pairs):
        equal[n, [column[i, j, k] for k in range(len(paths[i, j]))]] = 1
    right = np.zeros(len(equal))
    right[: len(pairs)] = 1
    for n, (c, i) in enumerate(itertools.product(range(count), range(nodes))):
        equal[len(pairs) + n, far(c, i, i)] = 1
    answer = linprog(np.eye(1, size)[0], A_ub=table, b_ub=np.zeros(len(table)), A_eq=equal, b_eq=right)
    assert answer.success
    return float(answer.fun)


@pytest.mark.parametrize("net", [rp.ring(4), rp.network("mesh:2x2,bandwidth=1x2"), rp.mesh(2, 3)], ids=str)
@pytest.mark.parametrize("text", ["minimal", "ksp:1", "ksp:2", "dor"])
def test_the_oblivious_ratio_within_a_set_of_paths(net: rp.Network, text: str, tmp_path: Path) -> None:
    allowed = paths_from_spec(text, net)
    made = rp.design(net, paths=text, demands="routable")
    value = made.value("worst_case_load")
    assert isinstance(value, Fraction)
    assert float(value) == pytest.approx(least_ratio(net, allowed), abs=1e-6)
    made.write(tmp_path / "report.json")
    rp.verify(tmp_path / "report.json")


def test_a_ratio_of_other_paths_is_refused(tmp_path: Path) -> None:
    made = rp.design(rp.mesh(2, 3), paths="ksp:1", demands="routable")
    document = made.answer.document()
    for claim in document["claims"]:
        if claim["evidence"]["kind"] == "optimum":
            del claim["evidence"]["adversary"]["paths"]
    for part in (document["subject"], *document["claims"]):
        part["digest"] = digest(part)
    (tmp_path / "forged.json").write_text(json.dumps(document))
    with pytest.raises(VerificationError, match="the adversaries prove at least"):
        rp.verify(tmp_path / "forged.json")
