"""The best all-gather beside ForestColl's own program (Zhao et al. 2024), in one run: CPU seconds, and the rates.

    git clone https://github.com/liangyuRain/ForestColl
    python benchmarks/forestcoll.py ForestColl [a100:2 mi250:2 ...]

Both find the optimum and the trees; ours is in fractions, and cut and trees are proved.  ForestColl's network is read
from its own ``topologies.py``; the rates must agree to 1e-9.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from cases import timed

from routeproof import network
from routeproof.core.collective import broadcasts_of
from routeproof.optimum.collectives.result import best_broadcasts

BOXES = ("a100:1", "a100:2", "mi250:1", "mi250:2", "a100:4")


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of one run, and what it finds."""
    found: list[Any] = []
    return timed(lambda: found.append(work()), quick=True).cpu, found[0]


def main(arguments: list[str]) -> int:
    sys.path.insert(0, arguments[0])
    theirs, boxes = importlib.import_module("pipeline_allgather"), importlib.import_module("topologies")
    print("| network | ours | ForestColl | ForestColl / ours | GB/s |\n|---|---:|---:|---:|---:|")
    for name in arguments[1:] or BOXES:
        kind, _, count = name.partition(":")
        graph, gpus = getattr(boxes, f"{kind}_topology")(int(count))
        other = partial(theirs.optimal_pipeline_spanning_trees, graph, compute_nodes=gpus)
        cpu, ((time, trees), _) = once(other)
        mine, best = once(partial(best_broadcasts, broadcasts_of(network(name), "all-gather")))
        rate = best.rate * len(gpus)
        if best.rate != best.cut.rate or abs(len(gpus) * trees / time - float(rate)) > 1e-9 * float(rate):
            raise AssertionError(f"{name}: {len(gpus) * trees / time} there, {rate} here")
        print(f"| {name} | {mine:.2g} s | {cpu:.2g} s | {cpu / mine:.2g}x | {rate} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
