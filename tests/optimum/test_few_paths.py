"""The best weights on given paths: against a program over all permutations, and what ``verify`` refuses."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.paths import Paths
from routeproof.formats.documents.report import digest
from routeproof.routing.named.spec import paths_from_spec
from routeproof.routing.tables.path_tables import TableRouting


def simple_paths(net: rp.Network, source: int, destination: int) -> list[list[int]]:
    found = []
    stack: list[tuple[int, list[int], set[int]]] = [(source, [], {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == destination:
            found.append(path)
            continue
        for c in np.nonzero(net.tail == node)[0].tolist():
            if int(net.head[c]) not in seen:
                stack.append((int(net.head[c]), [*path, c], seen | {int(net.head[c])}))
    return found


def least_load(net: rp.Network, allowed: dict[tuple[int, int], list[list[int]]]) -> float:
    """The least worst-case load of any weights on the paths: one variable a path, one row for every channel and every
    permutation of the terminals (scipy's HiGHS, floating point)."""
    from scipy.optimize import linprog

    column: dict[tuple[int, int, int], int] = {}
    for (i, j), paths in allowed.items():
        for k in range(len(paths)):
            column[i, j, k] = 1 + len(column)
    size = 1 + len(column)
    crossing: list[dict[tuple[int, int], np.ndarray[Any, Any]]] = [{} for _ in range(net.num_channels)]
    for (i, j), paths in allowed.items():
        for k, path in enumerate(paths):
            for c in path:
                crossing[c].setdefault((i, j), np.zeros(size))[column[i, j, k]] += 1
    source, sink = net.source.tolist(), net.sink.tolist()
    rows = set()
    for image in itertools.permutations(range(len(sink))):
        ends = [(source[t], sink[image[t]]) for t in range(len(source))]
        for c in range(net.num_channels):
            row = sum((crossing[c].get(pair, np.zeros(size)) for pair in ends), np.zeros(size))
            row[0] = -float(net.bandwidth[c])
            rows.add(tuple(row.tolist()))
    equal = np.zeros((len(allowed), size))
    for at, (i, j) in enumerate(allowed):
        for k in range(len(allowed[i, j])):
            equal[at, column[i, j, k]] = 1
    cost = np.zeros(size)
    cost[0] = 1
    table = np.array(sorted(rows))
    answer = linprog(cost, A_ub=table, b_ub=np.zeros(len(table)), A_eq=equal, b_eq=np.ones(len(allowed)))
    assert answer.success
    return float(answer.fun)


def tangled(seed: int) -> rp.Network:
    """Directed, strongly connected, with parallel channels, unequal bandwidths and terminals apart from nodes."""
    rng = np.random.default_rng(seed)
    ends = [(v, (v + 1) % 5) for v in range(5)]
    ends += [tuple(rng.choice(5, 2, replace=False).tolist()) for _ in range(5)]
    ends.append(ends[0])
    widths = [Fraction(int(x), 2) for x in rng.integers(1, 5, len(ends))]
    return rp.Network.of(f"tangled {seed}", 5, ends, bandwidth=widths, source=[0, 0, 1, 3], sink=[2, 2, 4, 0])


def pairs(net: rp.Network) -> list[tuple[int, int]]:
    return [(i, j) for i in sorted(set(net.source.tolist())) for j in sorted(set(net.sink.tolist())) if i != j]


def verified(best: Any, where: Path) -> None:
    best.write(where / "report.json")
    rp.verify(where / "report.json")


NETWORKS = [rp.ring(5), rp.mesh(2, 3), rp.complete(4), rp.torus(4, oneway=True), *(tangled(x) for x in range(3))]


@pytest.mark.parametrize("net", NETWORKS, ids=str)
@pytest.mark.parametrize("text", ["minimal", "ksp:1", "ksp:2", "ksp:3"])
def test_agreement_with_a_program_over_listed_paths_and_all_permutations(
    net: rp.Network, text: str, tmp_path: Path
) -> None:
    allowed = {}
    for i, j in pairs(net):
        paths = sorted(simple_paths(net, i, j), key=lambda path: (len(path), path))
        k = None if text == "minimal" else int(text[4:])
        allowed[i, j] = [path for path in paths if len(path) == len(paths[0])] if k is None else paths[:k]
    best = rp.design(net, paths=text)
    value = best.value("worst_case_load")
    assert isinstance(value, Fraction)
    assert float(value) == pytest.approx(least_load(net, allowed), abs=1e-7)
    assert rp.worst_case(best.routing).load == value
    assert all(path in allowed[i, j] for i, j in allowed for _, path in best.routing.paths(i, j))
    verified(best, tmp_path)


def test_more_paths_are_never_worse_and_all_paths_are_best() -> None:
    net = rp.petersen()
    loads = [rp.design(net, paths=f"ksp:{k}").value("worst_case_load") for k in (1, 2, 4)]
    assert loads == sorted(loads, reverse=True)
    assert loads[-1] >= rp.design(net).value("worst_case_load")
    assert rp.design(net, paths="minimal").value("worst_case_load") <= rp.worst_case(rp.Minimal().on(net)).load


@pytest.mark.parametrize("symmetry", ["translations", "none"])
def test_symmetry_changes_nothing(symmetry: str) -> None:
    for net, text in ((rp.torus(3, 3), "minimal"), (rp.torus(3, 3), "ksp:3"), (rp.mesh(3, 2), "ksp:4")):
        full, other = (rp.design(net, paths=text, shortest=True, symmetry=x) for x in ("auto", symmetry))
        for quantity in ("worst_case_load", "average_path_length"):
            assert full.value(quantity) == other.value(quantity)


def test_the_paths_of_a_routing_with_free_weights(tmp_path: Path) -> None:
    net = rp.mesh(3, 3)
    both = rp.named_routing("mix:9/10*dor:order=xy+1/10*dor:order=yx", net)
    best = rp.design(net, paths=both)
    assert best.value("worst_case_load") <= rp.worst_case(rp.named_routing("o1turn", net)).load
    assert best.value("worst_case_load") < rp.worst_case(both).load
    assert rp.design(net, paths=rp.DOR().on(net)).value("worst_case_load") == rp.worst_case(rp.DOR().on(net)).load
    verified(best, tmp_path)


def test_a_path_that_visits_nodes_twice_is_allowed(tmp_path: Path) -> None:
    ring = [(v, (v + 1) % 3) for v in range(3)]
    net = rp.Network.of("one way", 3, ring)
    paths = {(i, j): [[*range(i, i + (j - i) % 3)]] for i in range(3) for j in range(3) if i != j}
    items = [(i, j, Fraction(1), [c % 3 for c in some[0]]) for (i, j), some in paths.items()]
    twice = [(i, j, w / 2, path) for i, j, w, path in items]
    twice += [(i, j, w / 2, [*path, *((path[-1] + n) % 3 for n in (1, 2, 3))]) for i, j, w, path in items]
    long = TableRouting(net, "long ways", Paths.of(twice))
    best = rp.design(net, paths=long)
    assert best.value("worst_case_load") == rp.worst_case(TableRouting(net, "short", Paths.of(items))).load
    assert rp.worst_case(long).load > best.value("worst_case_load")
    verified(best, tmp_path)


@pytest.mark.parametrize("objective", ["worst-case", "capacity", "average-case"])
@pytest.mark.parametrize("text", ["ksp:3", "minimal", "o1turn.json"])
def test_the_report_is_verified(objective: str, text: str, tmp_path: Path, capsys: Any) -> None:
    report, table = tmp_path / "report.json", tmp_path / "o1turn.json"
    assert main(["convert", "mesh:2x3", "--routing", "o1turn", str(table)]) == 0
    asked = ["design", "mesh:2x3", "--objective", objective, "--paths", text.replace("o1turn.json", str(table))]
    asked += [
        "--json",
        str(report),
        *(["--samples", "5"] if objective == "average-case" else ["--then", "path-length"]),
    ]
    assert main(asked) == 0
    table.unlink()
    assert main(["verify", str(report)]) == 0
    capsys.readouterr()


def forged(report: Path, change: Any) -> None:
    document = json.loads(report.read_text())
    change(document)
    for part in (document["subject"], *document["claims"]):
        part["digest"] = digest(part)
    report.with_suffix(".forged.json").write_text(json.dumps(document))


@pytest.mark.parametrize("text", ["ksp:2", "minimal", "ksp:k=2"])
def test_forged_optima_are_refused(text: str, tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    assert main(["design", "mesh:2x3", "--objective", "worst-case", "--paths", text, "--json", str(report)]) == 0
    own = json.loads(report.read_text())["subject"]["design"]["paths"]

    def named(name: str) -> Any:
        """The whole report says that other paths were used."""

        def change(x: Any) -> None:
            x["subject"]["design"]["paths"] = name
            x["claims"][0]["evidence"]["adversary"]["paths"] = name
            if x["subject"]["routing"].get("allowed"):
                x["subject"]["routing"]["allowed"] = name
                x["subject"]["routing"]["spec"] = f"designed with {name}"

        return change

    def proof_of_other_paths(x: Any) -> None:
        x["claims"][0]["evidence"]["adversary"]["paths"] = "ksp:1"

    def proof_of_all_paths(x: Any) -> None:
        del x["claims"][0]["evidence"]["adversary"]["paths"]

    def design_of_others(x: Any) -> None:
        x["subject"]["design"]["paths"] = "ksp:1"

    def design_of_all(x: Any) -> None:
        del x["subject"]["design"]["paths"]

    def better(x: Any) -> None:
        x["claims"][0]["value"] = "1/7"

    def own_set(x: Any) -> None:
        x["subject"]["paths"] = {"spec": "dor"}

    changes = [proof_of_other_paths, proof_of_all_paths, design_of_others, design_of_all, better, own_set]
    for change in (*changes, named("ksp:1"), named("ksp:9"), named("of dor"), named("all")):
        forged(report, change)
        assert main(["verify", str(report.with_suffix(".forged.json"))]) in (1, 2), (own, change)
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_set_with_other_paths_than_the_routing_is_refused(tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    asked = ["design", "mesh:2x3", "--objective", "worst-case", "--paths", "o1turn", "--symmetry", "none"]
    asked += ["--json", str(report)]
    assert main(asked) == 0

    def fewer(x: Any) -> None:
        x["subject"]["paths"]["spec"] = "dor"
        x["subject"]["design"]["paths"] = "of dor"
        x["claims"][0]["evidence"]["adversary"]["paths"] = "of dor"

    forged(report, fewer)
    assert main(["verify", str(report.with_suffix(".forged.json"))]) == 1
    assert "are said to be those 'of dor'" in capsys.readouterr().err


def test_options_that_exclude_each_other(capsys: Any) -> None:
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--paths", "minimal"]
    for more in (["--max-virtual-channels", "2"], ["--solver", "interior"], ["--start", "dor"]):
        assert main([*asked, *more]) == 2
        assert "--" in capsys.readouterr().err


def test_python_takes_the_same_texts_as_the_command() -> None:
    net = rp.mesh(2, 3)
    for text in ("ksp:2", "minimal", "dor"):
        assert rp.design(net, paths=text).answer.made.load_adversary.paths.name == paths_from_spec(text, net).name
    with pytest.raises(InputError, match="unknown paths 'nonsense'; 2turn, "):
        rp.design(net, paths="nonsense")
