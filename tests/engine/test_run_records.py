"""What a record is a record of: a value in another's place, of another run or another format, is not used."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engine_pieces
import pytest

from routeproof.cli.main import main
from routeproof.engine import EngineError, Work, run
from routeproof.engine import work as engine_work
from routeproof.engine.records import encode
from routeproof.engine.run_file import FILE, describe, verify_run
from routeproof.engine.store import RunDirectory
from routeproof.engine.work import digest

COUNT = 8
EXPECTED = encode({str(k): k * k for k in range(COUNT)})


def tells(log: Path) -> Work:
    return Work("tells", engine_pieces.tell, {str(k): {"x": k, "log": str(log)} for k in range(COUNT)})


def adds(base: int) -> Work:
    return Work("adds", engine_pieces.add, {str(k): {"x": k} for k in range(COUNT)}, shared={"base": base})


def edit(where: Path, *statements: str, **values: Any) -> None:
    with contextlib.closing(sqlite3.connect(where / FILE)) as database, database:
        for statement in statements:
            database.execute(statement, values)


def rows(where: Path) -> dict[str, tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(where / FILE)) as database:
        return {x[2]: x for x in database.execute("SELECT * FROM record")}


def put(where: Path, row: tuple[Any, ...]) -> None:
    with contextlib.closing(sqlite3.connect(where / FILE)) as database, database:
        database.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)", row)


def swap_values(where: Path) -> None:
    """Value and digest of two records change places."""
    held = rows(where)
    for one, other in (("2", "3"), ("3", "2")):
        put(where, (*held[one][:3], *held[other][3:]))


def swap_pieces(where: Path) -> None:
    """Two records change the pieces that they are of."""
    held = rows(where)
    for one, other in (("2", "3"), ("3", "2")):
        put(where, (held[one][0], held[other][1], *held[one][2:]))


def swap_pieces_and_names(where: Path) -> None:
    held = rows(where)
    for one, other in (("2", "3"), ("3", "2")):
        put(where, (*held[other][:2], other, *held[one][3:]))


def copy_over(where: Path) -> None:
    """One record stands twice."""
    held = rows(where)
    put(where, (*held["2"][:3], *held["5"][3:]))


def write_text(where: Path) -> None:
    """A value that is no bytes."""
    edit(where, "UPDATE record SET value = 'nine' WHERE key = '3'")


@pytest.mark.parametrize("harm", [swap_values, swap_pieces, swap_pieces_and_names, copy_over, write_text])
def test_a_value_in_the_place_of_another_is_made_again(harm: Callable[[Path], None], tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    harm(where)
    good, bad = verify_run(where)
    assert bad
    assert all(x.endswith("it does not match its digest") for x in bad)
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert len(log.read_text().splitlines()) == COUNT + len(bad)
    assert verify_run(where) == (good + len(bad), [])


def test_records_of_other_works_are_not_used(tmp_path: Path) -> None:
    """As they are they belong to nothing; under the task of this run they do not match."""
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    run(adds(1), workers=1, run=str(mine))
    run(adds(2), workers=1, run=str(theirs))
    held = rows(theirs)
    put(mine, held["4"])
    assert verify_run(mine) == (COUNT, ["piece 4: it belongs to no work of this run"])
    put(mine, (rows(mine)["5"][0], *held["5"][1:]))
    assert "piece 5: it does not match its digest" in verify_run(mine)[1]
    assert encode(run(adds(1), workers=1, run=str(mine))) == encode(run(adds(1), workers=1))


def test_a_work_that_is_called_another(tmp_path: Path) -> None:
    """Whose records are whose does not follow from the names that a run gives to its works."""
    where = tmp_path / "run"
    run(adds(1), workers=1, run=str(where))
    edit(where, "UPDATE work SET task = :task", task=digest(adds(2).task()))
    with pytest.raises(EngineError, match="holds 'adds' of other inputs or options"):
        run(adds(1), workers=1, run=str(where))
    assert run(adds(2), workers=1, run=str(where))["3"]["sum"] == 5


def test_records_of_another_version_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version stands in every task, too: it does not help to edit what the directory says of itself."""
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+other")
    engine_work.code_version.cache_clear()
    edit(where, "UPDATE meta SET value = '0.0+other' WHERE name = 'code'")
    with pytest.raises(EngineError, match="holds 'tells' of other inputs or options"):
        run(tells(log), workers=1, run=str(where))
    edit(where, "DELETE FROM work")
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert len(log.read_text().splitlines()) == 2 * COUNT


