"""A folder with the dumps of a fabric as one argument: what is found in it, and what contradicts itself."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path

import pytest

from places import ETHERNET, INFINIBAND
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.core.network import Network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of the fabric ``ring5``: topology, tables, service levels and SL2VL tables."""
    place = tmp_path / "ring5"
    place.mkdir()
    for name in ("ring5.topo", "ring5.lft", "ring5.paths", "ring5.sl2vl"):
        shutil.copy(INFINIBAND / name, place)
    return place


@pytest.fixture
def dumps(tmp_path: Path) -> Path:
    """Of the fabric ``sharp3``: three topologies and two files of tables."""
    place = tmp_path / "dumps"
    place.mkdir()
    for path in INFINIBAND.glob("sharp3.*"):
        shutil.copy(path, place)
    return place


def refused(place: Path) -> str:
    def read() -> None:
        routing_from_spec("tables", resolve_network(str(place)))

    with pytest.raises(InputError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def replace(path: Path, old: str, new: str, count: int = -1) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def test_the_tables_beside_the_topology_are_its_own_routing(folder: Path) -> None:
    network = resolve_network(str(folder))
    assert network.own_routing == "tables"
    assert network.name == "ring5"
    own = routing_from_spec("tables", network)
    given = routing_from_spec(str(INFINIBAND / "ring5.lft"), resolve_network(str(INFINIBAND / "ring5.topo")))
    pairs = range(network.num_terminals)
    for i in pairs:
        for j in pairs:
            row, column = int(own.row_of[i]), int(own.column_of[j])
            assert own.pair_loads([row], [column]).as_dict() == given.pair_loads([row], [column]).as_dict()


def test_worst_case_and_verify(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["worst-case", str(folder), "--json", str(report)]) == 0
    assert "ring5.lft on ring5" in capsys.readouterr().out
    assert main(["verify", str(report)]) == 0


def test_service_levels_and_lanes_count_for_its_own_routing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deadlock", str(folder)]) == 0
    with_levels = capsys.readouterr().out
    files = [str(INFINIBAND / f"ring5.{x}") for x in ("topo", "lft", "paths", "sl2vl")]
    given = ["--routing", files[1], "--service-levels", files[2], "--sl2vl", files[3]]
    assert main(["deadlock", files[0], *given]) == 0
    assert with_levels.splitlines()[1:-2] == capsys.readouterr().out.splitlines()[1:-2]
    assert "service levels 0, 1 on virtual lanes 0, 1" in with_levels
    assert main(["deadlock", str(folder), "--routing", files[1]]) == 0
    assert "service levels" not in capsys.readouterr().out


def test_a_file_of_levels_given_by_hand_wins(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replies = f"{folder / 'ring5.paths'},replies=same"
    assert main(["deadlock", str(folder), "--service-levels", replies]) == 0
    assert "answers also go back on the level of the request" in capsys.readouterr().out


def test_two_files_of_levels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(folder / "ring5.paths", folder / "old.paths")
    assert main(["deadlock", str(folder)]) == 2
    assert "both hold path records" in capsys.readouterr().err


def test_all_dumps_of_one_fabric_agree(dumps: Path) -> None:
    with pytest.warns(RouteproofWarning, match="SHARP"):
        network = resolve_network(str(dumps))
    assert isinstance(network, FabricNetwork)
    assert network.archive is not None
    assert [Path(x).name for x in network.archive.tables] == ["sharp3.fdbs", "sharp3.lft"]
    routing_from_spec("tables", network).check()


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("sharp3.lst", "LID:0008", "LID:0018", "lid 8 in sharp3.topo .*lid 24 in sharp3.lst; .* of one day"),
        ("sharp3.lst", "SPD=2.5", "SPD=5", "at 8 Gb/s in sharp3.topo and .*at 16 Gb/s in sharp3.lst"),
        ("sharp3.fdbs", "0x0006 : 003", "0x0006 : 004", "sends lid 0x0006 to port .*; are these files of one day"),
        ("sharp3.lft", "0x0006 003", "0x0016 003", "lid 0x0016 belongs to no port"),
    ],
)
def test_dumps_of_two_days(dumps: Path, name: str, old: str, new: str, said: str) -> None:
    replace(dumps / name, old, new, 1 if name != "sharp3.lst" else -1)
    assert re.search(said, refused(dumps))


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_hosts_that_were_left_out_do_not_contradict(dumps: Path) -> None:
    network = resolve_network(f"{dumps},without=h1")
    assert network.num_terminals == 5
    routing_from_spec("tables", network).check()


