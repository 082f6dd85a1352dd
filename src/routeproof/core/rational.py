"""Arrays of exact rationals: a numerator and a denominator per entry.

One common denominator for a whole routing can have thousands of bits (a 32 x 32 torus with four dead
links needs 133,831), while each entry's own fraction is small.  So loads are kept as pairs of arrays,
int64 where every entry fits and Python integers (dtype object) where one does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InputError

INT64_MAX = 2**63 - 1
IntArray = npt.NDArray[Any]

_MAX_DIGITS = 4000
_FEW = 1 << 12  # numbers that are counted rather than sorted
_MAX_BITS = 13_270  # of numerator and denominator: what is read, written out as a fraction, can be read again


def parse_fraction(value: object, *, what: str) -> Fraction:
    """An exact fraction from an int, a Fraction or a string such as ``"25/144"``; a float only if it is finite.

    A float is taken as the exact binary fraction that it is.  ``what`` names the value in errors.
    """
    if isinstance(value, bool):
        raise InputError(f"{what} is {value!r}; a number was expected")
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, np.integer):
        return Fraction(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise InputError(f"{what} is {value}; a finite number was expected")
        return Fraction(float(value))
    if isinstance(value, str):
        text = value.strip()
        if len(text) > _MAX_DIGITS:
            raise InputError(f"{what} has {len(text)} characters; at most {_MAX_DIGITS} are read")
        # Fraction("1e999999999") would try to build the integer: exponents are bounded here.
        _, _, exponent = text.lower().partition("e")
        digits = exponent.lstrip("+-")
        if digits.isdecimal() and len(digits) > 4:
            raise InputError(f"{what} is {text[:40]!r}; its exponent is out of range")
        plain = text.isascii() and "_" not in text  # Fraction would read 1_0 and the digits of other scripts, too
        try:
            number = Fraction(text if plain else "")
        except (ValueError, ZeroDivisionError):
            raise InputError(f"{what} is {text[:40]!r}; a number or a fraction such as 3/4 was expected") from None
        if number.numerator.bit_length() + number.denominator.bit_length() > _MAX_BITS:
            raise InputError(f"{what} is {text[:40]!r}, which is out of range: written out it has too many digits")
        return number
    raise InputError(f"{what} is of type {type(value).__name__}; a number or a fraction string was expected")


def as_int_array(values: Sequence[int] | IntArray) -> IntArray:
    """int64 if every value fits, else an object array of Python integers."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values.astype(np.int64, copy=False)
    items = [int(x) for x in values]
    if all(-INT64_MAX <= x <= INT64_MAX for x in items):
        return np.array(items, dtype=np.int64)
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


def lcm_within(values: Iterable[int], limit: int) -> int | None:
    """The least common multiple of ``values``, or None as soon as it exceeds ``limit``."""
    result = 1
    for x in values:
        result = math.lcm(result, int(x))
        if result > limit:
            return None
    return result


