"""A proof as it grows: claims go to a file at once; what they share is kept, and written at the end."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import IO, Any

from ...core.claim import Claim
from ...core.errors import InputError
from ...formats.text_files import is_stream
from ...machine.memory import check_memory, shown_bytes

MOST_BYTES = 1 << 30  # that a checker reads
_AS_NUMBER = (1 << 53) - 1
_MOST_DIGITS = 4000
_READING = 12  # bytes of memory that a checker takes for a byte of the file
_most: ContextVar[int | None] = ContextVar("most bytes of a proof", default=None)


class NotElaborated(Exception):  # noqa: N818  # no error: a claim that is listed with this reason
    """Why a claim is not in the proof."""


def each_way(claim: Claim, elaborate: Callable[[str], None]) -> None:
    """``elaborate`` what a claim says: at most (<=), at least (>=), or both.

    Raises NotElaborated at the end where one of them is not possible; the reason says that the other one is.
    """
    reasons = {}
    ways = (">=", "<=") if claim.relation == "==" else (claim.relation,)
    for relation in ways:
        try:
            elaborate(relation)
        except NotElaborated as reason:
            reasons[relation] = str(reason)
    if len(reasons) == 1 and len(ways) == 2:
        (relation,) = reasons
        other = "at least" if relation == "<=" else "at most"
        raise NotElaborated(f"that it is {other} so much is in the proof; {reasons[relation]}")
    for text in reasons.values():
        raise NotElaborated(text)


def number(n: int) -> int | str:
    """A whole number as the format writes it; raises NotElaborated for one that is too long."""
    if -_AS_NUMBER <= n <= _AS_NUMBER:
        return int(n)
    if abs(n).bit_length() > 3.32 * _MOST_DIGITS:
        raise NotElaborated(f"a number of it has more than {_MOST_DIGITS:,} digits")
    return str(n)


def numbers(values: Iterable[int]) -> list[int | str]:
    return [number(x) for x in values]


def fraction(value: Fraction) -> list[int | str]:
    return [number(value.numerator), number(value.denominator)]


def expect_bytes(count: int, what: str) -> None:
    """Raise InputError where a proof of about so many bytes is one that no checker can read, here or at all."""
    most = _most.get() or MOST_BYTES
    if count > most:
        reader = "checkers read" if most == MOST_BYTES else "here there is room for"
        raise InputError(
            f"the proof of {what} would take about {shown_bytes(count)}; {reader} at most {shown_bytes(most)}"
        )
    check_memory(count * _READING, f"checking the proof of {what}")


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Inside, proofs of more bytes are refused as those are that no checker can read."""
    token = _most.set(count)
    try:
        yield
    finally:
        _most.reset(token)


