"""Upfal's step three ways: ``python benchmarks/upfal_step.py [LOG_INPUTS]`` (default 14).

The same permutation on the same random multibutterfly by plain Python loops, by whole-array numpy (what one would
write), and by ``routeproof.simulate.packets.upfal``; all in one process, with the same number of steps.  Speeds are in
switch-steps (a switch on a level that takes part in a step) per second of processor time.  Nothing is asserted about
time; that the three agree is.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from routeproof.core.multistage.wiring import Wiring
from routeproof.simulate.packets.upfal import route_packets
from routeproof.topologies.multistage.banyan import multibutterfly

LOAD = 4
Int64 = npt.NDArray[np.int64]
Step = Callable[[Int64, Int64, Int64, int], None]


@dataclass(frozen=True)
class Ran:
    """Step of the last arrival, switch-steps worked, seconds by the clock and of processor time."""

    steps: int
    worked: int
    wall: float
    cpu: float

    @property
    def speed(self) -> float:
        return self.worked / self.cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log_inputs", nargs="?", type=int, default=14, metavar="LOG_INPUTS")
    bits = parser.parse_args().log_inputs
    wiring = multibutterfly(1 << bits, d=2, seed=7)
    image = np.random.default_rng(1).permutation(1 << bits)
    route_packets(multibutterfly(16, d=2, seed=7), np.arange(16), load=LOAD, check=False)  # compiled before
    ours = timed(wiring, image)
    python = walked(wiring, image, plain_step)
    whole = walked(wiring, image, numpy_step)
    if not ours.steps == python.steps == whole.steps:
        raise AssertionError(f"steps differ: {ours.steps}, plain Python {python.steps}, numpy {whole.steps}")
    print(f"2^{bits} inputs, d = 2, one random permutation, load {LOAD}: {ours.steps} steps")
    for name, run in (("plain Python", python), ("numpy", whole), ("routeproof", ours)):
        ratio = run.cpu / ours.cpu
        print(f"{name:13} {run.cpu:9.4f} s of processor  {run.speed / 1e6:8.1f} million switch-steps/s  {ratio:7.1f}")


def timed(wiring: Wiring, image: Int64) -> Ran:
    """Ours: the median of five runs."""
    runs = []
    for _ in range(5):
        wall, cpu = time.perf_counter(), time.process_time()
        run = route_packets(wiring, image, load=LOAD, check=False)
        runs.append(Ran(run.steps, run.worked, time.perf_counter() - wall, time.process_time() - cpu))
    return sorted(runs, key=lambda x: x.cpu)[2]


def walked(wiring: Wiring, image: Int64, step: Step) -> Ran:
    """One permutation, whose packets are all at their inputs at once; levels without packets are left out."""
    n, rows = wiring.log_inputs, wiring.inputs
    wire = wiring.wire.astype(np.int64)
    state = np.full((n + 1, rows), np.iinfo(np.int64).max)
    state[0] = (image % LOAD) << n | image
    count = last = worked = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while (state[:n] != np.iinfo(np.int64).max).any():
        for parity in (0, 1):
            for colour in range(wire.shape[1]):
                count += 1
                for level in range(parity, n, 2):
                    here = state[level]
                    if (here == np.iinfo(np.int64).max).all():
                        continue
                    worked += rows
                    if level == n - 1:
                        before = int((here != np.iinfo(np.int64).max).sum())
                    step(here, state[level + 1], wire[level, colour], n - 1 - level)
                    if level == n - 1 and int((here != np.iinfo(np.int64).max).sum()) < before:
                        last = count
    if not np.array_equal(state[n] & (rows - 1), np.arange(rows)):
        raise AssertionError("a packet went astray")
    return Ran(last, worked, time.perf_counter() - wall, time.process_time() - cpu)


def plain_step(here: Int64, there: Int64, wire: Int64, bit: int) -> None:
    """One colour between two levels, switch by switch, on Python lists."""
    n_bits = len(here).bit_length() - 1
    a, b = here.tolist(), there.tolist()
    empty = np.iinfo(np.int64).max
    for r, head in enumerate(wire.tolist()):
        packet = a[r]
        if packet != empty and (packet ^ head) >> bit & 1 == 0:
            other = b[head]
            if other == empty or other >> n_bits > packet >> n_bits:
                a[r], b[head] = other, packet
    here[:], there[:] = a, b


def numpy_step(here: Int64, there: Int64, wire: Int64, bit: int) -> None:
    """The same on whole arrays."""
    n_bits = len(here).bit_length() - 1
    empty = np.iinfo(np.int64).max
    other = there[wire]
    go = (here != empty) & ((here ^ wire) >> bit & 1 == 0) & ((other == empty) | (other >> n_bits > here >> n_bits))
    rows = np.nonzero(go)[0]
    heads = wire[rows]
    there[heads] = here[rows]
    here[rows] = other[rows]


if __name__ == "__main__":
    main()
