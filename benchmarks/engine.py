"""What the engine costs: overhead at pieces of 0.1 s, two workers against one, keeping records; ratios within one run.

    python benchmarks/engine.py

Waiting pieces show the engine alone, on a machine of whatever load; computing pieces show what two cores give.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

import engine_pieces

from routeproof.engine import Engine, Work

PIECES, SECONDS, ROUNDS = 40, 0.1, 3


def timed(work: Work, **options: object) -> float:
    """Seconds of ``run``, workers already started."""
    with Engine(**options) as engine:  # type: ignore[arg-type]
        engine.run(Work("warm", engine_pieces.wait, {str(k): {"index": k, "seconds": 0.0} for k in range(4)}))
        start = time.perf_counter()
        engine.run(work)
        return time.perf_counter() - start


def main() -> None:
    waits = Work("waits", engine_pieces.wait, {str(k): {"index": k, "seconds": SECONDS} for k in range(PIECES)})
    start = time.perf_counter()
    engine_pieces.compute(1, 10**6)
    rounds = int(10**6 * SECONDS / (time.perf_counter() - start))
    computes = Work("computes", engine_pieces.compute, {str(k): {"index": k, "rounds": rounds} for k in range(PIECES)})
    tiny = Work("tiny", engine_pieces.wait, {str(k): {"index": k, "seconds": 0.0} for k in range(5000)})

    def plain() -> float:
        start = time.perf_counter()
        for k in range(PIECES):
            engine_pieces.wait(k, SECONDS)
        return time.perf_counter() - start

    def kept(workers: int) -> float:
        with tempfile.TemporaryDirectory() as where:
            return timed(waits, workers=workers, run=str(Path(where) / "run"))

    rows: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        bare, one, two = plain(), timed(waits, workers=1), timed(waits, workers=2)
        rows.setdefault("overhead, this process", []).append(one / bare - 1)
        rows.setdefault("overhead, two processes", []).append(2 * two / bare - 1)
        rows.setdefault("keeping records, this process", []).append(kept(1) / one - 1)
        rows.setdefault("keeping records, two processes", []).append(kept(2) / two - 1)
        rows.setdefault("two workers over one, waiting", []).append(one / two)
        rows.setdefault("two workers over one, computing", []).append(
            timed(computes, workers=1) / timed(computes, workers=2)
        )
        rows.setdefault("microseconds a piece, this process", []).append(timed(tiny, workers=1) / 5000 * 1e6)
        rows.setdefault("microseconds a piece, two processes", []).append(timed(tiny, workers=2) / 5000 * 1e6)
    print(f"{PIECES} pieces of {SECONDS} s; median of {ROUNDS}; load average before: {os.getloadavg()[0]:.1f}")
    for name, values in rows.items():
        middle = statistics.median(values)
        if "over one" in name:
            print(f"{name:38} {middle:6.2f} x")
        elif "microseconds" in name:
            print(f"{name:38} {middle:6.0f}")
        else:
            print(f"{name:38} {100 * middle:6.2f} %")


if __name__ == "__main__":
    main()
