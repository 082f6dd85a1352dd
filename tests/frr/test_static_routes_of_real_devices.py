"""Routes that ``convert`` writes are installed by real devices, which then forward like the routing.

Debian: ``apt install frr``, as root.  Without it, or without namespaces, the test is skipped.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from test_failures_of_real_frr import fabric, loads_by_name
from test_real_frr import WHERE, why_not

import routeproof
from routeproof.routing.fabrics.ethernet import routing_of_routes
from routeproof.routing.named.spec import routing_from_spec

SCRIPT = Path(__file__).with_name("static_routes.sh")


def test_linux_and_frr_install_what_is_written(tmp_path: Path) -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    before = tmp_path / "before"
    convert = [sys.executable, "-m", "routeproof", "convert", str(before), "--routing"]
    commands = [
        [*convert, "wcmp", str(tmp_path / "new.iproute")],
        [*convert, "minimal:choice=per-hop", str(tmp_path / "new.frr")],
    ]
    source = str(Path(routeproof.__file__).parents[1])
    done = subprocess.run(
        ["bash", str(SCRIPT), str(tmp_path), " && ".join(shlex.join(x) for x in commands)],
        check=False, timeout=600, env={"PATH": WHERE, "PYTHONPATH": source}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    for name, folder, written in (("wcmp", "linux", "new.iproute"), ("minimal:choice=per-hop", "frr", "new.frr")):
        wanted = loads_by_name(routing_from_spec(name, fabric(before)))
        assert loads_by_name(routing_from_spec(str(tmp_path / written), fabric(before))) == wanted
        assert loads_by_name(routing_of_routes(fabric(tmp_path / folder))) == wanted
    assert "weight 3" in (tmp_path / "new.iproute" / "leaf1.sh").read_text()
