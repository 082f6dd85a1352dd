"""Exit statuses, streams, and what becomes of exceptions that nobody expected."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import typer

from routeproof.cli.frame.shield import run_command
from routeproof.core.errors import InputError, RouteproofWarning, VerificationError

COMMAND = [sys.executable, "-m", "routeproof.cli.main"]
VERB = ["worst-case", "ring:4", "-r", "dor", "--quiet", "--json"]


def raising(error: BaseException, *, warning: str = "") -> typer.Typer:
    app = typer.Typer()

    @app.command()
    def verb() -> None:
        if warning:
            warnings.warn(warning, RouteproofWarning, stacklevel=1)
        raise error

    return app


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (InputError("two\nlines"), 2, "error: two lines"),
        (VerificationError("claims[0] is false"), 1, "not verified: claims[0] is false"),
        (FileNotFoundError(2, "No such file or directory", "x"), 2, "error: x: No such file or directory"),
        (OSError("disk on fire"), 2, "error: disk on fire"),
        (MemoryError(), 2, "error: out of memory for this input"),
        (MemoryError("no 9 GB here"), 2, "error: out of memory for this input: no 9 GB here"),
        (RecursionError("deep"), 2, "error: the input is nested too deeply"),
        (OverflowError("too big"), 2, "error: a number is too large for exact computation here: too big"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (typer.Exit(0), 0, ""),
        (BrokenPipeError(), 141, ""),
        (InputError("esc \x1b[31m"), 2, "error: esc \\x1b[31m"),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, BaseException) else None,
)
def test_every_exception_has_its_status_and_its_line(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(raising(error), []) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (f"{line}\n" if line else "")


def test_a_bug_is_called_a_bug(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUTEPROOF_DEBUG", raising=False)
    assert run_command(raising(KeyError("x")), []) == 70
    err = capsys.readouterr().err
    assert err.startswith("internal error: KeyError")
    assert err.count("\n") == 1
    monkeypatch.setenv("ROUTEPROOF_DEBUG", "1")
    with pytest.raises(KeyError):
        run_command(raising(KeyError("x")), [])


def test_bad_input_has_one_line_even_after_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(raising(InputError("no"), warning="something was dropped"), []) == 2
    assert capsys.readouterr().err == "error: no\n"
    assert run_command(raising(typer.Exit(0), warning="something\nwas dropped"), []) == 0
    assert capsys.readouterr().err == "warning: something was dropped\n"


def run_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def test_the_process_ends_with_the_status() -> None:
    ran = run_process("worst-case", "tours:3x3", "-r", "romm")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: network 'tours:3x3' is neither")
    assert ran.stderr.count("\n") == 1


def test_without_arguments_there_is_a_way_to_go_on(run: Any) -> None:
    ran = run()
    assert ran.status == 0
    assert "worst-case" in ran.out
    assert "routeproof --help" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("verb", ["worst-case", "check", "study", "verify", "convert"])
def test_every_verb_has_help(verb: str, run: Any) -> None:
    ran = run(verb, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert verb in ran.out


def test_version(run: Any) -> None:
    import routeproof

    assert run("--version").out == f"routeproof {routeproof.__version__}\n"


@pytest.mark.parametrize(
    "environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "20"}]
)
def test_poor_terminals_get_the_same_words(environment: dict[str, str]) -> None:
    ran = run_process("study", **environment)
    assert ran.returncode == 0
    assert "\x1b" not in ran.stdout
    assert "towles" in ran.stdout
    assert ran.stderr == ""


def test_a_reader_that_leaves_early_is_no_error() -> None:
    script = f"{shlex.join(COMMAND)} --help | head -c 10; echo ${{PIPESTATUS[0]}} >&2"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert ran.stderr.strip() in ("0", "141")


def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    module = (
        "import time\ndef route(state, node, destination):\n    print('started', flush=True)\n    time.sleep(3600)\n"
    )
    (tmp_path / "slow_routing.py").write_text(module)
    process = subprocess.Popen(
        [*COMMAND, "worst-case", "complete:3", "-r", "slow_routing:route", "--quiet"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs inherit that it is ignored
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "started\n"  # standard output is for results
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err == "interrupted\n"


@pytest.mark.parametrize(("closed", "status"), [(">&-", 0), ("2>&-", 0), (">&- 2>&- <&-", 0)])
def test_closed_streams_change_nothing_else(closed: str, status: int, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    script = f"{shlex.join([*COMMAND, *VERB, str(report)])} {closed}"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (status, "")
    assert report.stat().st_size > 1000


def test_a_report_goes_down_a_pipe() -> None:
    script = f"{shlex.join([*COMMAND, *VERB, '/dev/stdout'])} | head -c 1"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("{", "")


def test_what_a_routing_function_prints_stays_out_of_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    (tmp_path / "loud_routing.py").write_text(
        "print('loaded')\ndef route(state, node, destination):\n"
        "    print('called')\n    return [(1, None, destination)]\n"
    )
    monkeypatch.chdir(tmp_path)
    ran = run("worst-case", "complete:3", "-r", "loud_routing:route", "--json", "-")
    assert ran.status == 0
    assert json.loads(ran.out)["format"] == "routeproof/report"
    assert ran.err.splitlines()[:2] == ["loaded", "called"]
    ran = run("compare", "complete:3", "loud_routing:route", "minimal", "--json", "-")
    assert json.loads(ran.out)["format"] == "routeproof/report"
    assert "called" in ran.err


def test_exact_values_are_never_cut_however_narrow(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("0", "20"):
        monkeypatch.setenv("COLUMNS", columns)
        ran = run("worst-case", "torus:4x4", "-r", "romm")
        assert ran.status == 0
        assert "\u2026" not in ran.out
        assert "PROVED" in ran.out


def test_completion_scripts_are_offered() -> None:
    ran = run_process(_ROUTEPROOF_COMPLETE="source_bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "routeproof" in ran.stdout
