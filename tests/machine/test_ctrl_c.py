"""Ctrl-C at any moment: one line, the exit status 130, and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from routeproof.machine.interrupts import process_watch, raises_interrupts, unhurried, watch_process

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
_SAFETY = 600  # seconds after which a process is taken for one that never ends
# A finder of modules that interrupts the process as soon as the module is asked for.
_AT_IMPORT = """
import importlib.abc, signal, sys
class Interrupting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
"""
_COMMAND = "import sys; from routeproof.cli.main import main; sys.exit(main())"
_FIRST_ORDER = ("--objective", "worst-case", "--solver", "first-order", "--quiet")


def run(code: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A process of its own that hears interrupts, with the command's arguments after ``code``."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=_SAFETY,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs inherit that it is ignored
    )


@pytest.mark.parametrize(
    "module",
    [
        "typer",
        "routeproof.cli.app",
        "routeproof.cli.frame.shield",
        "rich.text",
        "numpy",
        "numpy.linalg",
        "numpy.random",
        "routeproof.topologies.family",
        "routeproof.worst.scan.exact",
        "routeproof.report.terminal.summary",
    ],
)
def test_in_the_middle_of_an_import(module: str) -> None:
    ran = run(_AT_IMPORT.format(module=module) + _COMMAND, "worst-case", "torus:4x4", "-r", "romm", "--quiet")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("module", ["numba", "numba.core.types", "llvmlite.binding"])
def test_in_the_middle_of_importing_the_compiler(module: str) -> None:
    """Which only a problem that is not small needs."""
    ran = run(_AT_IMPORT.format(module=module) + _COMMAND, "worst-case", "mesh:16x16", "-r", "romm", "--quiet")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("module", ["scipy.sparse", "highspy", "highspy._core"])
def test_in_the_middle_of_importing_the_solver(module: str) -> None:
    ran = run(_AT_IMPORT.format(module=module) + _COMMAND, "design", "torus:4x4", "--objective", "worst-case", "-q")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize(
    "body",
    [
        "    pass\n",
        "    while True:\n        pass\n",
        "    class Quiet:\n        def __del__(self):\n            signal.raise_signal(signal.SIGINT)\n    Quiet()\n",
        "    import ctypes\n    ctypes.CDLL(None).pthread_join(ctypes.c_ulong(_thread()), None)\n",
        "    while True:\n        try:\n            time.sleep(9)\n        except BaseException:\n            pass\n",
        "    try:\n        time.sleep(60)\n    except KeyboardInterrupt:\n        raise OSError('closed')\n",
        "    try:\n        time.sleep(60)\n    except KeyboardInterrupt:\n        raise KeyError('closed')\n",
    ],
    ids=["hears", "loops", "finaliser", "in C", "swallows", "as bad input", "as a bug"],
)
def test_in_the_middle_of_the_work(body: str, tmp_path: Path) -> None:
    """Whatever a routing function does when it is interrupted: nothing hears Python's handler while it is in C."""
    module = (
        "import signal, threading, time\n"
        "def _interrupt():\n    time.sleep(0.2)\n    signal.raise_signal(signal.SIGINT)\n"
        "def _thread():\n"
        "    forever = threading.Thread(target=time.sleep, args=(600,), daemon=True)\n"
        "    forever.start()\n    return forever.ident\n"
        "def route(state, node, destination):\n"
        "    threading.Thread(target=_interrupt, daemon=True).start()\n"
        f"{body}"
        "    time.sleep(600)\n"
    )
    (tmp_path / "stubborn_routing.py").write_text(module)
    ran = run(_COMMAND, "worst-case", "complete:3", "-r", "stubborn_routing:route", folder=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "interrupted\n")