@dataclass(frozen=True, eq=False)
class Rationals:
    """Exact rationals ``num[k] / den[k]``, entry by entry; ``den`` is positive.

    Both arrays have the same shape and are int64, or object (Python integers) where int64 is too small.
    """

    num: IntArray
    den: IntArray

    @staticmethod
    def of(values: Iterable[Fraction | int]) -> Rationals:
        items = [x if type(x) is Fraction else Fraction(x) for x in values]
        return Rationals(as_int_array([x.numerator for x in items]), as_int_array([x.denominator for x in items]))

    @staticmethod
    def ones(count: int) -> Rationals:
        one = np.ones(count, dtype=np.int64)
        return Rationals(one, one)

    def __len__(self) -> int:
        return len(self.num)

    def __getitem__(self, index: Any) -> Rationals:
        return Rationals(self.num[index], self.den[index])

    def fraction(self, k: int) -> Fraction:
        return Fraction(int(self.num[k]), int(self.den[k]))

    def fractions(self) -> list[Fraction]:
        """All of them; equal pairs of numerator and denominator are one object."""
        pairs = [*zip(self.num.tolist(), self.den.tolist(), strict=True)]
        value = {x: Fraction(int(x[0]), int(x[1])) for x in set(pairs)}
        return [value[x] for x in pairs]

    def denominators(self) -> list[int]:
        """The distinct denominators."""
        if self.den.dtype == object:
            return sorted({int(x) for x in self.den})
        if int(self.den.max(initial=0)) < _FEW:
            found: list[int] = np.flatnonzero(np.bincount(self.den)).tolist()
            return found
        return sorted(np.unique(self.den).tolist())

    def total(self) -> Fraction:
        """The exact sum of all entries."""
        by_den: dict[int, int] = {}
        for a, b in zip(self.num.tolist(), self.den.tolist(), strict=True):
            by_den[b] = by_den.get(b, 0) + a
        return fraction_sum([*by_den.values()], [*by_den])

    def scaled(self, scale: int) -> IntArray:
        """``num * scale / den`` where every denominator divides ``scale``; int64 or, where too big, object."""
        if self.num.dtype != object and self.den.dtype != object and scale <= INT64_MAX:
            factor = scale // self.den
            biggest = int(np.abs(self.num).max(initial=0)) * int(factor.max(initial=1))
            if biggest <= INT64_MAX:
                return np.asarray(self.num * factor)
        return as_int_array([int(a) * (scale // int(b)) for a, b in zip(self.num, self.den, strict=True)])

    def ceil_fixed(self, bits: int) -> npt.NDArray[np.int64]:
        """``ceil(num / den * 2**bits)`` as int64: never below the exact value, at most one unit above.

        Raises OverflowError where an entry does not fit (never wraps).
        """
        if self.num.dtype == object or self.den.dtype == object:
            values = [-((-int(a) << bits) // int(b)) for a, b in zip(self.num, self.den, strict=True)]
            if any(abs(x) > INT64_MAX for x in values):
                raise OverflowError("a load does not fit 64-bit fixed point")
            return np.array(values, dtype=np.int64)
        if int(self.den.max(initial=1)) == 1:  # whole numbers: nothing to divide
            if int(np.abs(self.num).max(initial=0)) >= 1 << (62 - bits):
                raise OverflowError("a load does not fit 64-bit fixed point")
            return np.asarray(self.num << bits)
        if int(np.abs(self.num).max(initial=0)) < 1 << (62 - bits):
            return np.asarray(-((-self.num << bits) // self.den))
        result, rest = np.divmod(self.num, self.den)
        if int(np.maximum(result, -result - (rest > 0)).max(initial=0)) >= 1 << (62 - bits):  # rounded towards 0
            raise OverflowError("a load does not fit 64-bit fixed point")
        room = 62 - int(self.den.max(initial=1)).bit_length()
        if room < 1:
            return Rationals(self.num.astype(object), self.den.astype(object)).ceil_fixed(bits)
        while bits > 0:  # long division, as many bits at a time as int64 leaves room for
            step = min(room, bits)
            digit, rest = np.divmod(rest << step, self.den)
            result = (result << step) + digit
            bits -= step
        return np.asarray(result + (rest > 0))


def fraction_sum(num: list[int], den: list[int]) -> Fraction:
    """The sum of num[k] / den[k], by halves: the long integers meet only near the end."""
    if len(num) <= 128:
        scale = math.lcm(*den)
        return Fraction(sum(map(mul, num, map(scale.__floordiv__, den))), scale)
    middle = len(num) // 2
    return fraction_sum(num[:middle], den[:middle]) + fraction_sum(num[middle:], den[middle:])


def shown(value: Fraction) -> str:
    """For messages: the fraction, or how long it is where it would fill more than a line."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits <= 160:
        return str(value)
    try:
        return f"{float(value):.9g} (a fraction of {bits:,} bits)"
    except OverflowError:
        return f"a fraction of {bits:,} bits"
