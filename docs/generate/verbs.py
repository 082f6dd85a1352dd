"""What ``cli.md`` and ``api.md`` repeat of the declarations of verbs: how each is called, and its functions; run it to
write it into the pages."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from routeproof.questions.question import UNSET, Option, Verb, options_of, verbs

DOCS = Path(__file__).resolve().parents[1]
_USAGE = re.compile(r"(<!-- usage of ([a-z -]+) -->\n).*?(?=<!-- end of usage -->)", re.DOTALL)
_FUNCTIONS = re.compile(r"(?<=<!-- functions -->\n).*?(?=<!-- end of functions -->)", re.DOTALL)


def pages() -> dict[str, str]:
    """The pages by name, with what is generated in its place."""
    cli, api = ((DOCS / name).read_text(encoding="utf-8") for name in ("cli.md", "api.md"))
    return {
        "cli.md": _USAGE.sub(lambda found: f"{found[1]}{usage_block(found[2])}", cli),
        "api.md": _FUNCTIONS.sub(lambda _: functions_list(), api),
    }


def usage_block(name: str) -> str:
    """How a verb is called, or every verb of a group."""
    called = [x for x in verbs() if (own := vars(x).get("verb", "")) == name or own.startswith(f"{name} ")]
    lines = "\n".join(usage(x) for x in called)
    return f"<!-- not executed -->\n```console\n{lines}\n```\n"


def usage(verb: type[Verb]) -> str:
    """``routeproof deadlock TOPOLOGY [--routing ROUTING] ...``: arguments and options in the order of help."""
    words = [_spelled(x).replace(" ", "\0") for x in options_of(verb)]  # an option and its value stay together
    line = " ".join([f"routeproof {verb.verb}", *words])
    return "\n    ".join(textwrap.wrap(line, 112, break_on_hyphens=False)).replace("\0", " ")


def _spelled(known: Option) -> str:
    value = "|".join(known.choices) or known.value or known.name.upper()
    required = known.command_default is UNSET
    if known.argument:
        return value if required or value.startswith("[") else f"[{value}]"
    name = known.name_on_command().replace("/", "|")
    several = " ..." if "list" in str(known.kind) else ""
    whole = name if known.kind is bool else f"{name} {value}{several}"
    return whole if required else f"[{whole}]"


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
