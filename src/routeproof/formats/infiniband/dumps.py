"""Dumps about a fabric, read in pieces of whole lines: a large file is never held as a whole."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import Self

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int64
from ...core.errors import InputError
from ..text_files import FilePath, brief, read_bytes, shown
from .fabric import FabricNetwork, Host, Switch

Bytes = npt.NDArray[np.uint8]
LAST_LID = 0xBFFF  # of unicast
NODE = re.compile(r"(Channel Adapter|Switch|Router) 0x([0-9a-fA-F]{1,16}), base LID (\d{1,5}), .*")
_PRIVATE = re.compile(r"PLFT_NUM: *(\d{1,3})\b.*")
_LIMIT = 16_000_000_000
_STREAM_LIMIT = 1_000_000_000
_CHUNK = 1 << 25

_DIGIT = np.full(256, 255, dtype=np.uint8)  # the value of a byte that is a hexadecimal digit, else 255
_DIGIT[np.frombuffer(b"0123456789abcdef", dtype=np.uint8)] = np.arange(16)
_DIGIT[np.frombuffer(b"ABCDEF", dtype=np.uint8)] = np.arange(10, 16)


class DumpReader:
    """Reads a file about ``network``: ``entries`` gets lines of the usual form as whole arrays, ``other`` all others.

    ``wanted`` says in errors what the file should hold, ``contents`` what it is about.
    """

    wanted, contents = "", "the tables"

    def __init__(self, path: FilePath, network: FabricNetwork) -> None:
        self.path, self.network, self.what = path, network, f"file {shown(path)}"
        self.ports: list[Switch | Host] = [*network.switches, *network.hosts, *network.absent]
        self.switch = {x.guid: len(network.switches) for x in network.absent if isinstance(x, Switch)}
        self.switch |= {switch.guid: v for v, switch in enumerate(network.switches)}
        self.owner = np.full(LAST_LID + 2, -1, dtype=np.int64)  # by lid: which of ``ports`` has it, or -1
        for k, port in enumerate(self.ports):
            self.owner[port.lids] = k
        self.lines = 0  # before this piece
        self.record: dict[str, int] | None = None  # what saquery printed of a record that is not complete yet
        self.record_line = 0

    def read(self) -> Self:
        for data in line_chunks(self.path, wanted=self.wanted):
            ends = np.flatnonzero(data == 10)
            starts = np.concatenate([[0], ends[:-1] + 1])
            usual, lid, value = self.usual(data, starts, ends)
            self._piece = data, starts, ends
            first, done = self.lines + 1, 0
            for k in [*np.flatnonzero(~usual).tolist(), len(ends)]:
                if done < k:
                    self.entries(lid[done:k], value[done:k], first + done)
                if k < len(ends):
                    self.other(self.text(first + k), first + k)
                done = k + 1
            self.lines += len(ends)
        return self

    def text(self, line: int) -> str:
        data, starts, ends = self._piece
        k = line - self.lines - 1
        return data[starts[k] : ends[k]].tobytes().decode("utf-8", "replace").strip()

    def usual(self, _data: Bytes, starts: Int64, _ends: Int64) -> tuple[Bools, Int64, Int64]:
        """Which lines have the usual form, and their lids and values; line k is data[starts[k]:ends[k]]."""
        nothing = np.zeros(len(starts), dtype=np.int64)
        return nothing > 0, nothing, nothing

    def entries(self, lid: Int64, value: Int64, first: int) -> None:
        """Entries of consecutive lines, the first of which is line ``first``."""

    def other(self, text: str, line: int) -> None:
        """Any other line."""

    def error(self, line: int, message: str) -> InputError:
        return InputError(f"{self.what}, line {line}: {message}")

    def refuse(self, wrong: Bools, first: int, message: Callable[[int], str]) -> None:
        """Raise InputError for the first entry that is wrong; entry 0 is in line ``first``."""
        if wrong.any():
            k = int(np.argmax(wrong))
            raise self.error(first + k, message(k))

    @staticmethod
    def again(lid: Int64) -> Bools:
        """Which of the lids come before among these."""
        found = np.zeros(len(lid), dtype=bool)
        order = np.argsort(lid, kind="stable")
        found[order[1:][np.diff(lid[order]) == 0]] = True
        return found

    def is_private(self, text: str, line: int) -> bool:
        """Is it ibdiagnet2's number of a table, which must be 0?"""
        private = _PRIVATE.fullmatch(text)
        if private and int(private[1]):
            raise self.error(line, f"a private table ({brief(text)}); one table for every switch was expected")
        return private is not None

    def port_of(self, lid: int, line: int) -> int:
        """Which of ``ports`` has that lid; raises InputError where none has."""
        owner = int(self.owner[lid]) if lid <= LAST_LID else -1
        if owner < 0:
            raise self.error(line, f"lid {lid} belongs to no port of {self.network.name}; {self.another()}")
        return owner

    def switch_of(self, guid: str, line: int) -> int:
        """The switch with a GUID in hexadecimal, the number of switches for one that was left out."""
        if int(guid, 16) not in self.switch:
            raise self.error(line, f"{self.network.name} has no switch with the GUID 0x{guid}; {self.another()}")
        return self.switch[int(guid, 16)]

    def check_guid(self, lid: int, guid: int, line: int) -> None:
        """The port that has the lid must be the one with that GUID."""
        port = self.ports[self.owner[lid]]
        if port.guid != guid:
            found = f"lid 0x{lid:04x} belongs to port GUID 0x{guid:016x}, but in {self.network.name} to"
            raise self.error(line, f"{found} 0x{port.guid:016x} ({port.name}): {self.contents} of another fabric")

    def strange(self, text: str, line: int, wanted: str) -> InputError:
        cut_off = " (cut off?)" if text.startswith("0") else ""
        return self.error(line, f"{brief(text)} is not a line of {wanted}{cut_off}")

    def another(self) -> str:
        """A question where a file names what this fabric does not have."""
        return f"are these {self.contents} of another fabric, or of another time?"

    def put(self, key: str, value: int, line: int) -> None:
        assert self.record is not None
        if key in self.record:
            raise self.error(line, f"a second {key} in the record of line {self.record_line}")
        self.record[key] = value

    def fields(self, *keys: str) -> list[int]:
        """Those fields of the record; raises InputError unless it has them."""
        assert self.record is not None
        lacking = [key for key in keys if key not in self.record]
        if lacking:
            missing = " and no ".join(lacking)
            raise self.error(self.record_line, f"the record that begins here has no {missing} (cut off?)")
        return [self.record[key] for key in keys]


