"""Lines and tokens keep the numbers of lines, whatever is left out between them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.formats.format import File
from routeproof.formats.text_files import Cursor, numbered_lines, whole_number

TEXT = "# heading\n\n  a b  # why\n\tc\n#d\n"


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ({}, [(1, "# heading"), (3, "a b  # why"), (4, "c"), (5, "#d")]),
        ({"comment": "#"}, [(3, "a b"), (4, "c")]),
        ({"comment_lines": "#"}, [(3, "a b  # why"), (4, "c")]),
        ({"comment": "#", "indented": True}, [(3, "  a b  "), (4, "\tc")]),
    ],
)
def test_comments_and_blanks(how: dict[str, str], wanted: list[tuple[int, str]], tmp_path: Path) -> None:
    found = list(numbered_lines(TEXT, "it", **how))  # type: ignore[arg-type]
    assert [(x.number, x.text) for x in found] == wanted
    assert all(x.place == f"it, line {x.number}" for x in found)
    (tmp_path / "a.txt").write_text(TEXT)
    again = File(tmp_path / "a.txt").lines(**how)  # type: ignore[arg-type]
    assert [(x.number, x.text) for x in again] == wanted


def test_an_error_names_the_line() -> None:
    (line,) = numbered_lines("\nx", "file a")
    assert str(line.error("'x'; a number was expected")) == "file a, line 2: 'x'; a number was expected"


@given(st.lists(st.sampled_from(["a", " ", "\n", "bb", "#c\n"])))
def test_tokens_have_the_line_that_they_begin_in(parts: list[str]) -> None:
    text = "".join(parts)
    form = re.compile(r"(?P<space>\s+|#[^\n]*)|(?P<word>\w+)")
    found = Cursor(text, "it", form)
    bare = re.sub("#[^\n]*", "", text).split("\n")
    assert [(x.text, x.line) for x in found] == [(x, k) for k, line in enumerate(bare, 1) for x in line.split()]


def test_tokens_end_as_often_as_asked_and_refuse_what_is_none() -> None:
    form = re.compile(r"(?P<space>\s+)|(?P<word>\w+)")
    found = Cursor("a\n", "it", form)
    assert [found.take()[:2] for _ in range(3)] == [("word", "a"), ("end", ""), ("end", "")]
    with pytest.raises(InputError, match=r"^it, line 2: '\? b' is no word$"):
        list(Cursor("a\n? b", "it", form, unknown="is no word"))


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "١", "1_0", "10000000000", "2", "9", None, 5])
def test_only_digits_within_the_limits_are_whole_numbers(text: object) -> None:
    with pytest.raises(InputError, match=r"^it is .*; 3 to 8 was expected$"):
        whole_number(text, "it", "3 to 8", least=3, most=8)
    assert [whole_number(x, "it", "3 to 8", least=3, most=8) for x in ("3", "08")] == [3, 8]
