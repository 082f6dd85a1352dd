"""Every kernel that small problems run interpreted leaves exactly what the compiled one leaves.

Whole commands are run with both copies on every call: what they return, and every array that they were given, must be
equal bit for bit.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.documents.network import network_to_document
from routeproof.graphs import transport
from routeproof.graphs.transport_arrays import Channels
from routeproof.machine.compiled import Kernel
from routeproof.optimum.half_flows import design as half_flow_design
from routeproof.optimum.half_flows import exact, splitting
from routeproof.optimum.matrix_flow import design as matrix_design
from routeproof.routing.graph.minimal import Minimal
from routeproof.topologies.family import network_from_spec

SRC = Path(transport.__file__).parents[2]
FABRIC = Path(__file__).parents[2] / "benchmarks" / "ethernet_fabric.py"
COMMANDS = (
    "worst-case torus:5x5 --routing romm --all-channels",
    "worst-case mesh:4x4x2 --routing dor:order=random",
    "worst-case mesh:5x4 --routing romm --all-channels --no-symmetry",
    "worst-case random-regular:20,degree=3,seed=1 --routing minimal --all-channels --html {0}/page.html",
    "worst-case random-regular:20,degree=3,seed=2 --routing minimal:choice=per-hop --all-channels --html {0}/page.html",
    "worst-case fat-tree:4 --routing dmodk --model unbalanced",
    "worst-case mesh:4x3,bandwidth=5/3x1 --routing minimal --all-channels",
    "failures mesh:3x3 --routing minimal --links 1 --repair split",
    "failures petersen --routing random-path:seed=3 --links 1 --repair split",
    "deadlock fat-tree:4 --routing dmodk",
    "worst-case mesh:3x3 --routing ksp:k=2",
    "worst-case petersen --routing sssp",
    "worst-case mesh:4x4 --routing romm --demands sparse:all --no-symmetry",
    "worst-case {0}/ring.json --routing {0}/ahead.json --html {0}/page.html",
    "worst-case {0}/clos --traffic {0}/next.json --json {0}/clos-report.json",
    "verify {0}/clos-report.json",
    "deadlock {0}/clos",
    "failures {0}/clos --cables 1",
    "collective random-regular:8,degree=3,seed=1 --operation broadcast",
    "design random-regular:10,degree=3,seed=1 --objective worst-case --solver half-flows",
    "design random-regular:24,degree=4,seed=1 --objective worst-case --time-limit 600",
    "design ring:5 --objective worst-case --demands matrix:{0}/rates.json",
)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each kernel was run by both copies and compared."""
    calls: Counter[str] = Counter()

    def both(kernel: Kernel, steps: int) -> Callable[..., Any]:
        assert steps >= 0

        def run(*arguments: Any) -> Any:
            own = copy.deepcopy(arguments)
            interpreted, compiled = kernel.interpreted(*own), kernel.compiled(*arguments)
            assert _same(interpreted, compiled), kernel.function
            assert _same(own, arguments), kernel.function
            calls[kernel.function.__name__] += 1
            return compiled

        return run

    monkeypatch.setattr(Kernel, "for_steps", both)
    for room in (half_flow_design, splitting):
        monkeypatch.setattr(room, "num_threads", lambda: 1)  # threads write to parts of one array
    return calls


def test_whole_commands(
    compared: Counter[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = [[[(3 * i + j * j + k) % 5 * (i != j) for j in range(5)] for i in range(5)] for k in range(2)]
    (tmp_path / "rates.json").write_text(json.dumps(rates))
    ring = network_to_document(ring_of_5 := network_from_spec("ring:5"))
    forward = {(int(v), int(w)): c for c, (v, w) in enumerate(zip(ring_of_5.tail, ring_of_5.head, strict=True))}
    ahead = [[forward[v, (v + 1) % 5] if v != d else -1 for d in range(5)] for v in range(5)]
    document = {"format": "routeproof/next-hop", "columns": "node", "network": ring}
    (tmp_path / "ring.json").write_text(json.dumps(ring))
    (tmp_path / "ahead.json").write_text(json.dumps({**document, "tables": [{"weight": 1, "channel": ahead}]}))
    subprocess.run([sys.executable, str(FABRIC), str(tmp_path / "clos"), "2", "2", "2", "1", "2"], check=True)
    (tmp_path / "next.json").write_text(json.dumps([1, 2, 3, 4, 5, 6, 7, 0]))
    monkeypatch.setattr(exact, "_MOST_VARIABLES", 0)  # by splitting, as large networks are
    for command in COMMANDS:
        assert main(command.format(tmp_path).split()) == 0, capsys.readouterr().err
    (tmp_path / "rates.json").write_text(json.dumps(rates[:1]))
    monkeypatch.setattr(matrix_design, "_MOST_PAIRS", 0)  # by trees, as large networks are
    assert main(COMMANDS[-1].format(tmp_path).split()) == 0, capsys.readouterr().err
    written = {
        word.removesuffix(".for_steps").strip("( ")
        for path in SRC.rglob("*.py")
        for word in path.read_text(encoding="utf-8").replace("(", " ").split()
        if word.endswith(".for_steps")
    }
    assert set(compared) == written


def test_numbers_of_paths_that_wrap_around(compared: Counter[str]) -> None:
    """Two addends of 2**62 are negative: refused by both copies."""
    ring = [(v, (v + d) % 124) for v in range(124) for d in (1, -1)]
    with pytest.raises(InputError, match=r"more than 2\^62 shortest paths"):
        Minimal().on(Network.of("doubled ring", 124, [pair for pair in ring for _ in range(2)]))
    assert compared["reach_all"] == 1


@given(st.data())
def test_transport_up_to_the_limit_of_the_numbers(data: st.DataObject) -> None:
    """Weights for which every sum just stays below 2**62, and the same problem in both copies."""
    rows, columns = (data.draw(st.integers(1, 6), label=x) for x in ("rows", "columns"))
    top = 2**62 // (2 * (rows + columns))
    some = st.lists(st.sampled_from([0, 1, 2, top // 3, top - 1, top]), min_size=columns, max_size=columns)
    weight = np.array(data.draw(st.lists(some, min_size=rows, max_size=rows)), dtype=np.int64)
    row, column = np.nonzero(weight)
    supply, demand = (np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))) for n in (rows, columns))
    one = Channels(
        np.array([0, len(row)]), row.astype(np.int32), column.astype(np.int32), weight[row, column], supply, demand
    )
    found = []
    for which in ("interpreted", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Kernel, "for_steps", lambda kernel, _, which=which: getattr(kernel, which))
            found.append(transport.solve_block(one, stop=np.array([-1]), full=True))
    assert _same(tuple(found[0]), tuple(found[1]))
