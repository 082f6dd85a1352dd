"""The cases: what is run, against what, and what was wanted.  Each function returns rows of the table."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from fat_tree import d_mod_k, fat_tree
from naive import Naive, NaiveMinimal, NaiveTable, naive_worst_case
from processes import Run, run_process

from routeproof import Minimal, Network, NextHop, Routing, network
from routeproof.machine.compiled import Kernel
from routeproof.questions.worst_case import answer_worst_case
from routeproof.verification import verify_report
from routeproof.worst.scan.evidence import worst_case_claims
from routeproof.worst.scan.exact import worst_case

FULL_S = 60.0  # the naive loop runs over all channels where that takes no longer than this ...
SAMPLE_S = 20.0  # ... and else over random channels for so long


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of processor time (all threads): medians of ``runs``.  On a busy machine the second is
    the one to trust."""

    wall: float
    cpu: float
    runs: int = 1


@dataclass(frozen=True)
class Row:
    """One line of the table.  ``other`` is what ``ours`` is compared with; for whole processes there is none.  Memory
    in MiB."""

    case: str
    ours: Cost
    wanted: str
    other: Cost | None = None
    how: str = ""
    value: str = ""
    peak_mib: float | None = None


def timed(work: Callable[[], object], *, quick: bool) -> Cost:
    """Three runs, or one where it takes long."""
    runs: list[Cost] = []
    while len(runs) < (1 if quick or (runs and runs[0].wall > 10) else 3):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        runs.append(Cost(time.perf_counter() - wall, time.process_time() - cpu))
    return median(runs)


def median(runs: Sequence[Cost | Run]) -> Cost:
    return Cost(statistics.median(x.wall for x in runs), statistics.median(x.cpu for x in runs), len(runs))


def _fresh(net: Network) -> Network:
    """The same network with nothing remembered, so that every run makes its own tables."""
    return replace(net)


Maker = Callable[[Network], Routing]


def _against_naive(
    case: str, net: Network, route: Maker, naive: Callable[[Network], Naive], wanted: str, *, quick: bool
) -> list[Row]:
    ours = timed(lambda: worst_case_claims(worst_case(route(_fresh(net)))), quick=quick)
    every = worst_case(route(net), all_channels=True)
    assert every.channel_loads is not None
    other = naive_worst_case(net, naive, full_s=6.0 if quick else FULL_S, sample_s=2.0 if quick else SAMPLE_S)
    for c, x in other.value.items():
        exact = float(every.channel_loads[c])
        if abs(x - exact) > 1e-9 * exact:
            raise AssertionError(f"{case}: channel {c} has worst load {exact}; the naive way says {x}")
    if other.done == other.count and abs(max(other.value.values()) - float(every.load)) > 1e-9 * float(every.load):
        raise AssertionError(f"{case}: the worst load is {every.load}; the naive way says {max(other.value.values())}")
    return [Row(case, ours, wanted, Cost(other.wall, other.cpu), other.how, str(every.load))]


def _minimal(net: Network) -> Routing:
    return Minimal().on(net)


def _text(case: str, text: str, wanted: str, *, quick: bool) -> list[Row]:
    return _against_naive(case, network(text), _minimal, NaiveMinimal, wanted, quick=quick)


def _fat_tree_ecmp(*, quick: bool) -> list[Row]:
    return _against_naive(
        "fat tree, 1,024 hosts, ECMP per path", fat_tree(16), _minimal, NaiveMinimal, "500x", quick=quick
    )


def _fat_tree_table(*, quick: bool) -> list[Row]:
    net = fat_tree(16)
    table = d_mod_k(net, 16)

    def route(network: Network) -> Routing:
        return NextHop(table, columns="terminal", name="d-mod-k").on(network)

    def naive(network: Network) -> Naive:
        return NaiveTable(network, table)

    return _against_naive("fat tree, 1,024 hosts, D-mod-K table", net, route, naive, "500x", quick=quick)


_ALL = ("random-regular:512,degree=6,seed=1", "random-regular:512,degree=16,seed=1", "torus:16x16,dead-links=0-1;37-53")


def _all_channels(*, quick: bool) -> list[Row]:
    rows = []
    for text in _ALL[:1] if quick else _ALL:
        net = network(text)
        one = timed(lambda net=net: worst_case_claims(worst_case(_minimal(_fresh(net)))), quick=quick)
        every = timed(
            lambda net=net: worst_case_claims(worst_case(_minimal(_fresh(net)), all_channels=True)), quick=quick
        )
        how = f"against the maximum only: {every.cpu / one.cpu:.2f} times its processor time"
        rows.append(Row(f"all channels: {text}, ECMP per path", every, "above 0.5x", one, how))
    return rows


