"""Protocol buffers as text: ``name: value`` and ``name { ... }``, with lists in brackets and comments after ``#``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...core.errors import InputError
from ..text_files import brief

_TOKEN = re.compile(
    r"(?P<space>(?:\s|#[^\n]*)+)|(?P<text>\"[^\"\n\\]*\"|'[^'\n\\]*')|(?P<word>[+-]?[\w.]+)|(?P<mark>[{}\[\]:,;<>])"
)
_CLOSING = {"{": "}", "<": ">"}
_DEPTH = 32


class Field(NamedTuple):
    """A name, its value (a word, a text without its quotes, or the fields inside), and the line that it is in."""

    name: str
    value: str | list[Field]
    line: int


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def parse_textproto(text: str, *, what: str) -> list[Field]:
    """The fields in order; a list gives its name once for every item.  Raises InputError with ``what`` and the line."""
    return _Reader(text, what).fields("", 0)


class _Reader:
    def __init__(self, text: str, what: str) -> None:
        self.what = what
        self.tokens = self._tokens(text)
        self.now = next(self.tokens)

    def _tokens(self, text: str) -> Iterator[_Token]:
        at, line = 0, 1
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise InputError(f"{self.what}, line {line}: {brief(text[at : at + 20])} is not understood")
            kind = str(found.lastgroup)
            if kind != "space":
                yield _Token(kind, found[0], line)
            line += found[0].count("\n")
            at = found.end()
        while True:
            yield _Token("end", "", line)

    def take(self) -> _Token:
        token, self.now = self.now, next(self.tokens)
        return token

    def error(self, wanted: str) -> InputError:
        found = brief(self.now.text) if self.now.text else "the end"
        return InputError(f"{self.what}, line {self.now.line}: {found} where {wanted} was expected")

    def fields(self, closing: str, depth: int) -> list[Field]:
        if depth > _DEPTH:
            raise self.error("something less deeply nested")
        found: list[Field] = []
        while self.now.text != closing or (closing == "" and self.now.kind != "end"):
            if self.now.kind != "word":
                raise self.error(f"a name{f' or {closing}' if closing else ''}")
            name = self.take()
            colon = self.now.text == ":"
            if colon:
                self.take()
            found += [Field(name.text, x, name.line) for x in self.values(depth, colon=colon)]
            if self.now.text in (",", ";"):
                self.take()
        self.take()
        return found

    def values(self, depth: int, *, colon: bool) -> list[str | list[Field]]:
        if self.now.text != "[":
            return [self.one(depth, colon=colon)]
        self.take()
        items: list[str | list[Field]] = []
        while self.now.text != "]":
            items.append(self.one(depth, colon=colon))
            if self.now.text == ",":
                self.take()
            elif self.now.text != "]":
                raise self.error("a comma or ]")
        self.take()
        return items

    def one(self, depth: int, *, colon: bool) -> str | list[Field]:
        if self.now.kind == "mark" and self.now.text in _CLOSING:
            return self.fields(_CLOSING[self.take().text], depth + 1)
        if not colon:
            raise self.error("a colon or {")
        if self.now.kind == "text":
            return self.take().text[1:-1]
        if self.now.kind == "word":
            return self.take().text
        raise self.error("a value")
