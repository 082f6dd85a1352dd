"""The best routing for given matrices: exact where it can be made so, else an interval with both ends certified.

With one matrix this is maximum concurrent flow (Shahrokhi & Matula 1990, J. ACM 37; Leighton & Rao 1999, J. ACM 46):
the least maximum link utilisation that any routing reaches, were it made for this matrix alone.  Several matrices: the
oblivious routing whose largest utilisation under the worst of them is least.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from ...core.network import Network
from ...core.stage import Stage, silent
from ...demand_sets.hull import Hull
from ...lp.exact import NotExactError
from ...lp.rounding import rounded_down
from ...machine.deadlines import Deadline, held_interrupts, shown_gap
from ...machine.memory import check_memory
from ...routing.base.routing import Routing
from ...routing.path_sets.path_set import PathSet
from ...worst.demand_sets.matrices import worst_matrix
from ...worst.locality import average_path_length, minimal_average
from ..result import Design
from .exact import exact_vertex
from .problem import Problem
from .rounding import MatrixBound, routing_of, shares_of, shortened
from .search import Found, search
from .tree_search import TreesFound, search_trees

_MOST_PAIRS = 40_000  # beyond, trees are looked for, and not paths
_MOST_ROWS = 60_000  # of a basis that is solved exactly
_HOP_BYTES, _PAIR_BYTES = 60, 1_500


def design_for_matrices(
    network: Network,
    demands: Hull,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    accuracy: float = 1e-9,
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> Design:
    """The routing whose largest load per bandwidth under the worst of the matrices is least.

    ``accuracy``: how near, relative to it, load and bound may come before the search ends; ``time_limit``: seconds,
    then what is certified by then is returned.  Raises InputError where some pair has no path,
    the matrices load nothing or are about other terminals, and where it would take more memory than there is; with
    ``shortest``, ``path_length`` and ``paths`` (see ``given_paths``) for networks that are too large for one program.
    """
    if paths is not None or shortest or path_length is not None:
        from .given_paths import design_on_paths

        return design_on_paths(
            network, demands, paths, shortest=shortest, path_length=path_length, time_limit=time_limit, stage=stage
        )
    step, deadline = stage or silent, Deadline(time_limit)
    size = f"the best flow on {network.name}, with {network.num_nodes:,} nodes,"
    check_memory(_bytes(network), size)
    problem = Problem.of(network, demands)
    by_trees = len(demands.matrices) == 1 and problem.num_pairs > _MOST_PAIRS
    with step("best flow") as show:
        tell = shown_gap(show, "best flow: {:,} rounds, gap {:.1e}")
        found = (search_trees if by_trees else search)(problem, deadline, accuracy=accuracy, tell=tell)
    routing: Routing
    with step("judging"), held_interrupts() as held:
        if isinstance(found, TreesFound):
            lengths, routing = list(rounded_down(found.lengths)[0]), found.routing(problem)
        else:
            share, lengths = _made_exact(found)
            routing = routing_of(found.master, share)
        bound = MatrixBound(network, demands, lengths)
        worst = worst_matrix(routing, demands)
        length = average_path_length(routing)
    return Design(
        None,
        routing,
        worst,
        bound,
        length,
        minimal_average(network),
        complete=found.complete and not held.happened,
        demands=demands,
    )


def _made_exact(found: Found) -> tuple[dict[int, Fraction], list[Any]]:
    """Shares and lengths of the vertex; near ones where the search was cut short or the vertex is not exact."""
    master = found.master
    if found.complete and master.solved and master.num_rows <= _MOST_ROWS:
        with suppress(NotExactError):
            vertex = exact_vertex(master)
            return vertex.share, shortened(vertex.lengths)
    return shares_of(master), list(rounded_down(found.lengths)[0])


def _bytes(network: Network) -> int:
    """Two or three paths for every pair of nodes, as objects and as loads."""
    pairs = int((network.supply > 0).sum()) * int((network.demand > 0).sum())
    far = 2.0 * network.num_nodes**0.5
    return int(pairs * (_PAIR_BYTES + 3 * far * _HOP_BYTES))
