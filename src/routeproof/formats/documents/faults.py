"""Faulty switches of a multistage network: a JSON list of ``[level, row]``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ..text_files import FilePath, brief, shown
from .json_text import read_json

__all__ = ["read_switch_faults", "switch_list"]


def read_switch_faults(path: FilePath, wiring: Wiring) -> npt.NDArray[np.bool_]:
    """The faulty switches, bool, shape (levels of switches, N).

    Raises InputError, naming the entry, for anything but a list of ``[level, row]`` of ``wiring``'s switches, each
    once.
    """
    what = f"file {shown(path)}"
    entries = read_json(path, wanted="a list of faulty switches")
    if not isinstance(entries, list):
        raise InputError(f"{what} holds {brief(entries)}; a list of [level, row] was expected")
    levels, rows = wiring.num_edge_levels, wiring.inputs
    faulty = np.zeros((levels + 1, rows), dtype=np.bool_)
    for k, entry in enumerate(entries):
        if not isinstance(entry, list) or len(entry) != 2 or any(type(x) is not int for x in entry):
            raise InputError(f"{what}: entry {k} is {brief(entry)}; [level, row] was expected")
        level, row = entry
        if not 0 <= level <= levels or not 0 <= row < rows:
            raise InputError(
                f"{what}: entry {k} is {brief(entry)}, outside the network; levels are 0 to {levels}, "
                f"rows 0 to {rows - 1}"
            )
        if faulty[level, row]:
            raise InputError(f"{what}: entry {k}, {brief(entry)}, is listed twice; once was expected")
        faulty[level, row] = True
    return faulty


def switch_list(switches: npt.NDArray[np.bool_]) -> list[list[int]]:
    """``[[level, row], ...]`` of the switches that are True."""
    found: list[list[int]] = np.argwhere(switches).tolist()
    return found
