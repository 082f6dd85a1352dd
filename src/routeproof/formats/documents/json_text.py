"""JSON that may be hostile: bounded size and depth, no duplicate keys, no NaN, exact numbers, one-line errors; and
fractions of any length as text: Python's own conversions stop at 4300 digits, exact loads need not."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ..text_files import MEGABYTE, FilePath, brief, parse_number, read_text, shown, unexpected, write_text_atomic

DOCUMENT_LIMIT = 256 * MEGABYTE
_MAX_DEPTH = 64
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
MAX_CHARACTERS = 200_000  # bounds the time that reading takes; a fraction of two 300,000-bit integers fits
_FRACTION = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)
_DIGITS = 4000  # per chunk
_CHUNK = 10**_DIGITS


def parse_json(text: str, *, what: str, exact: bool = True) -> Any:
    """The one JSON value in ``text``, at most 64 deep, without duplicate keys; ``what`` names it in errors. With
    ``exact``, numbers with a point or an exponent become the Fractions that they are in decimal, else floats."""

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
            key = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise InputError(f"{what} has the key {brief(key)} twice in one object; once was expected")
        return result

    try:
        value = json.loads(text, parse_float=decimal, parse_constant=constant, object_pairs_hook=unique)
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"{what} is nested too deeply; at most {_MAX_DEPTH} levels are read") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        if not text.strip():
            raise InputError(f"{what} is empty; JSON was expected") from None
        if error.pos >= len(text.rstrip()):
            raise InputError(f"{what} is not valid JSON: it ends too early, at {at} (is it cut off?)") from None
        begins = f"; it begins with {brief(text.strip().splitlines()[0])}" if not error.pos else ""
        raise InputError(f"{what} is not valid JSON: {error.msg} at {at}{begins}") from None
    except ValueError:  # an integer of more digits than Python converts
        raise InputError(f"{what} holds an integer of too many digits; at most 4300 are read") from None
    _check_depth(text, what)
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{what} holds an unpaired surrogate character (\\ud800 to \\udfff)") from None
    return value


def parse_object(text: str, *, what: str, wanted: str = "a document", exact: bool = True) -> dict[str, Any]:
    return as_object(parse_json(text, what=what, exact=exact), what=what, wanted=wanted)


def as_object(value: Any, *, what: str, wanted: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{what} holds {brief(value)}; {wanted} (a JSON object) was expected")
    return value


def as_objects(value: Any, *, what: str, wanted: str = "a list of objects") -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise unexpected(what, value, wanted)
    for k, x in enumerate(value):
        if not isinstance(x, dict):
            raise unexpected(f"{what}[{k}]", x, "an object")
    return value


def _check_depth(text: str, what: str) -> None:
    """``text`` is JSON, so that its depth is that of its brackets outside of strings."""
    if text.count("{") + text.count("[") <= _MAX_DEPTH:
        return
    import numpy as np

    plain = text.replace("\\\\", "").replace('\\"', "")  # no quotation mark that is part of a string
    at = np.frombuffer(plain.encode("ascii", "replace"), dtype=np.uint8)
    outside = ~np.logical_xor.accumulate(at == ord('"'))
    bracket = at | 32  # of [ and { alike, and of ] and }
    step = ((bracket == ord("{")) & outside).astype(np.int8) - ((bracket == ord("}")) & outside).astype(np.int8)
    if int(np.cumsum(step, dtype=np.int32).max()) > _MAX_DEPTH:
        raise InputError(f"{what} is nested too deeply; at most {_MAX_DEPTH} levels are read")


def read_json_object(
    path: FilePath, *, limit: int = DOCUMENT_LIMIT, wanted: str = "a document", exact: bool = True
) -> dict[str, Any]:
    """The JSON object in a file of at most ``limit`` bytes; see ``parse_json``."""
    text = read_text(path, limit=limit, wanted=wanted)
    return parse_object(text, what=f"file {shown(path)}", wanted=wanted, exact=exact)


def canonical_json(value: Any) -> str:
    """One text per value: sorted keys, no spaces, ASCII.  Digests are made of it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def format_json(value: Any, *, width: int = 110) -> str:
    """JSON for people: what fits on a line stays on it, lists of numbers fill lines; ends with a newline."""
    lines: list[str] = []
    _write(lines, value, "", "", "", width)
    return "\n".join([*lines, ""])


def _write(lines: list[str], value: Any, indent: str, before: str, after: str, width: int) -> None:
    whole = not (isinstance(value, (dict, list)) and value)
    flat = _flat(value) if whole or _may_fit(value, width) else ""
    if whole or (flat and len(indent) + len(before) + len(flat) + len(after) <= width):
        lines.append(f"{indent}{before}{flat}{after}")
        return
    inner = indent + "  "
    commas = [","] * (len(value) - 1) + [""]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines.append(f"{indent}{before}{opening}")
    if isinstance(value, dict):
        for (key, item), comma in zip(value.items(), commas, strict=True):
            _write(lines, item, inner, f"{_flat(key)}: ", comma, width)
    else:
        row = ""
        for item, comma in zip(value, commas, strict=True):
            text = "" if isinstance(item, dict) else _flat(item) + comma
            if row and (isinstance(item, dict) or len(inner) + len(row) + 1 + len(text) > width):
                lines.append(inner + row)
                row = ""
            if isinstance(item, dict) or (isinstance(item, list) and len(inner) + len(text) > width):
                _write(lines, item, inner, "", comma, width)
            else:
                row = f"{row} {text}" if row else text
        if row:
            lines.append(inner + row)
    lines.append(f"{indent}{closing}{after}")


def _may_fit(value: Any, width: int) -> bool:
    """False only where it is longer than a line: seen without writing it out, which every level would do again."""
    if isinstance(value, (dict, list)):
        items = value.values() if isinstance(value, dict) else value
        return 3 * len(value) <= width and all(_may_fit(x, width) for x in items)
    return not isinstance(value, str) or len(value) <= width


_flat = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_json(value: Any, path: FilePath) -> None:
    """``format_json`` to a file, whole or not at all."""
    write_text_atomic(path, format_json(value))


def _integer_to_text(value: int) -> str:
    if value < _CHUNK:
        return str(value)
    chunks = []
    while value >= _CHUNK:
        value, low = divmod(value, _CHUNK)
        chunks.append(str(low).zfill(_DIGITS))
    return "".join([str(value), *reversed(chunks)])


def _integer_from_text(digits: str) -> int:
    first = len(digits) % _DIGITS or _DIGITS
    value = int(digits[:first])
    for at in range(first, len(digits), _DIGITS):
        value = value * _CHUNK + int(digits[at : at + _DIGITS])
    return value


def fraction_to_text(value: Fraction | int) -> str:
    """``str(Fraction)``, without its limit on digits: "25/144", "-3"."""
    exact = value if isinstance(value, Fraction) else Fraction(value)
    numerator, denominator = exact.numerator, exact.denominator
    text = ("-" if numerator < 0 else "") + _integer_to_text(abs(numerator))
    return text if denominator == 1 else f"{text}/{_integer_to_text(denominator)}"


def fraction_from_text(text: str) -> Fraction | None:
    """The fraction that ``fraction_to_text`` made a text of; None for any other text, or one that is too long."""
    match = _FRACTION.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    if match is None:
        return None
    sign, numerator, denominator = match.groups()
    value = Fraction(_integer_from_text(numerator), _integer_from_text(denominator or "1"))
    return -value if sign else value
