"""Weights that fit tables of few entries: optimal rounding of one group, exact judgement, and forged tables."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.documents.report import digest
from routeproof.optimum.entries import whole_shares


def overload(whole: tuple[int, ...] | list[int], shares: list[Fraction]) -> Fraction:
    """The largest share by whole numbers over the one that was wanted."""
    return max(
        Fraction(w, sum(whole)) / (x / sum(shares)) if x else Fraction(0) for w, x in zip(whole, shares, strict=True)
    )


@given(st.lists(st.integers(0, 12), min_size=1, max_size=4).filter(any), st.integers(1, 7))
def test_no_other_whole_numbers_overload_less(parts: list[int], most: int) -> None:
    shares = [Fraction(x, 13) for x in parts]
    found = whole_shares(shares, most)
    assert 1 <= sum(found) <= most
    assert all(w == 0 for w, x in zip(found, shares, strict=True) if not x)
    best = min(
        overload(other, shares)
        for other in itertools.product(range(most + 1), repeat=len(parts))
        if 1 <= sum(other) <= most and not any(w and not x for w, x in zip(other, shares, strict=True))
    )
    assert overload(found, shares) == best


def test_shares_that_fit_are_exact() -> None:
    assert whole_shares([Fraction(1, 3), Fraction(2, 3)], 3) == [1, 2]
    assert whole_shares([Fraction(1, 3), Fraction(2, 3)], 1000) == [1, 2]
    assert whole_shares([Fraction(5)], 9) == [1]


@pytest.mark.parametrize("net", [rp.mesh(3, 3), rp.petersen(), rp.network("fat-tree:4"), rp.ring(5)], ids=str)
@pytest.mark.parametrize("paths", ["minimal", "ksp:3"])
@pytest.mark.parametrize("entries", [1, 3, 8])
def test_the_interval_holds_the_rounded_routing(net: rp.Network, paths: str, entries: int, tmp_path: Path) -> None:
    exact, made = rp.design(net, paths=paths), rp.design(net, paths=paths, entries=entries)
    least = exact.value("worst_case_load")
    loads = {x.relation: x.value for x in made.claims() if x.quantity == "worst_case_load"}
    upper = loads.get("<=", loads.get("=="))
    assert loads.get(">=", loads.get("==")) == least
    assert upper == rp.worst_case(made.routing).load
    assert upper >= least
    assert 1 <= (made.routing.entries or 0) <= entries
    made.write(tmp_path / "report.json")
    rp.verify(tmp_path / "report.json")


def test_one_entry_is_a_single_path_for_every_pair_and_many_entries_are_exact() -> None:
    net = rp.mesh(3, 3)
    one = rp.design(net, paths="ksp:3", entries=1).routing
    assert all(len(one.paths(i, j)) == 1 for i, j in itertools.permutations(range(9), 2))
    many = rp.design(net, paths="ksp:3", entries=5000)
    assert many.value("worst_case_load") == rp.design(net, paths="ksp:3").value("worst_case_load")


def test_every_path_is_overloaded_at_most_as_its_group_is() -> None:
    """A source's rounding by at most a factor of t costs at most the factor t."""
    net = rp.petersen()
    exact = rp.design(net, paths="ksp:4")
    for entries in (2, 4, 6):
        made = rp.design(net, paths="ksp:4", entries=entries)
        worst = Fraction(0)
        for i, j in itertools.permutations(range(10), 2):
            wanted = {tuple(path): w for w, path in exact.routing.paths(i, j)}
            worst = max(worst, *(w / wanted[tuple(path)] for w, path in made.routing.paths(i, j)))
        load = rp.worst_case(made.routing).load
        assert load <= worst * exact.value("worst_case_load")


def test_python_and_command_agree(tmp_path: Path, capsys: Any) -> None:
    report, groups = tmp_path / "report.json", tmp_path / "groups.json"
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--paths", "minimal", "--entries", "4"]
    assert main([*asked, "--json", str(report), "--output", str(groups)]) == 0
    printed = capsys.readouterr().out
    assert "at most 4 for a node and a destination" in printed
    claims = [x for x in json.loads(report.read_text())["claims"] if x["quantity"] == "worst_case_load"]
    made = rp.design(rp.mesh(3, 3), paths="minimal", entries=4)
    stated = [x for x in made.claims() if x.quantity == "worst_case_load"]
    assert [x["value"] for x in claims] == [str(x.value) for x in stated]
    written = rp.named_routing(str(groups), rp.mesh(3, 3))
    assert rp.worst_case(written).load == rp.worst_case(made.routing).load
    assert main(["verify", str(report)]) == 0
    assert "groups of at most 4 entries" in capsys.readouterr().out


