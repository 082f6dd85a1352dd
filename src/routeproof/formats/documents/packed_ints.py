"""Arrays of integers as short text, for evidence: ``<type>:<count>:<base64 of zlib of little-endian integers>``."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import VerificationError

_TYPES = ("i1", "i2", "i4", "i8")
_WIDE = "i16"  # 128 bits
_HEADER = re.compile(r"(i(?:[1248]|16)):(0|[1-9][0-9]{0,18}):", re.ASCII)


def pack_ints(array: npt.ArrayLike, *, wide: bool = False) -> str:
    """A flat array of integers as text, in the smallest integer type that holds them, with ``wide`` of up to 128 bits
    (dtype object). Raises OverflowError where an integer does not fit, TypeError for anything but a flat array of
    integers."""
    values = np.asarray(array)
    if values.ndim != 1 or (values.size and values.dtype != object and values.dtype.kind not in "iu"):
        raise TypeError(f"found {values.dtype} values of shape {values.shape}; a flat array of integers was expected")
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    for kind in (*_TYPES, _WIDE) if wide else _TYPES:
        bound = 1 << (8 * int(kind[1:]) - 1)
        if -bound <= low and high < bound:
            if kind == _WIDE:
                data: Any = b"".join(x.to_bytes(16, "little", signed=True) for x in values.tolist())
            else:
                data = np.ascontiguousarray(values, dtype=f"<{kind}").data  # no copy where it is so already
            return f"{kind}:{len(values)}:{base64.b64encode(zlib.compress(data, 6)).decode('ascii')}"
    raise OverflowError(f"integers from {low} to {high} do not fit {128 if wide else 64} bits")


def unpack_ints(text: object, *, what: str, max_items: int, wide: bool = False) -> npt.NDArray[Any]:
    """The array (int64, shape (count,)) that ``pack_ints`` made a text of; with ``wide`` one of Python's integers of up
    to 128 bits (dtype object), where it has these.

    Raises VerificationError, naming ``what``, for text that is damaged or holds more than ``max_items`` integers; no
    more memory is used than these need, whatever the text expands to.
    """

    def bad(reason: str) -> VerificationError:
        return VerificationError(f"{what} is not a packed list of integers: {reason}")

    if not isinstance(text, str):
        raise bad(f"it is of type {type(text).__name__}; a string was expected")
    header = _HEADER.match(text)
    if header is None:
        raise bad(f"it begins with {text[:20]!r}; a type and a count such as 'i2:100:' were expected")
    kind, count = header.group(1), int(header.group(2))
    if kind == _WIDE and not wide:
        raise bad("its integers have 128 bits; at most 64 were expected")
    if count > max_items:
        raise bad(f"it holds {count} integers; at most {max_items} were expected")
    try:
        content = base64.b64decode(text[header.end() :].encode("ascii"), validate=True)
        expander = zlib.decompressobj()
        size = count * int(kind[1:])
        data: Any = expander.decompress(content, size + 1)
    except (binascii.Error, zlib.error, UnicodeEncodeError):
        raise bad("its compressed part is damaged") from None
    if len(data) != size or not expander.eof or expander.unused_data:
        raise bad(f"its compressed part does not hold exactly {count} integers")
    if kind == _WIDE:
        found = np.empty(count, dtype=object)
        found[:] = [int.from_bytes(data[at : at + 16], "little", signed=True) for at in range(0, size, 16)]
        return found
    return np.frombuffer(data, dtype=f"<{kind}").astype(np.int64)