def test_two_records_of_one_piece(tmp_path: Path) -> None:
    """The tables allow one; in other tables only what is whole counts."""
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    task, piece, key, *_, seconds = rows(where)["3"]
    edit(
        where,
        "CREATE TABLE more AS SELECT * FROM record",
        "DROP TABLE record",
        "ALTER TABLE more RENAME TO record",
    )
    put(where, (task, piece, key, encode(10), digest(encode(10)), seconds))
    with pytest.warns(UserWarning, match="it holds other tables.*8 are whole"):
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ("routeproof/run 1", "was made by routeproof 0.1, whose records do not say which piece they are of"),
        ("routeproof/run 3", "is of the format 'routeproof/run 3', 'routeproof/run 2' was expected"),
    ],
)
def test_other_formats_are_refused(
    found: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    edit(where, "UPDATE meta SET value = :found WHERE name = 'format'", found=found)
    said = f"the run directory {where} {words}; start the run again: routeproof runs clean {where}"
    with pytest.raises(EngineError) as caught:
        RunDirectory(where)
    assert str(caught.value) == said
    assert main(["runs", "verify", str(where)]) == 2
    assert said in capsys.readouterr().err
    assert main(["runs", "list", str(tmp_path)]) == 0
    assert main(["runs", "clean", str(where)]) == 0
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = x'ff00' WHERE name = 'command'",
        "UPDATE meta SET value = CAST(x'ff41' AS TEXT) WHERE name = 'command'",
        "UPDATE meta SET value = '[5]' WHERE name = 'command'",
        "UPDATE meta SET value = CAST(x'ff41' AS TEXT) WHERE name = 'format'",
    ],
)
def test_what_the_directory_says_of_itself_is_damaged(
    statement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, and never a bug."""
    monkeypatch.setenv("COLUMNS", "400")
    where = tmp_path / "run"
    with RunDirectory(where, command={"verb": "adds"}):
        pass
    edit(where, statement)
    with pytest.raises(EngineError, match=r"belongs to another command|is of the format '.A'"):
        RunDirectory(where, command={"verb": "adds"})
    assert main(["runs", "list", str(tmp_path)]) == 0
    assert main(["runs", "show", str(where)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("column", ["task", "piece", "key", "digest"])
def test_records_of_text_that_is_none_are_made_again(column: str, tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    edit(where, f"UPDATE record SET {column} = CAST(x'ff41' AS TEXT) WHERE key = '3'")
    assert verify_run(where)[1]
    assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert len(log.read_text().splitlines()) == COUNT + 1


def test_a_schema_of_which_sqlite_cannot_speak(tmp_path: Path) -> None:
    """What it says of a damaged name is no text that Python could read."""
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    content = (where / FILE).read_bytes()
    assert content.count(b"TABLE record (task") == 1
    (where / FILE).write_bytes(content.replace(b"TABLE record (task", b"TABLE rec\xffrd task"))
    assert describe(where).damage
    assert verify_run(where)[1]
    with pytest.warns(UserWarning, match="were damaged"):
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED


@pytest.mark.parametrize("table", ["meta", "work"])
def test_tables_of_other_columns_are_set_aside(table: str, tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    edit(where, f"ALTER TABLE {table} ADD COLUMN more TEXT")
    with pytest.warns(UserWarning, match="it holds other tables.*8 are whole"):
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert len(log.read_text().splitlines()) == COUNT


def test_nothing_of_a_damaged_file_of_another_format_is_kept(tmp_path: Path) -> None:
    log, where = tmp_path / "log", tmp_path / "run"
    run(tells(log), workers=1, run=str(where))
    edit(where, "UPDATE meta SET value = 'routeproof/run 1' WHERE name = 'format'", "CREATE TABLE more (x TEXT)")
    with pytest.warns(UserWarning, match="0 are whole"):
        assert encode(run(tells(log), workers=1, run=str(where))) == EXPECTED
    assert len(log.read_text().splitlines()) == 2 * COUNT
