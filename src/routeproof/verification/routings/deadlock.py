"""Claims about deadlock: dependencies are derived again, and numberings and cycles are held against them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Claim, Grade
from ...core.errors import VerificationError
from ...core.graph import first_descent
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.routing import Routing
from ...routing.dependencies.channels import channel_dependencies, depends
from ...routing.dependencies.cycle_sentences import channel_cycle_sentence, same_sentence
from ...routing.dependencies.virtual_dependencies import (
    ascending_dependencies,
    virtual_dependencies,
    virtual_of_descents,
    virtual_of_layers,
    virtual_of_turns,
)
from ...routing.infiniband.service_levels import ServiceLevels
from ..context import Context
from ..kind import Kind, States, answers
from ..reading import as_channel, as_list
from ..shapes import NUMBERS, TEXT, WHOLE, Keys, ListOf, Shape, Word
from .lanes import check_lane_cycle, check_lane_order

__all__ = ["DEADLOCK", "KINDS", "check_deadlock", "check_deadlock_claim"]

Int64 = npt.NDArray[np.int64]
DEADLOCK = ("deadlock_free", "virtual_channels")
_ASSIGNED = {"turns": "order", "descents": "channels", "layers": "layer"}
_MOST_PATHS = 100_000_000


def check_deadlock_claim(context: Context, claim: Claim, _value: object, _data: object) -> None:
    """As ``check_deadlock``, of the report's routing."""
    check_deadlock(context.routing, claim, context.levels)


def check_deadlock(routing: Routing, claim: Claim, levels: ServiceLevels | None = None) -> None:
    """Raise VerificationError unless the claim's evidence shows what it says; nothing is searched for.

    ``levels``: the service levels of the report's subject, for claims about lanes.
    """
    if claim.grade is not Grade.PROVED:
        raise VerificationError(f"it is graded {claim.grade.value}; its evidence makes it PROVED")
    if claim.quantity == "deadlock_free" and "lanes" in claim.about:
        _lanes(routing, claim, levels)
        return
    wanted = {"paths"} if claim.quantity == "deadlock_free" else {"paths", "assignment"}
    if set(claim.about) != wanted:
        raise VerificationError(f"it must say which {' and '.join(sorted(wanted))} it is about, and nothing else")
    by_paths = claim.about["paths"] == "own"
    if not by_paths and claim.about["paths"] != "of-loads":
        raise VerificationError(f"its paths are {str(claim.about['paths'])[:40]!r}; 'own' or 'of-loads' was expected")
    if by_paths and not routing.has_explicit_paths:
        raise VerificationError(
            "it is about the routing's own paths, and the report carries its loads alone; name the routing's file with "
            "--routing"
        )
    rules = {"channel-order": _order, "channel-cycle": _cycle, "virtual-channels": _virtual}
    rule = rules.get(claim.evidence.kind)
    if rule is None or (rule is _virtual) != (claim.quantity == "virtual_channels"):
        raise VerificationError(f"its evidence is of the kind {claim.evidence.kind[:40]!r}, which proves nothing here")
    rule(routing, claim, claim.evidence.data, by_paths)


def _lanes(routing: Routing, claim: Claim, levels: ServiceLevels | None) -> None:
    """Lanes by service level, as the subject tells them."""
    if claim.about != {"paths": "own", "lanes": "by service level"}:
        raise VerificationError("it must be about the routing's own paths and lanes by service level, and nothing else")
    if levels is None:
        raise VerificationError("it is about lanes by service level, and the report's subject has no service levels")
    if claim.evidence.kind == "lane-order":
        _check_word(claim, "true")
        check_lane_order(routing, levels, claim.evidence.data)
    elif claim.evidence.kind == "lane-cycle":
        _check_word(claim, "false")
        check_lane_cycle(routing, levels, claim.evidence.data)
    else:
        raise VerificationError(f"its evidence is of the kind {claim.evidence.kind[:40]!r}, which proves nothing here")


def _order(routing: Routing, claim: Claim, data: Mapping[str, Any], by_paths: bool) -> None:
    _check_word(claim, "true")
    size = routing.network.num_channels
    number = _numbers(data, "number", size)
    found = channel_dependencies(routing, by_paths=by_paths)
    k = first_descent(number, found.first.astype(np.int64), found.second.astype(np.int64))
    if k is not None:
        network = routing.network
        one, two = (network.channel_label(int(c[k])) for c in (found.first, found.second))
        raise VerificationError(f"its numbers do not increase from channel {one} to {two}, which depends on it")


def _cycle(routing: Routing, claim: Claim, data: Mapping[str, Any], by_paths: bool) -> None:
    _check_word(claim, "false")
    network = routing.network
    cycle = [as_channel(network, c) for c in as_list(data, "cycle")]
    packets = as_list(data, "packets")
    if len(cycle) < 2 or len(packets) != len(cycle):
        raise VerificationError("its cycle needs at least two channels, and a packet for each")
    pairs = [_pair(routing, packet) for packet in packets]
    for c, following, (row, column) in zip(cycle, cycle[1:] + cycle[:1], pairs, strict=True):
        if not depends(routing, row, column, c, following, by_paths=by_paths):
            raise VerificationError(
                f"no packet of the pair {[row, column]} crosses {network.channel_label(c)} and then "
                f"{network.channel_label(following)}"
            )
    if "witness" in data and not same_sentence(data["witness"], channel_cycle_sentence(routing, cycle, pairs)):
        raise VerificationError("its witness is not its cycle in words")


