"""The virtual channel of every hop, in our document, in SST's file and as a plain table; what is read is checked."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.documents.report import digest
from routeproof.routing.files.table import routing_writer
from routeproof.worst.deadlock.channels import virtual_channels, with_virtual_channels

CASES = {
    "turns": lambda: rp.named_routing("romm", rp.torus(4, 3)),
    "descents": lambda: rp.DOR().on(rp.mesh(3, 3)),
    "by loads": lambda: rp.named_routing("valiant", rp.petersen()),
    "several terminals a node": lambda: rp.named_routing("dmodk", rp.fat_tree(4)),
}


def by_nodes(routing: rp.Routing) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Virtual channels by the nodes of a path: SST's file numbers channels anew."""
    heads = routing.network.head.tolist(), routing.network.tail.tolist()
    known = routing.path_virtual or {}
    return {(heads[1][path[0]], *(heads[0][c] for c in path)): v for path, v in known.items() if path}


@pytest.mark.parametrize("case", CASES)
def test_written_and_read_again(case: str, tmp_path: Path) -> None:
    routing = CASES[case]()
    table = with_virtual_channels(routing)
    count = virtual_channels(rp.TableRouting(routing.network, "written", table.given)).count
    known = table.path_virtual
    assert known is not None
    assert max(max(x, default=0) for x in known.values()) + 1 == count
    for name in ("r.json", "r.sst.json"):
        if name == "r.sst.json" and not table.by_node:
            continue
        file = str(tmp_path / name)
        routing_writer(file)(table)
        again = rp.named_routing(file, rp.network(file) if name == "r.sst.json" else routing.network)
        assert by_nodes(again) == by_nodes(table)
        assert rp.worst_case(again).load == rp.worst_case(table).load
    routing_writer(tmp_path / "r.csv")(table)
    rows = list(csv.DictReader((tmp_path / "r.csv").open()))
    hops: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for x in rows:
        place = hops.setdefault((x["source"], x["destination"], x["path"]), [])
        assert int(x["hop"]) == len(place)
        place.append((int(x["channel"]), int(x["virtual_channel"])))
    for path in hops.values():
        assert known[tuple(c for c, _ in path)] == tuple(v for _, v in path)


def test_a_design_is_written_with_its_virtual_channels(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "best.json"
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--max-virtual-channels", "2", "--output", str(out)]
    assert main(asked) == 0
    paths = [x for pair in json.loads(out.read_text())["pairs"] for x in pair["paths"]]
    assert {v for x in paths for v in x["virtual_channels"]} == {0, 1}
    assert main(["convert", "ring:5", "--routing", "dor", str(tmp_path / "r.csv"), "--virtual-channels"]) == 0
    assert "2 virtual channels" in capsys.readouterr().out
    assert main(["convert", "ring:5", str(tmp_path / "r.json"), "--virtual-channels"]) == 2


def _ring(virtual: list[Any]) -> dict[str, Any]:
    """Both hops of a one-way ring of three nodes."""
    ways = {(0, 1): [0], (1, 2): [1], (2, 0): [2], (0, 2): [0, 1], (1, 0): [1, 2], (2, 1): [2, 0]}
    pairs = []
    for k, ((i, j), channels) in enumerate(ways.items()):
        path: dict[str, Any] = {"weight": 1, "channels": channels}
        if virtual[k] is not None:
            path["virtual_channels"] = virtual[k]
        pairs.append({"source": i, "destination": j, "paths": [path]})
    return {"format": "routeproof/routing", "network": {"spec": "ring:3,oneway"}, "pairs": pairs}


@pytest.mark.parametrize(
    ("virtual", "says"),
    [
        ([[0], [0], [0], [0, 0], [0, 0], [0, 0]], "its virtual channels can deadlock: a cycle of 3"),
        ([[0], [0], [0], [0, 0], [0, 1], [1]], "has 1 entries for 2 channels"),
        ([[0], [0], [0], [0, 0], [0, 0], [0, 256]], "a virtual channel from 0 to 255"),
        ([[0], [0], [0], [0, 0], [0, 0], [0, "x"]], "a virtual channel from 0 to 255"),
        ([[0], [0], [0], [0, 0], [0, 0], None], "5 of 6 paths have virtual_channels"),
    ],
)
def test_bad_virtual_channels_are_one_line(virtual: list[Any], says: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "ring.json"
    path.write_text(json.dumps(_ring(virtual)))
    assert main(["worst-case", "ring:3,oneway", "--routing", str(path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert says in line


def test_good_virtual_channels_are_kept_in_a_report(tmp_path: Path) -> None:
    path, report = tmp_path / "ring.json", tmp_path / "report.json"
    path.write_text(json.dumps(_ring([[0], [0], [0], [0, 0], [0, 1], [0, 1]])))
    assert main(["deadlock", "ring:3,oneway", "--routing", str(path), "--json", str(report)]) == 0
    assert '"virtual_channels"' in report.read_text()
    assert main(["verify", str(report)]) == 0


def test_what_a_file_states_is_judged_and_verified(tmp_path: Path, capsys: Any) -> None:
    path, report = tmp_path / "ring.json", tmp_path / "report.json"
    path.write_text(json.dumps(_ring([[0], [0], [0], [3, 3], [0, 1], [0, 1]])))
    deadlock = ["deadlock", "ring:3,oneway", "--routing", str(path), "--virtual-channels", "--json", str(report)]
    for asked in (deadlock, ["check", str(path), "--json", str(report)]):
        assert main(asked) == 0
        assert "virtual channels, assignment given" in capsys.readouterr().out
        assert main(["verify", str(report)]) == 0
        claim = next(x for x in json.loads(report.read_text())["claims"] if x["quantity"] == "virtual_channels")
        assert (claim["value"], claim["relation"]) == ("4", "<=")
    forged = json.loads(report.read_text())
    content = json.loads(forged["subject"]["content"])
    for pair in content["pairs"]:
        del pair["paths"][0]["virtual_channels"]
    forged["subject"]["content"] = json.dumps(content)
    for part in (forged["subject"], *forged["claims"]):
        part["digest"] = digest(part)
    report.write_text(json.dumps(forged))
    capsys.readouterr()
    assert main(["verify", str(report)]) == 1
    assert "it states none" in capsys.readouterr().err


def test_sst_virtual_channels_that_do_not_fit(tmp_path: Path) -> None:
    routing = with_virtual_channels(rp.DOR().on(rp.mesh(3)))
    file = tmp_path / "r.sst.json"
    routing_writer(file)(routing)
    document = json.loads(file.read_text())
    for change, says in (
        (lambda x: x["0"].update({"2": [[0]]}), "has 1 entries for a path of 2 hops"),
        (lambda x: x["0"].pop("2"), "a list for each of 1 paths"),
        (lambda x: x["0"].update({"2": [[0, -1]]}), "a virtual channel from 0 to 255"),
    ):
        broken = json.loads(json.dumps(document))
        change(broken["virtual_channels"])
        file.write_text(json.dumps(broken))
        with pytest.raises(InputError, match=says):
            rp.named_routing(str(file), rp.network(str(file)))


def test_forwarding_tables_refuse_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hold no virtual channels"):
        routing_writer(tmp_path / "r.lft")(with_virtual_channels(rp.DOR().on(rp.mesh(3))))
