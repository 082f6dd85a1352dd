"""The tables of docs/benchmarks.md: ``python docs/generate/benchmarks.py`` makes them from runs kept in benchmarks/.

One run a table, one row for each case and peer: nothing is typed.  CPU time, since other work may run on the machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
_TABLES = re.compile(r"(<!-- tables of (\S+) -->\n).*?(?=<!-- end of the tables -->)", re.DOTALL)
# one family at two sizes: the smaller case, the larger one, and what grows how much
GROWTH = (
    (
        "random 6-regular, 512 nodes, ECMP per path",
        "random 6-regular, 1,024 nodes, ECMP per path",
        "nodes 2x, pairs 4x",
    ),
    ("process: torus:16x16x16 dor", "process: torus:32x32x32 dor", "nodes 8x, pairs 64x"),
    ("process: torus:16x16x16 valiant", "process: torus:32x32x32 valiant", "nodes 8x, pairs 64x"),
    ("process: torus:16x16x16 romm", "process: torus:32x32x32 romm", "nodes 8x, pairs 64x"),
    ("design torus:4x4, exact, all symmetry", "design torus:8x8, exact, all symmetry", "nodes 4x, pairs 16x"),
)
Row = Mapping[str, Any]


def tables(run: Mapping[str, Any]) -> str:
    """What the page shows of one run: where and when, every case against a peer, commands alone, growth."""
    machine = run["machine"]
    when = (
        f"Run of {run['date']}, routeproof {machine['routeproof']}, {machine['cores']} cores ({machine['processor']}), "
        f"Python {machine['python']}, numpy {machine['numpy']}, scipy {machine['scipy']}."
    )
    if "targets" in run:
        return f"{when}\n\n{targets(run['targets'])}"
    if "growth" in run:
        return f"{when}\n\n{exponents(run)}"
    rows, out = run["rows"], [when]
    if against := [against_peer(row) for row in rows if row["other"]]:
        out.append("| case | ours | peer | peer / ours | the peer |\n|---|---:|---:|---:|---|\n" + "\n".join(against))
    if alone := [command(row) for row in rows if row["peak_mib"] is not None]:
        out += [
            "Whole commands, with the start of the interpreter and the report:",
            "| command | CPU time | peak memory | worst-case load |\n|---|---:|---:|---:|\n" + "\n".join(alone),
        ]
    if larger := growth(rows):
        out += [
            "Growth within this run:",
            "| from | to | larger by | CPU time |\n|---|---|---|---:|\n" + "\n".join(larger),
        ]
    return "\n\n".join(out)


def exponents(run: Mapping[str, Any]) -> str:
    """A row for each question: how it grows with the number n of terminals, and where it becomes unusable."""
    minutes, gib = run["seconds"] / 60, run["mib"] / 1024
    heads = ("question", "n", "CPU time", "time", "memory", f"{minutes:g} minutes at n =", f"{gib:g} GiB at n =")
    rows = [
        (
            row["question"], ", ".join(f"{n:,}" for n in row["sizes"]), " to ".join(map(seconds, row["cpu"][:: 3])),
            f"n^{row['time_exponent']:.1f}", f"n^{row['memory_exponent']:.1f}", about(row["size_in_time"]),
            about(row["size_in_memory"]),
        )
        for row in run["growth"]
    ]  # fmt: skip
    table = [heads, ("---", *["---:"] * (len(heads) - 1)), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in table)


def targets(rows: Sequence[Row]) -> str:
    """A row for each target: what was asked, what was before, what the command does now, and why not more."""
    heads = ("target", "asked", "before", "now", "command", "where it is not reached")
    cells = [
        (
            x["what"],
            x["asked"],
            x["before"],
            x["found"] or reached(x["measured"], limited="--time-limit" in x["command"]),
            f"`{x['command']}`",
            x["why"],
        )
        for x in rows
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, ["---"] * len(heads), *cells))


def reached(run: Row, *, limited: bool) -> str:
    """What one run of a command states, and what it took; by the clock, too, where that is ``limited``."""
    if "gap" in run:
        ends, gap = [float(run[end]) for end in ("least", "most")], float(run["gap"])
        value = f"{ends[0]:.4g} to {ends[1]:.4g}, " + (f"{gap:.1e} apart, " if gap < 0.01 else "")
    else:
        value = f"{run['value']} exactly, " if "value" in run else ""
    clock = f" ({run['wall']:.0f} s by the clock)" if limited else ""
    return f"{value}{seconds(run['cpu'])}{clock}, {run['peak_mib'] / 1024:.1f} GiB"


def about(size: float | None) -> str:
    """Two digits of it."""
    if size is None:
        return "above 10^9"
    unit = 10 ** max(len(str(int(size))) - 2, 0)
    return f"{int(size / unit) * unit:,}"


def against_peer(row: Row) -> str:
    cells = (row["case"], seconds(row["ours"]["cpu"]), seconds(row["other"]["cpu"]), ratio(row), plain(row))
    return f"| {' | '.join(cells)} |"


def command(row: Row) -> str:
    cells = (f"`{name(row['case'])}`", seconds(row["ours"]["cpu"]), f"{row['peak_mib']:,.0f} MiB", short(row["value"]))
    return f"| {' | '.join(cells)} |"


def name(case: str) -> str:
    return case.removeprefix("process: ")


def family(case: str) -> str:
    return name(case).removesuffix(", ECMP per path")


def growth(rows: Sequence[Row]) -> list[str]:
    cpu = {row["case"]: row["ours"]["cpu"] for row in rows}
    return [
        f"| {family(small)} | {family(large)} | {what} | {times(cpu[large] / cpu[small])} |"
        for small, large, what in GROWTH
        if small in cpu and large in cpu
    ]


def ratio(row: Row) -> str:
    return times(row["other"]["cpu"] / row["ours"]["cpu"])


def plain(row: Row) -> str:
    """What the peer did; the ratio has its own column."""
    text = re.sub(r": [\d.]+ times its processor time", "", row["how"]).replace("the report has", "report of")
    text = text.removeprefix("against ")
    text = text.replace("symmetry none", "without symmetry").replace("symmetry translations", "translations alone")
    return text.replace("user_limit", "stopped at its limit").replace(": optimal", ", optimal").replace("|", "/")


def times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"


def short(value: str) -> str:
    return value if len(value) <= 24 else f"({len(value)} digits)"


def seconds(value: float) -> str:
    return f"{value:,.0f} s" if value >= 100 else f"{value:.2g} s"


def with_tables(text: str) -> str:
    """The page with the tables of every run that it names."""

    def made(found: re.Match[str]) -> str:
        run = json.loads((ROOT / "benchmarks" / found[2]).read_text(encoding="utf-8"))
        return f"{found[1]}{tables(run)}\n"

    return _TABLES.sub(made, text)


def main() -> None:
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
