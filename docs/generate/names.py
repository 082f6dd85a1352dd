"""Lists of names on docs/routings.md and docs/formats.md, made from the registries; run this file to write them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

from routeproof.formats.format import FORMATS
from routeproof.routing.files.table import ROUTING_FILES
from routeproof.routing.named.names import ROUTINGS

DOCS = Path(__file__).resolve().parents[1]
_START, _END = "<!-- names made by docs/generate/names.py -->\n", "<!-- end of the names -->\n"
_WIDTH = 118


def with_names(page: str, text: str) -> str:
    """The ``text`` of a page with its list as the registries have it now."""
    before, _, rest = text.partition(_START)
    return f"{before}{_START}\n{PAGES[page]()}\n{_END}{rest.partition(_END)[2]}"


def _routings() -> str:
    lines = []
    for name, entry in ROUTINGS.own.items():
        text = f"`{name}`: {entry.help.replace('*', chr(92) + '*')}"
        if entry.options:
            text += f"; options {', '.join(f'`{x}`' for x in entry.options)}"
        others = [f"`{x}`" if y == name else f"`{x}` (`{y}`)" for x, y in entry.aliases.items()]
        lines.append(_item(f"{text}; also {', '.join(others)}." if others else f"{text}."))
    return "\n".join(lines)


def _formats() -> str:
    lines = []
    for table, what in ((FORMATS, "network"), (ROUTING_FILES, "routing")):
        for entry in table.own.values():
            ways = [
                word for word, there in (("read", entry.read or entry.directory), ("written", entry.write)) if there
            ]
            names = ", ".join(f"`{x}`" for x in entry.extensions) or "any name"
            lines.append(
                _item(f"{entry.help} ({names}): {what}, {' and '.join(ways)}" if ways else f"{entry.help}: by `check`")
            )
    return "\n".join(lines)


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


PAGES: Mapping[str, Callable[[], str]] = {"routings.md": _routings, "formats.md": _formats}

if __name__ == "__main__":
    for page in PAGES:
        path = DOCS / page
        path.write_text(with_names(page, path.read_text(encoding="utf-8")), encoding="utf-8")