def _sparse_all(*, quick: bool) -> list[Row]:
    """The whole curve over the number of packets, against the worst case of every channel over permutations."""
    from routeproof.demand_sets.permutations import permutations
    from routeproof.demand_sets.sparse import EverySparse
    from routeproof.worst.demand_sets.sparse_curve import curve_claims, sparse_curve

    net = network(_ALL[0])
    demands = EverySparse(net.num_terminals, "sparse:all", permutations(net.num_terminals))
    every = timed(lambda: worst_case_claims(worst_case(_minimal(_fresh(net)), all_channels=True)), quick=quick)
    curve = timed(lambda: curve_claims(sparse_curve(_minimal(_fresh(net)), demands)), quick=quick)
    how = f"against all channels, permutations: {curve.cpu / every.cpu:.2f} times its processor time"
    return [Row(f"sparse:all: {_ALL[0]}, ECMP per path", curve, "above 0.5x", every, how)]


def _jobs(*, quick: bool) -> list[Row]:
    """Every job alone, all at once and which share a channel, proved, against one assignment of scipy a job and
    channel, on pair loads that it is given."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    from routeproof.formats.demands.jobs import within
    from routeproof.questions.worst_case import answer_worst_case as answer

    net = fat_tree(16)
    size = net.num_terminals
    order = np.random.default_rng(1).permutation(size)
    jobs = {f"job{k}": sorted(order[k::16].tolist()) for k in range(16)}
    table = NextHop(d_mod_k(net, 16), columns="terminal", name="d-mod-k")
    demands = within(jobs, size)

    def naive() -> float:
        routing = table.on(net)
        worst = 0.0
        for members in jobs.values():
            n = len(members)
            rows = np.repeat(routing.row_of[members], n)
            block = routing.pair_loads(rows, np.tile(routing.column_of[members], n))
            load = np.zeros((net.num_channels, n * n))
            load[block.channel, block.segment] = block.load.num / block.load.den
            for c in np.flatnonzero(load.any(axis=1)).tolist():
                dense = load[c].reshape(n, n)
                i, j = linear_sum_assignment(dense, maximize=True)
                worst = max(worst, float(dense[i, j].sum()))
        return worst

    ours = timed(lambda: answer(table.on(_fresh(net)), demands=demands), quick=quick)
    other = timed(naive, quick=quick)
    how = "against scipy's assignment for every job and channel, floats, no proof, no capacity, jobs alone only"
    return [Row("jobs: fat tree, 1,024 hosts, 16 jobs, D-mod-K table", ours, "above 1x", other, how)]


def _verify(*, quick: bool) -> list[Row]:
    from routeproof.formats.documents.json_text import format_json
    from routeproof.formats.documents.report import claims_to_document
    from routeproof.questions.answer import subject_of

    rows = []
    for text in _ALL[:1] if quick else _ALL:
        net = network(text)
        find = timed(lambda net=net: answer_worst_case(_minimal(_fresh(net))), quick=quick)
        analysis = answer_worst_case(_minimal(net))
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            report.write_text(
                format_json(claims_to_document(subject_of(analysis.routing, topology=text), analysis.stated)),
                encoding="utf-8",
            )
            size = report.stat().st_size
            check = timed(lambda report=report: verify_report(str(report)), quick=quick)
        how = f"against finding it; the report has {size / 1000:,.0f} kB"
        rows.append(Row(f"verify: {text}, ECMP per path", check, "above 1x", find, how))
    return rows


def _process(case: str, wanted: str, topology: str, routing: str, *, quick: bool, most_runs: int = 3) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [*_routeproof(), "worst-case", topology, "--routing", routing, "--json", str(report)]
        runs = [run_process(command)]
        while len(runs) < (1 if quick or runs[0].wall > 10 else most_runs):
            runs.append(run_process(command))
        claims = json.loads(report.read_text(encoding="utf-8"))["claims"]
    value = next(x["value"] for x in claims if x["quantity"] == "worst_case_load")
    return [Row(case, median(runs), wanted, value=value, peak_mib=max(x.peak_mib for x in runs))]


def _routeproof() -> list[str]:
    return [sys.executable, "-c", "from routeproof.cli.main import main; import sys; sys.exit(main(sys.argv[1:]))"]


def _grids(size: str, wanted: str, *, quick: bool) -> list[Row]:
    rows = []
    for routing in ("dor", "valiant", "romm"):
        rows += _process(f"process: {size} {routing}", wanted, size, routing, quick=quick)
    return rows


def _start(case: str, wanted: str, command: list[str], *, quick: bool) -> list[Row]:
    del quick
    runs = [run_process(command) for _ in range(5)]
    return [Row(case, median(runs), wanted, peak_mib=max(x.peak_mib for x in runs))]


def _first_run(*, quick: bool) -> list[Row]:
    """The first command of the README on a new machine, against the same where nothing is interpreted."""
    del quick
    costs = []
    for allowance in ("Kernel.allowance", "0"):
        code = (
            "import sys; from routeproof.cli.main import main; from routeproof.machine.compiled import Kernel; "
            f"Kernel.allowance = {allowance}; sys.exit(main('worst-case torus:9x9 --routing romm --quiet'.split()))"
        )
        runs = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as empty:
                runs.append(run_process([sys.executable, "-c", code], NUMBA_CACHE_DIR=empty))
        costs.append((median(runs), max(x.peak_mib for x in runs)))
    (ours, peak), (other, _) = costs
    how = "no compiled code kept; against compiling all kernels"
    return [Row("process: torus:9x9 romm, first run", ours, "3 s", other, how, peak_mib=peak)]


def _import(*, quick: bool) -> list[Row]:
    bare = [sys.executable, "-c", ""]
    rows = _start("process: import routeproof", "0.2 s", [sys.executable, "-c", "import routeproof"], quick=quick)
    empty = median([run_process(bare) for _ in range(5)])
    return [replace(x, how=f"of which python itself {empty.wall:.3f} s, {empty.cpu:.3f} s of processor") for x in rows]


def _peak(text: str, wanted: str, *, quick: bool) -> list[Row]:
    return _process(f"process: {text}, ECMP per path", wanted, text, "minimal", quick=quick)


CASES: dict[str, Callable[..., list[Row]]] = {
    "regular-6-512": partial(
        _text, "random 6-regular, 512 nodes, ECMP per path", "random-regular:512,degree=6,seed=1", "25x (hoped 100x)"
    ),
    "regular-16-512": partial(
        _text, "random 16-regular, 512 nodes, ECMP per path", "random-regular:512,degree=16,seed=1", "40x (hoped 100x)"
    ),
    "regular-6-1024": partial(
        _text, "random 6-regular, 1,024 nodes, ECMP per path", "random-regular:1024,degree=6,seed=1", "60x (hoped 100x)"
    ),
    "dead-links": partial(_text, "torus 16x16 without two links, ECMP per path", _ALL[2], "10x (hoped 100x)"),
    "fat-tree-ecmp": _fat_tree_ecmp,
    "fat-tree-table": _fat_tree_table,
    "all-channels": _all_channels,
    "sparse-all": _sparse_all,
    "jobs": _jobs,
    "verify": _verify,
    "torus-9x9": partial(_process, "process: torus:9x9 romm", "2 s", "torus:9x9", "romm"),
    "torus-16x16x16": partial(_grids, "torus:16x16x16", "5 s, 1,024 MiB"),
    "torus-32x32x32": partial(_grids, "torus:32x32x32", "60 s, 4,096 MiB"),
    "regular-16-4096": partial(_peak, "random-regular:4096,degree=16,seed=1", "120 s, 4,096 MiB"),
    "first-run": _first_run,
    "import": _import,
    "help": partial(_start, "process: routeproof --help", "0.5 s", [*_routeproof(), "--help"]),
}
LONG = ("torus-32x32x32", "regular-16-4096")  # left out of --quick unless they are named


def warm_up() -> None:
    """Compile what has to be compiled, so that no case pays for it; small cases too are compiled from now on."""
    Kernel.allowance = 0.0
    tree = fat_tree(4)
    for routing in (
        _minimal(network("random-regular:32,degree=4,seed=1")),
        NextHop(d_mod_k(tree, 4), columns="terminal").on(tree),
        _minimal(network("torus:6x6,dead-links=0-1")),
    ):
        worst_case_claims(worst_case(routing))
        worst_case_claims(worst_case(routing, all_channels=True))
    np.random.default_rng(0)
