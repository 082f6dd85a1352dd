"""What a verb will take is estimated first, and refused beyond --memory, or beyond what is free."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from routeproof import named_routing, network
from routeproof.core.errors import InputError
from routeproof.graphs.transport_arrays import Rates
from routeproof.machine import memory
from routeproof.machine.memory import check_memory, check_table, free_memory, memory_allowed, shown_bytes
from routeproof.worst.scan.scan import SettledRatios


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Let so many bytes be free."""

    def say(count: int | None) -> None:
        monkeypatch.setattr(memory, "free_memory", lambda: count)

    return say


def test_the_estimate_and_what_is_free_are_said(free: Callable[[int | None], None]) -> None:
    free(2_000_000_000)
    check_memory(1_999_999_999, "it")
    with pytest.raises(InputError, match=r"^it would take about 3\.0 GB; 2\.0 GB of memory are free$"):
        check_memory(3_000_000_000, "it")
    with pytest.raises(InputError, match=r"^hops, a table of 30,000 x 40,000, would take about 2\.4 GB; 2\.0 GB of"):
        check_table(30_000, 40_000, 2, "hops")
    with memory_allowed(1000), pytest.raises(InputError, match=r"^it would take about 2\.0 KB; --memory allows 1\.0 K"):
        check_memory(2000, "it")
    with memory_allowed(10**15), pytest.raises(InputError, match="are free"):
        check_memory(10**13, "it")
    free(None)
    check_memory(10**18, "it")


def test_sizes_for_people() -> None:
    assert [shown_bytes(x) for x in (7, 7_000, 7 * 10**9, 7 * 10**16)] == ["7 bytes", "7.0 KB", "7.0 GB", "70,000.0 TB"]


def test_what_is_free_is_asked_of_the_system(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "/proc/meminfo": ["MemTotal: 9000 kB", "MemAvailable: 5000 kB"],
        "/sys/fs/cgroup/memory.max": ["3000000"],
        "/sys/fs/cgroup/memory.current": ["1000000"],
        "/sys/fs/cgroup/memory.stat": ["anon 5", "inactive_file 200"],
    }
    monkeypatch.setattr(memory, "_lines", lambda path: texts.get(path, []))
    assert free_memory() == 2_000_200
    texts["/sys/fs/cgroup/memory.max"] = ["max"]
    assert free_memory() == 4_608_000  # nine tenths
    texts |= {"/proc/self/cgroup": ["4:cpu:/x", "0::/job_7/step_0"], "/sys/fs/cgroup/job_7/memory.max": ["2500000"]}
    texts["/sys/fs/cgroup/job_7/memory.current"] = ["500000"]
    assert free_memory() == 2_000_000  # of the batch system, for the job that this step is part of
    texts.clear()
    monkeypatch.setattr(memory, "_physical", lambda: 8_000_000)
    assert free_memory() == 4_000_000  # half of it, where nobody says what others use
    monkeypatch.setattr(memory, "_physical", lambda: None)
    assert free_memory() is None


