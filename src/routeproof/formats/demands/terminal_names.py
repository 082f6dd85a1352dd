"""Terminals by number or by name, as files of jobs and pairs write them, and by the host that a batch system names:
``gpu001`` is ``gpu001 mlx5_0`` and ``gpu001 mlx5_1``, as well as ``GPU001.cluster.example HCA-1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property

from ...core.errors import InputError, warn
from ...core.network import Network
from ...core.quoted import hint_of_quotes, wildcards
from ..text_files import brief
from .queues import QueuedJob


class TerminalNames:
    """Whom a word of a file means, on one network.

    A name is a terminal's own label, the first word of such labels (``node07`` for every port of that host), or the
    label of a node, for all terminals there; ``*`` and ``?`` in it stand for any letters.  Digits are a terminal's
    number, unless a label is spelled so.
    """

    def __init__(self, network: Network) -> None:
        self.network = network

    @cached_property
    def _levels(self) -> list[Sequence[str]]:
        """Names of all terminals, those that count most first: their own, the first words of these, their nodes'."""
        network = self.network
        labels = [network.terminal_label(i) for i in range(network.num_terminals)]
        if network.terminal_labels is None:
            labels = []
        nodes = [] if network.labels is None else [network.labels[v] for v in network.source.tolist()]
        firsts = [x.split()[0] if x.split() else x for x in labels]
        return [labels, firsts, nodes]

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for names in reversed(self._levels):
            level: dict[str, list[int]] = {}
            for i, name in enumerate(names):
                level.setdefault(name, []).append(i)
            found.update(level)
        return found

    def _fitting(self, word: object) -> Sequence[int]:
        """The terminals whose names a word with ``*`` or ``?`` fits, by the names that count most."""
        if not isinstance(word, str) or not {"*", "?"} & set(word):
            return ()
        form = wildcards(word)
        each = ([i for i, name in enumerate(names) if form.fullmatch(name)] for names in self._levels)
        return next((x for x in each if x), ())

    def has(self, word: object) -> bool:
        """Is it a name, rather than a number?"""
        return isinstance(word, str) and word in self._by_name

    def check_known(self, words: Iterable[object], *, what: str) -> None:
        """Raise InputError, listing them all, where several words are names that the network does not have."""
        given = {x: None for x in words if isinstance(x, str) and not x.isdecimal()}
        missing = [x for x in given if x not in self._by_name and not self._fitting(x)]
        if len(missing) > 1:
            first = ", ".join(brief(x, limit=30) for x in missing[:6]) + (", ..." if len(missing) > 6 else "")
            close = [(x, self._nearest(x)) for x in missing]
            hint = next((f"for '{x[:30]}', did you mean '{y}'?" for x, y in close if y), self._some())
            raise InputError(
                f"{what}: {self.network.name} has no terminals {first} ({len(missing)} of {len(given)} names); {hint}"
            )

    def find(self, word: object, *, what: str) -> Sequence[int]:
        """The terminals that ``word`` (a text or a whole number) names; raises InputError, beginning with ``what``."""
        if isinstance(word, str) and word in self._by_name:
            return self._by_name[word]
        if fitting := self._fitting(word):
            return fitting
        number = word if isinstance(word, int) and not isinstance(word, bool) else None
        if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 10:
            number = int(word)
        if number is not None:
            if 0 <= number < self.network.num_terminals:
                return [number]
            raise InputError(f"{what}: terminal {number}; terminals are 0 to {self.network.num_terminals - 1}")
        close = self._nearest(word)
        hint = hint_of_quotes(str(word), list(self._by_name))
        hint = hint or (f"did you mean '{close}'?" if close else self._some())
        raise InputError(f"{what}: {self.network.name} has no terminal {brief(word)}; {hint}")

    def _nearest(self, word: object) -> str | None:
        return next(iter(get_close_matches(str(word)[:100], self._by_name, n=1, cutoff=0.5)), None)

    def _some(self) -> str:
        if self._by_name:
            whole = self.network.terminal_labels is not None
            return f"one of them is {brief(self.network.terminal_label(0) if whole else next(iter(self._by_name)))}"
        return f"its terminals are the numbers 0 to {self.network.num_terminals - 1}"


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
            verb = "is" if len(missing) == 1 else "are"
            raise InputError(
                f"{what}: {len(missing)} of {len(place)} hosts of the queue {verb} not in {self.network.name}: "
                f"{listed(missing)}; {self._nearest(missing)}; within:FILE,missing=none leaves such hosts out"
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
