"""Reading text files of bounded size, and writing them whole or not at all; lines, rows and tokens with the numbers of
lines: the one place that says how an error names a line."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from ..core.errors import InputError
from ..core.rational import parse_fraction
from ..machine.memory import shown_bytes

FilePath = str | os.PathLike[str]

MEGABYTE = 1_000_000
_MAX_BITS = 4096  # of a numerator or denominator in a file: enough for any double, small enough to print
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


_LIKE_A_FILE = re.compile(r"[/\\]|[^.]\.[A-Za-z]\w*$")


def is_like_a_file(text: str) -> bool:
    """Does ``text`` look like the name of a file: has it an ending, or a folder before it?"""
    return _LIKE_A_FILE.search(text) is not None


def shown(path: FilePath) -> str:
    """The path as it can stand in a one-line message; of a very long one, how it begins and how it ends."""
    text = os.fspath(path)
    if len(text) > 200:
        text = f"{text[:90]}...{text[-107:]}"
    return repr(text) if not text or CONTROL.search(text) else text


def stem(path: FilePath) -> str:
    """The file's name without directory and extension, fit to name what is in it."""
    return CONTROL.sub("?", Path(path).stem)


def brief(value: object, *, limit: int = 60) -> str:
    """What was found, on one line of at most ``limit`` characters."""
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list):
        text = f"[{', '.join(brief(x, limit=20) for x in value[:3])}{', ...' if len(value) > 3 else ''}]"
    elif isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"an integer of {value.bit_length()} bits"
    elif isinstance(value, Fraction):
        long = max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS
        return "a very long fraction" if long else str(value)
    else:
        text = repr(value[: limit + 1]) if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[: limit - 4]} ..."


def unexpected(what: str, found: object, wanted: str) -> InputError:
    """The error that says ``what`` is ``found``, and what was expected instead."""
    return InputError(f"{what} is {brief(found)}; {wanted} was expected")


