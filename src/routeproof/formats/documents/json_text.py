"""JSON that may be hostile: bounded size and depth, no duplicate keys, no NaN, exact numbers, one-line errors."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ..text_files import MEGABYTE, FilePath, brief, parse_number, read_text, shown, write_text_atomic

__all__ = [
    "DOCUMENT_LIMIT",
    "canonical_json",
    "format_json",
    "parse_json",
    "parse_object",
    "read_json",
    "read_json_object",
    "write_text_atomic",
]

DOCUMENT_LIMIT = 256 * MEGABYTE
_MAX_DEPTH = 64
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str, *, what: str, exact: bool = True) -> Any:
    """The JSON value in ``text``; ``what`` names it in errors.

    With ``exact``, numbers with a point or an exponent become the Fractions that they are in decimal; otherwise
    they become floats.  Raises InputError on anything but one valid JSON value without duplicate keys, nested
    at most 64 deep.
    """

    def decimal(token: str) -> Fraction | float:
        if exact:
            return parse_number(token, what=f"a number in {what}")
        number = float(token)
        if not math.isfinite(number):
            raise InputError(f"a number in {what} is {token[:40]}; it is out of range")
        return number

    def constant(token: str) -> Any:
        raise InputError(f"{what} holds {token}, which is not a number; a finite number was expected")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    raise InputError(f"{what} has the key {brief(key)} twice in one object; once was expected")
                seen.add(key)
        return result

    try:
        value = json.loads(text, parse_float=decimal, parse_constant=constant, object_pairs_hook=unique)
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"{what} is nested too deeply; at most {_MAX_DEPTH} levels are read") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()):
            raise InputError(f"{what} is not valid JSON: it ends too early, at {at} (is it cut off?)") from None
        raise InputError(f"{what} is not valid JSON: {error.msg} at {at}") from None
    except ValueError:  # an integer of more digits than Python converts
        raise InputError(f"{what} holds an integer of too many digits; at most 4300 are read") from None
    _check_depth(value, what)
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{what} holds an unpaired surrogate character (\\ud800 to \\udfff)") from None
    return value


def parse_object(text: str, *, what: str) -> dict[str, Any]:
    """``parse_json``, whose top level must be an object."""
    document = parse_json(text, what=what)
    if not isinstance(document, dict):
        raise InputError(f"{what} holds {brief(document)}; an object was expected")
    return document


def _check_depth(value: Any, what: str) -> None:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(_MAX_DEPTH + 1):
        if not level:
            return
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
    raise InputError(f"{what} is nested too deeply; at most {_MAX_DEPTH} levels are read")


def read_json(path: FilePath, *, limit: int = DOCUMENT_LIMIT, wanted: str = "a document", exact: bool = True) -> Any:
    """The JSON value in a file of at most ``limit`` bytes; see ``parse_json``."""
    return parse_json(read_text(path, limit=limit, wanted=wanted), what=f"file {shown(path)}", exact=exact)


def read_json_object(
    path: FilePath, *, limit: int = DOCUMENT_LIMIT, wanted: str = "a document", exact: bool = True
) -> dict[str, Any]:
    """``read_json``, whose top level must be an object."""
    value = read_json(path, limit=limit, wanted=wanted, exact=exact)
    if not isinstance(value, dict):
        raise InputError(f"file {shown(path)} holds {brief(value)}; {wanted} (a JSON object) was expected")
    return value


def canonical_json(value: Any) -> str:
    """One text per value: sorted keys, no spaces, ASCII.  Digests are made of it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def format_json(value: Any, *, width: int = 110) -> str:
    """JSON for people: what fits on a line stays on it, lists of numbers fill lines; ends with a newline."""
    lines: list[str] = []
    _format(value, "", "", "", width, lines)
    return "\n".join(lines) + "\n"


def _format(value: Any, indent: str, before: str, after: str, width: int, lines: list[str]) -> None:
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not (isinstance(value, (dict, list)) and value) or len(indent) + len(before) + len(flat) + len(after) <= width:
        lines.append(f"{indent}{before}{flat}{after}")
        return
    inner = indent + "  "
    last = len(value) - 1
    if isinstance(value, dict):
        lines.append(f"{indent}{before}{{")
        for k, (key, item) in enumerate(value.items()):
            _format(item, inner, f"{json.dumps(key, ensure_ascii=False)}: ", "," if k < last else "", width, lines)
        lines.append(f"{indent}}}{after}")
        return
    lines.append(f"{indent}{before}[")
    row = ""
    for k, item in enumerate(value):
        comma = "," if k < last else ""
        if isinstance(item, dict):
            if row:
                lines.append(inner + row)
                row = ""
            _format(item, inner, "", comma, width, lines)
            continue
        text = json.dumps(item, ensure_ascii=False, allow_nan=False) + comma
        if row and len(inner) + len(row) + 1 + len(text) > width:
            lines.append(inner + row)
            row = ""
        if isinstance(item, list) and len(inner) + len(text) > width:
            _format(item, inner, "", comma, width, lines)
        else:
            row = f"{row} {text}" if row else text
    if row:
        lines.append(inner + row)
    lines.append(f"{indent}]{after}")
