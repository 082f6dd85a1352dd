"""The first minutes: no arguments, the tour, completion, mistakes, and terminals that can do little."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from routeproof import __version__
from routeproof.cli.app import app
from routeproof.cli.examples import TOUR
from routeproof.cli.frame.options import narrowed
from routeproof.cli.frame.shield import example_of

COMMAND = [sys.executable, "-m", "routeproof"]


def separate(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "TERM")}
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env={**kept, **environment}, timeout=600
    )


def verbs() -> set[str]:
    return {x.name for x in app.registered_commands if x.name} | {x.name for x in app.registered_groups if x.name}


def test_without_arguments_it_says_what_one_can_do(run) -> None:  # type: ignore[no-untyped-def]
    ran = run()
    assert (ran.status, ran.err) == (0, "")
    for words in (
        "Which traffic hurts",
        "worst-case FOLDER",
        "within:squeue.txt",
        "routeproof examples",
        "--help",
        "--install-completion",
        __version__,
    ):
        assert words in ran.out


def test_what_is_suggested_exists() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    examples = {verb: example_of(command) for verb, command in commands.items() if verb != "runs"}
    assert {verb: (example or "").split()[:2] for verb, example in examples.items()} == {
        verb: ["routeproof", verb] for verb in examples
    }
    assert {shlex.split(stop.command)[0] for stop in TOUR} <= verbs()
    assert example_of(commands["verify"]) == "routeproof verify report.json"
    assert example_of(commands["runs"]) is None


def test_verbs_that_are_not_asked_for_keep_their_help_and_lose_their_options() -> None:
    whole, few = (
        typer.main.get_command(x).commands  # type: ignore[attr-defined]
        for x in (app, narrowed(app, ["split", "packets"]))
    )
    assert list(few) == list(whole)
    assert [x.get_short_help_str() for x in few.values()] == [x.get_short_help_str() for x in whole.values()]
    assert [x.name for x in few["split"].params] == [x.name for x in whole["split"].params]
    assert whole["design"].params
    assert not few["design"].params
    packets, calls = (few["simulate"].commands[x].params for x in ("packets", "calls"))
    assert packets
    assert not calls


def test_the_tour(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    here = Path.cwd()
    ran = run("examples", "--keep", str(tmp_path / "tour"))
    assert (ran.status, ran.err) == (0, "")
    assert "10 claims verified" in ran.out
    assert Path.cwd() == here
    left = {x.name for x in (tmp_path / "tour").iterdir()}
    assert {"romm.json", "romm.html", "graph.json"} <= left


@pytest.mark.parametrize("verb", ["worst-case", "compare", "verify", "convert", "simulate"])
def test_a_mistake_shows_a_command_that_works(run, verb: str) -> None:  # type: ignore[no-untyped-def]
    ran = run(verb)
    assert ran.status == 2
    assert f"for example: routeproof {verb} " in ran.err
    assert ran.err.count("\n") == 1


def test_a_report_that_is_not_there(run) -> None:  # type: ignore[no-untyped-def]
    ran = run("verify", "nothing.json")
    assert ran.status == 2
    assert "one is made by: routeproof worst-case" in ran.err


def test_a_report_of_another_version(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path, page = tmp_path / "report.json", tmp_path / "page.html"
    assert run("worst-case", "mesh:2x2", "-r", "dor", "--json", str(path)).status == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    document["version"] = 99
    path.write_text(json.dumps(document), encoding="utf-8")
    ran = run("verify", str(path), "--html", str(page))
    assert ran.status in (0, 2)
    assert ran.err.count("\n") <= 1
    assert "Traceback" not in ran.err


def test_every_verb_can_write_a_page(run) -> None:  # type: ignore[no-untyped-def]
    for verb in sorted(verbs() - {"simulate", "runs", "examples"}):
        assert "--html" in run(verb, "--help").out, verb
    for verb in ("packets", "circuits", "faults"):
        assert "--html" in run("simulate", verb, "--help").out, verb


def test_pages_that_cannot_be(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    both = str(tmp_path / "x")
    for given, words in (
        (["worst-case", "mesh:2x2", "-r", "dor", "--html", "-"], "a name such as report.html"),
        (["worst-case", "mesh:2x2", "-r", "dor", "--html", str(tmp_path)], "it is a directory"),
        (["worst-case", "mesh:2x2", "-r", "dor", "--html", both, "--json", both], "written twice"),
        (["study", "--html", both], "routeproof study NAME --html was expected"),
    ):
        ran = run(*given)
        assert ran.status == 2
        assert words in ran.err
    assert not Path(both).exists()


@pytest.mark.parametrize(
    ("shell", "words", "wanted"),
    [
        ("bash", "routeproof wor", "worst-case"),
        ("bash", "routeproof worst-case tor", "torus:"),
        ("bash", "routeproof worst-case torus:4x4 --routing rom", "romm"),
        ("bash", "routeproof study towles-dally-2002-ta", "towles-dally-2002-table-1"),
    ],
)
def test_completion(shell: str, words: str, wanted: str) -> None:
    ran = separate(
        _ROUTEPROOF_COMPLETE=f"complete_{shell}",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split()) - 1),
    )
    assert any(line.startswith(wanted) for line in ran.stdout.splitlines())
    assert "Exact, certified" not in ran.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown_for_a_shell(shell: str) -> None:
    ran = separate(_ROUTEPROOF_COMPLETE=f"source_{shell}")
    assert ran.returncode == 0
    assert "_ROUTEPROOF_COMPLETE" in ran.stdout


@pytest.mark.parametrize(
    "environment", [{"COLUMNS": "20"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_terminals_that_can_do_little(environment: dict[str, str]) -> None:
    for given in ([], ["--help"]):
        ran = separate(*given, **environment)
        assert ran.returncode == 0
        assert "\x1b[" not in ran.stdout
        assert "Traceback" not in ran.stderr


def test_the_welcome_and_help_load_nothing_heavy() -> None:
    code = (
        "import sys; from routeproof.cli.main import main; main([]); main(['--help']); "
        "heavy = {'numba', 'matplotlib', 'networkx', 'igraph', 'scipy', 'pydantic', 'pandas'} & set(sys.modules); "
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr


VERBS = ("worst-case", "compare", "failures", "check", "design", "tradeoff", "search", "expansion", "study", "verify")
SIMULATED = ("packets", "circuits", "faults", "calls", "load")


@pytest.mark.parametrize("words", [(), *((x,) for x in (*VERBS, "convert")), *(("simulate", x) for x in SIMULATED)])
def test_help_is_readable_on_eighty_columns(run, words, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "80")
    text = run(*words, "--help").out
    assert max(map(len, text.splitlines())) <= 80
    assert " list of ." not in text  # square brackets are no markup
    names = [line.split()[0] for line in text.replace("│", " ").splitlines() if "<" in line and ">" not in line]
    assert names == []  # choices are not broken
    assert not words or "For example: routeproof" in " ".join(text.split())


def test_verbs_stand_in_panels_and_types_are_not_named(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "80")
    text = run("--help").out
    panels = [line.split("─ ")[1].split(" ─")[0] for line in text.splitlines() if line.startswith("╭")]
    assert panels == ["Options", "Ask", "Best possible", "Check", "Simulate and search", "Files and runs"]
    one = run("worst-case", "--help").out
    assert "<" not in text + one
    assert "{TOPOLOGY}" not in one
    assert "docs/topologies.md" in one
    assert "unless a folder of dumps brings its own" in " ".join(one.replace("│", " ").split())


def test_no_verb_makes_a_panel_of_its_own() -> None:
    from routeproof.questions.question import verbs as declared

    known = {"Ask", "Best possible", "Check", "Simulate and search", "Files and runs"}
    assert {x.panel for x in declared() if vars(x).get("verb")} <= known
