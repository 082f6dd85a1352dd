"""Studies by the engine: the same rows from two processes as from this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from routeproof.engine import Engine
from routeproof.engine import work as engine_work
from routeproof.studies.registry import run_study

SMALL: Mapping[str, dict[str, Any]] = {
    "leighton-maggs-1992-faults": {"log_inputs": 5, "faults": (0, 3, 6), "trials": 8},
    "maggs-circuits": {"sizes": (5, 6), "loads": (4, 8), "trials": 8},
    "maggs-packets": {"sizes": (4, 6), "permutations": (1, 4), "trials": 8},
    "towles-dally-2002-trend": {"ks": (3, 4, 5)},
    "towles-dally-boyd-2003-figure-4": {"ks": (3, 4), "solved": (3, 4)},
    "towles-dally-boyd-2003-section-5-5": {"k": 4, "patterns": ("tornado",), "permutations": 8, "cycles": 200},
}


@pytest.fixture(scope="module")
def two() -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(engine_work.VARIABLE, "0.0+test")
        engine_work.code_version.cache_clear()
        with Engine(workers=2) as engine:
            yield engine
    engine_work.code_version.cache_clear()


@pytest.mark.parametrize("name", sorted(SMALL))
def test_the_same_rows_from_two_processes(name: str, two: Engine) -> None:
    said: list[str] = []
    there = run_study(name, engine=two, progress=said.append, **SMALL[name])
    assert two.total > 1
    assert said
    assert there == run_study(name, **SMALL[name])
