"""``routeproof expansion``: how few outputs the inputs of a splitter can be joined to."""

from __future__ import annotations

import enum
import os.path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..simulate.arguments import JsonFile

if TYPE_CHECKING:
    from ...analysis.expansion.claims import Expansion
    from ...core.claim import Claim
    from ...core.multistage.splitter import Splitter
    from ...core.multistage.wiring import Wiring

__all__ = ["expansion"]


class _Way(enum.StrEnum):
    UP = "up"
    DOWN = "down"


def expansion(
    topology: Annotated[
        str,
        typer.Argument(
            metavar="TOPOLOGY",
            help="A wired network such as multibutterfly:64,d=2,seed=7, a wiring document, a splitter document, or "
            "a splitter alone: ramanujan:5,13, random-splitter:64,d=3,seed=7.",
        ),
    ],
    level: Annotated[
        int | None, typer.Option("--level", metavar="L", help="Only the splitters of this level, whatever their size.")
    ] = None,
    block: Annotated[
        int | None, typer.Option("--block", metavar="B", help="Only this block of the level, from 0.")
    ] = None,
    direction: Annotated[_Way | None, typer.Option("--direction", help="Only the edges up, or down.")] = None,
    unique: Annotated[
        int | None,
        typer.Option("--unique", metavar="K", help="Unique neighbours of subsets up to this size; 0: leave them out."),
    ] = None,
    json: JsonFile = None,
) -> None:
    """The least neighbourhood of subsets of every size, exactly for up to 64 inputs, with the subset that has it.

    Of a wired network: for every level with splitters of at most 32 inputs, the worst over all of them and both
    directions; --level for larger ones (beyond 64 inputs: proved bounds).

    For example: routeproof expansion multibutterfly:64,d=2,seed=7
    """
    from ...analysis.expansion.claims import expansion_of
    from ...answers.answer import PlainAnswer
    from ...core.errors import InputError
    from ...core.multistage.splitter import splitter_of
    from ...formats.resolve_wiring import resolve_wiring
    from ...report.terminal.expansion import expansion_shown
    from ...simulate.multistage.claims import described_wiring
    from ...topologies.multistage.splitter_spec import is_splitter, splitter_from_spec
    from ..frame.outcome import check_target, finish
    from ..frame.progress import counted

    check_target(json)
    found: list[tuple[int | None, Expansion]] = []
    single = splitter_from_spec(topology) if is_splitter(topology) else _splitter_file(topology)
    if single is not None:
        degree = max(map(len, single.adjacent))
        if level is not None or block is not None or direction is not None:
            raise InputError("--level, --block and --direction are for wirings; a splitter document is one splitter")
        with counted("sets of outputs") as progress:
            found.append((None, expansion_of([single], unique=unique, progress=progress)))
        from ...formats.documents.splitter import splitter_to_document

        subject: dict[str, Any] = {"kind": "expansion", "topology": topology}
        subject["splitter"] = splitter_to_document(single)
    else:
        wiring = resolve_wiring(topology)
        degree = wiring.multiplicity
        if block is not None and level is None:
            raise InputError("--block needs --level: blocks are numbered within a level")
        subject = {"kind": "expansion", "topology": topology, "wiring": described_wiring(wiring)}
        ways = (0, 1) if direction is None else (0 if direction is _Way.UP else 1,)
        sizes = 5 if unique is None else unique
        for at in _levels(wiring, level):
            blocks = range(wiring.inputs >> wiring.block_bits(at)) if block is None else [block]
            splitters = [splitter_of(wiring, level=at, block=b, direction=w) for b in blocks for w in ways]
            with counted(f"splitters of level {at}") as progress:
                found.append((at, expansion_of(splitters, unique=sizes, progress=progress)))
    claims: list[Claim] = []
    for number, result in found:
        about: dict[str, Any] = {} if number is None else {"level": number}
        if block is not None:
            about["block"] = block
        if direction is not None:
            about["direction"] = direction.value
        claims += result.claims(about)
    finish(PlainAnswer(subject, claims), json=json, shown=expansion_shown(topology, found, degree))


def _levels(wiring: Wiring, level: int | None) -> list[int]:
    from ...core.multistage.splitter import check_splitter_level

    if level is not None:
        check_splitter_level(wiring, level)
        return [level]
    first = wiring.reversed_levels
    return [x for x in range(first, wiring.num_edge_levels) if wiring.block_bits(x) <= 5]


def _splitter_file(text: str) -> Splitter | None:
    """The splitter in a splitter document; None for anything else."""
    if not os.path.isfile(text):
        return None
    from ...formats.documents.json_text import read_json_object
    from ...formats.documents.splitter import splitter_from_document
    from ...formats.text_files import shown, stem

    document = read_json_object(text, wanted="a wiring or splitter document")
    if document.get("format") != "routeproof/splitter":
        return None
    return splitter_from_document(document, what=f"file {shown(text)}", name=stem(text))
