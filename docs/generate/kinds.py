"""What docs/proof-format.md says of the kinds of evidence that a proof has; run this file to write that part again."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from routeproof.claims.kinds import KINDS
from routeproof.verification.elaborate import BY_GRADE, NO_PROOF

DOCS = Path(__file__).resolve().parents[1]
WITH = {kind.name for kind in KINDS.own.values() if kind.elaborate is not None}
_WIDTH = 118


def with_kinds(page: str, text: str) -> str:
    """The ``text`` of a page with its made part as the code has it now."""
    start, end = (
        f"<!-- kinds of evidence made by docs/generate/{Path(__file__).name} -->\n",
        "<!-- end of the kinds -->\n",
    )
    before, _, rest = text.partition(start)
    return f"{before}{start}{PAGES[page]()}{end}{rest.partition(end)[2]}"


def _stated() -> str:
    rows = [_item(f"`{name}`: of {_listed(KINDS.own[name].states)}") for name in KINDS.own if name in WITH]
    return "\n".join(["", *rows, "", "Left out are:", "", *_left_out(), "", ""])


def _left_out() -> list[str]:
    """All other kinds of evidence, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for name, kind in KINDS.own.items():
        grades = {x.grade for x in kind.states.values()}
        if name not in WITH and grades:
            reason = NO_PROOF.get(name) or next(why for grade, why in BY_GRADE.items() if grade in grades)
            by_reason.setdefault(reason, []).append(name)
    return [_item(f"{_listed(names)}: {reason}") for reason, names in by_reason.items()]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{x}`" for x in words)


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


PAGES: Mapping[str, Callable[[], str]] = {
    "proof-format.md": _stated,
}

if __name__ == "__main__":
    for page in PAGES:
        path = DOCS / page
        path.write_text(with_kinds(page, path.read_text(encoding="utf-8")), encoding="utf-8")
