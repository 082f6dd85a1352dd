"""The evidence of a worst case, as its kinds are given it; ``verification`` reads it back without any solver.

Kind ``worst-case``:

- ``model``: {"name", ...}; "demands" for the set of demands in the report's subject;
  ``ratio``: the load per bandwidth that no channel passes under the model;
- ``witness``: {"channel", "permutation"} or {"channel", "traffic": [[i, j, rate], ...]} that reaches it;
- ``loads``: "by-pair" where potentials are for loads whose base part was written out pair by pair, and not for the rest
  that is left without it;
- ``symmetry``: {"declared": [names]} or {"found": [packed node images]}, with "reversal": whether a channel and its
  opposite are alike;
- ``bounds``: groups of {"scale", "channel", "shift", "quantum"}: column potentials v = quantum * 2**shift / scale,
  channel after channel, one for every column that takes part; the rows' potentials are max(load - v, 0);
- ``medians``: for loads that are differences, in place of all potentials: a number for every link, over their unit
  (``kernel.differences``);
- ``exact``: [{"channel", "values", "row", "column"}]: potentials as fractions, and for every row and column which.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...claims.derived import throughput_of
from ...claims.kind import WORST, Kind
from ...core.claim import Claim
from ...core.errors import InputError
from ...core.loads import LoadBlock
from ...core.rational import Rationals
from ...core.spread import Progress
from ...graphs.exact_transport import ExactSolution
from ...graphs.transport import Weights, channels_of, quantised, solve_block, solve_one, weights_of
from ...graphs.transport_arrays import Optimum, Rates
from ...routing.base.routing import Routing
from ...routing.base.views import is_dense
from .assignment import witness_of

if TYPE_CHECKING:
    from ...symmetry.channel_classes import ChannelClasses
    from .exact import WorstCase
    from .scan_block import Bounds

(SOURCE,) = WORST


def worst_case_claims(result: WorstCase) -> list[Claim]:
    """The claims of a worst case: load (with the evidence) and throughput (derived), or what it has ``stated``.

    Raises InputError for sampled loads, whose worst case is that of the sample and proves nothing.
    """
    from ...claims.routings.worst_case import WORST_CASE

    refuse_sampled(result)
    if result.stated:
        return list(result.stated)
    data, about = _evidence(result), result.model.about
    if result.model.name == "unbalanced":
        return [WORST_CASE.claim(result.throughput, data, about, quantity="worst_case_throughput")]
    load = WORST_CASE.claim(result.load, data, about, quantity="worst_case_load")
    return [load, throughput_of(load, SOURCE)]


def channel_claims(result: WorstCase, *, shared: bool = False, progress: Progress | None = None) -> list[Claim]:
    """The exact worst case of every single channel (``all_channels``), each with a permutation and exact potentials.

    ``shared``: evidence for many channels together, see ``shared_evidence``, for a result that ``can_share`` it; only
    then ``progress(done, total)`` is called, in channels.  A channel that symmetry maps to a focus channel refers to
    that one's claim.  Raises InputError for the unbalanced and hose models, where the single channels were not asked
    for, and for sampled loads.
    """
    from ...claims.routings.channels import SAME_CLASS, WORST_CASE_CHANNEL

    refuse_sampled(result)
    if result.channel_loads is None or result.model.name not in ("balanced", "demands"):
        raise InputError("exact worst cases of single channels need all_channels and a set of demands")
    together = shared_evidence(result, progress) if shared else {}
    claims = []
    for c, load in enumerate(result.channel_loads):
        focus = int(result.classes.label[c])
        kind, data = SAME_CLASS, {"channel": c, "focus": focus}
        if c == focus:
            kind, data = together[c] if shared else (WORST_CASE_CHANNEL, _evidence_of_channel(result, c))
        claims.append(kind.claim(load, data, {**result.model.about, "channel": c}))
    return claims


def _evidence_of_channel(result: WorstCase, c: int) -> dict[str, Any]:
    routing, model, kept = result.routing, result.model, result.optima.get(c)
    if kept is not None:
        ones, offset = Rationals.ones(len(kept.row)), np.array([0, len(kept.row)])
        block = LoadBlock(np.array([c], dtype=np.int32), offset, kept.row, kept.column, ones)
        flow, proof = kept.flow, _tight_pairs(c, kept, routing)
    else:
        block = routing.channel_loads([c])
        solution = result.exact.get(c) or solve_one(block, model.rates)
        flow, proof = solution.flow, exact_potentials(c, solution, routing)
    found = witness_of(routing, model, block, flow)
    if found is None:
        raise ArithmeticError(f"no admissible traffic reaches the worst case of channel {c}")
    permutation, traffic = found
    witness = {"traffic": traffic} if permutation is None else {"permutation": permutation.image}
    return {**proof, **_form(result), **witness}


def _tight_pairs(channel: int, kept: Optimum, routing: Routing) -> dict[str, Any]:
    """For every row the column of the pair from which its potential follows, or where that starts; columns alike."""
    found: dict[str, Any] = {"channel": channel, "scale": str(kept.scale)}
    sides = (("row", kept.row, kept.column, routing.row_node), ("column", kept.column, kept.row, routing.column_node))
    for k, (name, own, other, nodes) in enumerate(sides):
        after, start = np.full(len(nodes), -1), np.zeros(len(nodes), dtype=np.int64)
        follows, starts = kept.way == 2 - k, kept.start[:, k] > 0
        after[own[follows]] = other[follows]
        start[own[starts]] = kept.start[starts, k]
        found |= {f"{name}_after": after, f"{name}_start": start}
    return found


def refuse_sampled(result: WorstCase) -> None:
    if result.routing.is_sampled:
        raise InputError(
            f"the loads of {result.routing.name} are sampled: no exact worst case can be claimed from them; "
            f"answer_worst_case() gives intervals"
        )


def _evidence(result: WorstCase) -> dict[str, Any]:
    model = result.model
    described: dict[str, Any] = {"name": model.name}
    if model.name == "unbalanced":
        described["rate"] = model.rate
    elif model.name == "hose":
        for side, amounts in (("ingress", model.sends), ("egress", model.receives)):
            described[side] = [Fraction(x, model.rates.unit) for x in amounts]
    witness: dict[str, Any] | None = None
    if result.permutation is not None:
        witness = {"channel": result.channel, "permutation": result.permutation.image.tolist()}
    elif result.traffic is not None:
        witness = {"channel": result.channel, "traffic": result.traffic}
    classes = result.classes
    return {
        "model": described,
        "ratio": result.load,
        "witness": witness,
        **_form(result),
        "symmetry": described_symmetry(classes),
        "bounds": grouped_bounds(_needed(result), result.weights.scale),
        "exact": [exact_potentials(c, x, result.routing) for c, x in sorted(result.exact.items())],
        **({} if result.medians is None else {"medians": result.medians}),
    }


def _needed(result: WorstCase) -> Bounds:
    """Over a set of demands, without the channels whose columns' potentials are all 0, which need no proof."""
    bounds = result.bounds
    if result.model.name != "demands":
        return bounds
    return bounds.chosen(k for k, q in enumerate(bounds.quantum) if q.any())


