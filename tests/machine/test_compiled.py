"""Kernels: what is interpreted and what is compiled, and kernels where compiled code cannot be kept."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from routeproof.machine.compiled import Kernel, njit


@njit()  # type: ignore[untyped-decorator]
def twice(x: int) -> int:
    return 2 * x


@njit()  # type: ignore[untyped-decorator]
def doubled(values: Any) -> None:
    for k in range(len(values)):
        values[k] = twice(values[k])


@pytest.fixture
def allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "allowance", 100)


def test_sums_wrap_around_alike_in_both_copies() -> None:
    found = []
    for copy in (doubled.interpreted, doubled.compiled):
        values = np.array([3, 1 << 62, (1 << 62) + 5, -(1 << 62) - 1], dtype=np.int64)
        copy(values)
        found.append(values.tolist())
    assert found[0] == found[1] == [6, -(1 << 63), 10 - (1 << 63), (1 << 63) - 2]


@pytest.mark.usefixtures("allowance")
def test_little_is_interpreted_and_more_is_compiled() -> None:
    kernel = njit()(twice.function)
    assert kernel.for_steps(60) is kernel.interpreted
    assert kernel.for_steps(60) is kernel.compiled
    assert kernel.for_steps(40) is kernel.interpreted
    assert Kernel.allowance == 0


@pytest.mark.parametrize(("at_hand", "copy"), [(False, "interpreted"), (True, "compiled")])
def test_code_on_disk_is_loaded_for_less_once_numba_is(
    monkeypatch: pytest.MonkeyPatch, at_hand: bool, copy: str
) -> None:
    monkeypatch.setattr(Kernel, "allowance", 1e6)
    monkeypatch.setattr(Kernel, "at_hand", at_hand)
    kernel = njit()(twice.function)
    vars(kernel)["_on_disk"] = True
    assert kernel.for_steps(1e5) is getattr(kernel, copy)


@pytest.mark.usefixtures("allowance")
def test_what_is_compiled_already_is_used() -> None:
    kernel = njit()(twice.function)
    assert kernel(4) == 8
    assert kernel.for_steps(1) is kernel.compiled
    assert Kernel.allowance == 100


@pytest.mark.parametrize(
    "command",
    [
        "worst-case torus:9x9 --routing romm",
        "worst-case petersen --routing minimal --json {0}/report.json --html {0}/page.html",
        "compare mesh:4x4 dor o1turn valiant",
        "deadlock torus:4x4 --routing dor",
    ],
)
def test_small_problems_are_answered_without_numba(command: str, tmp_path: Path) -> None:
    code = (
        "import sys; from routeproof.cli.main import main; status = main(sys.argv[1:]); "
        "heavy = {'numba', 'scipy', 'igraph', 'matplotlib'} & set(sys.modules); print(status, heavy, file=sys.stderr)"
    )
    run = [sys.executable, "-c", code, *command.format(tmp_path).split()]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stderr == "0 set()\n"


def test_without_a_directory_for_the_cache_a_kernel_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit
    asked: list[dict[str, Any]] = []

    def refusing(**options: Any) -> Any:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'twice': no locator available for file 'compiled.py'")
        return real(**options)

    monkeypatch.setattr(numba, "njit", refusing)
    assert njit(cache=True, nogil=True)(twice.function)(21) == 42
    assert asked == [{"cache": True, "nogil": True}, {"cache": False, "nogil": True}]


def test_what_is_wrong_with_a_kernel_itself_is_still_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(**_: Any) -> Any:
        raise RuntimeError("something else")

    monkeypatch.setattr(numba, "njit", failing)
    with pytest.raises(RuntimeError, match="something else"):
        njit(cache=True)(twice.function)(21)


def test_compiled_code_of_a_version_whose_modules_are_gone_is_made_anew(tmp_path: Path) -> None:
    """A package that is upgraded in place finds numba's lists of the earlier one: they may name modules that moved."""
    (tmp_path / "gone.py").write_text(
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: int\n    b: int\n"
    )
    (tmp_path / "kept.py").write_text(
        "from routeproof.machine.compiled import njit\n@njit(cache=True)\ndef total(x):\n    return x.a + x.b\n"
    )
    code = "from kept import total; from {} import Pair; print(total(Pair(20, 22)))"
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run([sys.executable, "-c", code.format("gone")]).stdout == "42\n"
    (tmp_path / "gone.py").rename(tmp_path / "moved.py")
    assert run([sys.executable, "-c", code.format("moved")]).stdout == "42\n"


def test_compiled_code_that_calls_kernels_of_modules_that_are_gone_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text(
        "from routeproof.machine.compiled import njit\n@njit(cache=True)\ndef twice(x):\n    return 2 * x\n"
    )
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=True)
    command = [sys.executable, "-c", "from kept import twice; print(twice(21))"]
    assert run(command).stdout == "42\n"
    (code,) = (tmp_path / "__pycache__").glob("*.nbc")
    code.write_bytes(code.read_bytes() + b"routeproof.graphs.gone_kernels")
    assert run(command).stdout == "42\n"
    assert b"gone_kernels" not in code.read_bytes()
