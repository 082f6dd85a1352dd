"""Standard output holds what Python's ``sys.stdout`` was given, whatever a library prints on descriptor 1, and when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from noisy_solver import noisy_solver

pytestmark = pytest.mark.skipif(os.name != "posix", reason="descriptors as POSIX has them")
_LOUD = "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
_INSIDE = "from routeproof.machine.silence import silent\n" + _LOUD
_COMMAND = "import sys; from routeproof.cli.main import main; sys.exit(main())"


def printed(code: str, *arguments: str, shell: str = "", **environment: str) -> tuple[bytes, bytes]:
    """Both outputs of a Python process, which ends well; ``shell``: redirections."""
    command = ["bash", "-c", f'exec "$@" {shell}', "bash", sys.executable, "-c", code, *arguments]
    ran = subprocess.run(command, capture_output=True, check=False, env={**os.environ, **environment}, timeout=600)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout, ran.stderr


def test_what_is_printed_inside_goes_nowhere() -> None:
    code = _INSIDE + (
        "print('before', flush=True)\nlibc.printf(b'C before\\n')\n"
        "with silent():\n    os.write(1, b'now')\n    libc.printf(b'later')\n"
        "    with silent():\n        os.system('echo inside')\n    os.write(1, b'again')\n"
        "print('after', flush=True)\nos.write(1, b'end\\n')\n"
    )
    assert printed(code) == (b"before\nC before\nafter\nend\n", b"")


def test_an_error_inside_ends_the_silence() -> None:
    code = _INSIDE + (
        "for kind in (ValueError, KeyboardInterrupt, SystemExit):\n"
        "    try:\n        with silent():\n            raise kind\n"
        "    except BaseException:\n        print(kind.__name__)\n"
    )
    assert printed(code)[0].split() == [b"ValueError", b"KeyboardInterrupt", b"SystemExit"]


def test_threads_side_by_side_lose_nothing() -> None:
    """What a program prints by itself is never lost, since it has more than one thread; no descriptor is left over."""
    code = _INSIDE + (
        "import threading\n"
        "def work(n):\n    for k in range(300):\n        with silent():\n"
        "            print(f'{n} {k}\\n', end='', flush=True)\n"
        "before = len(os.listdir('/dev/fd'))\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\n"
        "for x in threads: x.start()\n"
        "for x in threads: x.join()\n"
        "assert len(os.listdir('/dev/fd')) == before\n"
    )
    assert sorted(printed(code)[0].split(b"\n"))[1:] == sorted(b"%d %d" % (n, k) for n in range(4) for k in range(300))


def test_threads_inside_at_once_where_output_is_elsewhere() -> None:
    """As in notebooks, and in the command: the last one that leaves restores descriptor 1."""
    code = _INSIDE + (
        "import io, sys, threading\nout, sys.stdout = sys.stdout, io.StringIO()\n"
        "def work():\n    for _ in range(300):\n        with silent():\n            os.write(1, b'noise')\n"
        "threads = [threading.Thread(target=work) for _ in range(4)]\n"
        "for x in threads: x.start()\n"
        "for x in threads: x.join()\n"
        "os.write(1, b'end')\n"
    )
    assert printed(code)[0] == b"end"


@pytest.mark.parametrize("inside", ["os.write(1, b'x')", "pass"])
def test_a_closed_output_stays_closed(inside: str) -> None:
    code = _INSIDE + (
        f"try:\n    with silent():\n        {inside}\nexcept OSError:\n    pass\n"
        "try:\n    os.fstat(1)\nexcept OSError:\n    raise SystemExit(0)\nraise SystemExit(1)\n"
    )
    assert printed(code, shell=">&-") == (b"", b"")


def test_the_output_of_a_command_is_its_own() -> None:
    """Of a thread that prints when it likes, of children, of C at the end of the process."""
    code = _LOUD + (
        "import atexit\natexit.register(lambda: libc.printf(b'C\\n'))\n"
        "import routeproof.cli.frame.shield as shield\nrun = shield.run_command\n"
        "def loud(*arguments):\n    os.system('echo child')\n    os.write(1, b'direct\\n')\n"
        "    return run(*arguments)\n"
        "shield.run_command = loud\n" + _COMMAND
    )
    out, err = printed(code, "--version")
    assert out.startswith(b"routeproof ")
    assert out.count(b"\n") == 1
    assert sorted(err.split()) == [b"C", b"child", b"direct"]


@pytest.mark.parametrize("shell", [">&-", ">&- 2>&-", "<&- >&- 2>&-", "2>&-"])
def test_a_report_is_whole_where_outputs_are_closed(shell: str, tmp_path: Path) -> None:
    """No file that is opened later may become the descriptor that libraries print on."""
    report = tmp_path / "report.json"
    environment = noisy_solver(tmp_path)
    arguments = ("design", "complete:3", "--objective", "worst-case", "--quiet", "--json", str(report))
    printed(_COMMAND, *arguments, shell=shell, **environment)
    assert (tmp_path / "ran").exists()
    assert json.loads(report.read_bytes())["format"] == "routeproof/report"


@pytest.mark.parametrize("way", ["", "-u"])
def test_what_is_printed_appears_as_it_did(way: str) -> None:
    code = (
        "import sys\nfrom routeproof.machine.silence import keep_for_results\n"
        "like = lambda x: (x.encoding, x.errors, x.line_buffering, x.write_through, x.isatty())\n"
        "before = like(sys.stdout)\nkeep_for_results()\nassert like(sys.stdout) == before\n"
        "assert sys.stdout is sys.__stdout__ and sys.stdout.fileno() > 2\n"
    )
    command = [sys.executable, *([way] if way else []), "-c", code]
    assert subprocess.run(command, capture_output=True, check=False).stderr == b""


def test_somebody_elses_output_stays(capsys: pytest.CaptureFixture[str]) -> None:
    from routeproof.machine.silence import keep_for_results

    before = sys.stdout
    keep_for_results()
    assert sys.stdout is before


@pytest.mark.parametrize("given", ["--json /dev/stdout", "--json=/dev/stdout", "--json /dev/fd/1", "--json -"])
@pytest.mark.parametrize("shell", ["| cat", "> {0}; cat {0}"])
def test_standard_output_by_name(given: str, shell: str, tmp_path: Path) -> None:
    """As a pipe, and as a file, which is written whole; the table goes there before it, except with ``-``."""
    script = f"{sys.executable} -m routeproof split 4:9 {given} {shell.format(tmp_path / 'out')}"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, check=False)
    assert ran.stderr == b""
    assert b'"format": "routeproof/report"' in ran.stdout
