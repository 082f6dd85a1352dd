"""Whole processes: wall time and peak memory of a child.

The child is started by a small launcher (this file as a program), because on Linux the peak memory of a child counts
from that of the process that started it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """Seconds by the clock and of processor time, MiB."""

    wall: float
    cpu: float
    peak_mib: float


def run_process(command: list[str], **environment: str) -> Run:
    """Run a command to its end; raises RuntimeError with what it wrote on standard error if it fails."""
    launcher = [sys.executable, "-S", "-E", os.path.abspath(__file__), *command]
    surroundings = {**os.environ, **environment}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled modules are kept, as an installation has them
    done = subprocess.run(launcher, capture_output=True, text=True, check=False, env=surroundings)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    answer = json.loads(done.stdout)
    return Run(**answer)


def _launch(command: list[str]) -> int:
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, kibibytes on Linux
    sys.stdout.write(json.dumps({"wall": wall, "cpu": cpu, "peak_mib": usage.ru_maxrss / unit}))
    return os.waitstatus_to_exitcode(status)


def since(date: str) -> str:
    """From the first of the days on which rows that are kept were measured until today: ``date``, of all before."""
    return f"{date.split(' to ')[0]} to {time.strftime('%Y-%m-%d')}"


if __name__ == "__main__":
    sys.exit(_launch(sys.argv[1:]))
