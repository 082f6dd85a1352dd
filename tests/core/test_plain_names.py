"""Names that a report may give to what it carries in full."""

from __future__ import annotations

import pytest

from routeproof.core.errors import VerificationError
from routeproof.core.plain_names import check_own_name, is_file_name, reads_like


@pytest.mark.parametrize(
    "name",
    [
        "/home/Übung 1/two.json",
        "/home/Übung 1/two.json#1",
        "kabel-größe.lft#0",
        "../größe/fabric",
        "./größe#12",
        "/home/o'brien/two.json#1",
    ],
)
def test_files_may_have_letters_of_any_alphabet(name: str) -> None:
    assert is_file_name(name)
    check_own_name(name, "it")


@pytest.mark.parametrize("name", ["dör", "dör#1", "#1", "größe.json#", "größe.json#1#2", "größe.json#one"])
def test_what_is_no_file_may_not(name: str) -> None:
    assert not is_file_name(name)
    if not name.isascii():
        with pytest.raises(VerificationError, match="ASCII letters were expected, or the name of a file"):
            check_own_name(name, "it")


@pytest.mark.parametrize("name", ["the 'dor'", "o'brien", 'a "b".json', "a ‘b’.json", "`x`.json"])
def test_no_name_ends_its_quotation(name: str) -> None:
    with pytest.raises(VerificationError, match="printable characters without quotation marks expected"):
        check_own_name(name, "it")


@pytest.mark.parametrize(
    "name", ["fat tree:4", "Fat Tree (k = 4)", "fat_tree 4", "fat\u2010tree:4", "FAT TREE", "fat-tree"]
)
def test_spaces_are_hyphens_in_front_of_parameters_too(name: str) -> None:
    assert reads_like(name, ["torus", "fat-tree"]) == "fat-tree"


@pytest.mark.parametrize("name", ["fat treehouse", "a fat tree", "fat", "fat tree.json", "net-7"])
def test_other_words_are_other_names(name: str) -> None:
    assert reads_like(name, ["torus", "fat-tree"]) is None