@pytest.mark.filterwarnings("ignore::routeproof.core.errors.RouteproofWarning")
def test_what_is_removed_keeps_the_tables(folder: Path) -> None:
    network: Network = resolve_network(f"{folder},without=s3-h0")
    assert network.own_routing == "tables"
    assert network.num_terminals == 4
    routing_from_spec("tables", network).check()


def test_a_topology_that_cannot_be_compared_is_named(dumps: Path) -> None:
    replace(dumps / "sharp3.lst", "PHY=4x", "PHY=7x", 1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        resolve_network(str(dumps))
    words = " ".join(str(x.message) for x in said)
    assert "left out: file" in words
    assert "sharp3.lst, line 1: a cable of PHY=7x" in words


def test_unlike_networks_in_one_folder(folder: Path) -> None:
    for path in (ETHERNET / "leaf-spine").iterdir():
        shutil.copy(path, folder) if path.is_file() else None
    assert "two networks; give each a directory of its own" in refused(folder)


def test_tables_without_a_topology(folder: Path) -> None:
    (folder / "ring5.topo").unlink()
    assert "no topology: add what ibnetdiscover prints" in refused(folder)


def test_a_topology_without_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ring5.lft").unlink()
    assert main(["worst-case", str(folder)]) == 2
    assert "no routing is given" in capsys.readouterr().err
    assert "has no forwarding tables" in refused(folder)
    assert main(["compare", str(folder), "--no-opensm"]) == 0
    assert "Use sssp: " in " ".join(capsys.readouterr().out.split())


def test_other_files_are_named(folder: Path) -> None:
    (folder / "notes.txt").write_text("the uplink of s3 was changed on Monday\n")
    with pytest.warns(RouteproofWarning, match=r"left out, .*: notes.txt"):
        resolve_network(str(folder))


@pytest.mark.parametrize(
    ("content", "said"),
    [("Switch".encode("utf-16"), "is text in UTF-16"), ("Switch".encode("utf-16-be"), "is text in UTF-16")],
)
def test_broken_files(folder: Path, content: bytes, said: str) -> None:
    (folder / "a.topo").write_bytes(content)
    assert said in refused(folder)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_empty_files_are_named(folder: Path, content: str) -> None:
    (folder / "opensm.mcfdbs").write_text(content)
    with pytest.warns(RouteproofWarning, match=r"left out, .*: opensm.mcfdbs"):
        resolve_network(str(folder))


def test_a_truncated_topology(folder: Path) -> None:
    text = (folder / "ring5.topo").read_text()
    (folder / "ring5.topo").write_text(text[: len(text) // 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "cut off" in refused(folder)


def test_truncated_tables(folder: Path) -> None:
    text = (folder / "ring5.lft").read_text()
    (folder / "ring5.lft").write_text(text[: len(text) // 2])
    assert "cut off" in refused(folder)


def test_a_folder_that_cannot_be_read_is_no_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["worst-case", str(tmp_path / "empty"), "--routing", "ecmp"]) == 2
    assert "no dump of a network among its 0 files" in capsys.readouterr().err


def test_a_folder_of_folders_names_one_with_dumps(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "days" / "monday").mkdir(parents=True)
    (tmp_path / "days" / "notes" / "of" / "old").mkdir(parents=True)
    (tmp_path / "days" / "notes" / "of" / "old" / "readme.txt").write_text("nothing\n")
    inner = folder.rename(tmp_path / "days" / "monday" / "fabric")
    assert main(["worst-case", str(tmp_path / "days")]) == 2
    assert capsys.readouterr().err.endswith(f"was expected; give a folder with files, such as {inner}\n")
