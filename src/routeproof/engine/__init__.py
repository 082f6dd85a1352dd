"""Many independent pieces of work: on this machine's processes, on a Dask cluster, kept in a run directory.

    from routeproof.engine import Engine, Work

    work = Work("work", "routeproof.simulate.many:one_seed", {str(s): {"seed": s} for s in range(100)})
    with Engine(workers=4, run="runs/first") as engine:
        results = engine.run(work)

The engine knows nothing of networks.  Results do not depend on the number of workers, on their order or their deaths.
Begin with ``engine``.
"""

from __future__ import annotations

from .engine import Engine, run
from .errors import EngineError, Interrupted
from .work import Work, generator_for, seed_of

__all__ = ["Engine", "EngineError", "Interrupted", "Work", "generator_for", "run", "seed_of"]
