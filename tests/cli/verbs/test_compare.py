"""``routeproof compare``: routings side by side, and a report that is verified."""

from __future__ import annotations

import csv
import io
import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main
from routeproof.formats.documents.report import digest
from routeproof.report.files import FORMS

ENDS = ("low", "best", "high")


def by_routing(text: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for claim in json.loads(text)["claims"]:
        found.setdefault(claim["routing"], {})[claim["quantity"]] = claim["value"]
    return found


def test_side_by_side(run: Any) -> None:
    ran = run("compare", "torus:4x4", "dor", "valiant", "ival")
    assert ran.status == 0
    lines = {line.split()[0]: line.split() for line in ran.out.splitlines() if line.strip()}
    assert lines["dor"] == ["dor", "2/3", "0.3333", "2", "1", "2", "1", "no"]
    assert lines["ival"][1:3] == ["1", "0.5"]
    assert lines["ival"][6] == "1.5313"
    one = run("compare", "mesh:4x4", "dor", "o1turn", "--virtual-channels", "--json", "-")
    claims = by_routing(one.out)
    assert claims["dor"]["deadlock_free"] == "true"
    assert claims["o1turn"]["deadlock_free"] == "false"
    assert (claims["dor"]["virtual_channels"], claims["o1turn"]["virtual_channels"]) == ("1", "2")
    assert claims["o1turn"]["worst_case_throughput_of_capacity"] == "1/2"


def test_the_report_is_verified(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    names = ("dor", "minimal", "mix:1/2*dor+1/2*ival", "rlb:order=xy")
    assert run("compare", "torus:4x4", *names, "--virtual-channels", "--json", str(file)).status == 0
    assert "40 claims verified" in run("verify", str(file)).out
    document = json.loads(file.read_text())
    for change, words in (
        (lambda x: x["claims"][0].update(routing="minimal:choice=per-path"), "does not verify|claims|states another"),
        (lambda x: x["claims"][0].update(routing="ecmp"), "about none of the routings"),
        (lambda x: x["subject"]["routings"].update(dor={"spec": "valiant"}), "goes by another name"),
        (lambda x: x["claims"][0].update(value="1/99"), "dor: claims"),
    ):
        broken = json.loads(json.dumps(document))
        change(broken)
        for part in (broken["subject"], *broken["claims"]):
            part["digest"] = digest(part)
        file.write_text(json.dumps(broken))
        ran = run("verify", str(file))
        assert ran.status == 1
        assert any(word in ran.err for word in words.split("|"))


def test_a_routing_file_is_carried_with_its_paths(run: Any, tmp_path: Path) -> None:
    ring = {"format": "routeproof/routing", "network": {"spec": "ring:3"}}
    ways = {(0, 1): [0], (0, 2): [1], (1, 0): [3], (1, 2): [2], (2, 0): [4], (2, 1): [5]}
    pairs = [
        {"source": i, "destination": j, "paths": [{"weight": 1, "channels": channels}]}
        for (i, j), channels in ways.items()
    ]
    (tmp_path / "routing.json").write_text(json.dumps({**ring, "pairs": pairs}))
    file = tmp_path / "report.json"
    ran = run("compare", "ring:3", str(tmp_path / "routing.json"), "dor", "--virtual-channels", "--json", str(file))
    assert ran.status == 0
    assert run("verify", str(file)).status == 0
    document = json.loads(file.read_text())
    described = document["subject"]["routings"][str(tmp_path / "routing.json")]
    described["document"]["pairs"][0]["paths"][0]["channels"] = [1]
    document["subject"]["digest"] = digest(document["subject"])
    file.write_text(json.dumps(document))
    assert run("verify", str(file)).status == 2  # a path that does not arrive
    ran = run("check", str(tmp_path / "routing.json"), "--json", "-")
    claims = {x["quantity"]: x["value"] for x in json.loads(ran.out)["claims"]}
    assert (claims["deadlock_free"], claims["virtual_channels"]) == ("true", "1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("torus:4x4", "dor", "dor"), "routing dor is given twice"),
        (("torus:4x4", "dor", "dorr"), "unknown routing 'dorr'"),
        (("mesh:4x4", "ival"), "ival needs a torus"),
    ],
)
def test_bad_input(run: Any, arguments: tuple[str, ...], words: str) -> None:
    ran = run("compare", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_the_table_for_other_programs(run: Any, tmp_path: Path) -> None:
    names = ("torus:4x4", "dor", "ival", "--virtual-channels")
    table = run("compare", *names, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(table.out)))
    assert [x["routing"] for x in rows] == ["dor", "ival"]
    assert [x["worst_case_throughput"] for x in rows] == ["2/3", "1"]
    assert float(rows[0]["worst_case_throughput (decimal)"]) == 2 / 3
    assert (rows[0]["deadlock_free"], rows[0]["virtual_channels"]) == ("false", "2")
    head, rule, dor, _ = run("compare", *names, "--markdown", "-").out.splitlines()
    assert head.startswith("| routing | worst case | worst case, of capacity | uniform |")
    assert rule.count("---:") == head.count("|") - 2
    assert dor.startswith("| dor | 2/3 | 0.3333 |")
    files = [str(tmp_path / x) for x in ("t.tex", "t.md", "t.csv", "t.svg")]
    options = [x for y in zip(("--latex", "--markdown", "--csv", "--plot"), files, strict=True) for x in y]
    ran = run("compare", *names, *options)
    assert ran.out.startswith("torus:4x4")  # the terminal has its table all the same
    assert r"dor & 2/3 & 0.3333 &" in Path(files[0]).read_text()
    assert Path(files[2]).read_text() == table.out
    assert "<svg" in Path(files[3]).read_text()


def test_a_sampled_column_says_so_in_every_table(run: Any, tmp_path: Path) -> None:
    names = ("torus:3x3", "dor", "valiant", "--traffic", "tornado", "--traffic-model", "permutation", "--samples", "20")
    figure = tmp_path / "f.svg"
    ran = run("compare", *names, "--latex", "-", "--plot", str(figure))
    assert "(SAMPLED)" in ran.out.splitlines()[3]
    assert "<svg" in figure.read_text()
    [row, _] = csv.DictReader(io.StringIO(run("compare", *names, "--csv", "-").out))
    low, best, high = (float(row[f"average_case_throughput_of_capacity under permutation {x}"]) for x in ENDS)
    assert low <= best <= high
    assert row["throughput under tornado"] == "1"


def test_two_tables_do_not_share_one_file(run: Any, tmp_path: Path) -> None:
    for one, two in (("-", "-"), (str(tmp_path / "x"), f"{tmp_path}/./x")):
        ran = run("compare", "ring:3", "dor", "--csv", one, "--markdown", two)
        assert ran.status == 2
        assert "to be written twice, for --csv and for --markdown" in ran.err


@pytest.mark.parametrize(
    ("name", "csv_cell", "latex", "markdown"),
    [
        ("a|b", "a|b", "a|b", "a\\|b"),
        ("50%_x&y", "50%_x&y", "50\\%\\_x\\&y", "50%\\_x&y"),
        ("=1+2", "'=1+2", "=1+2", "=1+2"),
        ('a,"b"', '"a,""b"""', 'a,"b"', 'a,"b"'),
    ],
)
def test_names_do_no_harm_in_tables(name: str, csv_cell: str, latex: str, markdown: str) -> None:
    made = {form: text(["h"], [[name]]) for form, text in FORMS.items()}
    assert made["csv"] == f"h\n{csv_cell}\n"
    assert f"{latex} \\\\" in made["latex"].splitlines()
    assert made["markdown"].splitlines()[-1] == f"| {markdown} |"
    assert all("\x1b" not in text(["h"], [["\x1b[0m"]]) for text in FORMS.values())


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("ethernet", ["installed routes of leaf-spine", "minimal:choice=per-hop"]),
        ("infiniband", ["ring5.lft", "sssp", "updown"]),
    ],
)
def test_a_folder_of_dumps_is_compared_with_the_usual_routings_and_the_best(
    kind: str, names: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ETHERNET / "leaf-spine"
    if kind == "infiniband":
        folder = tmp_path / "ring5"
        folder.mkdir()
        for name in ("ring5.topo", "ring5.lft"):
            shutil.copy(INFINIBAND / name, folder)
    report = tmp_path / "report.json"
    assert main(["compare", str(folder), "--json", str(report)]) == 0
    out = capsys.readouterr().out
    assert all(x in out for x in names)
    assert "no oblivious routing has a worst-case load below" in out
    assert main(["verify", str(report)]) == 0


def test_a_usual_routing_that_the_fabric_cannot_have_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = property(lambda _: ("dor", "ecmp"))
    monkeypatch.setattr("routeproof.formats.ethernet.fabric.EthernetNetwork.usual_routings", usual)
    assert main(["compare", str(ETHERNET / "leaf-spine")]) == 0
    out, err = capsys.readouterr()
    assert "dor is left out: " in err
    assert "minimal:choice=per-hop" in out


def names_of(text: str) -> list[str]:
    return list(json.loads(text)["subject"]["routings"])


def test_over_a_set_the_best_comes_first_and_ties_go_to_uniform_traffic_then_to_short_paths(run: Any) -> None:
    ran = run("compare", "torus:4x4", "dor", "romm", "valiant", "--demands", "sparse:3", "--json", "-")
    assert names_of(ran.out) == ["valiant", "romm", "dor"]
    loads = [x["worst_case_load"] for x in by_routing(ran.out).values()]
    assert loads == sorted(loads, key=Fraction)


def test_ties_go_to_uniform_traffic_then_to_short_paths(run: Any) -> None:
    names = ("valiant", "minimal", "dor", "dor:tie=plus")
    ran = run("compare", "ring:4", *names, "--demands", "sparse:1", "--json", "-")
    found = {
        name: {k: Fraction(x) for k, x in own.items() if k != "deadlock_free"}
        for name, own in by_routing(ran.out).items()
    }
    keys = [(x["worst_case_load"], -x["throughput"], x["average_path_length"]) for x in found.values()]
    assert keys == sorted(keys)
    assert len({x[0] for x in keys}) < len(keys)  # there are ties


def test_claims_about_one_job_are_not_the_worst_case_of_the_set(run: Any, tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("a: 0 1 2\nb: 3 5\n")
    ran = run("compare", "ring:6", "valiant", "dor", "--demands", f"within:{tmp_path / 'jobs'}", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    report = run("compare", "ring:6", "valiant", "dor", "--demands", f"within:{tmp_path / 'jobs'}", "--json", "-")
    whole = {
        (x["routing"], x["value"])
        for x in json.loads(report.out)["claims"]
        if x["quantity"] == "worst_case_load" and "job" not in x and "across" not in x
    }
    assert {(x["routing"], x["worst_case_load"]) for x in rows} == whole


def test_deadlock_may_be_left_out(run: Any) -> None:
    ran = run("compare", "torus:4x4", "dor", "valiant", "--no-deadlock")
    assert ran.status == 0
    assert "deadlock" not in ran.out
    assert "deadlock-free: on one virtual channel" in run("compare", "torus:4x4", "dor").out
    refused = run("compare", "torus:4x4", "dor", "--no-deadlock", "--virtual-channels")
    assert refused.status == 2
    assert "about deadlock, which is not to be judged" in refused.err


@pytest.mark.parametrize("at", ["answer_worst_case", "deadlock"])
def test_what_was_judged_before_an_interrupt_is_kept(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from routeproof.questions import worst_case
    from routeproof.questions.compare import Compare
    from routeproof.routing.named.spec import routing_from_spec
    from routeproof.topologies.family import network_from_spec
    from routeproof.worst.deadlock import channels

    network = network_from_spec("torus:4x4")
    module: Any = worst_case if at == "answer_worst_case" else channels
    real, calls = getattr(module, at), []

    def interrupted(*given: Any, **options: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*given, **options)

    monkeypatch.setattr(module, at, interrupted)
    found = Compare([routing_from_spec(x, network) for x in ("dor", "valiant", "romm")]).answer()
    assert found.interrupted
    kept = 1 if at == "answer_worst_case" else 2
    assert [x.name for x in found.routings] == ["dor", "valiant"][:kept]
    assert found.unjudged == (None, "deadlock is not judged: interrupted")[:kept]
    assert "romm" in found.notes[0]
    calls.clear()
    monkeypatch.setattr(worst_case, "answer_worst_case", mock.Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):  # nothing was judged
        Compare([routing_from_spec("dor", network)]).answer()


def test_a_bound_on_whole_flows_is_shown_and_not_recommended(run: Any) -> None:
    ran = run("compare", "leaf-spine:2,2,2", "ecmp", "dmodk", "worst-hash:ecmp", "--best")
    assert ran.status == 0
    said = " ".join(ran.out.split())
    assert "a bound on whole flows, not a routing: for path lengths and deadlock see minimal:choice=per-hop" in said
    assert "?" not in said
    assert "Use minimal:choice=per-hop" in said
    assert "the same for all 2 compared" in said