def _virtual(routing: Routing, claim: Claim, data: Mapping[str, Any], by_paths: bool) -> None:
    if claim.relation != "<=" or not isinstance(claim.value, Fraction):
        raise VerificationError("it must be an upper bound on a number per channel")
    if by_paths != routing.has_explicit_paths:
        raise VerificationError("it is about other paths than those of the routing")
    size = routing.network.num_channels
    assignment = claim.about["assignment"]
    if set(data) != {"number", _ASSIGNED.get(str(assignment))}:
        raise VerificationError(f"an assignment by {str(assignment)[:40]} is told by other keys than {sorted(data)}")
    if assignment == "turns":
        grid = routing.network.grid
        order = tuple(_numbers(data, "order", grid.num_dimensions if grid is not None else 0).tolist())
        if grid is None or sorted(order) != list(range(grid.num_dimensions)):
            raise VerificationError("its order of dimensions does not fit this network")
        assigned = virtual_of_turns(routing, order)
    elif assignment == "descents":
        channels = _numbers(data, "channels", size)
        ascending = ascending_dependencies(routing, channels) if claim.value == 1 else None
        if ascending is not None:
            _check_ascends(data, size, *ascending)
            return
        assigned = virtual_of_descents(routing, channels)
    elif assignment == "layers":
        layer = unpack_ints(data.get("layer"), what="its layers", max_items=_MOST_PATHS)
        if len(layer) and (layer.min() < 0 or layer.max() >= claim.value):
            raise VerificationError("a path has a layer that the claim does not count")
        assigned = virtual_of_layers(routing, layer)
    else:
        raise VerificationError(f"its assignment is {str(assignment)[:40]!r}, which is not known here")
    count, first, second = virtual_dependencies(routing, assigned)
    if count > claim.value:
        raise VerificationError(f"its assignment uses {count} virtual channels of a channel; it says {claim.value}")
    _check_ascends(data, count * size, first, second)


def _check_ascends(data: Mapping[str, Any], size: int, first: Int64, second: Int64) -> None:
    k = first_descent(_numbers(data, "number", size), first, second)
    if k is not None:
        raise VerificationError(
            f"its numbers do not increase from virtual channel {int(first[k])} to {int(second[k])}, which depends on it"
        )


def _check_word(claim: Claim, word: str) -> None:
    if claim.relation != "==" or claim.value != word or claim.unit:
        raise VerificationError(f"its evidence shows == {word}, without a unit; it says {str(claim.value)[:40]}")


def _numbers(data: Mapping[str, Any], key: str, size: int) -> Int64:
    found = unpack_ints(data.get(key), what=f"its {key}", max_items=size)
    if len(found) != size:
        raise VerificationError(f"its {key} has {len(found)} entries; {size} were expected")
    return found


def _pair(routing: Routing, packet: object) -> tuple[int, int]:
    sizes = (len(routing.row_node), len(routing.column_node))
    if not isinstance(packet, list) or len(packet) != 2 or not all(type(x) is int for x in packet):
        raise VerificationError("a packet of its cycle is no pair of numbers")
    row, column = packet
    if not (0 <= row < sizes[0] and 0 <= column < sizes[1]) or not routing.sends(row, column):
        raise VerificationError(f"there are no packets from {row} to {column}")
    return row, column


_SOURCES = frozenset({"Dally & Seitz 1987"})
_PATHS = Word("own", "of-loads")
_OWN_PATHS = Keys({"paths": _PATHS})
_LANES = Keys({"paths": Word("own"), "lanes": Word("by service level")})
_NUMBER = Keys({"number": NUMBERS})


def _acyclic(evidence: Keys, about: Keys) -> Kind:
    return Kind(evidence, answers("deadlock_free", about=about), _SOURCES, check_deadlock_claim)


def _cyclic(vertex: Shape) -> Keys:
    return Keys({"cycle": ListOf(vertex), "packets": ListOf(ListOf(WHOLE))}, {"witness": TEXT})


KINDS: Mapping[str, Kind] = {
    "channel-order": _acyclic(_NUMBER, _OWN_PATHS),
    "channel-cycle": _acyclic(_cyclic(WHOLE), _OWN_PATHS),
    "lane-order": _acyclic(_NUMBER, _LANES),
    "lane-cycle": _acyclic(_cyclic(ListOf(WHOLE)), _LANES),
    "virtual-channels": Kind(
        Keys({"number": NUMBERS}, {"order": NUMBERS, "channels": NUMBERS, "layer": NUMBERS}),
        {"virtual_channels": States(("<=",), Grade.PROVED, Keys({"paths": _PATHS, "assignment": Word(*_ASSIGNED)}))},
        _SOURCES,
        check_deadlock_claim,
    ),
}
