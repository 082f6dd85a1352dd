"""The part of YAML that configurations of networks are written in: ``key: [a, {b: c}]``; JSON is part of it.

At the margin names with a colon; values in brackets, which may go on over lines, single words, or a list of words with
a dash each.  Everything else of YAML (indented mappings, anchors, tags, texts over several lines) is refused.
"""

from __future__ import annotations

import re

from ..text_files import Cursor

Value = str | list["Value"] | dict[str, "Value"]

_TOKEN = re.compile(
    r"""(?P<space>\s+|(?<!\S)\#[^\n]*)
      | (?P<key>^"?[A-Za-z_][\w-]*"?[ \t]*:(?=\s|\Z))
      | (?P<dash>-(?=[ \t]))
      | (?P<text>"[^"\n\\]*"|'[^'\n]*')
      | (?P<mark>[][{},:])
      | (?P<word>[^\s,\[\]{}:#"'&*!|>%@`?][^\n,\[\]{}:#]*)""",
    re.VERBOSE | re.MULTILINE,
)
_DEPTH = 32


def parse_flow_yaml(text: str, *, what: str) -> dict[str, Value]:
    """The mapping in ``text``; all words are strings.  Raises InputError, naming ``what`` and the line."""
    flow = _Flow(text, what, _TOKEN, unknown="where a word, a number or a bracket was expected")
    found: dict[str, Value] = {}
    if flow.skip("{"):
        found = flow.mapping(0)
        if flow.now.kind != "end":
            raise flow.error("the end of the file")
    elif flow.now.text.rstrip() == "---":
        flow.take()
    while flow.now.kind != "end":
        if flow.now.kind != "key":
            raise flow.error("a name at the margin and a colon, such as topology: [ Ring ],")
        name = flow.name(found)
        found[name] = flow.dashed() if flow.now.kind == "dash" else flow.value(0)
    return found


class _Flow(Cursor):
    def name(self, among: dict[str, Value]) -> str:
        """A name that is not there yet, and its colon."""
        kind, text, _ = self.now
        if kind not in ("key", "word", "text"):
            raise self.error("a name")
        name = text.rstrip(":").strip(" \t\"'")
        if name in among:
            raise self.error(f"a name other than {name}, which there is already,")
        self.take()
        if kind != "key" and not self.skip(":"):
            raise self.error("a colon")
        return name

    def dashed(self) -> list[Value]:
        items: list[Value] = []
        while self.now.kind == "dash":
            self.take()
            items.append(self.value(0))
        return items

    def value(self, depth: int) -> Value:
        if depth > _DEPTH:
            raise self.error("something less deeply nested")
        if self.skip("{"):
            return self.mapping(depth)
        if self.skip("["):
            items: list[Value] = []
            while not self.skip("]"):
                items.append(self.value(depth + 1))
                self.comma("]")
            return items
        if self.now.kind not in ("word", "text"):
            raise self.error("a word, a number or a bracket")
        kind, text, _ = self.take()
        return text[1:-1].strip() if kind == "text" else text.strip()

    def mapping(self, depth: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        while not self.skip("}"):
            name = self.name(found)
            found[name] = self.value(depth + 1)
            self.comma("}")
        return found

    def comma(self, closing: str) -> None:
        if not self.skip(",") and not self.at(closing):
            raise self.error(f"a comma or {closing}")
