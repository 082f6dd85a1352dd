"""The tables of file formats: every entry is complete, and what one verb reads the others take too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from places import INFINIBAND, ROOT
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.documents.network import first_difference
from routeproof.formats.format import FORMATS, read_network, write_network
from routeproof.formats.resolve import convert, resolve_network
from routeproof.questions.document import answer_document
from routeproof.routing.files.table import ROUTING_FILES

BOTH = [(f"{table.what} {x.name}", x) for table in (FORMATS, ROUTING_FILES) for x in table.own.values()]
WRITABLE = [x for x in FORMATS.own.values() if x.read is not None and x.write is not None]


@pytest.mark.parametrize(("_name", "entry"), BOTH)
def test_every_entry_is_complete(_name: str, entry: Any) -> None:
    assert entry.help
    assert entry.sniff is not None or entry.directory is not None or entry.extensions, (
        "nothing tells its files from others"
    )
    assert entry.write is None or entry.extensions, "no name asks for it"
    assert any((entry.read, entry.write, entry.judge, entry.document, entry.instead))
    assert all(x.startswith(".") and x == x.lower() for x in entry.extensions)


def test_no_extension_stands_for_two_formats() -> None:
    for table in (FORMATS, ROUTING_FILES):
        extensions = [x for entry in table.own.values() for x in entry.extensions]
        assert len(extensions) == len(set(extensions))


def test_the_page_on_formats_names_every_extension() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for _, entry in BOTH:
        for extension in entry.extensions:
            assert f"`{extension}`" in page, f"{extension} ({entry.help})"


@pytest.mark.parametrize("entry", WRITABLE, ids=lambda x: str(x.name))
def test_what_is_read_is_judged_and_converted(entry: Any, tmp_path: Path) -> None:
    network = resolve_network("torus:3x4")
    for extension in entry.extensions:
        path = tmp_path / f"net{extension}"
        write_network(network, path)
        found = read_network(path)
        assert (found.num_nodes, found.num_channels, found.num_terminals) == (12, 48, 12)
        claims = {x.quantity: x.value for x in answer_document(str(path)).claims()}
        assert (claims["num_nodes"], claims["num_channels"], claims["connected"]) == (12, 48, "true")
        convert(str(path), tmp_path / "again.json")
        assert first_difference(read_network(tmp_path / "again.json"), found) is None


def test_check_reads_what_other_tools_wrote(tmp_path: Path) -> None:
    (tmp_path / "net.anynet").write_text("router 0 node 0 router 1\nrouter 1 node 1\n")
    assert main(["check", str(tmp_path / "net.anynet"), "--json", str(tmp_path / "anynet.json")]) == 0
    assert main(["convert", "ring:5", "-r", "dor", str(tmp_path / "ring.sst.json")]) == 0
    assert main(["check", str(tmp_path / "ring.sst.json"), "--json", str(tmp_path / "sst.json")]) == 0
    claims = {x["quantity"]: x["value"] for x in json.loads((tmp_path / "sst.json").read_text())["claims"]}
    assert claims["valid_routing"] == "true"
    assert claims["deadlock_free"] == "false"
    for name in ("anynet", "sst"):
        assert main(["verify", str(tmp_path / f"{name}.json")]) == 0


def test_check_says_what_to_do_where_it_cannot_judge(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds InfiniBand forwarding tables; their network is in another file"):
        answer_document(str(INFINIBAND / "ring3.lft"))
    (tmp_path / "report.json").write_text('{"format": "routeproof/report"}')
    with pytest.raises(InputError, match="holds a report; routeproof verify checks reports"):
        answer_document(str(tmp_path / "report.json"))
    (tmp_path / "net.caminos").write_text("Torus {}")
    with pytest.raises(InputError, match="holds CAMINOS; files of this format are written but not read"):
        answer_document(str(tmp_path / "net.caminos"))


def test_a_document_is_known_by_what_it_says(tmp_path: Path) -> None:
    write_network(resolve_network("ring:4"), tmp_path / "net.json")
    plain = tmp_path / "net.txt"
    plain.write_text((tmp_path / "net.json").read_text())
    assert read_network(plain).num_nodes == 4
    assert {x.quantity for x in answer_document(str(plain)).claims()} >= {"connected"}


def test_formats_that_are_only_read_say_so(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"the output of ibnetdiscover is read but not written; a network is written as \.json"
    ):
        convert("ring:4", tmp_path / "net.topo")
