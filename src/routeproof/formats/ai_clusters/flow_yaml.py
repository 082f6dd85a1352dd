"""The part of YAML that configurations of networks are written in: ``key: [a, {b: c}]``; JSON is part of it.

At the margin names with a colon; values in brackets, which may go on over lines, single words, or a list of words with
a dash each.  Everything else of YAML (indented mappings, anchors, tags, texts over several lines) is refused.
"""

from __future__ import annotations

import re

from ...core.errors import InputError
from ..text_files import brief

Value = str | list["Value"] | dict[str, "Value"]

_SPACE = re.compile(r"(?:\s+|(?:(?<=\s)|(?<![^\n]))#[^\n]*)*")
_KEY = re.compile(r"\"?([A-Za-z_][\w-]*)\"?[ \t]*:(?=\s|$)")
_WORD = re.compile(r"\"([^\"\n\\]*)\"|'([^'\n]*)'|([^\s,\[\]{}:#\"'&*!|>%@`?][^\n,\[\]{}:#]*)")
_DASH = re.compile(r"[ \t]*-[ \t]+")
_DEPTH = 32


def parse_flow_yaml(text: str, *, what: str) -> dict[str, Value]:
    """The mapping in ``text``; all words are strings.  Raises InputError, naming ``what`` and the line."""
    place = _Place(text, what)
    place.skip()
    if place.next() == "{":
        found = place.value()
        place.skip()
        if place.next():
            raise place.error("the end of the file")
        assert isinstance(found, dict)
        return found
    if text.startswith("---", place.at):
        place.at += 3
        place.skip()
    result: dict[str, Value] = {}
    while place.next():
        place.entry(result)
        place.skip()
    return result


class _Place:
    def __init__(self, text: str, what: str) -> None:
        self.text, self.what, self.at = text, what, 0

    def skip(self) -> None:
        """White space and comments."""
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def error(self, wanted: str) -> InputError:
        line = self.text.count("\n", 0, self.at) + 1
        rest = self.text[self.at : self.at + 40].partition("\n")[0]
        found = brief(rest) if rest else "the end" if self.at >= len(self.text) else "the end of the line"
        return InputError(f"{self.what}, line {line}: {found} where {wanted} was expected")

    def entry(self, into: dict[str, Value]) -> None:
        """A name at the margin and its value."""
        found = _KEY.match(self.text, self.at)
        if found is None or (self.at and self.text[self.at - 1] != "\n"):
            raise self.error("a name at the margin and a colon, such as topology: [ Ring ],")
        self.put(into, found[1])
        self.at = found.end()
        self.skip()
        into[found[1]] = self._dashed() if _DASH.match(self.text, self.at) else self.value()

    def put(self, into: dict[str, Value], name: str) -> None:
        if name in into:
            raise self.error(f"a name other than {name}, which there is already,")

    def _dashed(self) -> list[Value]:
        items: list[Value] = []
        while (found := _DASH.match(self.text, self.at)) is not None:
            self.at = found.end()
            items.append(self.value())
            self.skip()
        return items

    def value(self, depth: int = 0) -> Value:
        if depth > _DEPTH:
            raise self.error("something less deeply nested")
        opening = self.next()
        if opening == "[":
            return self._items(depth)
        if opening == "{":
            return self._mapping(depth)
        return self._word()

    def _word(self) -> str:
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self.error("a word, a number or a bracket")
        self.at = found.end()
        return next(x for x in found.groups() if x is not None).strip()

    def _items(self, depth: int) -> list[Value]:
        items: list[Value] = []
        while self._more("]", bool(items)):
            items.append(self.value(depth + 1))
        return items

    def _mapping(self, depth: int) -> dict[str, Value]:
        result: dict[str, Value] = {}
        while self._more("}", bool(result)):
            name = self._word()
            self.put(result, name)
            self.skip()
            if self.next() != ":":
                raise self.error("a colon")
            self.at += 1
            self.skip()
            result[name] = self.value(depth + 1)
        return result

    def _more(self, closing: str, begun: bool) -> bool:
        """Past the opening bracket or a comma: does another item follow?"""
        if not begun:
            self.at += 1
        self.skip()
        if begun and self.next() == ",":
            self.at += 1
            self.skip()
        elif begun and self.next() != closing:
            raise self.error(f"a comma or {closing}")
        if self.next() == closing:
            self.at += 1
            return False
        return True
