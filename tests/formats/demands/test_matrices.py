"""One matrix in every format: the same rates; and what is wrong is named with its place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from routeproof import mesh, ring
from routeproof.core.errors import InputError
from routeproof.formats.demands.matrices import MATRICES, read_matrices, read_matrix

NET = replace(mesh(3), labels=("Oslo", "Bergen", "Tromso"))
RATES = {(0, 1): Fraction(3, 2), (2, 1): Fraction(1, 4)}

SNDLIB = """?SNDlib native format; type: network; version: 1.0
# network demo
META (
  granularity = 5min
  unit = MBITPERSEC
)
NODES (
  Oslo ( 10.7 59.9 )
)
LINKS (
)
DEMANDS (
  a ( Oslo Bergen ) 1 1.00 UNLIMITED
  b ( Oslo Bergen ) 1 0.50 UNLIMITED
  c ( Tromso Bergen ) 1 0.25 UNLIMITED
)
ADMISSIBLE_PATHS (
  a (
    P_0 ( L1 L2 )
  )
  b (
    P_0 ( L2 )
  )
)
"""
SNDLIB_XML = """<?xml version="1.0"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0">
 <meta><unit>MBITPERSEC</unit></meta>
 <demands>
  <demand id="a"><source>Oslo</source><target>Bergen</target><demandValue>1.5</demandValue></demand>
  <demand id="b"><source>Tromso</source><target>Bergen</target><demandValue>0.25</demandValue></demand>
 </demands>
