"""The figures of the docs and of the README, each by its command: ``python docs/generate/figures.py [NAME ...]`` draws
those whose names contain one of these (without one: all; some minutes), and writes the table of docs/gallery.md again.

Pictures of pages are made by ``screens.py``; concept-*.svg are drawn by hand.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
GALLERY = DOCS / "gallery.md"
_START, _END = "<!-- tables of docs/generate/figures.py -->\n", "<!-- end of the tables -->\n"
RACKS = "front: 0 1 2 3 5\nback: 8 9 10 11 12\nrest: 4 6 7 13 14\n"  # racks.txt
FIGURES = {
    "pictures/torus-9x9-romm.svg": ("ROMM's worst traffic", "worst-case torus:9x9 --routing romm --plot romm.svg"),
    "images/flows.svg": (
        "A mesh with unequal bandwidths",
        "worst-case mesh:5x5,bandwidth=2x1 --routing dor --plot flows.svg --theme dark",
    ),
    "images/matrix.svg": (
        "A worst permutation",
        "worst-case torus:9x9 --routing romm --plot matrix.svg --figure matrix",
    ),
    "images/accepted.svg": (
        "Accepted traffic",
        "worst-case torus:9x9 --routing romm -t tornado -t transpose --plot accepted.svg --figure accepted",
    ),
    "pictures/tradeoff-torus-4x4.svg": (
        "Path length against worst case",
        "tradeoff torus:4x4 --against worst-case -r dor -r ival -r valiant --plot curve.svg",
    ),
    "images/histogram.svg": (
        "Loads of a mesh",
        "worst-case mesh:6x6 -r dor --all-channels --plot histogram.svg --figure histogram --theme dark",
    ),
    "images/packets-curve.svg": (
        "Load against packets",
        "worst-case torus:8x8 --routing valiant --demands sparse:all --plot packets-curve.svg",
    ),
    "images/jobs.svg": (
        "Channels by job",
        "worst-case torus:4x4 --routing dor --demands within:racks.txt --plot jobs.svg",
    ),
    "pictures/tutorial-offices.svg": ("Two offices", "worst-case offices.json --routing ecmp --plot offices.svg"),
    "pictures/simulate-load.svg": (
        "Packets around the proved rate",
        "simulate load torus:8x8 --routing dor --traffic tornado --cycles 2000 --plot load.svg",
    ),
    "images/packets.svg": (
        "Packets by level",
        "simulate packets multibutterfly:256,d=2,seed=7 -p random:seed=1 --load 4 --plot packets.svg",
    ),
    "images/survivors.svg": (
        "Survivors",
        "simulate faults multibutterfly:256,d=4,seed=7 --faults random:count=30,seed=1 --plot survivors.svg",
    ),
    "pictures/circuits.svg": (
        "Disjoint circuits",
        "simulate circuits multibutterfly:16,d=2,seed=7 -p bit-reversal --load 4 --plot circuits.svg",
    ),
    "images/mesh.svg": ("A mesh", "convert mesh:4x3,bandwidth=4x1 mesh.svg"),
    "images/cube.svg": ("The 4-cube", "convert hypercube:4 cube.svg"),
    "images/butterfly.svg": ("A butterfly", "convert butterfly:3 butterfly.svg"),
    "pictures/topologies.svg": ("Common topologies", "study topologies --plot topologies.svg"),
    "pictures/towles-dally-2002-figures.svg": (
        "Towles and Dally 2002",
        "study towles-dally-2002-figures --plot figures.svg",
    ),
    "pictures/towles-dally-boyd-2003-figures.svg": (
        "Towles, Dally and Boyd 2003",
        "study towles-dally-boyd-2003-figures --plot figures.svg",
    ),
    "pictures/hwang-yao-dasgupta-figures.svg": (
        "Hwang, Yao and Dasgupta",
        "study hwang-yao-dasgupta-figures --plot figures.svg",
    ),
    "pictures/maggs-figures.svg": ("Maggs", "study maggs-figures --plot figures.svg"),
    "pictures/maggs-packets.svg": ("Stages against size", "study maggs-packets --plot stages.svg"),
    "pictures/maggs-nonblocking.svg": (
        "Calls that fail against occupancy",
        "study maggs-nonblocking --plot calls.svg",
    ),
    "pictures/leighton-maggs-1992-faults.svg": (
        "Pairs joined against faults",
        "study leighton-maggs-1992-faults --plot pairs.svg",
    ),
}


def drawn(command: str) -> str:
    """The picture that ``routeproof COMMAND`` writes, run beside the files that the docs give."""
    from routeproof.cli.main import main

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copy(DOCS.parent / "examples" / "offices.json", "offices.json")
        Path("racks.txt").write_text(RACKS, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            status = main(shlex.split(command))
        if status:
            raise RuntimeError(f"routeproof {command} ended with {status}")
        (picture,) = Path().glob("*.svg")
        return picture.read_text(encoding="utf-8")


def with_figures(text: str) -> str:
    """The ``text`` of the gallery with its table as ``FIGURES`` has it now."""
    rows = [f"| ![{alt}]({path}) | `{command}` |" for path, (alt, command) in FIGURES.items()]
    table = "\n".join(["", "| picture | command |", "|---|---|", *rows, "", ""])
    before, _, rest = text.partition(_START)
    return f"{before}{_START}{table}{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    GALLERY.write_text(with_figures(GALLERY.read_text(encoding="utf-8")), encoding="utf-8")
    for path, (_, command) in FIGURES.items():
        if len(sys.argv) == 1 or any(x in path for x in sys.argv[1:]):
            (DOCS / path).write_text(drawn(command), encoding="utf-8")
