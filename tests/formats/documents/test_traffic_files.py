"""Traffic and permutation files, in all their spellings."""

from fractions import Fraction

import pytest

from routeproof.core.errors import InputError
from routeproof.formats.documents.traffic import read_traffic


def saved(tmp_path, text):
    path = tmp_path / "demo.txt"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", ["2 0 1", "2\n0\n1\n", "2, 0, 1", "# three\n2 0 # two\n1", "[2, 0, 1]", " [2,0,1]\n"])
def test_permutations(text, tmp_path):
    path = saved(tmp_path, text)
    traffic = read_traffic(path, 3)
    assert traffic.permutation is not None
    assert traffic.permutation.image.tolist() == [2, 0, 1]
    assert traffic.name == str(path)
    assert traffic.rate(0, 2) == 1


@pytest.mark.parametrize(
    "text",
    [
        "0 1/3 1/3 0.25",
        "0,1/3\n1/3,0.25",
        '[["0", "1/3"], ["1/3", "1/4"]]',
        '[[0, "1/3"], ["1/3", 0.25]]',
        '[0, "1/3", "1/3", 25e-2]',
    ],
)
def test_rates_are_exact(text, tmp_path):
    traffic = read_traffic(saved(tmp_path, text), 2)
    assert [traffic.rate(i, j) for i in (0, 1) for j in (0, 1)] == [0, Fraction(1, 3), Fraction(1, 3), Fraction(1, 4)]


def test_one_terminal(tmp_path):
    assert read_traffic(saved(tmp_path, "0"), 1).permutation is not None
    assert read_traffic(saved(tmp_path, "1"), 1).rate(0, 0) == 1
    assert read_traffic(saved(tmp_path, "[[1]]"), 1).rate(0, 0) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1", "holds 2 entries; a permutation of 3 terminals or 3 x 3 rates was expected"),
        ("", "holds 0 entries"),
        ("[]", "holds 0 entries"),
        ("0 0 1", "0 and 1 both go to 0; nobody goes to 2"),
        ("0 1 3", "entry 2 is 3; a terminal from 0 to 2 was expected"),
        ("0 1 -2", "entry 2 is -2"),
        ("0 1 1/2", "entry 2 is 1/2"),
        ("0 1 x", "entry 2 is 'x'"),
        ("0 1 nan", "entry 2 is 'nan'"),
        ("[0, 1, true]", "entry 2 is true"),
        ("[0, 1, null]", "entry 2 is null"),
        ("[0, 1, [2]]", r"entry 2 is \[2\]"),
        ("[0, 1, NaN]", "holds NaN"),
        ("1 0 0 0 1 0 0 0 2", "row 2 of traffic .* sums to 2"),
        ("1 0 0 1 0 0 0 0 0", "column 0 of traffic .* sums to 2"),
        ("1 0 0 0 1 0 0 0 -1", "from 2 to 2 is -1; it cannot be negative"),
        ("1 0 0 0 1 0 0 0 inf", "rate from 2 to 2 is 'inf'"),
        ("0.333333334 0.333333333 0.333333334 0 0 0 0 0 0", "row 0 .* sums to"),
        ("[[1, 0, 0], [0, 1], [0, 0, 1]]", "row 1 has 2 entries; 3 were expected"),
        ("[[1, 0], [0, 1]]", "holds 2 rows"),
        ('{"a": 1}', "holds an object; a list"),
        ("[0, 1", "ends too early"),
        ("1e-9999 0 0 0 0 0 0 0 0", "out of range"),
    ],
)
def test_wrong_traffic_is_refused_in_one_line(text, message, tmp_path):
    with pytest.raises(InputError, match=message) as caught:
        read_traffic(saved(tmp_path, text), 3)
    assert "\n" not in str(caught.value)


def test_hopeless_denominators_are_refused(tmp_path):
    rates = [f"1/{10**50 + k}" for k in range(900)]
    with pytest.raises(InputError, match=r"no common denominator below 2\^4096"):
        read_traffic(saved(tmp_path, " ".join(rates)), 30)


def test_enormous_files_are_not_read(tmp_path):
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(InputError, match=r"is 100.0 MB; at most 266.2 KB are expected"):
        read_traffic(path, 64)