def test_what_a_design_has_reached_is_certified() -> None:
    code = (
        "import signal\nfrom routeproof.optimum.first_order.method import FirstOrder\n"
        "from routeproof.machine import interrupts\ninterrupts._PATIENCE = 600.0\n"
        "step, count = FirstOrder.step, []\n"
        "def interrupted(self, pool):\n"
        "    count.append(1)\n"
        "    if len(count) == 3:\n        signal.raise_signal(signal.SIGINT)\n"
        "    step(self, pool)\n"
        "FirstOrder.step = interrupted\n"
    )
    # No routing that has a name is proved to be the best one here, whatever a library breaks ties by; and igraph, which
    # loads matplotlib in old versions, and that prints, is not needed.
    ran = run(code + _COMMAND, "design", "kautz:2,3", *_FIRST_ORDER)
    assert (ran.returncode, ran.stderr) == (130, "interrupted: what was reached is certified\n")
    assert "PROVED" in ran.stdout
    assert "before the end: the interval may be wide" in ran.stdout


def test_while_the_process_ends() -> None:
    code = f"import atexit, signal; atexit.register(signal.raise_signal, signal.SIGINT); {_COMMAND}"
    ran = run(code, "--version")
    assert (ran.returncode, ran.stderr) == (130, "interrupted\n")
    assert ran.stdout.startswith("routeproof ")


def test_a_second_interrupt_does_not_wait() -> None:
    code = (
        "import signal\nfrom routeproof.machine.interrupts import unhurried, watch_process\n"
        "with watch_process().raising(), unhurried():\n"
        "    try:\n        signal.raise_signal(signal.SIGINT)\n    except KeyboardInterrupt:\n"
        "        signal.raise_signal(signal.SIGINT)\n    print('not reached')\n"
    )
    ran = run(code)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "interrupted\n")


def test_what_the_end_needs_may_take_its_time() -> None:
    code = (
        "import signal, time\nfrom routeproof.machine import interrupts\ninterrupts._PATIENCE = 0.01\n"
        "with interrupts.watch_process().raising():\n"
        "    with interrupts.unhurried():\n"
        "        try:\n            signal.raise_signal(signal.SIGINT)\n"
        "        except KeyboardInterrupt:\n            time.sleep(1)\n            print('cancelled', flush=True)\n"
        "    time.sleep(600)\n"
    )
    ran = run(code)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "cancelled\n", "interrupted\n")


def test_ignored_interrupts_stay_ignored() -> None:
    code = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from routeproof.cli.main import main\nstatus = main()\nsignal.raise_signal(signal.SIGINT)\nsys.exit(status)\n"
    )
    assert run(code, "--version").returncode == 0


def test_the_end_of_a_command_calls_what_is_registered_and_waits_for_threads() -> None:
    own = "import atexit, sys, threading\nfrom routeproof.cli.main import main\natexit.register(print, 'end')\n"
    assert run(own + "sys.exit(main())\n", "--version").stdout.splitlines()[1:] == ["end"]
    waits = (
        "threading.Thread(target=lambda: (threading.main_thread().join(), print('done'))).start()\nsys.exit(main())\n"
    )
    ran = run(own + waits, "--version")
    assert (ran.returncode, ran.stdout.splitlines()[1:]) == (0, ["done", "end"])
    assert run(own + "main()\n", "no-such-verb").returncode == 2  # it has ended before Python would say 0
    assert run(own + "sys.setprofile(lambda *_: None)\nmain()\nprint('seen')\n", "--version").stdout.endswith(
        "seen\nend\n"
    )


def test_only_a_command_of_its_own_is_watched() -> None:
    from routeproof.cli.main import main

    assert main(["--version"]) == 0
    assert process_watch() is None
    assert raises_interrupts(signal.default_int_handler)
    assert not raises_interrupts(signal.SIG_IGN)
    with unhurried():
        pass


def test_somebody_elses_handler_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        assert watch_process() is None
    finally:
        signal.signal(signal.SIGINT, before)


def test_kernels_let_others_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that held the GIL could not be interrupted at all."""
    from routeproof.machine.compiled import njit
    from routeproof.optimum.program.rounding import whole_flow

    assert whole_flow.compiled.targetoptions["nogil"]
    assert njit()(lambda x: x).compiled.targetoptions["nogil"]