def test_threads_are_as_many_as_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    routing = named_routing("dor", network("ring:5"))
    rates = Rates(np.ones(5, dtype=np.int64), np.ones(5, dtype=np.int64), 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    assert SettledRatios(routing, rates, workers=None).workers == 3


@pytest.mark.skipif(sys.platform != "linux", reason="as Linux counts a process's memory")
def test_a_limit_of_the_process_counts() -> None:
    code = (
        "import resource\nfrom routeproof.machine.memory import free_memory\n"
        "resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))\nprint(free_memory())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 <= int(ran.stdout) < 10**9


@pytest.mark.parametrize(
    ("topology", "routing"),
    [
        ("torus:16x16", "dor"),
        ("torus:40x40", "dor"),
        ("mesh:20x20", "romm"),
        ("torus:8x8x8", "romm"),
        ("mesh:12x12", "o1turn"),
        ("hyperx:8x8", "dor"),
        ("torus:12x12", "turns"),
        ("torus:12x12", "rlb"),
        ("torus:70x70", "dor"),
        ("mix", "mix:1/2*dor+1/2*o1turn"),
    ],
)
def test_estimates_of_grids_are_close(topology: str, routing: str) -> None:
    chosen = named_routing(routing, network("mesh:9x9" if topology == "mix" else topology))
    for c in np.linspace(0, chosen.network.num_channels - 1, 5).astype(int).tolist():
        count = len(chosen.channel_loads([c]).row)
        assert 0.9 * count <= chosen.expected_loads(c) <= 2 * count + 1


def test_other_estimates_are_averages_from_below() -> None:
    for topology, routing in (("random-regular:60,degree=3,seed=1", "minimal"), ("fat-tree:8", "dmodk")):
        chosen = named_routing(routing, network(topology))
        counts = [len(chosen.channel_loads([c]).row) for c in range(chosen.network.num_channels)]
        assert 0 < chosen.expected_loads(0) <= 1.1 * np.mean(counts)


@pytest.mark.parametrize("verb", ["worst-case", "failures"])
@pytest.mark.parametrize(
    ("topology", "routing"),
    [
        ("torus:300x300", "dor"),
        ("torus:300x300", "romm"),
        ("torus:300x300", "o1turn"),
        ("torus:300x300", "rlb"),
        ("torus:300x300", "mix:1/2*dor+1/2*o1turn"),
        ("ring:30000", "minimal"),
        ("ring:10000", "minimal:choice=per-hop"),
        ("random-regular:20000,degree=3,seed=1", "minimal"),
        ("random-regular:20000,degree=3,seed=1", "sssp"),
        ("fat-tree:64", "smodk"),
    ],
)
def test_pair_loads_that_do_not_fit_are_refused(
    verb: str, topology: str, routing: str, run: Any, free: Callable[[int | None], None]
) -> None:
    free(120_000_000)
    more = ["--links", "1"] if verb == "failures" else []
    ran = run(verb, topology, "-r", routing, *more)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert "would take about" in ran.err
    assert ran.err.endswith("; 120.0 MB of memory are free\n")


@pytest.mark.parametrize(
    "topology",
    [
        "torus:1000x1000",
        "mesh:2000x2000",
        "complete:5000",
        "hypercube:17",
        "hyperx:30x30x30",
        "fat-tree:128",
        "kautz:2,17",
        "random-regular:300000,degree=3,seed=1",
        "slim-fly:97",
        "dragonfly:16,32,16",
        "jellyfish:100000,ports=24,degree=12,seed=1",
        "xpander:11,20000,seed=1",
        "k-ary-tree:10,5",
        "bcube:16,3",
        "dcell:6,3",
        "twisted-torus:100x100x200",
        "tofu:30x30x30",
        "clos:500,500,2000",
        "multibutterfly:65536,d=2,seed=1",
        "cantor:10",
    ],
)
def test_networks_that_do_not_fit_are_refused_before_they_are_made(topology: str) -> None:
    with (
        memory_allowed(10_000_000),
        pytest.raises(InputError, match=r"nodes, [0-9,]+ channels\) would take about .*; --memory allows 10\.0 MB"),
    ):
        network(topology)


def test_memory_allowed_by_the_command_line(run: Any) -> None:
    ran = run("worst-case", "torus:300x300", "-r", "dor", "--memory", "300M")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "error: dor on torus:300x300, with about 3,462,142 pair loads on one channel, would take about 623.2 MB; "
        "--memory allows 300.0 MB\n"
    )
    assert run("worst-case", "torus:4x4", "-r", "dor", "--memory", "some").err.startswith(
        "error: 'some' is not an amount"
    )


def test_few_channels_at_once_where_each_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep's first sample is as small as its loads are large; the answer is the same."""
    from routeproof import worst_case
    from routeproof.worst.scan import scan as sweep

    routing = named_routing("dor", network("mesh:9x8"))
    before = worst_case(routing, symmetry="none")
    monkeypatch.setattr(sweep, "_SAMPLED_ENTRIES", 1000)
    asked: list[int] = []
    own = type(routing).channel_loads

    def watched(self: Any, channels: Any, **more: Any) -> Any:
        asked.append(np.size(channels))
        return own(self, channels, **more)

    monkeypatch.setattr(type(routing), "channel_loads", watched)
    again = worst_case(routing, symmetry="none")
    assert (again.load, again.channel) == (before.load, before.channel)
    assert asked[0] < 48
