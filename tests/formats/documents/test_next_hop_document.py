"""Next-hop documents: there and back, and what is wrong with those that are not."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.documents.routing import next_hops_from_document, next_hops_to_document
from routeproof.formats.resolve import resolve_network
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.named.spec import routing_from_spec
from routeproof.worst.scan.exact import worst_case

RING = {
    "format": "routeproof/next-hop",
    "network": {"spec": "ring:3"},
    "columns": "node",
    "tables": [{"channel": [[-1, 0, 0], [2, -1, 2], [4, 4, -1]]}],
}


def changed(**more: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(RING)), **more}


def test_there_and_back(tmp_path: Path) -> None:
    net = resolve_network("ring:3")
    first = np.array(RING["tables"][0]["channel"], dtype=np.int32)  # type: ignore[index]
    tables = [(Fraction(1, 3), first), (Fraction(2, 3), first)]
    document = next_hops_to_document(net, "node", tables)
    _, columns, again = next_hops_from_document(json.loads(json.dumps(document)), what="it")
    assert columns == "node"
    assert [w for w, _ in again] == [Fraction(1, 3), Fraction(2, 3)]
    assert all(np.array_equal(table, first) for _, table in again)
    path = tmp_path / "two.json"
    path.write_text(json.dumps(document))
    routing = routing_from_spec(str(path), net)
    assert isinstance(routing, Mixture)
    assert worst_case(routing).load == 2
    out, report = tmp_path / "out.json", tmp_path / "report.json"
    assert main(["convert", "ring:3", "--routing", str(path), str(out)]) == 0
    assert json.loads(out.read_text())["tables"] == document["tables"]
    assert main(["worst-case", "ring:3", "--routing", str(out), "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    assert main(["compare", "ring:3", str(out), "dor", "--best", "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"tables": []}, "at least one table"),
        ({"columns": "rows"}, "columns is 'rows'"),
        ({"tables": [{"channel": [[0]]}]}, "a list of 3 rows"),
        ({"tables": [{"channel": [[0, 0], [0, 0], [0, 0]]}]}, r"channel\[0\].*3 numbers"),
        ({"tables": [{"channel": [[-1, 0, 0], [2, -1, 2], [4, 9, -1]]}]}, r"channel\[2\]\[1\] is 9"),
        ({"tables": [{"channel": [[-1, 0, 0], [2, -1, 2], [4, "x", -1]]}]}, r"channel\[2\]\[1\] is 'x'"),
        ({"tables": [{"weight": "1/2", "channel": RING["tables"][0]["channel"]}]}, "sum to 1/2"),  # type: ignore[index]
        ({"tables": [{"weight": 0, "channel": RING["tables"][0]["channel"]}]}, "a positive number"),  # type: ignore[index]
        ({"network": {"spec": "ring:4"}}, "another network"),
        ({"network": 3}, "network is 3"),
        ({"more": 3}, "unknown key 'more'"),
        ({"tables": [{"channel": [[-1, 0, 0], [3, -1, 3], [4, 4, -1]]}]}, "loop|dead end|does not deliver"),
    ],
)
def test_documents_that_are_refused(more: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(changed(**more)))
    with pytest.raises(InputError, match=said) as caught:
        routing_from_spec(str(path), resolve_network("ring:3"))
    assert len(str(caught.value).splitlines()) == 1


def test_check_judges_tables_and_fabrics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.json"
    for table, word in (
        ([[-1, 0, 0], [2, -1, 2], [4, 4, -1]], "true"),
        ([[-1, 0, 0], [2, -1, 2], [4, -1, -1]], "false"),
    ):
        path.write_text(json.dumps(changed(tables=[{"channel": table}])))
        assert main(["check", str(path), "--json", "-"]) == 0
        claims = json.loads(capsys.readouterr().out)["claims"]
        assert [x["value"] for x in claims if x["quantity"] == "valid_routing"] == [word]
    fabric = INFINIBAND / "ring3.topo"
    assert main(["check", str(fabric), "--json", "-"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert {x["quantity"]: x["value"] for x in claims}["num_terminals"] == "6"