class Proof:
    """Claims, the routings and sets that they are about, and the claims that are left out.

    ``spool`` takes the claims, one a line; ``write`` puts the whole together.
    """

    def __init__(self, spool: IO[str]) -> None:
        self.spool = spool
        self.network: Mapping[str, Any] | None = None
        self.graph: Mapping[str, Any] | None = None
        self.schedule: Mapping[str, Any] | None = None
        self.routings: list[tuple[Mapping[str, Any], str, Iterable[list[Any]]]] = []
        self.sets: list[str] = []
        self.kinds: list[str] = []
        self.by_symmetry = False
        self.values: dict[int, Fraction] = {}
        self.left_out: list[tuple[str, str]] = []
        self.sha256 = ""
        """Of the whole file, once it is written."""

    def claim(self, kind: str, **fields: Any) -> int:
        """Add a claim; returns its position."""
        text = json.dumps({"kind": kind, **fields}, separators=(",", ":"))
        self._check_room(self.spool.tell() + len(text))
        self.spool.write((",\n" if self.kinds else "") + text)
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def set_of(self, data: Mapping[str, Any]) -> int:
        """The position of a set of demands; equal ones are written once."""
        text = json.dumps(data, separators=(",", ":"))
        if text not in self.sets:
            self.sets.append(text)
        return self.sets.index(text)

    def routing(self, head: Mapping[str, Any], key: str, pairs: Iterable[list[Any]]) -> int:
        """Add a routing: all but its ``key`` (loads or paths), and what to write under it, pair by pair."""
        self.by_symmetry = self.by_symmetry or bool(head.get("symmetry"))
        self.routings.append((head, key, pairs))
        return len(self.routings) - 1

    @property
    def version(self) -> int:
        """3 of a schedule; 4 of numbers alone; 2 where a routing is written by a symmetry."""
        if self.schedule is not None:
            return 3
        return 4 if self.network is None and self.graph is None else 2 if self.by_symmetry else 1

    def parts(self) -> Iterator[str]:
        """The text of the whole file, piece by piece."""
        yield f'{{"format":"routeproof/proof","version":{self.version},\n"network":'
        yield json.dumps(self.network, separators=(",", ":"))
        yield ',\n"routings":['
        none = {"symmetry": None} if self.version > 1 else {}
        for k, (own, key, pairs) in enumerate(self.routings):
            head = {**none, **own}
            rest = json.dumps({**head, "paths" if key == "loads" else "loads": None}, separators=(",", ":"))
            yield (",\n" if k else "") + rest[:-1] + f',"{key}":['
            for at, pair in enumerate(pairs):
                yield (",\n" if at else "\n") + json.dumps(pair, separators=(",", ":"))
            yield "]}"
        yield '],\n"demands":[' + ",\n".join(self.sets) + '],\n"graph":' + json.dumps(self.graph, separators=(",", ":"))
        if self.schedule is not None:
            yield ',\n"schedule":' + json.dumps(self.schedule, separators=(",", ":"))
        yield ',\n"claims":[\n'
        self.spool.flush()
        self.spool.seek(0)
        while piece := self.spool.read(1 << 20):
            yield piece
        yield '],\n"not_elaborated":' + json.dumps(self.left_out) + "}\n"

    def text(self) -> str:
        """The text of the whole file; raises InputError where it is too long."""
        found, length = [], 0
        for part in self.parts():
            length += len(part)
            self._check_room(length)
            found.append(part)
        return "".join(found)

    def _check_room(self, length: int) -> None:
        most = _most.get() or MOST_BYTES
        if length > most:
            reader = "no checker reads so much" if most == MOST_BYTES else "there is no room for it here"
            raise InputError(f"the proof takes more than {shown_bytes(most)}, and {reader}")

    def _hashed(self, parts: Iterable[str]) -> Iterator[str]:
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part.encode("ascii"))
            yield part
        self.sha256 = digest.hexdigest()

    @property
    def network_sha256(self) -> str | None:
        """Of the network, but for its name: by this it is cited, whoever writes it down; None of a graph."""
        if self.network is None:
            return None
        rest = {key: x for key, x in self.network.items() if key != "name"}
        return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()

    def write(self, path: str, parts: Iterable[str]) -> None:
        """Write the file, of these pieces, whole or not at all; devices and pipes are written directly."""
        parts = self._hashed(parts)
        if path == "-":
            import sys

            sys.stdout.writelines(parts)
            return
        stream = is_stream(path)
        target = path if stream else os.path.realpath(path)
        beside = target if stream else f"{target}.{os.getpid()}.part"
        try:
            with open(beside, "w", encoding="ascii") as file:
                file.writelines(parts)
            if not stream:
                os.replace(beside, target)
        except OSError as error:
            raise InputError(f"file {path} cannot be written: {error.strerror}") from None
        finally:
            if not stream and os.path.exists(beside):
                os.remove(beside)


class Writing:
    """What the elaboration of a report's claims shares; the base class of each room's own."""

    def write(self, elaborate: Callable[..., None], claim: Claim) -> None:
        elaborate(self, claim)
