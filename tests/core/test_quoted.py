"""Lists of names, with and without quotes."""

from __future__ import annotations

import random

import pytest

from routeproof.core.errors import InputError
from routeproof.core.quoted import names_in, quoted, split_outside, unquoted

NAMES = [
    "MF0;ib7:SX6036/U1",
    "MF0;ib8:SX6036/U1",
    "spine-1",
    'the "big" one',
    "a, b;c",
    "x;y",
    "4",
    "n[1]",
    " lead",
    "",
]


def test_what_is_quoted_is_read_as_it_was() -> None:
    rng = random.Random(7)
    for _ in range(500):
        some = [rng.choice(NAMES) for _ in range(rng.randrange(1, 6))]
        for separator in ";,":
            text = separator.join(map(quoted, some))
            assert [unquoted(x) for x in split_outside(text, separator)] == some, text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ('a;"b;c";d', ["a", '"b;c"', "d"]),
        ('5" disk;7" disk', ['5" disk', '7" disk']),
        ('"open;b', ['"open', "b"]),
        ('"a;b"[1,2]-"c;d"[3,4];e', ['"a;b"[1,2]-"c;d"[3,4]', "e"]),
        ("", [""]),
    ],
)
def test_pieces(text: str, pieces: list[str]) -> None:
    assert split_outside(text, ";") == pieces


def test_one_way_to_read_needs_no_quotes() -> None:
    known = ["MF0;ib7", "MF0;ib8", "s1"]

    def read(text: str, names: list[str] = known) -> list[str]:
        return names_in(text, lambda x: unquoted(x) in names, names, what="it")

    assert read("MF0;ib7;s1;MF0;ib8") == ["MF0;ib7", "s1", "MF0;ib8"]
    assert read('"MF0;ib7";s1') == ['"MF0;ib7"', "s1"]
    assert read("MF0;ib9") == ["MF0", "ib9"]  # unknown: said of the first that is
    assert read("a;b", ["a", "b"]) == ["a", "b"]
    with pytest.raises(InputError, match=r'^it may be "a;b" or a, b; put a name with ; into double quotes$'):
        read("a;b", ["a", "b", "a;b"])
    assert read('"a;b"', ["a", "b", "a;b"]) == ['"a;b"']
