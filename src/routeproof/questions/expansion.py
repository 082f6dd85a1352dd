"""How few outputs the inputs of a splitter can be joined to: of one splitter, or of those of a wired network."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from .answer import ALONE, PlainAnswer, Setting, Shown
from .given import Given
from .question import Question, argument, option, question, spelled
from .shared import JSON_CLAIMS

if TYPE_CHECKING:
    from ..core.multistage.wiring import Splitter, Wiring
    from ..worst.expansion import Expansion as Found

_DIRECTIONS = ("up", "down")
_MOST_BITS = 5  # of the blocks that are gone through unasked
_UNIQUE_SIZES = 5  # of subsets whose unique neighbours are looked for unasked


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ExpansionAnswer(PlainAnswer):
    """``found``: the expansion at each level, None for a splitter alone; ``degree``: edges of an input, by direction.

    ``topology``: what the user typed, for people.
    """

    shown = Shown("terminal.expansion:expansion_parts")

    topology: str
    found: Sequence[tuple[int | None, Found]]
    degree: int


def _splitter_or_wiring(_: Given, text: str) -> Splitter | Wiring:
    from ..formats.resolve import resolve_wiring
    from ..topologies.multistage.splitters import is_splitter, splitter_from_spec

    single = splitter_from_spec(text) if is_splitter(text) else _splitter_file(text)
    return resolve_wiring(text) if single is None else single


def _splitter_file(text: str) -> Splitter | None:
    """The splitter in a splitter document; None for anything else."""
    if not os.path.isfile(text):
        return None
    from ..formats.documents.json_text import read_json_object
    from ..formats.documents.wiring import splitter_from_document
    from ..formats.text_files import shown, stem

    document = read_json_object(text, wanted="a wiring or splitter document")
    if document.get("format") != "routeproof/splitter":
        return None
    return splitter_from_document(document, what=f"file {shown(text)}", name=stem(text))


@question
class Expansion(Question[ExpansionAnswer]):
    """The least neighbourhood of subsets of every size, exactly for up to 64 inputs, with the subset that has it.

    Of a wired network: for every level with splitters of at most 32 inputs, the worst over all of them and both
    directions; --level for larger ones (beyond 64 inputs: proved bounds).

    For example: routeproof expansion multibutterfly:64,d=2,seed=7

        >>> import routeproof as rp
        >>> rp.expansion(rp.multibutterfly(16, d=2, seed=7)).claims()[0].quantity
        'least_neighbourhood'

    Source: Maggs, Randomly Wired Multistage Networks, sec. 1.2.  Raises InputError for a level or block that is not
    there.
    """

    verb, place, function = "expansion", 120, "expansion"
    panel = "Simulate and search"

    of: Splitter | Wiring = argument(
        "TOPOLOGY",
        "A wired network such as multibutterfly:64,d=2,seed=7, a wiring document, a splitter document, or a "
        "splitter alone: ramanujan:5,13, random-splitter:64,d=3,seed=7.",
        name="topology",
        kind=str,
        read=_splitter_or_wiring,
        python="A splitter, or a wiring, whose splitters are meant.",
    )
    _: KW_ONLY
    level: int | None = option("L", "Only the splitters of this level, whatever their size.", default=None)
    block: int | None = option("B", "Only this block of the level, from 0.", default=None)
    direction: str | None = option(None, "Only the edges up, or down.", default=None, choices=_DIRECTIONS)
    unique: int | None = option("K", "Unique neighbours of subsets up to this size; 0: leave them out.", default=None)
    json: str | None = spelled(JSON_CLAIMS, init=False)

    @property
    def title(self) -> str:
        return f"expansion of {getattr(self.of, 'spec', None) or self.of.name}"

    def answer(self, setting: Setting = ALONE) -> ExpansionAnswer:
        from ..core.multistage.wiring import Wiring

        if isinstance(self.of, Wiring):
            return self._of_wiring(self.of, setting)
        if self.level is not None or self.block is not None or self.direction is not None:
            raise InputError("--level, --block and --direction are for wirings; a splitter document is one splitter")
        return self._of_splitter(self.of, setting)

    def _of_splitter(self, splitter: Splitter, setting: Setting) -> ExpansionAnswer:
        from ..formats.documents.wiring import splitter_to_document
        from ..worst.expansion import expansion_of

        with setting.stage("sets of outputs") as progress:
            found = expansion_of([splitter], unique=self.unique, progress=progress)
        degree = max(map(len, splitter.adjacent))
        named, described = setting.topology or splitter.name, {"splitter": splitter_to_document(splitter)}
        return _answer(named, described, [(None, found)], degree, {})

    def _of_wiring(self, wiring: Wiring, setting: Setting) -> ExpansionAnswer:
        """The worst over the splitters of a level."""
        from ..core.multistage.wiring import splitter_of
        from ..simulate.multistage.runs import described_wiring
        from ..worst.expansion import expansion_of

        level, block, direction = self.level, self.block, self.direction
        if block is not None and level is None:
            raise InputError("--block needs --level: blocks are numbered within a level")
        ways = (0, 1) if direction is None else (_DIRECTIONS.index(direction),)
        sizes = _UNIQUE_SIZES if self.unique is None else self.unique
        found: list[tuple[int | None, Found]] = []
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
    found: Sequence[tuple[int | None, Found]],
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
    from ..core.multistage.wiring import check_splitter_level

    if level is not None:
        check_splitter_level(wiring, level)
        return [level]
    first = wiring.reversed_levels
    return [x for x in range(first, wiring.num_edge_levels) if wiring.block_bits(x) <= _MOST_BITS]