def first_of(names: Sequence[str], most: int) -> str:
    """The first ``most`` of them in words, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def parse_number(value: object, *, what: str) -> Fraction:
    """``core.rational.parse_fraction`` for numbers from files: refuses those of thousands of digits."""
    number = parse_fraction(value, what=what)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MAX_BITS:
        raise InputError(f"{what} is out of range: it has more than {_MAX_BITS} bits")
    return number


def positive_number(value: object, *, what: str) -> Fraction:
    number = parse_number(value, what=what)
    if number <= 0:
        raise unexpected(what, number, "a positive number")
    return number


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error).splitlines()[0] if str(error) else type(error).__name__


_KINDS = (
    (stat.S_ISFIFO, "a FIFO (named pipe)"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a directory"),
)
_PACKED = (  # how such files begin, what they are called, and what unpacks them
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"PK\x03\x04", "zip", "unzip"),
)
_LOOKED_AT = 16  # bytes of a file
_OPEN_FILES = ("/dev/fd/", "/proc/self/fd/")


def check_readable(path: FilePath) -> None:
    """Raise InputError where reading ``path`` might never end: for all but regular files and what is open already,
    as standard input and what a shell puts in place of ``<(...)`` are.  Nothing is opened; a missing file is let pass.
    """
    try:
        mode = os.stat(path).st_mode
        where = os.path.abspath(os.fspath(path))
    except (OSError, ValueError):
        return
    if stat.S_ISREG(mode) or (not stat.S_ISDIR(mode) and (where == "/dev/stdin" or where.startswith(_OPEN_FILES))):
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "no regular file")
    raise InputError(f"{shown(path)} is {kind}; a regular file was expected, or /dev/stdin for standard input")


def fault_of_bytes(start: bytes) -> str:
    """Why a file that begins so is no text in UTF-8, with what to do about it; "" where nothing says so."""
    for magic, name, command in _PACKED:
        if start.startswith(magic):
            return f"is packed ({name}): unpack it with {command}, or move it away"
    halves = (start[:_LOOKED_AT:2], start[1:_LOOKED_AT:2])  # one of them is 0 in UTF-16, where letters are English
    wide = len(start) > 1 and any(not any(x) and all(y) for x, y in (halves, halves[::-1]))
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or wide:
        return "is text in UTF-16: convert it with iconv -f UTF-16"
    return ""


def read_bytes(path: FilePath, *, limit: int, wanted: str) -> bytes:
    """The content of a file (``check_readable``) of at most ``limit`` bytes; ``wanted`` ("a permutation of 64
    terminals") says what it should be."""
    check_readable(path)
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            content = file.read(limit + 1) if size <= limit else b""
    except FileNotFoundError:
        raise InputError(f"there is no file {shown(path)}; {wanted} was expected there") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {shown(path)}: {_reason(error)}") from None
    if max(size, len(content)) > limit:
        found = shown_bytes(size) if size > limit else "too long"
        raise InputError(f"file {shown(path)} is {found}; at most {shown_bytes(limit)} are expected for {wanted}")
    return content


def read_text(path: FilePath, *, limit: int, wanted: str) -> str:
    """The file's text, which must be UTF-8 (a byte order mark is skipped); see ``read_bytes``."""
    content = read_bytes(path, limit=limit, wanted=wanted)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if fault := fault_of_bytes(content[:_LOOKED_AT]):
            raise InputError(f"file {shown(path)} {fault}; {wanted} as text in UTF-8 was expected") from None
        raise InputError(
            f"file {shown(path)} is not text in UTF-8: byte {error.start} is 0x{content[error.start]:02x}; "
            f"{wanted} was expected (of Latin-1, iconv -f LATIN1 -t UTF-8 makes it)"
        ) from None


def is_stream(path: FilePath) -> bool:
    """Is there a device or a pipe at ``path``?  (``/dev/stdout`` may be one, though its real path leads nowhere.)"""
    with contextlib.suppress(OSError, ValueError):
        return not stat.S_ISREG(mode := os.stat(path).st_mode) and not stat.S_ISDIR(mode)
    return False


def write_text_atomic(path: FilePath, text: str) -> None:
    """Write ``text`` (UTF-8) so that the file is either all there or as it was before: to a temporary file in the same
    directory, which then takes the name. Devices and pipes are written directly."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"cannot write {shown(path)}: the text holds an unpaired surrogate character") from None
    write_bytes_atomic(path, content)


def write_bytes_atomic(path: FilePath, content: bytes) -> None:
    """``write_text_atomic`` for bytes."""
    temporary: Path | None = None
    try:
        if is_stream(path):
            Path(path).write_bytes(content)
            return
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise InputError(f"cannot write {shown(path)}: it is a directory; a file name was expected")
        if not target.parent.is_dir():
            raise InputError(f"cannot write {shown(path)}: there is no directory {shown(target.parent)}")
        temporary = target.with_name(f".routeproof-{secrets.token_hex(8)}.tmp")
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot write {shown(path)}: {_reason(error)}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


class Line(NamedTuple):
    """``text``: what stands in the line, without its comment; ``place`` names it in errors: ``file a.topo, line 7``."""

    number: int
    text: str
    place: str

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def error(self, message: str) -> InputError:
        return InputError(f"{self.place}: {message}")


def numbered_lines(
    text: str, what: str, *, comment: str = "", comment_lines: str = "", indented: bool = False
) -> Iterator[Line]:
    """The lines of ``text``, which ``what`` names, in which something stands; lines are numbered from 1.

    ``comment``: what begins a comment, up to the end of its line; ``comment_lines``: with what lines begin that are
    comments as a whole. Blanks around a line are taken off, unless they mean something (``indented``).
    """
    for number, line in enumerate(text.splitlines(), 1):
        told = line.partition(comment)[0] if comment else line
        bare = told.strip()
        if bare and not (comment_lines and bare.startswith(comment_lines)):
            yield Line(number, told if indented else bare, f"{what}, line {number}")


def csv_rows(text: str, what: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table, with their places, without blanks around cells; all are as long as the first one, which has
    the names of columns.  Empty rows and those that begin with # are left out."""
    reader, width = csv.reader(io.StringIO(text), skipinitialspace=True, strict=True), 0
    try:
        for row in reader:
            place, cells = f"{what}, line {reader.line_num}", [x.strip() for x in row]
            if any(cells) and not cells[0].startswith("#"):
                width = width or len(cells)
                if len(cells) != width:
                    raise InputError(f"{place} has {len(cells)} columns; {width} were expected, as in the first line")
                yield place, cells
    except csv.Error as error:
        raise InputError(f"{what}, line {reader.line_num}: {error}; is the file whole?") from None


def whole_number(text: object, what: str, wanted: str, *, least: int = 0, most: int = 999_999_999) -> int:
    """A number of digits alone; raises InputError, beginning with ``what``, where ``wanted`` is not what was found."""
    if not (isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) <= 9):
        raise unexpected(what, text, wanted)
    if not least <= int(text) <= most:
        raise unexpected(what, text, wanted)
    return int(text)


class Token(NamedTuple):
    """``kind``: the group of the form that it is; ``line``: in which line it begins."""

    kind: str
    text: str
    line: int


class Cursor:
    """The parts of a text that ``form`` has groups for, but for those of the group ``space``; ``now`` is the one that
    comes next, at the end one of the kind ``end``.  ``unknown``: what an error says behind what is none."""

    def __init__(self, text: str, what: str, form: re.Pattern[str], *, unknown: str = "is not understood") -> None:
        self.what, self._tokens = what, self._read(text, form, unknown)
        self.now = next(self._tokens)

    def _read(self, text: str, form: re.Pattern[str], unknown: str) -> Iterator[Token]:
        at, line = 0, 1
        while at < len(text):
            found = form.match(text, at)
            if found is None:
                raise InputError(f"{self.what}, line {line}: {brief(text[at : at + 20])} {unknown}")
            if found.lastgroup != "space":
                yield Token(str(found.lastgroup), found[0], line)
            line += found[0].count("\n")
            at = found.end()
        while True:
            yield Token("end", "", line)

    def __iter__(self) -> Iterator[Token]:
        while self.now.kind != "end":
            yield self.take()

    def take(self) -> Token:
        token, self.now = self.now, next(self._tokens)
        return token

    def at(self, *marks: str) -> bool:
        return self.now.kind == "mark" and self.now.text in marks

    def skip(self, *marks: str) -> bool:
        """Take one of these marks, where it comes next."""
        found = self.at(*marks)
        if found:
            self.take()
        return found

    def fail(self, why: str) -> InputError:
        return InputError(f"{self.what}, line {self.now.line}: {why}")

    def error(self, wanted: str) -> InputError:
        found = "the end of the file" if self.now.kind == "end" else brief(self.now.text)
        return self.fail(f"{found} where {wanted} was expected")
