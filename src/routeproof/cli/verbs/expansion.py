"""``routeproof expansion``: how few outputs the inputs of a splitter can be joined to."""

from __future__ import annotations

import enum
import os.path
from typing import TYPE_CHECKING, Annotated

from ..frame import inputs, outcome
from ..frame.arguments import JsonClaims, argument, option

if TYPE_CHECKING:
    from ...core.multistage.splitter import Splitter

_Way = enum.StrEnum("_Way", {"UP": "up", "DOWN": "down"})


def expansion(
    topology: Annotated[
        str,
        argument(
            "TOPOLOGY",
            "A wired network such as multibutterfly:64,d=2,seed=7, a wiring document, a splitter document, or a "
            "splitter alone: ramanujan:5,13, random-splitter:64,d=3,seed=7.",
        ),
    ],
    level: Annotated[int | None, option("L", "Only the splitters of this level, whatever their size.")] = None,
    block: Annotated[int | None, option("B", "Only this block of the level, from 0.")] = None,
    direction: Annotated[_Way | None, option(None, "Only the edges up, or down.")] = None,
    unique: Annotated[
        int | None, option("K", "Unique neighbours of subsets up to this size; 0: leave them out.")
    ] = None,
    json: JsonClaims = None,
) -> None:
    """The least neighbourhood of subsets of every size, exactly for up to 64 inputs, with the subset that has it.

    Of a wired network: for every level with splitters of at most 32 inputs, the worst over all of them and both
    directions; --level for larger ones (beyond 64 inputs: proved bounds).

    For example: routeproof expansion multibutterfly:64,d=2,seed=7
    """
    from ...core.errors import InputError
    from ...formats.resolve_cube import resolve_wiring
    from ...questions.expansion import answer_expansion, answer_wiring_expansion
    from ...report.terminal.expansion import expansion_parts
    from ...topologies.multistage.splitters import is_splitter, splitter_from_spec

    single = splitter_from_spec(topology) if is_splitter(topology) else _splitter_file(topology)
    if single is not None:
        if level is not None or block is not None or direction is not None:
            raise InputError("--level, --block and --direction are for wirings; a splitter document is one splitter")
        answer = answer_expansion(single, unique=unique, setting=inputs.setting_here(topology))
    else:
        way = None if direction is None else direction.value
        answer = answer_wiring_expansion(
            resolve_wiring(topology), level=level, block=block, direction=way, unique=unique,
            setting=inputs.setting_here(topology),
        )  # fmt: skip
    outcome.finish(answer, expansion_parts, json=json)


def _splitter_file(text: str) -> Splitter | None:
    """The splitter in a splitter document; None for anything else."""
    if not os.path.isfile(text):
        return None
    from ...formats.documents.json_text import read_json_object
    from ...formats.documents.wiring import splitter_from_document
    from ...formats.text_files import shown, stem

    document = read_json_object(text, wanted="a wiring or splitter document")
    if document.get("format") != "routeproof/splitter":
        return None
    return splitter_from_document(document, what=f"file {shown(text)}", name=stem(text))