@pytest.mark.parametrize("paths", ["minimal", "ksp:3"])
def test_forged_tables_are_refused(paths: str, tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--paths", paths, "--entries", "4"]
    assert main([*asked, "--json", str(report)]) == 0
    capsys.readouterr()
    document = json.loads(report.read_text())

    def fewer(x: Any) -> None:
        x["subject"]["design"]["entries"] = 1

    def better(x: Any) -> None:
        x["claims"][0]["value"] = "1"

    def without_paths(x: Any) -> None:
        for claim in x["claims"]:
            claim.pop("paths", None)

    def other_paths(x: Any) -> None:
        for claim in x["claims"]:
            if "paths" in claim:
                claim["paths"] = "ksp:1"

    def other_weight(x: Any) -> None:
        if "groups" in x["subject"]["routing"]:
            group = next(group for group in x["subject"]["routing"]["groups"] if len(group[2]) > 1)
            group[3][0] += 1
        else:
            x["subject"]["routing"]["scale"] = "1"

    for change in (fewer, better, without_paths, other_paths, other_weight):
        forged = json.loads(json.dumps(document))
        change(forged)
        for part in (forged["subject"], *forged["claims"]):
            part["digest"] = digest(part)
        report.write_text(json.dumps(forged))
        assert main(["verify", str(report)]) in (1, 2), change
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_tables_cannot_be_is_one_line(capsys: Any) -> None:
    asked = ["design", "mesh:2x3", "--objective", "worst-case", "--entries", "4"]
    for more in ([], ["--paths", "tables"], ["--paths", "minimal", "--path-length", "1"]):
        assert main([*asked, *more]) == 2
        assert "--entries" in capsys.readouterr().err
    assert main(["design", "mesh:2x3", "--objective", "capacity", "--paths", "minimal", "--entries", "4"]) == 2
    assert "--objective worst-case" in capsys.readouterr().err
    with pytest.raises(InputError, match="need a set of paths"):
        rp.design(rp.mesh(2, 3), entries=4)
    for wrong in (0, -1, 10**9):
        with pytest.raises(InputError, match=r"1 to 65,536 was expected"):
            rp.design(rp.mesh(2, 3), paths="minimal", entries=wrong)


def _members(routing: Any) -> int:
    """By hand: the sum of the weights of the different groups of a switch, those of one channel left out."""
    most = 0
    for v in {v for v, _ in routing.groups}:
        kinds = {frozenset(group) for (u, _), group in routing.groups.items() if u == v and len(group) > 1}
        most = max(most, sum(w for group in kinds for _, w in group))
    return most


@pytest.mark.parametrize("members", [1, 4, 9, 100])
def test_groups_of_a_switch_fit_together(members: int) -> None:
    net = rp.mesh(3, 3)
    free, made = (rp.design(net, paths="minimal", entries=32, members=x) for x in (None, members))
    assert made.routing.members == _members(made.routing) <= members
    assert free.routing.members == _members(free.routing)
    assert made.value("worst_case_load") == rp.worst_case(made.routing).load
    if free.routing.members <= members:
        assert made.routing.groups == free.routing.groups


def test_members_that_a_report_does_not_keep_are_refused(tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--members", "9"]
    assert main([*asked, "--paths", "minimal", "--entries", "8", "--json", str(report)]) == 0
    assert "of 9 members" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", str(report)]) == 0
    assert "at most 9 members at a switch" in capsys.readouterr().out
    document = json.loads(report.read_text())
    document["subject"]["design"]["members"] = 1
    for part in (document["subject"], *document["claims"]):
        part["digest"] = digest(part)
    report.write_text(json.dumps(document))
    assert main(["verify", str(report)]) != 0
    assert "at most 1 members" in " ".join(capsys.readouterr().err.split())
    for more, what in [([], "--entries M was expected"), (["--paths", "ksp:2", "--entries", "4"], "--paths minimal")]:
        assert main([*asked, *more]) == 2
        assert what in " ".join(capsys.readouterr().err.split())
