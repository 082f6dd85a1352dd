"""Benchmarks: ``python benchmarks/run.py [--quick] [NAME ...]``.

Every ratio is taken in one run, on the same work, and both answers are compared first.  Nothing is asserted about
time.  The table goes to standard output, everything also to benchmarks/results.json (with --output elsewhere).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cases import CASES, LONG, Row, warm_up
from design import DESIGN_CASES, DESIGN_LONG
from flows import FLOW_CASES
from hose import HOSE_CASES, HOSE_LONG
from oblivious import OBLIVIOUS_CASES
from processes import since

from routeproof.machine.one_thread import num_threads


def main() -> None:
    cases = {**CASES, **DESIGN_CASES, **FLOW_CASES, **OBLIVIOUS_CASES, **HOSE_CASES}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", metavar="NAME", help=f"some of: {', '.join(cases)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="one run each, short samples, without the longest cases")
    default = Path(__file__).resolve().parent / "results.json"
    parser.add_argument("--output", type=Path, default=default, help="where the numbers go")
    options = parser.parse_args()
    for name in options.name:
        if name not in cases:
            parser.error(f"no benchmark is named '{name}'; known: {', '.join(cases)}")
    names = options.name or [x for x in cases if not (options.quick and x in (*LONG, *DESIGN_LONG, *HOSE_LONG))]
    say("compiling kernels")
    warm_up()
    rows: list[Row] = []
    before = json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {}
    if before.get("quick") != options.quick:
        before = {"rows": []}
    for name in names:
        say(name)
        rows += cases[name](quick=options.quick)
        found = document(merged(before["rows"], rows), quick=options.quick)
        if len(found["rows"]) > len(rows):
            found["date"] = since(before["date"])
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    show(rows)


def say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def merged(before: Sequence[dict[str, object]], rows: Sequence[Row]) -> list[dict[str, object]]:
    """What was measured now, in the place of the same cases before; other cases as they were."""
    new = {row.case for row in rows}
    first = next((k for k, row in enumerate(before) if row["case"] in new), len(before))
    left = [row for row in before[first:] if row["case"] not in new]
    return [*before[:first], *map(dataclasses.asdict, rows), *left]


def document(rows: Sequence[dict[str, object]], *, quick: bool) -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d"),
        "quick": quick,
        "machine": {
            "cores": num_threads(),
            "processor": platform.machine(),
            "python": platform.python_version(),
            **{name: version(name) for name in ("routeproof", "numpy", "numba", "scipy")},
        },
        "rows": rows,
    }


def show(rows: Sequence[Row]) -> None:
    """The table, as markdown."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    left = {"case", "wanted", "how"}
    titles = ["case", "ours", "processor", "against", "ratio", "by processor", "wanted", "peak memory", "load", "how"]
    table = Table(box=box.MARKDOWN)
    for title in titles:
        table.add_column(title, justify="left" if title in left else "right")
    for row in rows:
        table.add_row(
            row.case,
            seconds(row.ours.wall),
            seconds(row.ours.cpu),
            "" if row.other is None else seconds(row.other.wall),
            "" if row.other is None else f"{row.other.wall / row.ours.wall:.3g}x",
            "" if row.other is None else f"{row.other.cpu / row.ours.cpu:.3g}x",
            row.wanted,
            "" if row.peak_mib is None else f"{row.peak_mib:,.0f} MiB",
            row.value if len(row.value) <= 24 else f"({len(row.value):,} digits)",
            row.how,
        )
    Console(file=sys.stdout, width=300, highlight=False, markup=False, color_system=None).print(table)


def seconds(value: float) -> str:
    return f"{value:,.0f} s" if value >= 100 else f"{value:.3g} s"


if __name__ == "__main__":
    main()
