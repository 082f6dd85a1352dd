"""Functions for the engine's tests, which worker processes import."""

from __future__ import annotations

import os
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from processes import wait_until

from routeproof.core.errors import InputError


def add(x: int, base: int = 0) -> dict[str, Any]:
    return {"sum": x + base, "third": Fraction(x, 3), "array": np.arange(x, dtype=np.int32)}


def prepare(base: int, log: str) -> tuple[int, str]:
    with Path(log).open("a", encoding="utf-8") as file:
        file.write("prepared\n")
    return base, log


def add_prepared(ready: tuple[int, str], x: int) -> int:
    return ready[0] + x


def tell(x: int, log: str, gate: str = "", free: int = 0) -> int:
    """Leaves a trace: a test can see which pieces were done, how often, and by whom (TELL_AS in the environment).

    Where there is a gate, all but the first ``free`` pieces wait until a file of that name is there; ``LOG-waits`` says
    who waits.
    """
    if gate and x >= free:
        _note(f"{log}-waits", x)
        wait_until(Path(gate).exists)
    _note(log, x)
    return x * x


def _note(log: str, x: int) -> None:
    with Path(log).open("a", encoding="utf-8") as file:
        file.write(f"{x} {os.getpid()} {os.environ.get('TELL_AS', '')}\n")


def refuse(x: int, later: str = "") -> int:
    """Refuses 3 and more; piece 3 itself, where there is a second worker, only after a later one has."""
    if x >= 3:
        if later and x == 3:
            wait_until(Path(later).exists)
        elif later:
            Path(later).touch()
        raise InputError(f"{x} is too large")
    return x


def fail(x: int) -> int:
    return 1 // x


def warn(x: int) -> int:
    warnings.warn("pieces may warn", UserWarning, stacklevel=1)
    print("and print")
    return x


def die_once(x: int, trace: str) -> int:
    """Kills its worker the first time that piece 2 is done."""
    if x == 2 and not os.path.exists(trace):
        Path(trace).touch()
        os.kill(os.getpid(), 9)
    return x


def die(x: int) -> int:
    if x == 2:
        os._exit(9)
    return x


def threads() -> list[str]:
    return [os.environ.get(f"{name}_NUM_THREADS", "") for name in ("OMP", "OPENBLAS", "NUMBA")]


def unplain() -> Any:
    return object()


def hoard(megabytes: int) -> int:
    """Takes so much memory."""
    return len(np.zeros(megabytes * 1000 * 1000, dtype=np.uint8)) // (1000 * 1000)


def fill(megabytes: int, fill: int) -> Any:
    made = np.zeros(megabytes * 1000 * 1000, dtype=np.uint8)
    made[:9] = fill
    return made


def held(ready: Any, x: int) -> int:
    return int(ready[x])
