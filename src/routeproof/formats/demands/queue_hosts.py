"""Which terminals a host has that a batch system names: ``gpu001`` is ``gpu001 mlx5_0`` and ``gpu001 mlx5_1``, as well
as ``GPU001.cluster.example HCA-1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property

from ...core.errors import InputError, warn
from ...core.network import Network
from ..text_files import brief
from .queues import QueuedJob

_PORT = re.compile(r"/P\d+$")  # of a host with several cables
_SHOWN = 6


class QueueHosts:
    """The terminals of every host of one network, by the host's name.

    A host's name is the first word of its terminals' labels (of nodes where terminals have none).  Names are compared
    without capitals; the domain counts where both sides state one.
    """

    def __init__(self, network: Network) -> None:
        self.network = network

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        """The names of hosts in small letters, each with its terminals."""
        found: dict[str, list[int]] = {}
        spelled: dict[str, dict[str, None]] = {}
        for i in range(self.network.num_terminals):
            label = self.network.terminal_label(i)
            name = _PORT.sub("", label.split()[0]) if label.split() else label
            found.setdefault(name.lower(), []).append(i)
            spelled.setdefault(name.lower(), {})[name] = None
        unlike = [" and ".join(names) for names in spelled.values() if len(names) > 1]
        if unlike:
            warn(f"{self.network.name}: names that differ in capital letters only are one host: {listed(unlike)}")
        return found

    @cached_property
    def _by_first_part(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._by_name:
            found.setdefault(_first_part(name), []).append(name)
        return found

    def terminals(self, host: str, *, what: str) -> Sequence[int]:
        """Nothing where the network has no such host; raises InputError where it may be one of several."""
        name = host.lower()
        if name in self._by_name:
            return self._by_name[name]
        other = self._by_first_part.get(_first_part(name), [])
        fitting = [x for x in other if "." not in name or "." not in x]
        if len(fitting) > 1:
            raise InputError(f"{what}: {brief(host)} may be {fitting[0]} or {fitting[1]}; name it with its domain")
        return self._by_name[fitting[0]] if fitting else ()

    def check_known(self, jobs: Iterable[QueuedJob], *, what: str) -> None:
        """Raise InputError, in a line that lists them, for hosts that the network does not have."""
        place = {host: job.what for job in jobs for host in job.hosts}
        missing = [x for x, where in place.items() if not self.terminals(x, what=where)]
        if missing:
            raise InputError(
                f"{what}: {listed(missing)} ({len(missing)} of {len(place)} hosts of the queue) are no hosts of "
                f"{self.network.name}; {self._nearest(missing)}; within:FILE,missing=none leaves them out, and jobs in "
                f"lines such as train: n1 n[2-5] name hosts as the fabric does"
            )

    def _nearest(self, missing: Sequence[str]) -> str:
        for host in missing[:_SHOWN]:
            close = get_close_matches(host.lower()[:100], self._by_name, n=1, cutoff=0.6)
            if close:
                return f"for {brief(host)}, did you mean {brief(close[0])}?"
        return f"one of its hosts is {brief(self.network.terminal_label(0))}"


def _first_part(name: str) -> str:
    """A name without its domain; an address as it is."""
    return name if re.fullmatch(r"[\d.:/a-f]*[.:][\d.:/a-f]*", name) else name.partition(".")[0]


def listed(names: Sequence[str]) -> str:
    """The first few of them."""
    return ", ".join(brief(x, limit=30) for x in names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
