"""The table of docs/destination-graphs.md, made from the catalogue that is shipped; run this file to write it again."""

from __future__ import annotations

from pathlib import Path

from routeproof.core.cube.bounds import least_steps
from routeproof.searching.catalogue import catalogue

PAGE = Path(__file__).resolve().parents[1] / "destination-graphs.md"
_START, _END = "<!-- the catalogue, by docs/generate/graphs.py -->\n", "<!-- end of the catalogue -->"
_HEAD = "| requests | t | steps for d = 1, 2, 3, ... | lower bound, where it is not reached |"
# tight graphs that exhaustive refutations exclude, where no counting bound does
REFUTED = {(4, 3): 4}


def with_tables(text: str) -> str:
    """The ``text`` of the page with its tables as the catalogue has them now."""
    before, _, rest = text.partition(_START)
    return f"{before}{_START}\n{tables()}\n{_END}{rest.partition(_END)[2]}"


def tables() -> str:
    """A row for each kind and radix: steps by dimension, and what is not closed."""
    rows = [
        f"| {kind} | {radix} | {_steps(kind, radix)} | {_open(kind, radix)} |"
        for kind in ("permutation", "many-one")
        for radix in sorted({x.radix for x in catalogue() if x.kind == kind})
    ]
    return "\n".join([_HEAD, "|---|---|---|---|", *rows, ""])


def _dimensions(kind: str, radix: int) -> list[int]:
    return sorted({x.dimensions for x in catalogue() if (x.kind, x.radix) == (kind, radix)})


def _best(kind: str, radix: int, dimensions: int) -> tuple[int, int]:
    """The fewest steps of any graph, and of a minimum-routing one."""
    found = [x for x in catalogue() if (x.kind, x.radix, x.dimensions) == (kind, radix, dimensions)]
    return min(x.steps for x in found), min(x.steps for x in found if x.minimum)


def _steps(kind: str, radix: int) -> str:
    known = _dimensions(kind, radix)
    cells = []
    for d in range(1, known[-1] + 1):
        least, minimum = _best(kind, radix, d) if d in known else (0, 0)
        cells.append("-" if d not in known else f"{least}" if least == minimum else f"{least} ({minimum})")
    return ", ".join(cells)


def _open(kind: str, radix: int) -> str:
    cells = []
    for d in _dimensions(kind, radix):
        bound = least_steps(radix, d, many_one=kind == "many-one").steps
        if kind == "permutation":
            bound = max(bound, REFUTED.get((radix, d), 0))
        if _best(kind, radix, d)[0] > bound:
            cells.append(f"{bound} for d = {d}")
    return ", ".join(cells)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
