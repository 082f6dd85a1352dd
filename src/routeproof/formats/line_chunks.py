"""Large text files, as pieces of whole lines: the file is never held as a whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from .text_files import FilePath, read_bytes, shown

__all__ = ["HEX_DIGIT", "line_chunks", "line_ends"]

Bytes = npt.NDArray[np.uint8]
Int64 = npt.NDArray[np.int64]
_LIMIT = 16_000_000_000
_STREAM_LIMIT = 1_000_000_000
_CHUNK = 1 << 25

HEX_DIGIT = np.full(256, 255, dtype=np.uint8)
"""uint8, shape (256,): the value of a byte that is a hexadecimal digit, else 255."""
HEX_DIGIT[np.frombuffer(b"0123456789", dtype=np.uint8)] = np.arange(10)
HEX_DIGIT[np.frombuffer(b"abcdef", dtype=np.uint8)] = np.arange(10, 16)
HEX_DIGIT[np.frombuffer(b"ABCDEF", dtype=np.uint8)] = np.arange(10, 16)
HEX_DIGIT.setflags(write=False)


def line_chunks(path: FilePath, *, wanted: str) -> Iterator[Bytes]:
    """Pieces of whole lines, uint8, each ending in a newline; CR LF and CR end lines as LF does, and a byte order mark
    is skipped.

    Raises InputError as ``read_bytes`` does (``wanted`` likewise), and for lines that are too long to be any.
    """
    for k, piece in enumerate(_pieces(path, wanted)):
        marked = k == 0 and piece[:3].tobytes() == b"\xef\xbb\xbf"
        yield _unix(piece[3:] if marked else piece)


def line_ends(data: Bytes) -> tuple[Int64, Int64]:
    """(start, end) of every line of a piece, newlines excluded."""
    ends = np.flatnonzero(data == 10)
    return np.concatenate([[0], ends[:-1] + 1]), ends


def _unix(data: Bytes) -> Bytes:
    if not (data == 13).any():
        return data
    data = data.copy()
    back = np.flatnonzero(data == 13)
    pair = data[np.minimum(back + 1, len(data) - 1)] == 10
    data[back] = np.where(pair, 32, 10)
    return data


def _pieces(path: FilePath, wanted: str) -> Iterator[Bytes]:
    try:
        regular = stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        regular = False
    if not regular:
        yield np.frombuffer(read_bytes(path, limit=_STREAM_LIMIT, wanted=wanted) + b"\n", dtype=np.uint8)
        return
    if os.path.getsize(path) > _LIMIT:
        read_bytes(path, limit=_LIMIT, wanted=wanted)  # says that it is too large
    try:
        with open(path, "rb") as file:
            rest = b""
            while piece := file.read(_CHUNK):
                cut = piece.rfind(b"\n") + 1
                if cut:
                    yield np.frombuffer(rest + piece[:cut], dtype=np.uint8)
                    rest = piece[cut:]
                else:
                    rest += piece
                    if len(rest) > 4 * _CHUNK:
                        raise InputError(f"file {shown(path)} has a line of more than {_CHUNK} bytes: no dump")
            if rest:
                yield np.frombuffer(rest + b"\n", dtype=np.uint8)
    except OSError as error:
        raise InputError(f"cannot read {shown(path)}: {(error.strerror or 'error').lower()}") from None
