"""What was asked of the package, what it did before and does now: ``python benchmarks/targets.py [NAME ...]``.

Every command that stands here alone is run, one after the other, and its processor time, peak memory and the two ends
that it states are kept in benchmarks/targets.json (with NAMEs: of the targets that contain one; the others stay as they
are).  ``docs/generate/benchmarks.py`` makes the table.  Targets of which another script of this folder, or another
table of the page, has the figure give it as ``found``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from growth import document
from processes import run_process

_GEANT = "tests/data/topology-zoo/Geant2012.graphml"
_WORST = "--objective worst-case"


@dataclass(frozen=True)
class Target:
    """``quantity``: of which the command states two ends; ``found``: not run here, and the command only says how;
    ``why``: what was tried where the target is not reached."""

    what: str
    asked: str
    before: str
    command: str
    quantity: str = ""
    found: str = ""
    why: str = ""


TARGETS = (
    Target("best routing, dragonfly:4,8,4", "ends in 30 s", "nothing after 150 s",
           f"design dragonfly:4,8,4 {_WORST} --time-limit 30", "worst_case_load"),
    Target("best routing, slim-fly:23", "ends in 30 s", "error, 5.9 GB",
           f"design slim-fly:23 {_WORST} --time-limit 30", "worst_case_load"),
    Target("best routing, FatClique of 1,000 switches", "ends in 30 s", "error",
           f"design fat-clique:1,10,10,10 {_WORST} --time-limit 30", "worst_case_load"),
    Target("best beside named routings, torus 32x32", "60 s", "nothing in time",
           "compare torus:32x32 dor valiant --best --time-limit 60"),
    Target("all that is routable, Geant2012", "23/3 or less in 60 s", "8.51",
           f"design {_GEANT} {_WORST} --demands routable --time-limit 60", "worst_case_load"),
    Target("two virtual channels, mesh 8x8", "throughput 1/4", "1/20",
           f"design mesh:8x8 {_WORST} --max-virtual-channels 2 --time-limit 60", "worst_case_load"),
    Target("best routing, random 6-regular, 128 switches", "1e-5 in 2 minutes", "2.3e-4, 1.5 GB",
           f"design random-regular:128,degree=6,seed=1 {_WORST} --time-limit 60", "worst_case_load"),
    Target("the same, 256 switches", "1e-4 in 5 minutes, 4 GB", "2.9e-3, 9.6 GB",
           f"design random-regular:256,degree=8,seed=1 {_WORST} --solver half-flows", found="3.1e-6 in 60 s, 0.5 GB"),
    Target("the same, 512 switches", "1e-3 in 10 minutes, 8 GB", "",
           f"design random-regular:512,degree=8,seed=1 {_WORST} --solver half-flows", found="1.9e-6 in 470 s, 1.8 GB"),
    Target("the same, 1,024 switches", "1e-2", "10 GB were not enough",
           f"design random-regular:1024,degree=6,seed=1 {_WORST}", found="8.3e-3 in 63 s"),
    Target("capacity, twisted-torus:8x8x16", "an interval in 15 s", "ill-conditioned, or no end",
           "design twisted-torus:8x8x16 --objective capacity --time-limit 15", "capacity"),
    Target("capacity, mesh 8x8x8", "exact", "768 to 1691 after 90 s",
           "design mesh:8x8x8 --objective capacity --time-limit 60", "capacity"),
    Target("best routing, torus 48x48", "5 minutes", "",
           f"design torus:48x48 {_WORST}", found="exact in 2.9 s, 0.3 GB"),
    Target("best routing, torus 64x64", "1e-4 in 20 minutes", "",
           f"design torus:64x64 {_WORST}", found="exact in 6.9 s, 0.5 GB"),
    Target("best routing, torus 16x16x16", "with length 1e-6 in 5 minutes, 2 GB", "1.8e-2, 4.4 GB",
           f"design torus:16x16x16 {_WORST}", found="without length exact in 12 s, 0.5 GB",
           why="with the length it was cut after 10 minutes"),
    Target("worst case, random 16-regular, 4,096 nodes", "15 s", "55 s",
           "worst-case random-regular:4096,degree=16,seed=1 --routing minimal", "worst_case_load",
           why="over a quarter looks at the loads of each channel"),
    Target("worst case, random 6-regular, 1,024 nodes", "well below 4 s", "4 s",
           "worst-case random-regular:1024,degree=6,seed=1 --routing minimal", "worst_case_load",
           why="about a second is the start of Python with its libraries"),
    Target("all channels of it", "below 2,048 nodes (6.3 s)", "10.1 s",
           "worst-case random-regular:1024,degree=6,seed=1 --routing minimal --all-channels",
           why="at 2,048 nodes single channels have no proof: it would take too much room"),
    Target("all channels, torus 24x24, 20 dead links", "near the maximum alone, 0.9 s", "22.6 s",
           "worst-case torus:24x24,kill-links=20,kill-seed=1 --routing minimal --all-channels",
           found="7.2 s, 6.5 MB (31 before)",
           why="every channel is solved to its end; verify: 11 s (68 before)"),
    Target("single failures, fat-tree:16, D-mod-K rebuilt", "30 s", "44 of 128 in 97 s",
           "failures fat-tree:16 --routing dmodk"),
    Target("single failures of 8,192 hosts", "5 minutes", "refused",
           "failures fat-tree:32 --routing ecmp --cables 1", found="ECMP 86 s; D-mod-K 239 s, 4.0 GB (460 s before)"),
    Target("pairs of links, random 6-regular, 512 nodes", "1,178,880 in an hour", "75 ms a pair: a day",
           "failures random-regular:512,degree=6,seed=1 --routing minimal --links 2",
           found="all in 483 s, 1.2 GiB: load 174871/9240; 128 nodes: 66 s, verified in 68 s",
           why="verify at 512 nodes was never run to its end"),
    Target("best flow of a matrix, 30 to 197 nodes", "ahead of HiGHS, a flow a source", "0.4x, 2.5x, 0.7x",
           "python benchmarks/run.py best-flow", found="30 nodes 1.7x, 40 nodes 1.8x, 100 nodes 12x, 197 nodes 4.9x",
           why="on 40 nodes a third of ours finds the flow; the rest makes it exact and proves it"),
    Target("best oblivious ratio, Geant2012", "1e-6 in 10 minutes", "2.2753 to 3.2936 after 6 minutes",
           f"design {_GEANT} {_WORST} --demands routable", "worst_case_load"),
    Target("ideal adaptive, slim-fly:5", "5 %", "19 %", "adaptive slim-fly:5",
           found="16/9 to 52/25 (17 %) in 35 s; once, by other starts, 240/131 (13.5 %)",
           why="from below: permutations that commute with one automorphism; from above, linear programs in "
           "floats: routings affine in pairs of entries 2.023, chosen by the rate between neighbours too: 2.022 "
           "at rate 0"),
    Target("ideal adaptive, dragonfly:2,4,2", "5 %", "",
           "adaptive dragonfly:2,4,2", found="9/5 to 149/81, 2.2 % apart"),
    Target("ideal adaptive, twisted-torus:4x8x8", "5 %", "31 %", "adaptive twisted-torus:4x8x8",
           found="9/8 to 1.4375, 28 % apart",
           why="permutations that commute with 2-orbit to 16-orbit groups: none above 9/8; routings affine in pairs: "
           "256^4 coefficients"),
    Target("multistage steps, 2^16 inputs", "8 times", "1.35x of numpy", "python benchmarks/upfal_step.py 16",
           found="8.4x of numpy", why="3.9x of numpy with our lists"),
    Target("packets, torus:8x8, a hop", "50 ns", "186 ns", "python benchmarks/packets.py",
           found="31 to 37 ns; BookSim 2,500 ns", why="valiant: 62 ns, random draws"),
    Target("verify of fat-tree:64, D-mod-K", "seconds", "67 s", "verify REPORT",
           found="9.2 s, 0.3 GB; finding: 10.4 s (50 before)"),
    Target("sssp, 4,096 nodes", "at all", "refused", "worst-case random-regular:4096,degree=16,seed=1 --routing sssp",
           found="14.8 s, 0.6 GB"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", metavar="NAME", help="parts of the targets that are measured (default: all)")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent / "targets.json")
    options = parser.parse_args()
    kept = json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {"targets": []}
    measured = {row["what"]: row["measured"] for row in kept["targets"]}
    for target in TARGETS:
        if not target.found and (not options.name or any(x in target.what for x in options.name)):
            measured[target.what] = run(target)
        whole = document([])
        whole["targets"] = [{**asdict(x), "measured": measured.get(x.what)} for x in TARGETS]
        options.output.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def run(target: Target) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        asked = [*target.command.split(), "--quiet", *(["--json", str(report)] if target.quantity else [])]
        used = run_process([sys.executable, "-m", "routeproof.cli.main", *asked])
        ends = stated(json.loads(report.read_text(encoding="utf-8")), target.quantity) if target.quantity else {}
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {target.what}: {used.cpu:.1f} s {ends}\n")
    return {"cpu": used.cpu, "wall": used.wall, "peak_mib": used.peak_mib, **ends}


def stated(report: Mapping[str, object], quantity: str) -> dict[str, str]:
    """The ends that a report states of a quantity: exactly, or from below and above."""
    claims: list[dict[str, str]] = report["claims"]  # type: ignore[assignment]
    found = {x["relation"]: x["value"] for x in claims if x["quantity"] == quantity}
    if "==" in found:
        return {"value": found["=="]}
    if not {">=", "<="} <= set(found):
        return {}
    ends = [Fraction(found[x]) for x in (">=", "<=")]
    return {"least": str(float(ends[0])), "most": str(float(ends[1])), "gap": str(float(ends[1] / ends[0] - 1))}


if __name__ == "__main__":
    main()
