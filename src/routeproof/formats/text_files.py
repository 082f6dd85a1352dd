"""Reading text files of bounded size, and writing them whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from ..core.errors import InputError
from ..core.rational import parse_fraction
from ..machine.memory import shown_bytes

FilePath = str | os.PathLike[str]

MEGABYTE = 1_000_000
_MAX_BITS = 4096  # of a numerator or denominator in a file: enough for any double, small enough to print
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


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


def beginning_of(names: Sequence[str], most: int) -> str:
    """The first ``most`` of them in words, with dots where there are more."""
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")


def parse_number(value: object, *, what: str) -> Fraction:
    """``core.rational.parse_fraction`` for numbers from files: refuses those of thousands of digits."""
    number = parse_fraction(value, what=what)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MAX_BITS:
        raise InputError(f"{what} is out of range: it has more than {_MAX_BITS} bits")
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
