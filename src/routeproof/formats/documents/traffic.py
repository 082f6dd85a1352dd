"""Traffic and permutations from files: rates of all pairs, or where every terminal sends, perhaps several times.

Two spellings each: numbers separated by white space or commas, with comments from ``#`` to the end of the line; or
JSON.  N integers are a permutation, N x N numbers are rates (integers, decimals, or fractions such as 1/4).
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.rational import lcm_within
from ...core.traffic import Permutation, Traffic
from ..format import Facts, Format, NetworkFormat
from ..text_files import (
    FilePath,
    Line,
    brief,
    numbered_lines,
    parse_number,
    read_text,
    shown,
    unexpected,
    write_text_atomic,
)
from .json_text import parse_json
from .report import document_to_claims

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")  # int() would read 1_0 and the digits of other scripts, too
_BASE_LIMIT = 4096  # bytes, for comments
_SCALE_LIMIT = 2**4096  # of the common denominator: more would fill memory, not say more


def read_traffic(path: FilePath, size: int) -> Traffic:
    """The traffic between ``size`` terminals in a file, named like the file: ``size`` integers are a permutation,
    ``size`` x ``size`` numbers, row by row, are rates, of which no row and no column may sum to more than 1."""
    wanted = f"a permutation of {size} terminals or {size} x {size} rates"
    name = shown(path)
    text = read_text(path, limit=_BASE_LIMIT + 64 * size * size, wanted=wanted)
    entries = entries_in(text, what=f"file {name}", wanted=wanted)
    if entries and all(isinstance(row, list) for row in entries):
        if len(entries) != size:
            raise InputError(f"file {name} holds {len(entries)} rows; {wanted} was expected")
        return _matrix(entries, path)
    if len(entries) == size and (size > 1 or entries[0] in (0, "0")):
        return Traffic.of_permutation(permutation_of(entries, what=f"file {name}"), name=name)
    if len(entries) == size * size:
        if not _is_json(text):
            check_lines(lines_of_numbers(text, f"file {name}"), size, size)
        return _matrix([entries[at : at + size] for at in range(0, len(entries), size)], path)
    raise InputError(f"file {name} holds {len(entries)} entries; {wanted} was expected")


def entries_in(text: str, *, what: str, wanted: str) -> list[Any]:
    """The list in a text: words, or what the JSON list holds; raises InputError, naming ``what``, for other JSON."""
    if _is_json(text):
        value = parse_json(text, what=what)
        if not isinstance(value, list):
            raise InputError(f"{what} holds {brief(value)}; a list with {wanted} was expected")
        return value
    return [word for line in lines_of_numbers(text, what) for word in line.words]


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("[", "{", '"')


def lines_of_numbers(text: str, what: str) -> list[Line]:
    """Those in which numbers stand, with blanks between them."""
    lines = (x._replace(text=x.text.replace(",", " ")) for x in numbered_lines(text, what, comment="#"))
    return [x for x in lines if x.words]


def check_lines(lines: list[Line], rows: int, width: int) -> None:
    """Raise InputError where one of ``rows`` lines is without ``width`` numbers: a number stands elsewhere. Fewer or
    more lines are not looked at, for lines may be broken anywhere."""
    wrong = next((x for x in lines if len(x.words) != width), None)
    if wrong is not None and len(lines) == rows:
        raise wrong.error(f"{len(wrong.words)} numbers; {width}, one line for each row, were expected")


def read_permutations(path: FilePath, size: int, *, many_one: bool = False) -> npt.NDArray[np.int32]:
    """The permutations in a file, int32, shape (P, size); -1 where a terminal sends nothing (-1 or ``null`` in the
    file).

    A JSON list ``[2, 0, 1]`` is one permutation, ``[[2, 0, 1], [0, 1, 2]]`` are several. With ``many_one`` a
    destination may come several times.
    """
    wanted, what = f"a list with permutations of {size} terminals", f"file {shown(path)}"
    text = read_text(path, limit=64_000_000 + 16 * size, wanted=wanted)
    entries = entries_in(text, what=what, wanted=wanted)
    if not _is_json(text):
        entries = [int(x) if _INTEGER.fullmatch(x) else x for x in entries]
    several = bool(entries) and all(isinstance(x, list) for x in entries)
    lists = entries if several else [entries]
    result = np.full((len(lists), size), -1, dtype=np.int32)
    for p, destinations in enumerate(lists):
        place = f"{what}: permutation {p}" if several else what
        if len(destinations) != size:
            found = f"{len(destinations)} entries"
            raise InputError(f"{place} holds {found}; a permutation of {size} terminals was expected")
        sender: dict[int, int] = {}
        for i, j in enumerate(destinations):
            if j is None or (type(j) is int and j == -1):
                continue
            if type(j) is not int or not 0 <= j < size:
                terminal = f"a terminal from 0 to {size - 1} was expected (null: sends nothing)"
                raise InputError(f"{place}: entry {i} is {brief(j)}; {terminal}")
            if sender.setdefault(j, i) != i and not many_one:
                raise InputError(f"{place} is not a permutation: {sender[j]} and {i} both go to {j}")
            result[p, i] = j
    return result


def permutation_of(entries: list[Any], *, what: str) -> Permutation:
    """The permutation that the entries are; raises InputError, naming ``what``, where they are none."""
    image = []
    for i, entry in enumerate(entries):
        number = _number(entry, f"{what}: entry {i}")
        if number.denominator != 1 or not 0 <= number < len(entries):
            raise unexpected(f"{what}: entry {i}", number, f"a terminal from 0 to {len(entries) - 1}")
        image.append(int(number))
    try:
        return Permutation(image)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _matrix(rows: list[list[Any]], path: FilePath) -> Traffic:
    known: dict[tuple[type, Any], Fraction] = {}
    rates: list[list[Fraction]] = []
    for i, row in enumerate(rows):
        if len(row) != len(rows):
            raise InputError(f"file {shown(path)}: row {i} has {len(row)} entries; {len(rows)} were expected")
        keys = [(type(x), x if isinstance(x, (str, int, Fraction)) else (i, j)) for j, x in enumerate(row)]
        for j, (key, entry) in enumerate(zip(keys, row, strict=True)):
            if key not in known:
                known[key] = _number(entry, f"file {shown(path)}: rate from {i} to {j}")
        rates.append([known[key] for key in keys])
    if lcm_within({x.denominator for row in rates for x in row}, _SCALE_LIMIT) is None:
        raise InputError(
            f"file {shown(path)}: the rates have no common denominator below 2^4096; write them with fewer digits"
        )
    return Traffic.of_matrix(rates, name=shown(path))


def _number(entry: Any, what: str) -> Fraction:
    if isinstance(entry, (list, dict, bool, type(None))):
        raise unexpected(what, entry, "a number")
    return parse_number(entry, what=what)


def _judge(text: str, what: str, _name: str) -> Facts[object]:
    entries = entries_in(text, what=what, wanted="a permutation")
    if not entries:
        raise InputError(f"{what} holds no numbers; a permutation was expected")
    wrong: str | None = None
    try:
        permutation_of(entries, what=what)
    except InputError as error:
        wrong = str(error)
    return Facts({"valid_permutation": wrong, "num_terminals": len(entries)})


PERMUTATION: NetworkFormat = Format(  # as text it is known by nothing else that its numbers could be
    "permutation", "permutation", sniff=lambda file: file.is_json and isinstance(file.value, list), judge=_judge
)


PERMUTATION_FORMS = (".txt", ".map", ".matrix")


_MOST_MATRIX = 10_000


def witness_of_report(document: Mapping[str, Any], *, what: str) -> tuple[int, Permutation]:
    """(the channel, the permutation) that is the witness of a report's ``worst_case_load``."""
    _, claims = document_to_claims(dict(document), what=what)
    for claim in claims:
        if claim.quantity == "worst_case_load":
            witness = claim.evidence.data.get("witness")
            image = witness.get("permutation") if isinstance(witness, Mapping) else None
            channel = witness.get("channel") if isinstance(witness, Mapping) else None
            if isinstance(image, list) and all(type(x) is int for x in image) and type(channel) is int:
                return channel, Permutation(image)
    raise InputError(f"{what} holds no worst permutation; a report of worst-case (balanced model) was expected")


def write_permutation(permutation: Permutation, path: FilePath) -> None:
    """Write it in the form that the extension names, whole or not at all."""
    extension = os.path.splitext(os.fspath(path))[1].lower()
    image = permutation.image.tolist()
    if extension == ".txt":
        lines = [str(j) for j in image]
    elif extension == ".map":
        lines = [f"{i} {j}" for i, j in enumerate(image)]
    elif extension == ".matrix":
        if len(image) > _MOST_MATRIX:
            raise InputError(f"a matrix of {len(image)} terminals has {len(image) ** 2:,} entries; write .map or .txt")
        lines = [" ".join("1" if j == k else "0" for j in image for k in range(len(image)))]  # one matrix, one line
    else:
        forms = ", ".join(PERMUTATION_FORMS)
        raise InputError(f"file {shown(path)}: a permutation is written as one of {forms}")
    write_text_atomic(path, "\n".join([*lines, ""]))
