"""Reports of ``routeproof check``: what they say is judged again from the document that they carry."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from places import INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError, VerificationError
from true_reports import Document, sealed, verify


def written(folder: Path, kind: str) -> Path:
    """A document of this kind."""
    path = folder / f"{kind}.json"
    commands = {
        "network": ["convert", "ring:4", str(path)],
        "routing": ["convert", "mesh:2x3", "--routing", "dor", str(path)],
        "wiring": ["convert", "multibutterfly:8,d=2,seed=1", str(path)],
    }
    if kind == "next-hop":
        topology, table = INFINIBAND / "ring3-lmc1.topo", INFINIBAND / "ring3-lmc1.lft"
        assert main(["convert", str(topology), "--routing", str(table), str(path)]) == 0
    elif kind == "fabric":
        return INFINIBAND / "ring3.topo"
    elif kind in ("permutation", "no-permutation"):
        path = folder / f"{kind}.txt"
        path.write_text("# by hand\n1, 2 0\n" if kind == "permutation" else "0 1 1 3")
    elif kind == "list":
        path.write_text("[2, 0, 1]")
    elif kind == "broken":
        assert main([*commands["routing"][:-1], str(path)]) == 0
        document = json.loads(path.read_text())
        document["pairs"] = document["pairs"][1:]
        path.write_text(json.dumps(document))
    else:
        assert main(commands[kind]) == 0
    return path


ALL = (
    "network",
    "fabric",
    "routing",
    "broken",
    "next-hop",
    "wiring",
    "permutation",
    "no-permutation",
    "list",
)


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_is_verified(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, report = written(tmp_path, kind), tmp_path / "report.json"
    assert main(["check", str(path), "--json", str(report)]) == 0
    path = tmp_path / "elsewhere"  # the document itself is not needed
    capsys.readouterr()
    assert main(["verify", str(report)]) == 0
    assert "claims verified" in capsys.readouterr().out
    document = json.loads(report.read_text())
    for claim in document["claims"]:
        other = json.loads(json.dumps(document))
        changed = next(x for x in other["claims"] if x["quantity"] == claim["quantity"])
        changed["value"] = {"true": "false", "false": "true"}.get(str(changed["value"]), "0")
        with pytest.raises(VerificationError, match=rf"^claims\[\d+\] \({claim['quantity']}\): "):
            verify(sealed(other))


@pytest.fixture
def report(tmp_path: Path) -> Document:
    path = tmp_path / "report.json"
    assert main(["check", str(written(tmp_path, "routing")), "--json", str(path)]) == 0
    found: Document = json.loads(path.read_text())
    return found


def another(document: Document) -> None:
    content = json.loads(document["subject"]["content"])
    content["pairs"][0]["paths"][0]["weight"] = "1/2"
    document["subject"]["content"] = json.dumps(content)


CHANGES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda d: d["claims"][1].update(quantity="num_nodes"), "nothing is known of it"),
    (lambda d: d["claims"][1].update(grade="PROVED"), "its evidence makes it EXHAUSTED"),
    (lambda d: d["claims"][1].update(relation="<="), "its evidence is for =="),
    (lambda d: d["claims"][1].update(unit="nodes"), "its unit is"),
    (lambda d: d["subject"].update(kind="novel"), "kind 'novel'; known: adaptive, analysis, cabling, calls"),
    (lambda d: d["subject"].update(kind="network"), "the report's document"),
    (lambda d: d["subject"].update(content="{"), "the report's document"),
    (lambda d: d["subject"].update(content=[]), "must be a text"),
    (lambda d: d["claims"].clear(), "nothing to verify"),
    (another, r"claims\[0\] \(valid_routing\): it is true"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES, ids=range(len(CHANGES)))
def test_changed_reports_are_refused(report: Document, change: Callable[[Any], Any], words: str) -> None:
    change(report)
    with pytest.raises((VerificationError, InputError), match=words) as caught:
        verify(sealed(report))
    assert "\n" not in str(caught.value)