</network>
"""
TOTEM = """<?xml version="1.0"?>
<TrafficMatrixFile><info><units><unit type="bandwidth" value="kbps"/></units></info>
<IntraTM ASID="1"><src id="1"><dst id="2">1.5</dst><dst id="1">0</dst></src>
<src id="3"><dst id="2">.25</dst></src></IntraTM>
</TrafficMatrixFile>
"""
REPETITA = "DEMANDS 2\nlabel src dest bw\nd0 0 1 1.5\nd1 2 1 0.25\n"
LIST = "from,to,rate\nOslo,Bergen,3/2\nTromso,Bergen,0.25\n0,2,0\n"
TABLE = ";Oslo;Bergen;Tromso\nOslo;0;1.5;\nBergen;;;\nTromso;0;0.25;0\n"
JSON = '{"Oslo": {"Bergen": "3/2"}, "Tromso": {"Bergen": 0.25}}'
ROWS = '[[0, "3/2", 0], [0, 0, 0], [0, 0.25, 0]]'
GIVEN = {
    "native.txt": SNDLIB, "net.xml": SNDLIB_XML, "tm.xml": TOTEM, "a.demands": REPETITA, "list.csv": LIST,
    "table.csv": TABLE, "m.json": JSON, "rows.json": ROWS,
}  # fmt: skip


@pytest.mark.parametrize("name", list(GIVEN))
def test_every_format_says_the_same(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(GIVEN[name])
    assert read_matrix(path, NET) == RATES


def test_an_array_of_numpy(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    np.save(path, np.array([[0, 1.5, 0], [0, 0, 0], [0, 0.25, 0]]))
    assert read_matrix(path, NET) == RATES
    np.save(path, np.ones((2, 2)))
    with pytest.raises(InputError, match=r"shape \(2, 2\)"):
        read_matrix(path, NET)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("native.txt", "Oslo Bergen ) 1 1.00", "Oslo Bergn ) 1 1.00", "line 13: .*'Bergn'; did you mean 'Bergen'"),
        ("native.txt", "1 1.00", "1 -1.00", "line 13: .* cannot be negative"),
        ("native.txt", "1 1.00", "2 1.00", "line 13: a routing unit of 2"),
        ("native.txt", "1 1.00", "1 nan", "line 13"),
        ("native.txt", "UNLIMITED\n)\nADM", "UNLIMITED\nADM", "ADMISSIBLE_PATHS"),
        ("net.xml", "<target>Bergen</target>", "", "demand a has no target"),
        ("net.xml", "</network>", "", "no XML that can be read"),
        ("net.xml", '<?xml version="1.0"?>', '<?xml version="1.0"?><!DOCTYPE x>', "declares a document type"),
        ("tm.xml", '<dst id="1">0</dst>', '<dst id="1">7</dst>', "sends '7' to itself"),
        ("tm.xml", 'id="3"', 'id="9"', "terminal 8"),
        ("a.demands", "DEMANDS 2", "DEMANDS 3", "states 3 demands and has 2"),
        ("a.demands", "d1 2 1", "d1 7 1", "line 4: node '7' of mesh:3 has 0 terminals"),
        ("list.csv", "Tromso,Bergen,0.25", "Tromso,Bergen", "row 3 has 2 cells"),
        ("table.csv", "1.5", "x", "row 2: the rate from Oslo to Bergen"),
        ("m.json", '"3/2"', "-1", "cannot be negative"),
        ("rows.json", "[0, 0, 0], ", "[0, 0], ", "row 1 is .*; 3 rates were expected"),
        ("rows.json", "[0, 0, 0], ", "", "has 2 rows; 3 rows of 3 rates"),
        ("list.csv", "Oslo,Bergen", "Olso,Brgen", r"no terminals 'Olso', 'Brgen' \(2 of 4 names\); .*mean 'Oslo'"),
        ("table.csv", ";Oslo;Bergen;", ";Oslo;Bergn;", "4 columns; source, destination and rate were expected"),
    ],
)
def test_what_is_wrong_is_named(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    assert old in GIVEN[name]
    path.write_text(GIVEN[name].replace(old, new, 1))
    with pytest.raises(InputError, match=said) as caught:
        read_matrix(path, NET)
    assert "\n" not in str(caught.value)


def test_a_list_of_two_rates_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("from,to,rate\nOslo,Bergen,3/2\nTromso,Bergen,0.25\n")
    assert read_matrix(path, NET) == RATES


def test_several_matrices_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    np.save(path, np.array([[[0, 1.5, 0], [0, 0, 0], [0, 0.25, 0]]] * 2))
    assert [*read_matrices(path, NET).values()] == [RATES, RATES]
    with pytest.raises(InputError, match="holds 2 matrices; one was expected"):
        read_matrix(path, NET)
    path = tmp_path / "m.json"
    path.write_text(f"[{ROWS}, {JSON}]")
    assert [*read_matrices(path, NET).values()] == [RATES, RATES]
    path.write_text(f"[{ROWS}, {ROWS.replace('3/2', '-1')}]")
    with pytest.raises(InputError, match=r"m\.json: matrix 1: from 0 to 1: the rate from 0 to 1 is '-1'"):
        read_matrices(path, NET)


def test_arrays_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    np.savez(tmp_path / "m.npz", a=np.zeros((3, 3)))
    (tmp_path / "m.npz").rename(path)
    with pytest.raises(InputError, match="several arrays by name"):
        read_matrix(path, NET)
    for damaged in (b"", b"\x93NUMPY\x01\x00", b"nothing"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="is not an array that can be read"):
            read_matrix(path, NET)


def test_files_without_a_matrix(tmp_path: Path) -> None:
    empty = tmp_path / "m.json"
    empty.write_text("{}")
    with pytest.raises(InputError, match="no positive rate"):
        read_matrix(empty, NET)
    unknown = tmp_path / "m.xyz"
    unknown.write_text("one 2 3")
    with pytest.raises(InputError, match="in no known format of matrices"):
        read_matrix(unknown, NET)
    for missing in ("none.csv", "none"):
        with pytest.raises(InputError, match="there is no file"):
            read_matrix(tmp_path / missing, NET)


def test_every_entry_says_how_it_is_read() -> None:
    for entry in MATRICES.own.values():
        assert entry.read is not None
        assert entry.help
        assert entry.extensions or entry.sniff


@pytest.mark.parametrize("text", ["0,1,1/2\n0,2,4\n", "source,destination,rate\n0,1,0.5\n0,2,4\n", "0;1;0.5\n0;2;4\n"])
def test_no_row_of_numbers_is_taken_for_a_heading(tmp_path: Path, text: str) -> None:
    path = tmp_path / "traffic.csv"
    path.write_text(text)
    (found,) = read_matrices(path, ring(4)).values()
    assert found == {(0, 1): Fraction(1, 2), (0, 2): Fraction(4)}


def test_a_square_of_numbers_is_a_matrix_unless_it_could_be_three_demands(tmp_path: Path) -> None:
    path = tmp_path / "traffic.csv"
    path.write_text("0,1,0,0\n0,0,2,0\n0,0,0,3\n4,0,0,0\n")
    (found,) = read_matrices(path, ring(4)).values()
    assert found == {(0, 1): 1, (1, 2): 2, (2, 3): 3, (3, 0): 4}
    path.write_text("0,1,2\n1,0,2\n2,1,0\n")
    with pytest.raises(InputError, match="a matrix, or three demands"):
        read_matrices(path, ring(3))


@pytest.mark.parametrize("text", ["0,1,nan\n0,2,4\n", "Oslo,Bergen,much\nOslo,Tromso,4\n", "0,1,\n0,2,4\n"])
def test_a_first_row_about_two_terminals_is_no_heading(tmp_path: Path, text: str) -> None:
    path = tmp_path / "traffic.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="row 1"):
        read_matrices(path, NET)