def columns(data: Bytes, starts: Int64, ends: Int64, form: str) -> tuple[Bools, Int64, Int64]:
    """Which lines begin like ``form``, and their first hexadecimal and first decimal number; line k is
    data[starts[k]:ends[k]].

    In ``form`` H and D are digits; a d behind them is one more digit, a blank, or beyond the line; all else is itself.
    """
    usual, is_digit = (np.ones(len(starts), dtype=bool) for _ in range(2))
    first, value = (np.zeros(len(starts), dtype=np.int64) for _ in range(2))
    begin, end = re.search("D+d*", form).span()  # type: ignore[union-attr]  # all have one
    for k, wanted in enumerate(form):
        byte = data[np.minimum(starts + k, len(data) - 1)]
        digit = byte - np.uint8(ord("0"))  # what is below 0 becomes a number above 9
        if wanted == "H":
            hexadecimal = _DIGIT[byte]
            usual &= hexadecimal < 16
            first <<= 4
            first += hexadecimal
        elif wanted == "D":
            is_digit = digit < 10
            usual &= is_digit
            if begin <= k < end:
                value *= 10
                value += digit
        elif wanted == "d":
            inside = starts + k < ends
            is_digit = is_digit & (digit < 10) & inside
            usual &= is_digit | (byte == ord(" ")) | ~inside
            if begin <= k < end:
                value = np.where(is_digit, 10 * value + digit, value)
        else:
            usual &= byte == ord(wanted)
    return usual, first, value


def line_chunks(path: FilePath, *, wanted: str) -> Iterator[Bytes]:
    """Pieces of whole lines, uint8, each ending in a newline; CR LF and CR end lines as LF does, and a byte order mark
    is skipped. ``wanted`` is as in ``read_bytes``."""
    for k, piece in enumerate(_pieces(path, wanted)):
        data = np.frombuffer(piece.removeprefix(b"\xef\xbb\xbf") if k == 0 else piece, dtype=np.uint8)
        yield _unix(data)


def _unix(data: Bytes) -> Bytes:
    if not (data == 13).any():
        return data
    data = data.copy()
    back = np.flatnonzero(data == 13)
    pair = data[np.minimum(back + 1, len(data) - 1)] == 10
    data[back] = np.where(pair, 32, 10)
    return data


def _pieces(path: FilePath, wanted: str) -> Iterator[bytes]:
    try:
        regular = stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        regular = False
    if not regular:
        yield read_bytes(path, limit=_STREAM_LIMIT, wanted=wanted) + b"\n"
        return
    if os.path.getsize(path) > _LIMIT:
        read_bytes(path, limit=_LIMIT, wanted=wanted)  # says that it is too large
    try:
        with open(path, "rb") as file:
            rest = b""
            while piece := file.read(_CHUNK):
                whole, newline, end = piece.rpartition(b"\n")
                if newline:
                    yield rest + whole + newline
                    rest = end
                elif len(rest := rest + piece) > 4 * _CHUNK:
                    raise InputError(f"file {shown(path)} has a line of more than {_CHUNK} bytes: no dump")
            if rest:
                yield rest + b"\n"
    except OSError as error:
        raise InputError(f"cannot read {shown(path)}: {(error.strerror or 'error').lower()}") from None
