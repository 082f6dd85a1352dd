"""igraph without matplotlib, in a command's own process alone; later both are as they ever were."""

from __future__ import annotations

import subprocess
import sys

import pytest

_OWN = "from routeproof.machine.interrupts import watch_process; watch_process();"
_ASKED = (
    "import sys; from routeproof.machine.libraries import igraph; Graph = igraph().Graph;"
    "print('matplotlib' in sys.modules, Graph.Ring(5).count_automorphisms(), end=' ');"
    "import matplotlib.pyplot; print(igraph() is sys.modules['igraph'])"
)


@pytest.mark.parametrize(("before", "loaded"), [(_OWN, False), ("", None), ("import matplotlib;" + _OWN, True)])
def test_what_is_loaded(before: str, loaded: bool | None) -> None:
    ran = subprocess.run([sys.executable, "-c", before + _ASKED], capture_output=True, text=True, check=True)
    first, *rest = ran.stdout.split()
    assert rest == ["10", "True"]
    assert loaded is None or first == str(loaded)
