"""XML of bounded size and depth, as elements with the numbers of their lines; no document types, no entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat  # document types and entities are refused below

from ..core.errors import InputError
from .text_files import brief

_MAX_DEPTH = 16
_MOST = 8_000_000  # elements


@dataclass(frozen=True)
class Element:
    """``place``: "file a.xml, line 3"."""

    tag: str
    attributes: Mapping[str, str]
    place: str
    children: list[Element] = field(default_factory=list)

    def text(self, name: str) -> str:
        if name not in self.attributes:
            raise InputError(f"{self.place}: <{self.tag}> has no attribute '{name}'")
        return self.attributes[name]

    def whole(self, name: str, least: int = 0, *, default: int | None = None, most: int = 1 << 40) -> int:
        """A whole number from ``least`` to ``most``."""
        if default is not None and name not in self.attributes:
            return default
        text = self.text(name).strip()
        digits = text.removeprefix("-")
        value = int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None
        if value is None or not least <= value <= most:
            wanted = f"a whole number from {least}" + ("" if most == 1 << 40 else f" to {most}")
            raise InputError(f"{self.place}: {name} is {brief(text)}; {wanted} was expected")
        return value


def xml_root(text: str, *, what: str) -> Element:
    """The root element; raises InputError, with the line, for what is no XML, and for XML that declares entities."""
    parser = expat.ParserCreate()
    stack: list[Element] = []
    roots: list[Element] = []
    count = 0

    def error(message: str) -> InputError:
        return InputError(f"{what}, line {parser.CurrentLineNumber}: {message}")

    def refuse(*_: object) -> None:
        raise error("document type and entity declarations are not read; remove the <!DOCTYPE ...> part")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) >= _MAX_DEPTH or count > _MOST:
            raise error(f"more than {_MAX_DEPTH} levels or {_MOST} elements")
        element = Element(name, attributes, f"{what}, line {parser.CurrentLineNumber}")
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as fault:
        reason = expat.ErrorString(fault.code) or "not well-formed"
        place = f"line {fault.lineno}, column {fault.offset + 1}"
        raise InputError(f"{what} is not well-formed XML: {reason} at {place}") from None
    except (LookupError, ValueError) as fault:  # from encodings that Python does not know or expat cannot use
        if isinstance(fault, InputError):
            raise
        raise InputError(f"{what} has an encoding that cannot be read: {brief(str(fault))}") from None
    return roots[0]
