"""Two days of a fabric, the second made from the first by editing its dumps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from places import ROOT
from routeproof.core.errors import InputError
from routeproof.questions.fabrics.diff import BEFORE, SPLIT, Diff, DiffAnswer
from routeproof.questions.given import Given

F = Fraction
ETHERNET, INFINIBAND = ROOT / "examples" / "ethernet", ROOT / "examples" / "infiniband"
Edit = Callable[[Path], None]


def asked(before: object, after: object, **more: object) -> Diff:
    given = {"before": str(before), "after": str(after), "causes": 8, "fail_if_worse": False, **more}
    question = Diff.read(Given(given))
    assert isinstance(question, Diff)
    return question


def edited(tmp_path: Path, source: Path, *edits: Edit, name: str = "day") -> Path:
    folder = tmp_path / name
    shutil.copytree(source, folder)
    for edit in edits:
        edit(folder)
    return folder


def replaced(file: str, old: str, new: str) -> Edit:
    def edit(folder: Path) -> None:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")

    return edit


EVEN = replaced("l1.json", '"weight": 3', '"weight": 1')
SLOW = replaced("cables.csv", "l1,swp2,s2,swp1,100G", "l1,swp2,s2,swp1,50G")


def lines_without(file: str, *words: str) -> Edit:
    def edit(folder: Path) -> None:
        lines = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
        left = [x for x in lines if not all(word in x for word in words)]
        assert len(left) < len(lines)
        (folder / file).write_text("".join(left), encoding="utf-8")

    return edit


def no_cable(folder: Path) -> None:
    """The cable l1[swp1] - s1[swp1] is gone; both devices route around it."""
    lines_without("cables.csv", "l1,swp1,s1,swp1")(folder)
    for device, dropped in (("l1", "swp1"), ("s1", "swp1")):
        routes = json.loads((folder / f"{device}.json").read_text(encoding="utf-8"))
        for route in routes:
            hops = route.get("nexthops", [])
            left = [x for x in hops if x["dev"] != dropped]
            if hops and left:
                route["nexthops"] = left
        routes = [x for x in routes if x.get("dev") != dropped]
        (folder / f"{device}.json").write_text(json.dumps(routes), encoding="utf-8")
    routes = json.loads((folder / "l2.json").read_text(encoding="utf-8"))
    for route in routes:
        if "nexthops" in route:
            route["nexthops"] = [x for x in route["nexthops"] if x["dev"] != "swp1"]
    (folder / "l2.json").write_text(json.dumps(routes), encoding="utf-8")


def kinds(answer: DiffAnswer) -> list[tuple[str, str]]:
    return [(x.kind, x.how) for x in answer.changes]


def test_the_same_day_twice() -> None:
    answer = asked(ETHERNET, ETHERNET).answer()
    assert answer.found.same
    assert not answer.causes
    assert not answer.worse


def test_an_entry_that_changed_is_the_cause(tmp_path: Path) -> None:
    answer = asked(edited(tmp_path, ETHERNET, EVEN), ETHERNET, fail_if_worse=True).answer()
    assert kinds(answer) == [("entries", "changed")]
    assert answer.changes[0].where == "l1, to h3, h4"
    assert (answer.before.share(SPLIT), answer.after.share(SPLIT)) == (1, F(2, 3))
    assert [x.share for x in answer.causes] == [F(2, 3)]
    assert answer.worse == ["worst case"]  # uniform traffic leaves every host its full speed on both days
    assert answer.failed


@pytest.mark.parametrize("first", [(), (EVEN,)], ids=["weights", "even"])
def test_a_change_applied_alone_is_the_day_edited_by_it_alone(tmp_path: Path, first: tuple[Edit, ...]) -> None:
    before = edited(tmp_path, ETHERNET, *first, name="before")
    other = replaced("l1.json", '"dev": "swp2", "weight": 1', '"dev": "swp2", "weight": 2')
    after = edited(tmp_path, before, SLOW, other, name="after")
    answer = asked(before, after).answer()
    assert kinds(answer) == [("speed", "changed"), ("entries", "changed")]
    assert answer.moved is SPLIT
    alone = {x.changes[0].kind: x.share for x in answer.causes}
    for kind, edit in (("speed", SLOW), ("entries", other)):
        single = asked(before, edited(tmp_path, before, edit, name=kind)).answer()
        assert alone[kind] == single.after.share(answer.moved)


def test_a_cable_takes_the_entries_with_it(tmp_path: Path) -> None:
    answer = asked(ETHERNET, edited(tmp_path, ETHERNET, no_cable)).answer()
    cable = next(x for x in answer.changes if x.kind == "cable")
    assert (cable.how, cable.where, cable.detail) == ("went", "l1[swp1] - s1[swp1]", "100 Gb/s")
    assert cable.with_it > 0
    first = answer.causes[0]
    assert first.changes == [cable]
    assert (first.share, first.far) == (answer.after.share(SPLIT), True)  # l2 had to go round it, too
    assert (answer.before.share(SPLIT), answer.after.share(SPLIT)) == (F(2, 3), F(1, 2))


def test_another_lid_is_no_change(tmp_path: Path) -> None:
    """h0 has lid 11 on the second day; the tables lead to it as before."""

    def edit(folder: Path) -> None:
        topo = (folder / "fabric.topo").read_text(encoding="utf-8")
        (folder / "fabric.topo").write_text(
            topo.replace('"h0" lid 2 ', '"h0" lid 11 ').replace("# lid 2 lmc", "# lid 11 lmc")
        )
        lft = (folder / "fabric.lft").read_text(encoding="utf-8")
        (folder / "fabric.lft").write_text(lft.replace("0x0002 ", "0x000b ").replace("[0x0-0x9]", "[0x0-0xb]"))

    answer = asked(INFINIBAND, edited(tmp_path, INFINIBAND, edit)).answer()
    assert answer.found.same
    assert answer.found.addresses == 1


def test_a_host_that_is_gone(tmp_path: Path) -> None:
    after = f"{INFINIBAND},without=h5"
    answer = asked(INFINIBAND, after).answer()
    assert kinds(answer) == [("host", "went")]
    assert answer.changes[0].text() == "host went: h5 (at s2[2])"
    assert [x.share for x in answer.causes] in ([], [answer.after.share(SPLIT)])
    back = asked(after, INFINIBAND).answer()
    assert kinds(back) == [("host", "came")]
    assert [x.share for x in back.causes] in ([], [back.after.share(SPLIT)])


def test_topologies_by_name_are_routed_anew() -> None:
    answer = asked("mesh:3x3", "mesh:3x3,dead-links=0-1", routing="minimal:choice=per-hop").answer()
    assert kinds(answer) == [("cable", "went")]
    assert [x.share for x in answer.causes] == [answer.after.share(SPLIT)]


def test_reports_are_days(tmp_path: Path) -> None:
    from routeproof.questions.of_one_routing import WorstCase

    path = tmp_path / "monday.json"
    question = asked(ETHERNET, ETHERNET)
    WorstCase(question.before).answer().write(path)
    answer = asked(path, edited(tmp_path, ETHERNET, EVEN)).answer()
    assert ("entries", "changed") in kinds(answer)


@pytest.mark.parametrize("fabric", [ETHERNET, INFINIBAND])
@pytest.mark.parametrize("turned", [False, True])
def test_a_report_that_does_not_know_the_speeds_is_no_worse_day(tmp_path: Path, fabric: Path, turned: bool) -> None:
    from routeproof.questions.of_one_routing import WorstCase

    path = tmp_path / "monday.json"
    WorstCase(asked(fabric, fabric).before).answer().write(path)
    days = (fabric, path) if turned else (path, fabric)
    answer = asked(*days, fail_if_worse=True).answer()
    assert not answer.worse
    assert not answer.failed
    assert next(x for x in answer.notes if "speeds" in x).startswith(
        f"the speeds of the {'second' if turned else 'first'} day are not known"
    )
    assert not [x for x in asked(fabric, fabric).answer().notes if "speeds" in x]


def test_two_fabrics_have_nothing_in_common() -> None:
    with pytest.raises(InputError, match="no device in common"):
        asked("mesh:3x3", INFINIBAND, routing="updown").answer()


def test_no_more_causes_than_asked_for(tmp_path: Path) -> None:
    after = edited(tmp_path, ETHERNET, SLOW, EVEN)
    answer = asked(ETHERNET, after, causes=1).answer()
    assert (len(answer.causes), answer.untried) == (1, 1)
    assert list(answer.subject["days"])[:1] == [BEFORE]


def test_a_table_for_people_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from routeproof.cli.main import main

    after = edited(tmp_path, ETHERNET, SLOW)
    page, report = tmp_path / "diff.html", tmp_path / "diff.json"
    command = ["diff", str(ETHERNET), str(after), "--html", str(page), "--json", str(report)]
    assert main([*command, "--fail-if-worse"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert (
        "This change alone takes the worst case there: speed changed: l1[swp2] - s2[swp1] (100 Gb/s, now 50" in printed
    )
    assert "l1[swp2] - s2[swp1]" in page.read_text(encoding="utf-8")
    assert main(["verify", str(report)]) == 0
    assert main(command) == 0


def test_service_levels_that_changed(tmp_path: Path) -> None:
    data = ROOT / "tests" / "data" / "infiniband"
    before = tmp_path / "before"
    before.mkdir()
    for name in ("ring5.topo", "ring5.lft", "ring5.paths", "ring5.sl2vl"):
        shutil.copy(data / name, before)
    answer = asked(before, before).answer()
    assert not answer.levels
    assert answer.before.deadlock[True]
    first = (before / "ring5.paths").read_text(encoding="utf-8").split("\n\n", 1)[0]
    other = replaced("ring5.paths", first, first.replace("sl......................0x0", "sl......................0x1"))
    changed = asked(before, edited(tmp_path, before, other, name="other")).answer()
    assert [(x.how, x.detail) for x in changed.levels] == [("changed", "level 0, now level 1")]
    after = edited(tmp_path, before, name="after")
    (after / "ring5.paths").unlink()
    (after / "ring5.sl2vl").unlink()
    gone = asked(before, after).answer()
    assert [x.text() for x in gone.levels] == ["levels went: path records with service levels"]


def test_a_broken_day_says_what_changed(tmp_path: Path) -> None:
    """The cable is gone from the list, and no route is another."""
    after = edited(tmp_path, ETHERNET, lines_without("cables.csv", "l1,swp1,s1,swp1"))
    with pytest.raises(InputError, match=r"; since .*ethernet: cable went: l1\[swp1\] - s1\[swp1\] \(100 Gb/s\)$"):
        asked(ETHERNET, after)


def test_a_switch_that_is_renamed_is_the_same(tmp_path: Path) -> None:
    answer = asked(INFINIBAND, edited(tmp_path, INFINIBAND, replaced("fabric.topo", '"s1"', '"leaf7"'))).answer()
    assert [x.text() for x in answer.changes] == ["device changed: s1 (is called leaf7)"]


def test_several_lids_a_port(tmp_path: Path) -> None:
    """A speed changed in a fabric whose routing is a mixture of two tables."""
    before = tmp_path / "before"
    before.mkdir()
    for name in ("ring3-lmc1.topo", "ring3-lmc1.lft"):
        shutil.copy(ROOT / "tests" / "data" / "infiniband" / name, before)
    after = f"{before},without=h1*"
    answer = asked(before, after).answer()
    assert {(x.kind, x.how) for x in answer.changes} == {("host", "went")}
    assert answer.found.compared
    assert all(x.share is not None for x in answer.causes)


def test_a_device_goes_with_its_cables_and_hosts() -> None:
    answer = asked("mesh:3x3", "mesh:3x3,dead-nodes=4", routing="minimal").answer()
    assert [x.text() for x in answer.changes if x.kind in ("device", "host")] == [
        "device went: (1,1)", "host went: (1,1) (at (1,1))",
    ]  # fmt: skip
    assert [(len(x.changes), x.share) for x in answer.causes] == [(6, answer.after.share(SPLIT))]
    back = asked("mesh:3x3,dead-nodes=4", "mesh:3x3", routing="minimal").answer()
    assert [(len(x.changes), x.share) for x in back.causes] == [(6, back.after.share(SPLIT))]
