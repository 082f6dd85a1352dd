"""A folder with the dumps of one fabric (of OpenSM, of ibdiagnet, or by hand) as one argument."""

from __future__ import annotations

from ..format import Format, NetworkFormat
from .archive import infiniband_dumps, read_archive

ARCHIVE: NetworkFormat = Format(
    "infiniband-directory",
    "a directory with the dumps of an InfiniBand fabric",
    directory=infiniband_dumps,
    read=read_archive,
    options=("bandwidth", "hosts"),
)
