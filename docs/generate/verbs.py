"""What ``api.md`` repeats of the declarations of verbs: the functions of each; run it to write it into the page."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from routeproof.questions.question import verbs

DOCS = Path(__file__).resolve().parents[1]
_FUNCTIONS = re.compile(r"(?<=<!-- functions -->\n).*?(?=<!-- end of functions -->)", re.DOTALL)


def pages() -> dict[str, str]:
    """The pages by name, with what is generated in its place."""
    api = (DOCS / "api.md").read_text(encoding="utf-8")
    return {"api.md": _FUNCTIONS.sub(lambda _: functions_list(), api)}


def functions_list() -> str:
    """The functions by verb: a file of ``questions``, or its folder, is about one verb or group."""
    rows: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for x in verbs():
        names, functions = rows.setdefault(x.__module__.split(".")[2], ({}, {}))
        if own := vars(x).get("verb"):
            names[own.partition(" ")[0]] = None
        if own := vars(x).get("function"):
            functions[own] = None
    lines = []
    for names, functions in rows.values():
        if functions:
            called, made = (", ".join(f"`{x}`" for x in words) for words in (names, functions))
            lines += textwrap.wrap(f"- {called}: {made}", 118, subsequent_indent="  ")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for page, text in pages().items():
        (DOCS / page).write_text(text, encoding="utf-8")
