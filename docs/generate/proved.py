"""The part of docs/verify.md that says which kinds of evidence have proofs; run this file to write it again."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from routeproof.claims.kinds import KINDS
from routeproof.claims.proofs.report import ELABORATED

PAGE = Path(__file__).resolve().parents[1] / "verify.md"
START, END = "<!-- kinds with proofs -->\n", "<!-- end of the kinds with proofs -->\n"
WITH = {*ELABORATED, "destination-graph"}
_WIDTH = 118


def with_kinds(text: str) -> str:
    """The page ``text`` with its made part as the code has it now."""
    before, _, rest = text.partition(START)
    return f"{before}{START}{_made()}{END}{rest.partition(END)[2]}"


def _made() -> str:
    proved, others = [x for x in KINDS.own if x in WITH], [x for x in KINDS.own if x not in WITH]
    lines = [_item(f"**With a proof** ({len(proved)} kinds): {_listed(proved)}.")]
    lines.append(_item(f"**Without** ({len(others)} kinds; `verify` alone checks or repeats them): {_listed(others)}."))
    return "\n".join([*lines, ""])


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{x}`" for x in words)


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(with_kinds(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
