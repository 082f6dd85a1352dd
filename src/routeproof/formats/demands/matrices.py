"""Files of traffic matrices, and the table of their formats."""

from __future__ import annotations

import os

from ...core.errors import InputError
from ...core.network import Network
from ...core.registry import Registry
from ..format import File, Format, listed, recognised
from ..text_files import FilePath, check_readable, shown
from .matrix import Matrix, MatrixFormat


def read_matrix(path: FilePath, network: Network) -> Matrix:
    """The one matrix in a file; raises InputError as ``read_matrices`` does, and where there are several."""
    found = read_matrices(path, network)
    if len(found) != 1:
        raise InputError(f"{shown(path)} holds {len(found)} matrices; one was expected")
    return next(iter(found.values()))


def read_matrices(path: FilePath, network: Network, *, empty: bool = False) -> dict[str, Matrix]:
    """The matrices in a file, whatever format of ``MATRICES`` it is in, or in all files of a directory, by their names.

    Raises InputError, with the place, for formats, names and numbers that are not known, negative rates, rates of a
    terminal to itself, and matrices without a positive rate (unless ``empty`` allows them).
    """
    if not os.path.isdir(path):
        found = _of_file(path, network)
    else:
        names = sorted(x for x in os.listdir(path) if not x.startswith("."))
        if not names:
            raise InputError(f"the directory {shown(path)} is empty; files of traffic matrices were expected")
        found = {}
        for name in names:
            found.update(_of_file(os.path.join(path, name), network))
    for name, matrix in found.items():
        if not matrix.rates and not empty:
            raise InputError(f"{name} holds no positive rate; a traffic matrix was expected")
    return found


def _of_file(path: FilePath, network: Network) -> dict[str, Matrix]:
    file = File(path, wanted="a traffic matrix")
    check_readable(path)
    entry = recognised(file, MATRICES.own.values())
    if entry is None and not os.path.exists(path):
        raise InputError(f"there is no file {shown(path)}; {file.wanted} was expected there")
    if entry is None or entry.read is None:
        raise InputError(f"{file.what} is in no known format of matrices: {listed(MATRICES.own.values())}")
    found = entry.read(file, network)
    return {file.what if len(found) == 1 else f"matrix {k} of {file.what}": x for k, x in enumerate(found)}


MATRICES: Registry[Format[list[Matrix], Network]] = Registry("matrix format", MatrixFormat, rooms=[str(__package__)])
"""Every format of traffic matrices by its name; an entry stands beside the code that reads it."""
