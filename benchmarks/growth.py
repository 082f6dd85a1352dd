"""How time and memory grow with the network, for every question: ``python benchmarks/growth.py [NAME ...]``.

Whole commands, each at four sizes.  What the command costs on a small network, with libraries and kernels loaded, is
taken off; the exponents are those of the straight line through the logarithms (least squares), and the same line says
at which size a question takes ten minutes of processor time, or 16 GiB.  All goes to benchmarks/growth.json;
``docs/generate/benchmarks.py`` makes the table.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from processes import Run, run_process, since

from routeproof.machine.one_thread import num_threads

SECONDS, MIB = 600.0, 16 * 1024.0  # what a question may take
_LEAST_SECONDS, _LEAST_MIB = 0.02, 1.0  # beside the start; less is not told from noise


@dataclass(frozen=True)
class Case:
    """``network``: its name, by a parameter; ``nodes``: how many terminals that makes; ``least``: a parameter at which
    the command does little but start; ``before``: a command that is run first and not counted; ``{net}`` and ``{file}``
    stand in both."""

    question: str
    network: str
    nodes: Callable[[int], int]
    least: int
    parameters: Sequence[int]
    command: str
    before: str = ""


def same(n: int) -> int:
    return n


def square(k: int) -> int:
    return k * k


def cube(k: int) -> int:
    return k**3


def hosts(k: int) -> int:
    return k**3 // 4


_RANDOM = "random-regular:{0},degree=6,seed=1"
_SPARSE = "random-regular:{0},degree=4,seed=1"
_WORST = "worst-case {net} --routing minimal --json {file}"
CASES: Sequence[Case] = (
    Case("worst case, random 6-regular, ECMP", _RANDOM, same, 128, (1024, 1536, 2048, 3072), _WORST),
    Case("the same, all channels", _RANDOM, same, 64, (1536, 2048, 3072, 4096), f"{_WORST} --all-channels"),
    Case("verify of the first", _RANDOM, same, 128, (512, 1024, 1536, 2048), "verify {file}", _WORST),
    Case("worst case, cubic torus, ROMM", "torus:{0}x{0}x{0}", cube, 8, (20, 24, 28, 32), "worst-case {net} -r romm"),
    Case("worst case, fat tree, D-mod-K", "fat-tree:{0}", hosts, 12, (32, 36, 40, 48), "worst-case {net} -r dmodk"),
    Case("deadlock, random 6-regular, ECMP", _RANDOM, same, 128, (512, 1024, 1536, 2048), "deadlock {net} -r minimal"),
    Case("all single link failures, D-mod-K", "fat-tree:{0}", hosts, 6, (12, 14, 16, 20),
         "failures {net} -r dmodk --repair split"),
    Case("oblivious ratio of ECMP", _SPARSE, same, 16, (80, 112, 160, 224), "worst-case {net} -r minimal -d routable"),
    Case("best worst case, square torus", "torus:{0}x{0}", square, 6, (24, 32, 40, 48),
         "design {net} --objective worst-case"),
    Case("best worst case, random 4-regular", _SPARSE, same, 8, (96, 128, 192, 256),
         "design {net} --objective worst-case"),
    Case("best oblivious ratio, random 4-regular", _SPARSE, same, 6, (12, 14, 16, 18),
         "design {net} --objective worst-case --demands routable"),
    Case("capacity, random 4-regular", _SPARSE, same, 8, (48, 64, 80, 96), "design {net} --objective capacity"),
    Case("path length against worst case", "torus:{0}x{0}", square, 3, (5, 6, 7, 8),
         "tradeoff {net} --against worst-case"),
    Case("best all-gather, random 4-regular", _SPARSE, same, 16, (64, 96, 128, 192),
         "collective {net} --operation all-gather"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", metavar="NAME", help="parts of the questions that are asked (default: all)")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent / "growth.json")
    options = parser.parse_args()
    asked = [x for x in CASES if not options.name or any(name in x.question for name in options.name)]
    before = json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {"growth": []}
    found = {x["question"]: x for x in before["growth"]} | {case.question: row(case) for case in asked}
    rows = [found[case.question] for case in CASES if case.question in found]
    whole = document(rows)
    if len(rows) > len(asked):
        whole["date"] = since(before["date"])
    options.output.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def row(case: Case) -> dict[str, object]:
    start, *runs = (quicker(case, x) for x in (case.least, *case.parameters))
    sizes = [case.nodes(x) for x in case.parameters]
    seconds = fitted(sizes, [max(x.cpu - start.cpu, _LEAST_SECONDS) for x in runs])
    mib = fitted(sizes, [max(x.peak_mib - start.peak_mib, _LEAST_MIB) for x in runs])
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {case.question}: n^{seconds[0]:.2f}, n^{mib[0]:.2f}\n")
    return {
        "question": case.question, "network": case.network.format("K" if case.nodes is not same else "N"),
        "sizes": sizes, "cpu": [x.cpu for x in runs], "peak_mib": [x.peak_mib for x in runs],
        "time_exponent": seconds[0], "memory_exponent": mib[0],
        "size_in_time": size_at(seconds, SECONDS), "size_in_memory": size_at(mib, MIB),
    }  # fmt: skip


def quicker(case: Case, parameter: int) -> Run:
    """The one of two runs that takes less processor time: kernels are compiled in the first."""
    return min((measured(case, parameter) for _ in range(2)), key=lambda run: run.cpu)


def measured(case: Case, parameter: int) -> Run:
    """The case's command, a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"net": case.network.format(parameter), "file": str(Path(folder) / "report.json")}
        if case.before:
            command(case.before.format(**given))
        return command(case.command.format(**given))


def command(text: str) -> Run:
    return run_process([sys.executable, "-m", "routeproof.cli.main", *text.split(), "--quiet"])


def fitted(sizes: Sequence[int], values: Sequence[float]) -> tuple[float, float]:
    """(exponent, logarithm of the factor) of the power of the size that is nearest."""
    x, y = [math.log(n) for n in sizes], [math.log(v) for v in values]
    middle, height = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - middle) * (b - height) for a, b in zip(x, y, strict=True)) / sum((a - middle) ** 2 for a in x)
    return slope, height - slope * middle


def size_at(line: tuple[float, float], limit: float) -> float | None:
    """The size at which the line reaches the limit; None where it hardly grows."""
    slope, height = line
    found = (math.log(limit) - height) / slope if slope > 0 else math.inf
    return math.exp(found) if found < math.log(1e9) else None


def document(rows: Sequence[dict[str, object]]) -> dict[str, object]:
    return {
        "date": time.strftime("%Y-%m-%d"), "seconds": SECONDS, "mib": MIB,
        "machine": {
            "cores": num_threads(), "processor": platform.machine(), "python": platform.python_version(),
            **{name: version(name) for name in ("routeproof", "numpy", "scipy")},
        },
        "growth": rows,
    }  # fmt: skip


if __name__ == "__main__":
    main()
