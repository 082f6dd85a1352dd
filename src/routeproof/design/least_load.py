"""What no oblivious routing can beat, stated beside a routing that came from elsewhere."""

from __future__ import annotations

from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError
from ..core.network import Network
from ..core.stage import Stage
from .program.linear import SolverError
from .program.orbits import reduce
from .worst_case import design_worst_case

__all__ = ["least_load"]

_MOST_NODES = 300
_MOST_CELLS = 12_000  # classes of pairs times channels: about ten seconds of the program


def least_load(
    network: Network, *, time_limit: float | None = None, stage: Stage | None = None
) -> tuple[Claim | None, str]:
    """``worst_case_load >= L`` for every oblivious routing of ``network``, or None; and in words what was done.

    L is what the linear program's adversaries prove, see ``design_worst_case``.  Without ``time_limit`` (seconds) the
    program is only solved where that is a matter of seconds; with it, what is proved by then is stated.
    """
    if network.num_nodes > _MOST_NODES:
        return None, (
            f"no bound on the best oblivious routing: the linear program of {network.num_nodes} nodes is too large"
        )
    try:
        if time_limit is None:
            cells = len(reduce(network).pairs) * network.num_channels
            if cells > _MOST_CELLS:
                return None, (
                    f"no bound on the best oblivious routing: its linear program is large ({cells:,} cells; "
                    f"up to {_MOST_CELLS:,} are solved unasked); --time-limit SECONDS tries"
                )
        made = design_worst_case(network, time_limit=time_limit, stage=stage)
    except (InputError, SolverError) as error:
        return None, f"no bound on the best oblivious routing: {error}"
    if not made.least_load:
        return None, "no bound on the best oblivious routing: the program proved none in its time"
    claim = Claim(
        "worst_case_load",
        ">=",
        made.least_load,
        Grade.PROVED,
        Evidence("adversary", made.load_adversary.data()),
        "Towles, Dally & Boyd 2003 (SPAA), eq. 8",
        {"model": "balanced"},
    )
    done = "" if made.complete else " (the program was stopped before its optimum)"
    return claim, f"no oblivious routing has a worst-case load below {made.least_load}{done}"
