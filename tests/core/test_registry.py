"""Tables of named things: own entries are found beside their code, those of other packages by their entry points."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from routeproof.core.errors import InputError
from routeproof.core.registry import Registry
from routeproof.core.rooms_above import ROOMS_ABOVE


@dataclass(frozen=True)
class Thing:
    name: str


@pytest.fixture
def things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[Thing]:
    room = tmp_path / f"room_{tmp_path.name}"  # a name of its own: modules stay loaded
    (room / "deeper").mkdir(parents=True)
    for place in (room, room / "deeper"):
        (place / "__init__.py").write_text("")
    text = f"from {__name__} import Thing\n"
    (room / "one.py").write_text(text + "ONE = Thing('one')\n")
    (room / "two.py").write_text(text + "from .one import ONE\nTWO = Thing('two')\n")
    (room / "deeper" / "three.py").write_text(text + "THREE = Thing('three')\n")
    (room / "broken.txt").write_text("no module")
    monkeypatch.syspath_prepend(str(tmp_path))
    return Registry("thing", Thing, rooms=[room.name], group="a.group")


def points(things: Registry[Thing], **values: str) -> None:
    things.__dict__["others"] = {name: [EntryPoint(name, value, "a.group")] for name, value in values.items()}


def test_own_entries_stand_in_files_of_the_rooms(things: Registry[Thing]) -> None:
    points(things)
    assert list(things.own) == ["one", "two"]
    assert things.find("two") == Thing("two")
    assert things.find("three") is None


def test_entries_may_stand_above_the_table(things: Registry[Thing], monkeypatch: pytest.MonkeyPatch) -> None:
    """A room, or one module; the package says which, and the table loads it when it is first read."""
    points(things)
    monkeypatch.setitem(ROOMS_ABOVE, "thing", (f"{things.rooms[0]}.deeper.three",))
    assert list(things.own) == ["one", "two", "three"]
    assert {x: rooms for x, rooms in ROOMS_ABOVE.items() if x != "thing"} == {
        "demand set": ("routeproof.formats.demands",),
        "routing": ("routeproof.optimum.restricted",),
    }


def test_entries_of_other_packages(things: Registry[Thing]) -> None:
    points(things, four=f"{__name__}:FOUR", five="no_such_module:X")
    assert things.names() == ["one", "two", "four", "five"]
    assert [name in things for name in ("one", "five", "six")] == [True, True, False]
    assert things.find("four") == FOUR
    assert things.working() == [Thing("one"), Thing("two"), FOUR]
    assert [(name, isinstance(x, Thing)) for name, x in things.added()] == [("four", True), ("five", False)]


def test_nobody_replaces_ours(things: Registry[Thing], monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint(name, f"{__name__}:FOUR", "a.group") for name in ("one", "four")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found)
    assert list(things.others) == ["four"]
    assert things.find("one") == Thing("one")


def test_a_name_of_two_packages_is_refused(things: Registry[Thing], monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint("four", f"{__name__}:{x}", "a.group") for x in ("FOUR", "FIVE")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found)
    with pytest.raises(InputError, match=r"thing four is of 2 packages, .*:FOUR and .*:FIVE; keep one"):
        things.find("four")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module:X", "cannot be loaded: ModuleNotFoundError"),
        (f"{__name__}:NOTHING", "cannot be loaded: AttributeError"),
        (f"{__name__}:test_own_entries_stand_in_files_of_the_rooms", "a Thing of that name was expected"),
        (f"{__name__}:FIVE", "a Thing of that name was expected"),
    ],
)
def test_broken_entries_are_refused_in_a_line(things: Registry[Thing], value: str, reason: str) -> None:
    points(things, four=value)
    with pytest.raises(InputError, match=reason):
        things.find("four")


def test_no_name_is_taken_twice(things: Registry[Thing], tmp_path: Path) -> None:
    (tmp_path / things.rooms[0] / "again.py").write_text(f"from {__name__} import Thing\nX = Thing('one')\n")
    with pytest.raises(ValueError, match="two thing entries bear the name one"):
        _ = things.own


FOUR, FIVE = Thing("four"), Thing("five")
