"""Plain values as bytes and back: what is sent to workers and kept in run directories.  Never a pickle.

Plain are None, bool, int of any size, float, str, bytes, Fraction, lists (tuples become lists), dicts with text keys,
and numpy arrays of bool, integers and floats.  The bytes are: ``RPR1``, the length of a JSON text as four bytes (little
endian), that text, and then the arrays and bytes to which it points.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np

_MAGIC = b"RPR1"
_DTYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8")
_LONG = 1 << 64  # integers beyond are written as hexadecimal text: Python limits how many decimals it reads


def encode(value: Any) -> bytes:
    """The bytes of a plain ``value``, always the same; TypeError names what is not plain and where it stands."""
    parts: list[bytes] = []
    text = json.dumps(_plain(value, parts, "the value"), separators=(",", ":"), ensure_ascii=True).encode("ascii")
    return b"".join([_MAGIC, len(text).to_bytes(4, "little"), text, *parts])


def decode(content: bytes) -> Any:
    """The value whose bytes are ``content``; ValueError where they are not those of a value."""
    if content[:4] != _MAGIC or len(content) < 8:
        raise ValueError("not a record")
    start = 8 + int.from_bytes(content[4:8], "little")
    if len(content) < start:
        raise ValueError("a record is cut short")
    try:
        value = json.loads(content[8:start])
    except RecursionError:
        raise ValueError("a record is nested too deeply") from None
    reader = _Reader(memoryview(content), start)
    result = reader.value(value)
    if reader.at != len(content):
        raise ValueError("a record is longer than what it holds")
    return result


def _plain(value: Any, parts: list[bytes], where: str) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, np.integer)):
        number = int(value)
        return number if abs(number) < _LONG else {"$int": hex(number)}
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Fraction):
        return {"$fraction": [hex(value.numerator), hex(value.denominator)]}
    if isinstance(value, np.ndarray):
        dtype = value.dtype.newbyteorder("<").str
        if dtype not in _DTYPES:
            raise TypeError(f"{where} is an array of {value.dtype}; bool, integers or floats were expected")
        parts.append(np.ascontiguousarray(value, dtype=dtype).tobytes())
        return {"$array": [dtype, list(value.shape)]}
    if isinstance(value, bytes):
        parts.append(value)
        return {"$bytes": len(value)}
    if isinstance(value, (list, tuple)):
        return [_plain(x, parts, f"item {k} of {where}") for k, x in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or key.startswith("$"):
                raise TypeError(f"{where} has the key {key!r}; text that does not start with $ was expected")
        return {key: _plain(x, parts, f"{key!r} of {where}") for key, x in value.items()}
    raise TypeError(f"{where} is of type {type(value).__name__}, which is not plain data")


class _Reader:
    """Takes arrays and bytes from the content in the order in which the text points to them."""

    def __init__(self, content: memoryview, at: int) -> None:
        self.content, self.at = content, at

    def value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.value(x) for x in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, inner),) = value.items()
            if name.startswith("$"):
                return self._special(name, inner)
        return {key: self.value(x) for key, x in value.items()}

    def _special(self, name: str, inner: Any) -> Any:
        try:
            if name == "$int":
                return int(inner, 16)
            if name == "$fraction":
                return Fraction(int(inner[0], 16), int(inner[1], 16))
            if name == "$bytes":
                return bytes(self._take(inner))
            if name == "$array":
                dtype, shape = inner
                if dtype not in _DTYPES:
                    raise ValueError("an array has a strange type")
                size = 1
                for x in shape:
                    size *= x
                if any(x < 0 for x in shape):
                    raise ValueError("an array has a negative size")
                raw = self._take(size * np.dtype(dtype).itemsize)
                return np.frombuffer(raw, dtype=dtype).reshape(shape)
        except (TypeError, IndexError, ZeroDivisionError) as error:
            raise ValueError(f"a record holds a malformed {name[1:]}") from error
        raise ValueError(f"a record holds an unknown kind of value, {name[:20]}")

    def _take(self, count: int) -> memoryview:
        if count < 0 or self.at + count > len(self.content):
            raise ValueError("a record is cut short")
        self.at += count
        return self.content[self.at - count : self.at]
