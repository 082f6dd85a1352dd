"""Files of jobs and pairs, and the texts that name demand sets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from routeproof import mesh
from routeproof.core.errors import InputError
from routeproof.demand_sets.hull import Hull, Routable
from routeproof.demand_sets.sparse import EverySparse, Unbalanced
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.jobs import read_jobs
from routeproof.formats.demands.pairs import read_pairs
from routeproof.formats.demands.rates import read_rates
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.formats.host_names import hosts_of

NET = replace(mesh(4, 2), terminal_labels=tuple(f"n{k:02d} mlx5_{k % 2}" for k in (1, 1, 2, 3, 4, 5, 6, 7)))


def write(folder: Path, text: str) -> Path:
    path = folder / "given"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("n1,n[2-4,7]", "n1 n2 n3 n4 n7"),
        ("n[08-10]", "n08 n09 n10"),
        ("r[1-2]n[1-2]-ib", "r1n1-ib r1n2-ib r2n1-ib r2n2-ib"),
        ("a b,c", "a b c"),
        ("", ""),
    ],
)
def test_host_lists(text: str, hosts: str) -> None:
    assert hosts_of(text, what="line 1") == hosts.split()


@pytest.mark.parametrize("text", ["n[1-", "n1]", "n[3-2]", "n[a]", "n[1-[2]]", "n[0-99999999]"])
def test_damaged_host_lists(text: str) -> None:
    with pytest.raises(InputError, match=r"^line 1: "):
        hosts_of(text, what="line 1")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [0, 1, "n02"], "b": ["n03", 4]}',
        "# of tonight\na: n01 2\nb: n[03-04]\n",
        "JOBID NODELIST\na n[01-02]\n1204_[5-10%3] \nheld (Priority)\nalone n07\nb n[03-04]\n",
    ],
)
def test_jobs_in_every_spelling(text: str, tmp_path: Path) -> None:
    """A host with two ports is two terminals."""
    found = read_jobs(write(tmp_path, text), NET)
    assert found.terminals == {"a": (0, 1, 2), "b": (3, 4)}
    assert found.alone == (("alone",) if "alone" in text else ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: n99\n", r"line 1: mesh:4x2 has no terminal 'n99'; "),
        ("a: n02\n", "line 1: job 'a' has one terminal; two at least"),
        ("a: n02 n03\nb: n03 n04\n", "terminal n03 mlx5_1 is in the jobs a and b"),
        ("a: n02 n03\na: n04 n05\n", "line 2: a second job 'a'"),
        ("a: n02 n02\n", "has a terminal twice"),
        ("", "holds no job of two terminals"),
        ("1|n[02-03]\n4 n[04-05]\n", r"line 1: job '1\|n\[02-03\]' has no terminals"),
        ("JOBID|NODELIST\n1|n[02-03]\n", r"line 1: 'JOBID\|NODELIST' has other columns; .*squeue -o \"%i %N\""),
        ("  JOBID PARTITION NAME\n 5 batch x\n", "line 1: 'JOBID PARTITION NAME' has other columns"),
        ("a: n02 gpu\n", "has no terminal 'gpu'; one of them is 'n01 mlx5_1'"),
        ('{"a": 3}', "job 'a' is 3; a list of terminals"),
        ('{"a": [0, 99]}', "terminal 99; terminals are 0 to 7"),
        ('{"a": [0, 1.5]}', "has no terminal 3/2"),
    ],
)
def test_damaged_jobs(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_jobs(write(tmp_path, text), NET)
    assert "\n" not in str(caught.value)


def test_pairs(tmp_path: Path) -> None:
    wanted = [(2, 3), (0, 4), (1, 4)]
    assert read_pairs(write(tmp_path, "n02, n03 # one\n n01 4\n"), NET) == wanted
    assert read_pairs(write(tmp_path, '[[2, 3], ["n01", "n04"]]'), NET) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [("n02", "line 1: .*a source and a destination"), ("2 2", "sends to itself"), ("# none", "holds no pair")],
)
def test_damaged_pairs(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read_pairs(write(tmp_path, text), NET)


def test_sets_by_text(tmp_path: Path) -> None:
    path = write(tmp_path, "a: n[01-03]\nb: n[04-05]\n")
    found = demands_from_spec(["sparse:3", f"within:{path}"], NET)
    assert (found.total, found.allows(0, 3), found.allows(3, 4)) == (3, True, False)
    assert found.text == f"sparse:3 & within:{path}"


FILES = {
    "jobs": "a: n[01-03]\nb: n[04-05]\n",
    "other": "a: n[06-07]\n",
    "pairs": "n02 n03\n",
    "rates": "1 1\n" * 7 + "2 1/2\n",
    "m.json": '{"n02": {"n03": "3/2"}, "n04": {"n05": 0.5}}',
    "low.json": '{"n02": {"n03": 1}}',
    "high.json": '{"n02": {"n03": 2}, "n06": {"n07": 1}}',
    "two.json": '[{"n02": {"n03": 1}}, {"n03": {"n02": 2}}]',
    "a,b.json": '{"n02": {"n03": 1}}',
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


HALF = Fraction(1, 2)


def transport(*texts: str) -> TransportSet:
    found = demands_from_spec(texts, NET)
    assert isinstance(found, TransportSet)
    assert found.text == " & ".join(texts)
    return found


@pytest.mark.usefixtures("files")
def test_every_set_by_its_text() -> None:
    assert transport("hose:rates,unit=1/2").sends == (HALF,) * 7 + (Fraction(1),)
    assert transport("hose:rates").receives == (Fraction(1),) * 7 + (HALF,)
    box = transport("box:m.json,margin=2,unit=1/3").box
    assert box is not None
    assert box == {(2, 3): (Fraction(1, 4), Fraction(1)), (4, 5): (Fraction(1, 12), Fraction(1, 3))}
    box = transport("box:low.json,high.json").box
    assert box is not None
    assert box == {(2, 3): (1, 2), (6, 7): (0, 1)}
    box = transport("box:a,b.json,high.json,unit=10").box
    assert box is not None
    assert box == {(2, 3): (10, 20), (6, 7): (0, 10)}
    hull = demands_from_spec(["matrix:two.json,unit=1/1000"], NET)
    assert isinstance(hull, Hull)
    assert hull.matrices == ({(2, 3): Fraction(1, 1000)}, {(3, 2): Fraction(1, 500)})
    assert hull.names == ("matrix 0 of file two.json", "matrix 1 of file two.json")
    assert isinstance(demands_from_spec(["routable"], NET), Routable)
    assert isinstance(demands_from_spec(["unbalanced"], NET), Unbalanced)


@pytest.mark.usefixtures("files")
def test_a_curve_of_sparse_sets_keeps_the_other_limits() -> None:
    found = demands_from_spec(["within:jobs", "sparse:all"], NET)
    assert isinstance(found, EverySparse)
    assert (found.text, found.most_packets, found.at(2).total) == ("sparse:all & within:jobs", 8, 2)
    assert found.at(2).text == "sparse:2 & within:jobs"
    assert not found.at(2).allows(0, 5)


@pytest.mark.usefixtures("files")
def test_jobs_keep_their_names() -> None:
    jobs = transport("within:jobs", "pairs:pairs")
    assert jobs.jobs == ("a", "b")
    with pytest.raises(InputError, match="job b: no pair of terminals may send"):
        jobs.alone("b")
    alone = transport("within:jobs").alone("b")
    assert (alone.allows(4, 5), alone.allows(0, 1)) == (True, False)


@pytest.mark.usefixtures("files")
def test_a_directory_of_matrices(files: Path) -> None:
    (files / "many").mkdir()
    for name in ("t2.json", "t1.json"):
        (files / "many" / name).write_text(FILES["m.json"])
    hull = demands_from_spec(["matrix:many"], NET)
    assert isinstance(hull, Hull)
    assert hull.names == ("file many/t1.json", "file many/t2.json")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("sparce:3", "did you mean 'sparse'"),
        ("sparse", "sparse:16 was expected"),
        ("sparse:x", "a number of packets from 1"),
        ("permutations:3", "permutations was expected"),
        ("routable:", "routable was expected"),
        ("within:/no/such/file", "there is no file"),
        ("within:jobs,margin=2", "'within:jobs,margin=2' takes no option 'margin'; known: missing"),
        ("matrix:m.json,units=2", "takes no option 'units'; did you mean 'unit'"),
        ("matrix:m.json,unit=0", "unit is 0; what one in the file is"),
        ("matrix:m.json,unit=nan", "unit is 'nan'; a number"),
        ("matrix:m.json,unit=1,unit=2", "states unit twice"),
        ("box:m.json", "box:FILE,margin=2 or box:LOW,HIGH, two files, was expected"),
        ("box:m.json,margin=1/2", "margin is 1/2; at least 1"),
        ("box:low.json,high.json,margin=2", "a margin goes with one file"),
        ("box:high.json,low.json", "from n06 mlx5_0 to n07 mlx5_1 at least 1 and at most 0|at least 2 and at most 1"),
        ("box:two.json,margin=2", "holds 2 matrices; one was expected"),
        ("matrix:m.json sparse:3", "matrix:m.json cannot be combined with sparse:3: matrices are taken as they are"),
        ("sparse:3 routable", "routable cannot be combined with sparse:3"),
        ("unbalanced sparse:all", "unbalanced cannot be combined with sparse:all"),
        ("within:jobs within:other", "^within:jobs & within:other: no pair"),
        ("permutations within:jobs sparse:3 within:other", "^within:jobs & within:other: no pair"),
        ("permutations box:m.json,margin=1", "permutations & box:m.json,margin=1: terminal 2 sends 3/2, at most 1"),
        ("sparse:2 box:high.json,margin=1", "sparse:2 & box:high.json,margin=1: terminal 2 sends 2, at most 1"),
        ("sparse:all box:m.json,margin=2", "the number of packets is counted from 0 up|sends 3/4"),
    ],
)
@pytest.mark.usefixtures("files")
def test_texts_that_name_no_set(texts: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        demands_from_spec(texts.split(), NET)
    assert "\n" not in str(caught.value)


def test_a_word_among_the_rates_of_a_hose_is_named(tmp_path: Path) -> None:
    (tmp_path / "cables.txt").write_text("Seattle: 1 1\n")
    with pytest.raises(InputError, match=r"line 1: a rate .* is 'Seattle:'; a number or a fraction"):
        read_rates(tmp_path / "cables.txt", 2)
