"""The exact worst case of every single channel, proved for many channels at once: small evidence for large networks.

Where all pair loads are whole numbers over one scale (deterministic tables: 0 or 1; equal splits: a few halves), so are
best potentials, and best traffic is whole packets (total unimodularity of the assignment; Towles & Dally 2002, sec.
3.4).  The evidence of a group of channels is then a few short lists, whose sizes are those of the worst traffic rather
than of the network.

Kind ``worst-case-channels``, in the claim of the first channel of a group (all but ``scale`` packed):

- ``scale``; ``channel``: the group; ``load``: their worst loads times ``scale``, before division by bandwidth;
- ``shift``, ``quantum``: potentials as in the kind ``worst-case``, that prove these loads from above;
- ``count``, ``row``, ``column``, ``amount``: for each channel ``count`` lots of packets that reach them.

Kind ``worst-case-among``, in the claims of the others: {"channel", "with": the channel whose claim has the evidence}.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Evidence
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...graphs.transport import Weights, channels_of, solve_block, weights_of
from ...graphs.transport_arrays import Rates
from ...routing.base.views import has_base, is_dense
from .settle import quantised

if TYPE_CHECKING:
    from ...routing.base.routing import Routing
    from .exact import WorstCase

_GROUP = 1024
_ENTRIES = 1_000_000


def can_share(result: WorstCase) -> bool:
    """Are all loads whole numbers over one scale, pair by pair?"""
    if not result.weights.exact or result.model.name != "balanced" or result.channel_loads is None:
        return False
    return not is_dense(result.routing) and not has_base(result.routing)


def shared_evidence(result: WorstCase, progress: Progress | None = None) -> dict[int, Evidence]:
    """Evidence for every focus channel of a worst case that ``can_share``, by channel.

    ``progress(done, total)`` is called now and then, in channels.
    """
    focus = result.classes.focus
    found: dict[int, Evidence] = {}
    for group, data in _groups(result.routing, focus, result.model.rates, result.weights):
        first, *others = group.tolist()
        found[first] = Evidence("worst-case-channels", data)
        found.update({c: Evidence("worst-case-among", {"channel": c, "with": first}) for c in others})
        if progress is not None:
            progress(len(found), len(focus))
    return found


def _groups(
    routing: Routing, channels: npt.NDArray[np.integer], rates: Rates, weights: Weights
) -> Iterator[tuple[npt.NDArray[np.integer], dict[str, Any]]]:
    at, step = 0, 16
    while at < len(channels):
        group = channels[at : at + step]
        at += len(group)
        block = routing.channel_loads(group)
        problems = channels_of(block, weights_of(block.load, weights), rates)
        solved = solve_block(problems, stop=np.full(len(group), -1, dtype=np.int64), full=True)
        shift, quanta = quantised(problems, solved, solved.value)
        if not solved.optimal.all() or int(shift.min(initial=0)) < 0:
            raise ArithmeticError("the worst case of a channel lost its potentials")
        used = np.nonzero(solved.flow)[0]
        of = np.searchsorted(block.offset, used, side="right") - 1
        lists = {
            "channel": group,
            "load": solved.value,
            "shift": shift,
            "quantum": np.concatenate(quanta),
            "count": np.bincount(of, minlength=len(group)),
            "row": block.row[used],
            "column": block.column[used],
            "amount": solved.flow[used],
        }
        yield group, {"scale": str(weights.scale), **{name: pack_ints(x) for name, x in lists.items()}}
        each = max(1, len(block.row) // len(group))
        step = min(_GROUP, 4 * step, max(1, _ENTRIES // each))
