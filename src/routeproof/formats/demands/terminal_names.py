"""Terminals by number or by name, as files of jobs and pairs write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property

from ...core.errors import InputError
from ...core.network import Network
from ...core.quoted import hint_of_quotes, wildcards
from ..text_files import brief


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
