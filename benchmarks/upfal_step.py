"""Upfal's step four ways: ``python benchmarks/upfal_step.py [LOG_INPUTS]`` (default 14).

The same permutation on the same random multibutterfly by plain Python loops, by whole-array numpy (what one would
write), by numpy on lists of occupied switches, and by ``routeproof.simulate.packets.upfal``; all in one process, with
the same number of steps.  All but plain Python run five times, in turn; the least time of each counts.  Speeds are in
switch-steps (a switch on a level that takes part in a step) per second of processor time.  Nothing is asserted about
time; that the four agree is.
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
    runs = {"plain Python": walked(wiring, image, plain_step)}
    for _ in range(5):
        for name, run in (
            ("numpy", walked(wiring, image, numpy_step)),
            ("numpy, lists", listed(wiring, image)),
            ("routeproof", ours(wiring, image)),
        ):
            runs[name] = min(run, runs.get(name, run), key=lambda x: x.cpu)
    if len({(x.steps, x.worked) for x in runs.values()}) > 1:
        raise AssertionError(f"steps or work differ: {runs}")
    best = runs["routeproof"].cpu
    print(f"2^{bits} inputs, d = 2, one random permutation, load {LOAD}: {runs['routeproof'].steps} steps")
    for name, run in runs.items():
        speed = run.speed / 1e6
        print(f"{name:13} {run.cpu:9.4f} s of processor  {speed:8.1f} million switch-steps/s  {run.cpu / best:7.1f}")


def ours(wiring: Wiring, image: Int64) -> Ran:
    wall, cpu = time.perf_counter(), time.process_time()
    run = route_packets(wiring, image, load=LOAD, check=False)
    return Ran(run.steps, run.worked, time.perf_counter() - wall, time.process_time() - cpu)


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


def listed(wiring: Wiring, image: Int64) -> Ran:
    """Whole arrays of the occupied switches alone, which are listed once a phase: ours, without compiling."""
    n, rows = wiring.log_inputs, wiring.inputs
    empty = np.int32(np.iinfo(np.int32).max)
    state = np.full((n + 1, rows), empty)
    state[0] = (image % LOAD) << n | image
    present = [rows, *[0] * n]
    count = last = worked = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while present[n] < rows:
        for parity in (0, 1):
            for level in range(parity, n, 2):
                here, there = state[level], state[level + 1]
                at = np.flatnonzero(here != empty)
                for colour in range(wiring.wire.shape[1]):
                    if not len(at):
                        break
                    worked += rows
                    packet, heads = here[at], wiring.wire[level, colour][at]
                    before = (packet | rows - 1) < there[heads]
                    go = np.flatnonzero(before & ((packet ^ heads) >> n - 1 - level & 1 == 0))
                    if level == n - 1 and len(go):
                        last = max(last, count + colour + 1)
                    other = there[heads[go]]
                    there[heads[go]] = packet[go]
                    here[at[go]] = other
                    left = np.ones(len(at), dtype=np.bool_)
                    left[go] = other != empty
                    moves = len(at) - int(left.sum())
                    at = at[left]
                    present[level] -= moves
                    present[level + 1] += moves
            count += wiring.wire.shape[1]
    if not np.array_equal(state[n] & (rows - 1), np.arange(rows)):
        raise AssertionError("a packet went astray")
    return Ran(last, worked, time.perf_counter() - wall, time.process_time() - cpu)


if __name__ == "__main__":
    main()
