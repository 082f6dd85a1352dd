"""Files of jobs and pairs, and the texts that name demand sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from routeproof import mesh
from routeproof.core.errors import InputError
from routeproof.formats.demands.host_list import hosts_of
from routeproof.formats.demands.jobs import read_jobs
from routeproof.formats.demands.pairs import read_pairs
from routeproof.formats.demands.spec import demands_from_spec

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
        "JOBID NODELIST\na n[01-02]\nwaiting \nheld (Priority)\nalone n07\nb n[03-04]\n",
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
        ("a: n02\n", "line 1: job 'a' has 1 terminals; two at least"),
        ("a: n02 n03\nb: n03 n04\n", "terminal n03 mlx5_1 is in the jobs a and b"),
        ("a: n02 n03\na: n04 n05\n", "line 2: a second job 'a'"),
        ("a: n02 n02\n", "has a terminal twice"),
        ("", "holds no job"),
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sparce:3", "did you mean 'sparse'"),
        ("sparse", "sparse:16 was expected"),
        ("sparse:x", "a number of packets from 1"),
        ("permutations:3", "permutations was expected"),
        ("within:/no/such/file", "there is no file"),
    ],
)
def test_texts_that_name_no_set(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        demands_from_spec([text], NET)
