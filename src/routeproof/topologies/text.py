"""The grammar of network texts: ``family:parameters,options``, and options after a file name.

    family[:PARAMETER[,PARAMETER]...][,FLAG | ,OPTION=VALUE]...

Parameters come first and hold no "="; then flags (``oneway``) and options (``bandwidth=2x1``) in any order, each
at most once.  Lists within a value are separated by ";"; a name that holds ";" or "," stands in double quotes.  White
space around the pieces does not count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from ..core.errors import InputError, did_you_mean
from ..core.quoted import split_outside
from .build import shortened

_MAX_TEXT = 1_000_000
_MAX_DIGITS = 18
_BY_ANOTHER_SIGN = re.compile(r"[0-9]+([*X×][0-9]+)+")
_WITH_X = re.compile(r"[a-z-]+:[0-9]+x[0-9x]+")


@dataclass(frozen=True)
class Pieces:
    """The parts of a text: ``parameters`` in order, ``flags``, and ``options`` by name; ``usage``: an example of it."""

    parameters: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)
    usage: str = ""

    @property
    def bandwidth(self) -> str:
        """The option ``bandwidth``, "1" where it is not given."""
        return self.options.get("bandwidth", "1")

    @property
    def radices(self) -> list[int]:
        """The first parameter as radices: 6x4 is [6, 4]."""
        text = self.parameters[0]
        if _BY_ANOTHER_SIGN.fullmatch(text):
            name, right = name_of(self.usage), "x".join(re.findall("[0-9]+", text))
            raise InputError(f"{name}:{shortened(text)}: radices are written with an x between, as in {name}:{right}")
        what = f"a radix in {shortened(repr(text))}" if "x" in text else "the radix"
        return [parse_whole(x, what=what, least=2) for x in text.split("x")]

    def number(self, position: int, what: str) -> int:
        """The whole number that a parameter is; ``what`` names it in errors ("degree d of kautz:d,D")."""
        return parse_whole(self.parameters[position], what=what)

    def numbers(self, names: str, family: str) -> list[int]:
        """The first parameters as whole numbers, of which each has a letter in ``names`` ("mnr" of clos:m,n,r)."""
        return [self.number(k, f"{name} of {family}") for k, name in enumerate(names)]

    def whole(self, option: str) -> int | None:
        """The whole number that an option is, None where it is not given."""
        text = self.options.get(option)
        return None if text is None else parse_whole(text, what=f"{option} of {name_of(self.usage)}")

    def needed(self, option: str) -> int:
        """``whole`` of an option that must be given; raises InputError, with an example, where it is not."""
        value = self.whole(option)
        if value is None:
            raise InputError(f"{name_of(self.usage)} needs {option}=, as in {self.usage}")
        return value


def name_of(text: str) -> str:
    """The name with which ``text`` begins, up to the first ":" or ","."""
    return text.strip().split(":", 1)[0].split(",", 1)[0].strip()


def parse_pieces(
    text: str, *, where: str, parameters: int, flags: Collection[str], options: Collection[str], usage: str
) -> Pieces:
    """Take apart the comma-separated ``text`` of ``where``, which has exactly ``parameters`` parameters."""
    if len(text) > _MAX_TEXT:
        raise InputError(f"{where} has {len(text):,} characters of parameters; at most {_MAX_TEXT:,} are read")
    parts = [x.strip() for x in split_outside(text, ",")] if text.strip() else []
    given = list(islice(takewhile(lambda x: "=" not in x, parts), parameters))
    if len(given) < parameters or "" in given:
        raise InputError(f"{where} needs {_count(parameters, 'parameter')}, as in {usage}")
    more = parts[len(given)] if len(given) < len(parts) else ""
    if more.removeprefix("-")[:1].isdigit():
        numbers = list(takewhile(lambda x: x.isascii() and x.isdigit(), parts))
        if len(numbers) > 1 and _WITH_X.fullmatch(usage):
            right = f"{name_of(usage)}:{'x'.join(numbers)}"
            raise InputError(f"{where}: radices are written with an x between, as in {shortened(right)}")
        most = _count(parameters, "parameter") if parameters else "none"
        raise InputError(
            f"{where}: {shortened(repr(more))} is one parameter too many; {most} and options by name were expected, as "
            f"in {usage}"
        )
    found = options_of(parts[len(given) :], where=where, flags=flags, options=options)
    return replace(found, parameters=tuple(given), usage=usage)


def options_of(parts: Sequence[str], *, where: str, flags: Collection[str], options: Collection[str] | None) -> Pieces:
    """Flags and options from their texts; raises InputError for an unknown or repeated one, with the nearest match.

    ``options`` None: all are known."""
    found: dict[str, str] = {}
    on: set[str] = set()
    for part in parts:
        name, equals, value = (x.strip() for x in part.partition("="))
        if not name:
            raise InputError(f"{where} has an empty option {shortened(repr(part))}; NAME=VALUE was expected")
        if name in found or name in on:
            raise InputError(f"{where}: option '{name}' is given twice; once was expected")
        if name in flags:
            if equals:
                raise InputError(f"{where}: '{name}' takes no value; found {shortened(repr(part))}")
            on.add(name)
        elif options is None or name in options:
            if not value:
                raise InputError(f"{where}: option '{name}' has no value; {name}=VALUE was expected")
            found[name] = value
        else:
            known = [*flags, *options]
            hint = did_you_mean(name[:100], known) if known else "it has no options"
            raise InputError(f"{where}: unknown option {shortened(repr(name))}; {hint}")
    return Pieces((), frozenset(on), found)


@contextmanager
def with_example(usage: str) -> Iterator[None]:
    """Whatever is refused inside says how it would be right: an error without an example gets ``usage``."""
    try:
        yield
    except InputError as error:
        if "as in " in str(error):
            raise
        raise InputError(f"{error} (for example: {usage})") from None


def parse_whole(text: str, *, what: str, least: int = 0) -> int:
    """A whole number >= 0 from plain decimal digits; ``least``: what is expected at least, for the error of others."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"{what} is {shortened(repr(digits))}; a whole number, {least} or more, was expected")
    if len(digits) > _MAX_DIGITS:
        raise InputError(f"{what} is {shortened(digits)}, of {len(digits)} digits; at most {_MAX_DIGITS} are read")
    return int(digits)


def numbers(text: str, *, what: str, separator: str) -> list[int]:
    """Whole numbers separated by ``separator``."""
    return [parse_whole(x, what=what) for x in text.split(separator)]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
