"""Nanoseconds of processor time a hop: ``python benchmarks/packets.py [BOOKSIM]``, least of three runs each.

``simulate load`` under uniform traffic on tori, kernels compiled and walks made before.  With the program of
https://github.com/booksim/booksim2 (make needs bison and flex), both run in turn on torus:8x8 at rate 1/5, packets of
one flit: its routers have two virtual channels and credits, ours queues without limit.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from processes import run_process

from routeproof.core.traffic import Traffic
from routeproof.formats.resolve import resolve_network
from routeproof.routing.named.spec import routing_from_spec
from routeproof.simulate.load.queueing import ADAPTIVE, simulate_load, walks_of

CASES = (
    ("torus:8x8", "dor", "1/5"), ("torus:8x8", "dor", "4/5"), ("torus:8x8", "valiant", "2/5"),
    ("torus:8x8", "minimal-adaptive", "2/5"), ("torus:16x16", "dor", "3/10"), ("torus:32x32", "dor", "1/10"),
)  # fmt: skip
CYCLES = 20_000
SETTINGS = f"""topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 2; packet_size = 1;
traffic = uniform; injection_rate = 0.2; sim_type = throughput; warmup_periods = 0; max_samples = 1;
sample_period = {CYCLES};
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("booksim", nargs="?", type=Path, metavar="BOOKSIM")
    booksim = parser.parse_args().booksim
    for topology, routing, rate in CASES:
        network = resolve_network(topology)
        traffic = Traffic.uniform(network.num_terminals)
        how = routing if routing in ADAPTIVE else walks_of(routing_from_spec(routing, network), traffic)
        cycles = CYCLES * 64 // network.num_terminals
        simulate_load(network, how, traffic, Fraction(rate), warm_up=0, cycles=20)  # compiled before
        seconds, peer = [], []
        for _ in range(3):
            start = time.process_time()
            run = simulate_load(network, how, traffic, Fraction(rate), warm_up=0, cycles=cycles)
            seconds.append(time.process_time() - start)
            if booksim and (topology, routing, rate) == CASES[0]:
                peer.append(of_booksim(booksim))
        hops = int(run.counts[-1, 4])
        text = f", BookSim {min(peer) / hops * 1e9:.0f}" if peer else ""
        print(f"{topology} {routing} at {rate}: {min(seconds) / hops * 1e9:.0f} ns a hop{text}")


def of_booksim(program: Path) -> float:
    """Processor time of the whole process; it crosses as many channels, but for chance."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "settings"
        settings.write_text(SETTINGS.replace("; ", ";\n"), encoding="utf-8")
        return run_process([str(program), str(settings)]).cpu


if __name__ == "__main__":
    main()
