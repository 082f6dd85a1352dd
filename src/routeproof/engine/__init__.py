"""Many independent pieces of work: on this machine's processes, on a Dask cluster, kept in a run directory.

    from routeproof.engine import Engine, Work

    work = Work("work", "routeproof.simulate.many:one_seed", {str(s): {"seed": s} for s in range(100)})
    with Engine(workers=4, run="runs/first") as engine:
        results = engine.run(work)

The engine knows nothing of networks.  Results do not depend on the number of workers, on their order or their deaths.
Begin with ``engine``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .engine import Engine as Engine
    from .engine import run as run
    from .errors import EngineError as EngineError
    from .errors import Interrupted as Interrupted
    from .store import RunDirectory as RunDirectory
    from .work import Work as Work
    from .work import generator_for as generator_for
    from .work import seed_of as seed_of

_HOME = {
    "Engine": "engine",
    "EngineError": "errors",
    "Interrupted": "errors",
    "RunDirectory": "store",
    "Work": "work",
    "generator_for": "work",
    "run": "engine",
    "seed_of": "work",
}

__all__ = ["Engine", "EngineError", "Interrupted", "RunDirectory", "Work", "generator_for", "run", "seed_of"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'routeproof.engine' has no attribute '{name}'")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
