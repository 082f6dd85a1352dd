"""One or several permutations of terminals, perhaps with holes, from a file or by the name of a pattern.

A JSON list ``[2, 0, 1]`` is one permutation, ``[[2, 0, 1], [0, 1, 2]]`` are several; ``null`` or -1 stands for a
terminal that sends nothing.  Text with numbers separated by white space or commas is one permutation.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ...topologies.patterns import PERMUTATION_PATTERNS, is_pattern, traffic_pattern
from ..resolve import no_such
from ..text_files import FilePath, brief, read_text, shown
from .json_text import parse_json

__all__ = ["read_permutations", "resolve_permutations"]

Int32 = npt.NDArray[np.int32]
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")  # int() would read 1_0 and the digits of other scripts, too


def resolve_permutations(texts: Sequence[str], size: int) -> Int32:
    """The permutations of ``size`` terminals that ``texts`` name (patterns or files), int32, shape (P, size), -1: none.

    Raises InputError for ``uniform`` (which is no permutation), and as ``read_permutations``.
    """
    parts = []
    for text in texts:
        if is_pattern(text) and not os.path.isfile(text):
            placeholder = Network.of(f"{size} terminals", size, [])
            permutation = traffic_pattern(text, placeholder).permutation
            if permutation is None:
                raise InputError(
                    f"traffic {text.strip()[:60]} is no permutation; one such as bit-reversal was expected"
                )
            parts.append(permutation.image[None, :])
        elif not os.path.exists(text):
            raise InputError(no_such(text, "permutation", "a known pattern", PERMUTATION_PATTERNS))
        else:
            parts.append(read_permutations(text, size))
    if not parts:
        raise InputError("no permutation is given; a pattern such as bit-reversal or a file was expected")
    return np.concatenate(parts)


def read_permutations(path: FilePath, size: int, *, many_one: bool = False) -> Int32:
    """The permutations in a file, int32, shape (P, size); -1 where a terminal sends nothing.

    Raises InputError unless every list has ``size`` entries and, unless ``many_one``, names every destination at most
    once.
    """
    wanted = f"a list with permutations of {size} terminals"
    text = read_text(path, limit=64_000_000 + 16 * size, wanted=wanted)
    what = f"file {shown(path)}"
    if text.lstrip()[:1] in ("[", "{", '"'):
        value = parse_json(text, what=what)
        if not isinstance(value, list):
            raise InputError(f"{what} holds {brief(value)}; {wanted} was expected")
    else:
        value = [
            _number(word) for line in text.splitlines() for word in line.partition("#")[0].replace(",", " ").split()
        ]
    several = bool(value) and all(isinstance(x, list) for x in value)
    lists = value if several else [value]
    result = np.full((len(lists), size), -1, dtype=np.int32)
    for p, entries in enumerate(lists):
        place = f"{what}: permutation {p}" if several else what
        if len(entries) != size:
            raise InputError(f"{place} holds {len(entries)} entries; a permutation of {size} terminals was expected")
        sender: dict[int, int] = {}
        for i, entry in enumerate(entries):
            if entry is None or (type(entry) is int and entry == -1):
                continue
            if type(entry) is not int or not 0 <= entry < size:
                raise InputError(
                    f"{place}: entry {i} is {brief(entry)}; a terminal from 0 to {size - 1} was expected "
                    "(null: sends nothing)"
                )
            if entry in sender and not many_one:
                raise InputError(f"{place} is no permutation: {sender[entry]} and {i} both go to {entry}")
            sender[entry] = i
            result[p, i] = entry
    return result


def _number(word: str) -> int | str:
    return int(word) if _INTEGER.fullmatch(word) else word
