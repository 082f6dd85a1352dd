"""Numbers for a page in the browser: exact values once each, arrays packed as base64."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.rational import Rationals


def packed(numbers: npt.ArrayLike) -> dict[str, str]:
    """Whole numbers >= 0 below 2^32 as ``{"u8" | "u16" | "u32": base64}``, little-endian."""
    array = np.asarray(numbers, dtype=np.int64).reshape(-1)
    top = int(array.max(initial=0))
    if int(array.min(initial=0)) < 0 or top >= 1 << 32:
        raise ValueError("numbers outside 0 .. 2^32 - 1 cannot be packed")
    bits = 8 if top < 1 << 8 else 16 if top < 1 << 16 else 32
    return {f"u{bits}": base64.b64encode(array.astype(f"<u{bits // 8}").tobytes()).decode("ascii")}


def unpacked(data: Mapping[str, str]) -> npt.NDArray[np.int64]:
    """What ``packed`` packed."""
    ((kind, text),) = data.items()
    return np.frombuffer(base64.b64decode(text), dtype=f"<u{int(kind[1:]) // 8}").astype(np.int64)


class Values:
    """Exact values by number: what a page shows is the fraction itself, written once however often it occurs."""

    def __init__(self) -> None:
        self._number: dict[Fraction, int] = {Fraction(0): 0}

    def number(self, value: Fraction) -> int:
        return self._number.setdefault(value, len(self._number))

    def numbers(self, values: Iterable[Fraction]) -> list[int]:
        return [self.number(x) for x in values]

    def of(self, values: Rationals) -> npt.NDArray[np.int64]:
        """The numbers of an array of rationals, int64; equal pairs of numerator and denominator are met once."""
        if values.num.dtype == object or values.den.dtype == object:
            return np.array(self.numbers(values.fractions()), dtype=np.int64)
        pairs = np.stack([values.num.reshape(-1), values.den.reshape(-1)], axis=1)
        kinds, inverse = np.unique(pairs, axis=0, return_inverse=True)
        known = np.array([self.number(Fraction(int(a), int(b))) for a, b in kinds], dtype=np.int64)
        return np.asarray(known[inverse.reshape(-1)], dtype=np.int64)

    def texts(self) -> list[str]:
        """All values, in the order of their numbers; a fraction too long to read is given to twenty digits, with ~."""
        return [_text(x) for x in self._number]


def _text(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= 400:
        return str(value)
    return f"~{float(value):.17g}"
