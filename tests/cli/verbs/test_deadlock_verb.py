"""``routeproof deadlock``, and service levels in ``routeproof compare``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from places import INFINIBAND
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.machine.deadlines import OutOfTimeError
from true_reports import sealed

TOPO, LFT, PATHS, SL2VL = (str(INFINIBAND / f"ring5.{x}") for x in ("topo", "lft", "paths", "sl2vl"))


def test_a_routing_by_name(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    ran = run("deadlock", "torus:5x5", "--routing", "dor", "--virtual-channels", "--json", report)
    assert ran.status == 0
    assert "5 packets can deadlock" in ran.out
    assert "(0,0) => (2,0)  holds (0,0) -> (1,0)" in ran.out
    claims = {x["quantity"]: x for x in json.loads(Path(report).read_text())["claims"]}
    assert (claims["deadlock_free"]["value"], claims["virtual_channels"]["value"]) == ("false", "2")
    assert "2 claims verified" in run("verify", report).out
    ran = run("deadlock", "mesh:5x5", "--routing", "dor")
    assert "no cycle in the 124 dependencies between channels" in ran.out
    assert "--virtual-channels" in run("deadlock", "ring:5", "--routing", "dor").out
    assert "packets that forward by these loads" in run("deadlock", "torus:4x4", "--routing", "minimal").out
    assert "any paths with these loads: no cycle" in run("deadlock", "complete:4", "--routing", "minimal").out


@pytest.mark.parametrize("more", [(), ("--sl2vl", SL2VL)])
def test_a_fabric_by_service_level(run: Any, tmp_path: Path, more: tuple[str, ...]) -> None:
    report = tmp_path / "report.json"
    ran = run("deadlock", TOPO, "-r", LFT, "--service-levels", PATHS, *more, "--json", str(report))
    assert ran.status == 0
    assert "service levels 0, 1 on virtual lanes 0, 1" in ran.out
    assert ("by SL2VL tables" in ran.out) == bool(more)
    assert "By service level: no cycle in the 10 dependencies" in ran.out
    assert "All on one lane: 5 packets can deadlock" in ran.out
    assert "2 claims verified" in run("verify", str(report)).out
    document = json.loads(report.read_text())
    values = {x.get("lanes", ""): x["value"] for x in document["claims"]}
    assert values == {"by service level": "true", "": "false"}
    del document["subject"]["service_levels"]
    document["subject"]["digest"] = digest(document["subject"])
    report.write_text(json.dumps(document))
    ran = run("verify", str(report))
    assert ran.status == 1
    assert "lanes by service level, which the report's subject does not have" in ran.err


@pytest.mark.parametrize("asked", [("ring:4", "valiant", "layers", 3), ("torus:5x5", "sssp", "hops", 2)])
def test_virtual_channels_are_written_as_they_were_found(
    run: Any, tmp_path: Path, asked: tuple[str, str, str, int]
) -> None:
    topology, routing, assignment, count = asked
    path, report = str(tmp_path / "hops.json"), tmp_path / "report.json"
    ran = run("deadlock", topology, "-r", routing, "--virtual-channels", "--assignment", assignment, "--output", path)
    assert ran.status == 0
    more = ("--virtual-channels", "--assignment", "given", "--json", str(report))
    assert run("deadlock", topology, "-r", path, *more).status == 0
    counts = [x for x in json.loads(report.read_text())["claims"] if x["quantity"] == "virtual_channels"]
    assert [(x["value"], x["assignment"]) for x in counts] == [(str(count), "given")]
    ran = run("deadlock", topology, "-r", routing, "--output", path)
    assert (ran.status, "--virtual-channels finds" in ran.err) == (2, True)


def test_lanes_as_they_are_and_at_best(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    ran = run("deadlock", TOPO, "-r", LFT, "--service-levels", PATHS, "--virtual-channels", "--json", str(report))
    assert ran.status == 0
    assert "4 claims verified" in run("verify", str(report)).out
    document = json.loads(report.read_text())
    counts = [x for x in document["claims"] if x["quantity"] == "virtual_channels"]
    assert [(x["relation"], x["value"], x.get("lanes")) for x in counts] == [
        ("<=", "2", "by service level"),
        ("==", "2", None),
    ]
    counts[0]["value"] = "1"
    report.write_text(json.dumps(sealed(document)))
    ran = run("verify", str(report))
    assert (ran.status, "its packets use 2 lanes; it says 1" in ran.err) == (1, True)


def test_compare_by_service_level(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    levels = ("--service-levels", f"{LFT}={PATHS}", "--sl2vl", f"{LFT}={SL2VL}")
    ran = run("compare", TOPO, LFT, "sssp", *levels, "--json", report)
    assert ran.status == 0
    assert "by level: free of deadlock on the virtual lanes" in " ".join(ran.out.split())
    assert "claims verified" in run("verify", report).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("deadlock", TOPO, "-r", LFT, "--sl2vl", SL2VL), "--sl2vl is given for .* without --service-levels"),
        (("deadlock", TOPO, "-r", LFT, "--service-levels", "nothing.paths"), "there is no file nothing.paths"),
        (
            ("deadlock", TOPO, "-r", LFT, "--service-levels", SL2VL),
            "line 2: .*is not a line of path|line 4: .* is not a line of",
        ),
        (
            ("deadlock", TOPO, "-r", LFT, "--service-levels", PATHS, "--sl2vl", PATHS),
            "is not a line of tables from service",
        ),
        (
            ("deadlock", TOPO, "-r", LFT, "--service-levels", f"{PATHS},missing=some"),
            "missing='some'; missing=none was expected",
        ),
        (("deadlock", "ring:5", "-r", "dor", "--service-levels", PATHS), "has none: give the output of ibnetdiscover"),
        (("deadlock", TOPO, "-r", "valiant", "--service-levels", PATHS), "service levels are for forwarding tables"),
        (("deadlock", TOPO), "no routing is given"),
        (("deadlock", "ring:5", "-r", "dor", "--time-limit", "9"), "--virtual-channels asks for them"),
        (("deadlock", "ring:5", "-r", "dor", "--virtual-channels", "--time-limit", "nan"), "--time-limit is nan"),
        (
            ("compare", TOPO, LFT, "sssp", "--service-levels", PATHS),
            "is about none of the routings; --service-levels .*=",
        ),
        (("compare", TOPO, LFT, *["--service-levels", PATHS] * 2), "given twice"),
    ],
)
def test_what_is_refused(run: Any, arguments: tuple[str, ...], words: str) -> None:
    ran = run(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    lines = ran.err.strip().splitlines()
    assert len(lines) == 1, lines
    assert re.search(words, lines[0]), lines[0]


def test_pairs_may_be_missing_where_that_is_said(run: Any, tmp_path: Path) -> None:
    text = Path(PATHS).read_text()
    half = tmp_path / "half.paths"
    half.write_text(text[: text.rindex("PathRecord")])
    report = str(tmp_path / "report.json")
    ran = run("deadlock", TOPO, "-r", LFT, "--service-levels", f"{half},missing=none", "--json", report)
    assert ran.status == 0
    told = run("verify", report).out
    assert "service levels: given by the report; 1 pairs of terminals have none, and send nothing" in told
    assert "1 pairs without a path record send nothing" in " ".join(ran.out.split())
    assert run("deadlock", TOPO, "-r", LFT, "--service-levels", str(half)).status == 2


def test_answers_on_the_level_of_the_request(run: Any, tmp_path: Path) -> None:
    """LASH gives both directions of a pair one level; where they differ, answers can close a cycle."""
    ran = run("deadlock", TOPO, "-r", LFT, "--service-levels", f"{PATHS},replies=same")
    assert "answers also go back on the level of the request" in " ".join(ran.out.split())
    assert "By service level: no cycle" in ran.out
    records = Path(PATHS).read_text().split("PathRecord dump:")[1:]
    lid = {int(re.findall(r"slid\.+(\d+)", x)[0]) for x in records}
    order = {x: k for k, x in enumerate(sorted(lid))}
    changed = []
    for x in records:  # one level for each direction around the ring, so that answers mix them
        i, j = (order[int(re.findall(rf"{key}\.+(\d+)", x)[0])] for key in ("slid", "dlid"))
        changed.append(re.sub(r"\tsl\.+0x\d", f"\tsl......................0x{2 * i % 5}", x))
        assert i != j
    file = tmp_path / "mixed.paths"
    file.write_text("PathRecord dump:" + "PathRecord dump:".join(changed))
    report = tmp_path / "report.json"
    for option, more in (("", False), (",replies=same", True)):
        arguments = ("deadlock", TOPO, "-r", LFT, "--service-levels", f"{file}{option},missing=none")
        assert run(*arguments, "--json", str(report)).status == 0
        level = json.loads(report.read_text())["subject"]["service_levels"]["level"]
        found = unpack_ints(level, what="levels", max_items=25)
        assert (max(x.bit_count() for x in found.tolist()) > 1) == more
        assert run("verify", str(report)).status == 0


def read_lines(path: Path) -> list[list[int]]:
    return [[int(x) for x in line.split()][:-1] for line in path.read_text().splitlines() if line[0] not in "pc"]


def follows(clauses: list[list[int]], lemma: list[int]) -> bool:
    """By unit propagation, as a checker of somebody else would."""
    false, changed = set(lemma), True
    while changed:
        changed = False
        for clause in clauses:
            left = [x for x in clause if x not in false]
            if not left:
                return True
            if len(left) == 1 and -left[0] not in false:
                false.add(-left[0])
                changed = True
    return False


def test_refutations_are_written_for_other_checkers(run: Any, tmp_path: Path) -> None:
    report, folder = str(tmp_path / "report.json"), tmp_path / "clauses"
    asked = ("deadlock", "ring:4", "--routing", "valiant", "--virtual-channels", "--assignment")
    assert run(*asked, "layers", "--json", report).status == 0
    ran = run("verify", report, "--refutations", str(folder))
    assert ran.status == 0
    assert "1.drat: a refutation" in ran.out
    clauses, lemmas = read_lines(folder / "1.cnf"), read_lines(folder / "1.drat")
    variables = max(abs(x) for clause in clauses for x in clause)
    assert (folder / "1.cnf").read_text().startswith(f"p cnf {variables} {len(clauses)}\n")
    assert lemmas[-1] == []
    for lemma in lemmas:
        assert follows(clauses, lemma)
        clauses.append(lemma)
    assert not follows(clauses[:3], [])
    assert run(*asked, "hops", "--json", report).status == 0
    ran = run("verify", report, "--refutations", str(folder))
    assert (ran.status, "no claim of" in ran.err) == (2, True)
    ran = run(*asked[:4], "--assignment", "hops")
    assert (ran.status, "--virtual-channels asks for them" in ran.err) == (2, True)


def test_rules_are_judged_and_said_with_what_they_assume(run: Any, tmp_path: Path) -> None:
    report, page = str(tmp_path / "report.json"), tmp_path / "page.html"
    ran = run("deadlock", "ring:4", "-r", "dor", "--flow-control", "bubble", "--json", report, "--html", str(page))
    assert "Assumed: virtual cut-through" in ran.out
    assert "Under bubble flow control" in page.read_text()
    assert run("verify", report).status == 0
    ran = run("deadlock", "ring:4", "-r", "minimal", "--escape", "dor", "--json", report)
    assert "Assumed: wormhole switching" in ran.out
    assert "does not mean that packets deadlock" in ran.out
    assert run("verify", report).status == 0


def test_virtual_channels_by_hops_are_called_so_and_files_that_hold_none_are_refused(run: Any, tmp_path: Path) -> None:
    asked = ("deadlock", "mesh:2x2", "-r", "dor", "--virtual-channels", "--assignment", "hops")
    table = str(tmp_path / "hops.csv")
    assert "assignment hops" in run(*asked, "--output", table).out
    ran = run(*asked, "--output", str(tmp_path / "x.iproute"))
    assert (ran.status, ".json, .sst.json or .csv" in ran.err) == (2, True)
    ran = run("deadlock", "mesh:2x2", "-r", table)
    assert (ran.status, "written but not read" in ran.err) == (2, True)


def test_a_time_limit_leaves_what_is_found_until_then(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("deadlock", "ring:4", "-r", "valiant", "--virtual-channels", "--assignment", "layers", "--time-limit")
    assert re.search("layers +3 .*\n.*layers +>= 3", run(*asked, "1e9").out)

    def late(*_: object, **more: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr("routeproof.searching.layers.solve", late)
    ran = run(*asked, "1e9", "--classes", "a,b")
    assert ran.status == 0
    assert re.search("layers +<= 3 ", ran.out)
    assert "interrupted" not in ran.err
    monkeypatch.setattr("routeproof.worst.deadlock.channels.virtual_channels", late)
    ran = run(*asked, "1e9")
    assert (ran.status, ran.out) == (2, "")
    assert "--time-limit 1e+09 is over before any virtual channels are found" in ran.err