def described_symmetry(classes: ChannelClasses) -> dict[str, Any]:
    """The symmetry that made the classes of channels: names that the network declares, or images of its nodes."""
    if classes.found:
        return {"reversal": classes.reversal, "found": [g.node for g in classes.generators]}
    return {"reversal": classes.reversal, "declared": [g.name for g in classes.generators]}


def _form(result: WorstCase) -> dict[str, Any]:
    return {"loads": "by-pair"} if is_dense(result.routing) else {}


def grouped_bounds(bounds: Bounds, scale: int) -> list[dict[str, Any]]:
    """Two groups: channels whose quanta fit seven bits, and the others."""
    groups = []
    for small in (True, False):
        some = bounds.chosen(k for k, q in enumerate(bounds.quantum) if (q.dtype == np.uint8) is small)
        if some.channel:
            groups.append(
                {
                    "scale": str(scale),
                    "channel": np.array(some.channel, dtype=np.int64),
                    "shift": np.array(some.shift, dtype=np.int64),
                    "quantum": np.concatenate(some.quantum),
                }
            )
    return groups


def exact_potentials(channel: int, solution: ExactSolution, routing: Routing) -> dict[str, Any]:
    """The exact potentials of one channel."""
    values, place = [Fraction(0)], {(0, 1): 0}  # pairs of integers are looked up much faster than fractions
    index_of = {}
    for side, numbers, potentials, size in (
        ("row", solution.row, solution.u, len(routing.row_node)),
        ("column", solution.column, solution.v, len(routing.column_node)),
    ):
        index = np.zeros(size, dtype=np.int64)
        objects = np.fromiter(map(id, potentials), dtype=np.int64, count=len(potentials))  # most are one of few
        _, first, which = np.unique(objects, return_index=True, return_inverse=True)
        known = np.zeros(len(first), dtype=np.int64)
        for k in np.argsort(first).tolist():
            x = potentials[first[k]]
            known[k] = place.setdefault((x.numerator, x.denominator), len(values))
            if known[k] == len(values):
                values.append(x)
        index[numbers] = known[which]
        index_of[side] = index
    return {"channel": channel, "values": values, **index_of}


_GROUP = 1024
_ENTRIES = 1_000_000


def can_share(result: WorstCase) -> bool:
    """Are all loads whole numbers over one scale, pair by pair?"""
    if not result.weights.exact or result.model.name != "balanced" or result.channel_loads is None:
        return False
    return not is_dense(result.routing) and not result.routing.has_base


def shared_evidence(result: WorstCase, progress: Progress | None = None) -> dict[int, tuple[Kind, dict[str, Any]]]:
    """Evidence for every focus channel of a worst case that ``can_share``, by channel: its kind, and what it is.

    ``progress(done, total)`` is called now and then, in channels.
    """
    from ...claims.routings.channels import WORST_CASE_AMONG, WORST_CASE_CHANNELS

    focus = result.classes.focus
    found: dict[int, tuple[Kind, dict[str, Any]]] = {}
    for group, data in _groups(result.routing, focus, result.model.rates, result.weights):
        first, *others = group.tolist()
        found[first] = WORST_CASE_CHANNELS, data
        found.update({c: (WORST_CASE_AMONG, {"channel": c, "with": first}) for c in others})
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
        yield group, {"scale": str(weights.scale), **lists}
        each = max(1, len(block.row) // len(group))
        step = min(_GROUP, 4 * step, max(1, _ENTRIES // each))
