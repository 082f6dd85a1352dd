"""How few outputs the inputs of a splitter can be joined to: of one splitter, or of those of a wired network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError
from ..core.multistage.splitter import Splitter, check_splitter_level, splitter_of
from ..core.multistage.wiring import Wiring
from ..formats.documents.wiring import splitter_to_document
from ..simulate.multistage.claims import described_wiring
from ..worst.expansion.claims import Expansion, expansion_of
from .answer import ALONE, PlainAnswer, Setting

_DIRECTIONS = ("up", "down")
_MOST_BITS = 5  # of the blocks that are gone through unasked
_UNIQUE_SIZES = 5  # of subsets whose unique neighbours are looked for unasked


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ExpansionAnswer(PlainAnswer):
    """``found``: the expansion at each level, None for a splitter alone; ``degree``: edges of an input, by direction.

    ``topology``: what the user typed, for people.
    """

    topology: str
    found: Sequence[tuple[int | None, Expansion]]
    degree: int


def answer_expansion(splitter: Splitter, *, unique: int | None = None, setting: Setting = ALONE) -> ExpansionAnswer:
    """The least neighbourhood of subsets of every size of the inputs of one splitter, with the subsets.

    ``unique``: unique neighbours of subsets up to this size, 0 for none.
    """
    with setting.stage("sets of outputs") as progress:
        found = expansion_of([splitter], unique=unique, progress=progress)
    degree = max(map(len, splitter.adjacent))
    return _answer(
        setting.topology or splitter.name, {"splitter": splitter_to_document(splitter)}, [(None, found)], degree, {}
    )


def answer_wiring_expansion(
    wiring: Wiring,
    *,
    level: int | None = None,
    block: int | None = None,
    direction: str | None = None,
    unique: int | None = None,
    setting: Setting = ALONE,
) -> ExpansionAnswer:
    """The worst over the splitters of a wired network, for every level with splitters of at most 32 inputs.

    ``level``: this one alone, whatever its size; ``block``: this one of the level; ``direction``: "up" or "down", None
    for both; all else as in ``answer_expansion``.  Raises InputError for a level or a block that is not there.
    """
    if block is not None and level is None:
        raise InputError("--block needs --level: blocks are numbered within a level")
    ways = (0, 1) if direction is None else (_DIRECTIONS.index(direction),)
    sizes = _UNIQUE_SIZES if unique is None else unique
    found: list[tuple[int | None, Expansion]] = []
    for at in _levels(wiring, level):
        blocks = range(wiring.inputs >> wiring.block_bits(at)) if block is None else [block]
        splitters = [splitter_of(wiring, level=at, block=b, direction=w) for b in blocks for w in ways]
        with setting.stage(f"splitters of level {at}") as progress:
            found.append((at, expansion_of(splitters, unique=sizes, progress=progress)))
    about: dict[str, Any] = {} if block is None else {"block": block}
    if direction is not None:
        about["direction"] = direction
    named = setting.topology or wiring.spec or wiring.name
    return _answer(named, {"wiring": described_wiring(wiring)}, found, wiring.multiplicity, about)


def _answer(
    topology: str,
    described: dict[str, Any],
    found: Sequence[tuple[int | None, Expansion]],
    degree: int,
    about: dict[str, Any],
) -> ExpansionAnswer:
    """``described``: the splitter or the wiring, as a report holds it; ``about``: what qualifies every claim."""
    levels = (({} if level is None else {"level": level}, expansion) for level, expansion in found)
    return ExpansionAnswer(
        about={"kind": "expansion", "topology": topology, **described},
        stated=[claim for level, expansion in levels for claim in expansion.claims({**level, **about})],
        topology=topology,
        found=found,
        degree=degree,
    )


def _levels(wiring: Wiring, level: int | None) -> list[int]:
    if level is not None:
        check_splitter_level(wiring, level)
        return [level]
    first = wiring.reversed_levels
    return [x for x in range(first, wiring.num_edge_levels) if wiring.block_bits(x) <= _MOST_BITS]
