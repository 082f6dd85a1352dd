"""The best routing that is known to need few virtual channels, whatever the assignment: by turns, descents or layers.

A design for few virtual channels is the best one of paths by turns, on tori and meshes.  Routings with names may need
as few under another assignment, on any network, and be better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Stage
from ...demand_sets.demand_set import DemandSet
from ...machine.deadlines import Deadline, OutOfTimeError, ended_in_time, was_interrupted
from ...optimum.design import Design
from ...optimum.known import Known
from ...optimum.over import design_over
from ...routing.base.routing import Routing
from ...searching.layers import fewest_virtual_channels
from ...worst.deadlock.channels import VirtualChannels, virtual_channels
from ...worst.locality import average_path_length
from ...worst.scan.exact import WorstCase

_ALSO = ("updown", "sssp", "lash", "u2turn", "w2turn", "wrd", "rlb", "rlbth", "turns", "smodk", "random-path", "wcmp")
"""Names beside those that every design begins with."""
_ANY = 1 << 30  # virtual channels
_SECONDS, _COUNTED, _LEAST = 60.0, 20.0, 1.0  # for each part; to search for fewer lanes; where all time is over


def in_any_lanes(
    network: Network,
    most: int,
    made: Design | None,
    demands: DemandSet | None,
    options: Mapping[str, Any],
    stage: Stage,
    deadline: Deadline,
) -> tuple[Design, VirtualChannels] | None:
    """A better design than ``made`` (None: there is none by turns) that needs at most ``most`` virtual channels, with
    them; None where none is known.  No routing at all is below its bound.

    ``options``: as of ``optimum.over``.
    """
    if was_interrupted() or (made is not None and not made.gap and made.load_adversary.paths is None):
        return None
    known = Known(network, demands, path_length=options["path_length"], every=True, also=_ALSO)
    known.look(stage, _part(deadline))
    judged = sorted((x for x in known.judged if made is None or x[1].load < made.load), key=lambda x: x[1].load)
    named = _first(judged, most, deadline, Deadline(0.0), must=made is None)  # by rules: soon
    better = [x for x in judged if named is None or x[1].load < named[1].load]
    named = _first(better, most, deadline, Deadline(_COUNTED), must=made is None and named is None) or named
    if made is not None and named is None:
        return None
    left = deadline.left(_LEAST)
    left = _SECONDS if left is None else left
    best = design_over(network, demands, {**options, "paths": None, "shortest": False, "time_limit": left}, stage)
    if named is None or best.load < named[1].load:
        own = lanes_of(best.routing, most, deadline, Deadline(_COUNTED))
        if own is not None:
            return best, own
    if named is None:
        others = (lanes_of(x[0], _ANY, deadline, Deadline(0.0)) for x in judged)
        least = min((x.count for x in others if x is not None), default=None)
        raise InputError(
            f"no routing of {network.name} is known that {most} virtual channel{'s' if most > 1 else ''} can free of "
            f"deadlock; {'more were' if least is None else f'at least {least} was'} expected"
        )
    routing, worst, lanes = named
    name = "" if routing.name.startswith("designed") else routing.name
    found = replace(best, reduction=None, routing=routing, worst=worst, length=average_path_length(routing), known=name)
    return found, lanes


def _first(
    judged: Sequence[tuple[Routing, WorstCase]], most: int, deadline: Deadline, counting: Deadline, *, must: bool
) -> tuple[Routing, WorstCase, VirtualChannels] | None:
    """The first that needs at most ``most``; ``must``: it is looked for beyond the time, too."""
    in_time = takewhile(lambda _: must or not deadline.over, judged)
    fits = ((routing, worst, lanes_of(routing, most, deadline, counting)) for routing, worst in in_time)
    return next(((routing, worst, lanes) for routing, worst, lanes in fits if lanes is not None), None)


def _part(deadline: Deadline) -> float:
    """Seconds for one part of the work."""
    half = deadline.part(0.5)
    return _SECONDS if half is None else max(half, _LEAST)


def lanes_of(routing: Routing, most: int, deadline: Deadline, counting: Deadline) -> VirtualChannels | None:
    """At most ``most`` virtual channels that free it of deadlock; None where they are not found.

    ``counting``: for the search of fewer ones than rules find."""
    try:
        with ended_in_time(_part(deadline)):
            found = virtual_channels(routing)
        if found.count > most > 1 and not counting.over:  # one does only where there is no cycle, as is known by now
            seconds = min(counting.left() or 0.0, _part(deadline))
            found = fewest_virtual_channels(found, time_limit=seconds).found
    except (InputError, OutOfTimeError):
        return None
    return found if found.count <= most else None
