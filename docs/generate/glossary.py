"""The part of docs/glossary.md that is made from ``routeproof.core.vocabulary``; run this file to write it again."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from routeproof.claims.kind import Kind
from routeproof.claims.kinds import KINDS
from routeproof.core.claim import Grade
from routeproof.core.vocabulary import QUANTITIES, Quantity

PAGE = Path(__file__).resolve().parents[1] / "glossary.md"
START = "<!-- from here on made by docs/generate/glossary.py -->"
_WIDTH = 118
_QUANTITIES = """## Quantities in reports

What tables print; in brackets the name and the unit that a report states, and other units with the traffic model or the
kind of evidence that they go with.
"""
_EVIDENCE = """
## Kinds of evidence

What a claim's evidence is, and why it proves the number. `verify` and the page of a report print the same sentences.
In brackets the grades that claims with it have, and whether `verify --elaborate` writes a proof of it.
"""


def with_vocabulary(text: str) -> str:
    """The page ``text`` with its made part as the vocabulary has it now."""
    return f"{text.partition(START)[0]}{START}\n\n{_made()}"


def _made() -> str:
    quantities = [
        _item(f"**{entry.name}** (`{key}`{_unit(entry)}): {entry.definition}{_source(entry)}")
        for key, entry in QUANTITIES.items()
    ]
    evidence = [_item(f"`{kind.name}` ({_standing(kind)}): {kind.sentence}") for kind in KINDS.own.values()]
    return "\n".join([_QUANTITIES, *quantities, _EVIDENCE, *evidence, ""])


def _standing(kind: Kind) -> str:
    grades = {grade.value for grade in Grade if any(x.grade is grade for x in kind.states.values())}
    return ", ".join([*sorted(grades), *(["with a proof"] if kind.elaborate is not None else [])])


def _unit(entry: Quantity) -> str:
    others = [f"{unit} with {_listed(x for x in entry.units if entry.units[x] == unit)}" for unit in _others(entry)]
    units = [x for x in (entry.unit, *others) if x]
    return f"; {', '.join(units)}" if units else ""


def _others(entry: Quantity) -> list[str]:
    return list(dict.fromkeys(entry.units.values()))


def _listed(words: Iterable[str]) -> str:
    return " and ".join(f"`{x}`" for x in words)


def _source(entry: Quantity) -> str:
    return f" Source: {entry.source}." if entry.source else ""


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(with_vocabulary(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
