"""Traffic matrices as tables: CSV, JSON, and arrays of numpy."""

from __future__ import annotations

import csv
import io
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction
from ..format import File
from ..text_files import brief
from .matrices import MatrixFormat, Rates, alone, between_terminals
from .terminal_names import TerminalNames


def _csv(file: File, network: Network) -> Rates:
    """Three columns (source, destination, rate), with a heading or without; a table with names of nodes on both sides;
    or a square of numbers, in the order of the terminals."""
    entries: list[tuple[str, object, object, object]] = []
    sample = file.text[:4096]
    separator = max(",;\t", key=sample.count)
    rows = [x for x in csv.reader(io.StringIO(file.text), delimiter=separator) if any(cell.strip() for cell in x)]
    head = [x.strip() for x in rows[0]] if rows else []
    is_table = not is_number(head[0] if head else "") and sorted(head[1:]) == sorted(row[0].strip() for row in rows[1:])
    if rows and not is_table and all(is_number(x) for row in rows for x in row):
        if len(head) == len(rows) == network.num_terminals and len(head) != 3:
            every = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row)]
            entries = [(f"{file.what}, row {i + 1}", str(i), str(j), x.strip()) for i, j, x in every]
            return between_terminals(entries, network)
        if len(head) == len(rows) == network.num_terminals == 3:
            raise InputError(
                f"{file.what} holds three rows of three numbers: a matrix, or three demands? Give it a heading such as "
                f"source,destination,rate"
            )
    if rows and not is_table and len(head) != 3:
        raise InputError(
            f"{file.what} has {len(head)} columns; source, destination and rate were expected, or a table with the "
            f"same names on both sides"
        )
    names = TerminalNames(network)
    has_heading = is_table or not (rows and all(x.isdecimal() or names.has(x) for x in head[:2]))
    for number, row in enumerate(rows[has_heading:], 1 + has_heading):
        place = f"{file.what}, row {number}"
        if len(row) != len(head):
            raise InputError(f"{place} has {len(row)} cells; {len(head)} were expected, as in the first row")
        cells = [x.strip() for x in row]
        if is_table:
            entries += [(place, cells[0], name, x or "0") for name, x in zip(head[1:], cells[1:], strict=True)]
        else:
            entries.append((place, cells[0], cells[1], cells[2]))
    return between_terminals(entries, network)


def is_number(text: str) -> bool:
    try:
        parse_fraction(text.strip(), what="it")
    except InputError:
        return False
    return True


def _numpy(file: File, network: Network) -> list[Rates]:
    """A square array of numbers in the order of the terminals, or several of them, shape (K, T, T); floats are the
    exact binary numbers that they are."""
    import numpy as np

    try:
        array = np.load(file.path, allow_pickle=False)
    except (OSError, ValueError, EOFError, MemoryError) as error:
        raise InputError(f"{file.what} is not an array that can be read: {brief(str(error), limit=120)}") from None
    size = network.num_terminals
    if not isinstance(array, np.ndarray):
        raise InputError(f"{file.what} holds several arrays by name; one array was expected, as numpy.save writes it")
    if array.shape[-2:] != (size, size) or array.ndim not in (2, 3) or array.dtype.kind not in "iuf":
        raise InputError(f"{file.what} holds {array.dtype} of shape {array.shape}; numbers ({size}, {size}) expected")
    found = []
    for k, one in enumerate(array.reshape(-1, size, size)):
        at = "" if array.ndim == 2 else f"{k}, "
        entries = ((f"{file.what}, entry [{at}{i}, {j}]", i, j, x) for i, row in enumerate(one.tolist())
                   for j, x in enumerate(row) if x)  # fmt: skip
        found.append(between_terminals(entries, network))
    return found


def _json(file: File, network: Network) -> list[Rates]:
    """``{source: {destination: rate}}``, or N rows of N rates in the order of the terminals; or a list of these."""
    value = file.value
    several = isinstance(value, list) and bool(value) and all(_is_matrix(x) for x in value)
    if not several:
        return [_json_matrix(value, file.what, network)]
    return [_json_matrix(x, f"{file.what}: matrix {k}", network) for k, x in enumerate(value)]


def _is_matrix(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(x, list) for x in value))


def _json_matrix(value: Any, what: str, network: Network) -> Rates:
    entries, size = list[tuple[str, object, object, object]](), network.num_terminals
    if not isinstance(value, (dict, list)) or (isinstance(value, list) and len(value) != size):
        found = f"has {len(value)} rows" if isinstance(value, list) else f"is {brief(value)}"
        raise InputError(f"{what} {found}; {size} rows of {size} rates were expected")
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for source, row in rows:
        if not isinstance(row, type(value)) or (isinstance(row, list) and len(row) != size):
            wanted = f"{size} rates" if isinstance(value, list) else "rates by destination"
            raise InputError(f"{what}: row {brief(source)} is {brief(row)}; {wanted} were expected")
        ends = row.items() if isinstance(row, dict) else enumerate(row)
        entries += [(f"{what}: from {source} to {end}", source, end, x) for end, x in ends]
    return between_terminals(entries, network)


TABLE = MatrixFormat("table", "a table with names", (".csv", ".tsv"), None, alone(_csv))
NUMPY = MatrixFormat("numpy", "a numpy array", (".npy",), lambda file: "NUMPY" in file.start[:8], _numpy)
JSON = MatrixFormat("json", "JSON", (".json",), lambda file: file.is_json, _json)
