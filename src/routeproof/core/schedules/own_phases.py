"""Phases of a user's own: who sends which pieces to whom, and whether every rank ends with what the operation asks for.

Every rank's unit is ``chunks`` pieces; piece p of n ranks' is number p % chunks of rank p // chunks.  In an all-to-all
every rank has n of these units, a smaller one for each rank, and piece p belongs to the ranks i, j with p // chunks =
i n + j.  A broadcast is of rank 0's unit.

A rank has of each piece nothing, what some rank contributed (its data), or a sum over ranks.  It sends what it had
before the phase.  What arrives is added where nobody's contribution is in both, and takes the place of what is there
where it holds all of that; else it is refused.  All-gather, broadcast and all-to-all have one contribution a piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import InputError, check_choice
from .phases import Phase

OWN = "own"
"""How claims call the algorithm of a report that holds the phases."""
OPERATIONS = ("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast")
_MOST_PIECES = 1 << 22

State = list[dict[int, frozenset[int]]]


@dataclass(frozen=True)
class Message:
    """``source`` sends ``pieces`` to ``destination``."""

    source: int
    destination: int
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class OwnPhases:
    """Phases of ``num_ranks`` ranks, each a sequence of messages; ``chunks``: pieces of a unit."""

    operation: str
    num_ranks: int
    chunks: int
    phases: tuple[tuple[Message, ...], ...]

    @property
    def num_pieces(self) -> int:
        units = {"all-to-all": self.num_ranks**2, "broadcast": 1}.get(self.operation, self.num_ranks)
        return units * self.chunks

    def loads(self) -> Iterator[Phase]:
        """The same as phases of messages of one piece each."""
        piece = Fraction(1, self.chunks * (self.num_ranks if self.operation == "all-to-all" else 1))
        for some in self.phases:
            count = [len(x.pieces) for x in some]
            source = np.repeat([x.source for x in some], count)
            yield Phase(source, np.repeat([x.destination for x in some], count), piece)

    def check(self) -> None:
        """Run all phases; raises InputError, naming phase and rank, for messages that make no sense and pieces that a
        rank sends and does not have, or lacks in the end."""
        self._check_sizes()
        state = self._start()
        for k, some in enumerate(self.phases):
            before = [dict(x) for x in state]
            for message in some:
                for p in message.pieces:
                    self._receive(state, before, f"phase {k}", message, p)
        for r in range(self.num_ranks):
            for p, wanted in self._wanted(r):
                found = state[r].get(p, frozenset())
                if found != wanted:
                    raise InputError(f"after the last phase rank {r} {self._lacks(p, found, wanted)}")

    def _check_sizes(self) -> None:
        check_choice("the operation of the phases", self.operation, OPERATIONS)
        if self.num_ranks < 2 or self.chunks < 1 or not self.phases:
            raise InputError(
                f"the phases are {len(self.phases)}, of {self.num_ranks} ranks, with {self.chunks} chunks; at least "
                f"one phase, two ranks and one chunk were expected"
            )
        held = self.num_pieces * self.num_ranks
        sent = sum(len(x.pieces) for some in self.phases for x in some)
        if max(held, sent) > _MOST_PIECES:
            raise InputError(f"the phases move {max(held, sent):,} pieces; at most {_MOST_PIECES:,} are supported")
        for k, some in enumerate(self.phases):
            if not some:
                raise InputError(f"phase {k} has no messages; one at least was expected")
            for x in some:
                self._check_message(f"phase {k}", x)

    def _check_message(self, where: str, x: Message) -> None:
        for r in (x.source, x.destination):
            if not 0 <= r < self.num_ranks:
                raise InputError(f"{where}: a message names rank {r}; ranks are 0 to {self.num_ranks - 1}")
        if x.source == x.destination:
            raise InputError(f"{where}: rank {x.source} sends to itself")
        wrong = next((p for p in x.pieces if not 0 <= p < self.num_pieces), None)
        if wrong is not None or not x.pieces:
            found = "no piece" if wrong is None else f"piece {wrong}"
            raise InputError(f"{where}: rank {x.source} sends {found}; pieces are 0 to {self.num_pieces - 1}")
        twice = next((p for p, count in Counter(x.pieces).items() if count > 1), None)
        if twice is not None:
            raise InputError(f"{where}: rank {x.source} sends piece {twice} twice to rank {x.destination}")

    @property
    def _adds(self) -> bool:
        return self.operation in ("reduce-scatter", "all-reduce")

    def _start(self) -> State:
        state: State = []
        for r in range(self.num_ranks):
            own = range(self.num_pieces) if self._adds else [p for p in range(self.num_pieces) if self._first(p) == r]
            state.append(dict.fromkeys(own, frozenset([r])))
        return state

    def _first(self, p: int) -> int:
        """The rank that has a piece in the beginning; nothing is added up."""
        return p // self.chunks // (self.num_ranks if self.operation == "all-to-all" else 1)

    def _wanted(self, r: int) -> Iterator[tuple[int, frozenset[int]]]:
        everyone = frozenset(range(self.num_ranks))
        for p in range(self.num_pieces):
            unit = p // self.chunks
            if self._adds and (self.operation == "all-reduce" or unit == r):
                yield p, everyone
            elif not self._adds and (self.operation != "all-to-all" or unit % self.num_ranks == r):
                yield p, frozenset([self._first(p)])

    def _receive(self, state: State, before: State, where: str, x: Message, p: int) -> None:
        sent = before[x.source].get(p)
        if sent is None:
            raise InputError(f"{where}: rank {x.source} sends piece {p} to rank {x.destination}, and does not have it")
        has = state[x.destination].get(p, frozenset())
        both = sent & has
        if both and not has <= sent:
            raise InputError(
                f"{where}: rank {x.destination} receives piece {p} from rank {x.source}, and the contribution of rank "
                f"{min(both)} would be in it twice"
            )
        state[x.destination][p] = sent | has

    def _lacks(self, p: int, found: frozenset[int], wanted: frozenset[int]) -> str:
        missing = min(wanted - found)
        if not self._adds:
            return f"lacks piece {p}, which rank {missing} had"
        return f"has a sum of piece {p} without the contribution of rank {missing}"
