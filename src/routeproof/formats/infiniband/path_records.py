"""Path records that say which lid of a host each other host sends to, as ``saquery -p`` prints them: ``PathRecord
dump:`` and the fields ``slid``, ``dlid`` and ``sl`` of each pair, from the source's first lid."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ..text_files import FilePath, shown, write_text_atomic
from .fabric import FabricNetwork
from .service_levels import read_path_levels


def read_lids(path: FilePath, network: FabricNetwork) -> Int64:
    """int64 (T, T): which of its lids each host at another switch is sent to; 0 at the same switch.

    Raises InputError as ``read_path_levels`` does, and for a pair with no record or with several.
    """
    level = read_path_levels(path, network, allow_missing=True).level
    own = np.array([1 << host.lmc for host in network.hosts])
    used = (level > 0) & (np.arange(len(level))[:, None, None] < own)
    apart = network.source[:, None] != network.sink[None, :]
    wrong = np.argwhere(apart & (used.sum(axis=0) != 1))
    if len(wrong):
        i, j = (int(x) for x in wrong[0])
        lids = [str(network.hosts[j].lid + k) for k in np.flatnonzero(used[:, i, j]).tolist()]
        found = f"records to the lids {', '.join(lids)}" if lids else "no record"
        raise InputError(
            f"file {shown(path)}: from {network.hosts[i].name} to {network.hosts[j].name} it has {found}; one lid for "
            f"each pair was expected, where sources are pinned"
        )
    return np.asarray(np.where(apart, used.argmax(axis=0), 0), dtype=np.int64)


def write_lids(network: FabricNetwork, lid: Int64, path: FilePath) -> None:
    """Records of all pairs of hosts at different switches, on service level 0; ``lid``: int64 (T, T)."""
    lines = ["# which lid each source uses; tables of switches for these lids are in the .lft file\n"]
    for i, source in enumerate(network.hosts):
        for j, end in enumerate(network.hosts):
            if source.switch != end.switch:
                fields = (("slid", source.lid), ("dlid", end.lid + int(lid[i, j])), ("sl", 0))
                lines.append("PathRecord dump:\n" + "".join(f"{key:.<24}{x}\n" for key, x in fields))
    write_text_atomic(path, "".join(lines))
