"""The algorithms of collectives, executed message by message: every rank ends with what the operation asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.phases import ALGORITHMS, Phase, phases_of
from routeproof.questions.collectives.phased import CollectiveVerb
from routeproof.questions.question import options_of

POWERS = ("recursive-doubling", "recursive-halving", "pairwise")
SIZES = (2, 3, 4, 5, 6, 7, 8, 13, 16)


class Message(NamedTuple):
    phase: int
    source: int
    destination: int
    units: Fraction


def flat(phases: Iterator[Phase]) -> Iterator[list[Message]]:
    """Phases with their repetitions written out."""
    k = 0
    for x in phases:
        for _ in range(x.times):
            pairs = zip(x.source.tolist(), x.destination.tolist(), strict=True)
            yield [Message(k, s, d, x.amount) for s, d in pairs]
            k += 1


Partial = dict[int, frozenset[int]]  # by block, the ranks whose contributions are added up
Pick = Callable[[Message, Partial, int], list[int]]

GATHERS: dict[str, Pick] = {
    "ring": lambda m, held, n: [(m.source - m.phase) % n],
    "recursive-doubling": lambda m, held, n: list(held),
    "bruck": lambda m, held, n: [(m.source + k) % n for k in range(int(m.units))],
    "linear-shift": lambda m, held, n: [m.source],
    "pairwise": lambda m, held, n: [m.source],
}


def kept_by_partner(m: Message, held: Partial, n: int) -> list[int]:
    """The blocks that the sender still answers for, those of the partner's half."""
    bit = m.source ^ m.destination
    return [b for b in held if b & bit == m.destination & bit and not (b ^ m.source) & ~(2 * bit - 1)]


SCATTERS: dict[str, Pick] = {
    "ring": lambda m, held, n: [(m.source - m.phase - 1) % n],
    "recursive-halving": kept_by_partner,
    "linear-shift": lambda m, held, n: [m.destination],
    "pairwise": lambda m, held, n: [m.destination],
}


def run(phases: list[list[Message]], ranks: list[Partial], pick: Pick, *, add: bool) -> None:
    """Every message takes what its sender held when the phase began."""
    n = len(ranks)
    start = phases[0][0].phase
    for messages in phases:
        sent = []
        for m in messages:
            blocks = pick(m._replace(phase=m.phase - start), ranks[m.source], n)
            assert len(blocks) == m.units  # one unit a block
            sent.append((m.destination, {b: ranks[m.source][b] for b in blocks}))
        assert len({(m.source, m.destination) for m in messages}) == len(messages)
        for destination, blocks in sent:
            mine = ranks[destination]
            for b, ranks_in in blocks.items():
                if add:
                    assert not mine[b] & ranks_in  # nothing is added twice
                    mine[b] |= ranks_in
                else:
                    mine[b] = ranks_in


def sizes(algorithm: str) -> list[int]:
    return [n for n in SIZES if algorithm not in POWERS or not n & (n - 1)]


def test_the_command_knows_all_algorithms() -> None:
    text = next(x for x in options_of(CollectiveVerb) if x.name == "algorithm").text
    assert all(x in text for x in ALGORITHMS)


def cases(operation: str) -> list[tuple[str, int]]:
    return [(x, n) for x, does in ALGORITHMS.items() if operation in does for n in sizes(x)]


@pytest.mark.parametrize(("algorithm", "n"), cases("all-gather"))
def test_all_gather(algorithm: str, n: int) -> None:
    ranks: list[Partial] = [{r: frozenset({r})} for r in range(n)]
    run(list(flat(phases_of(algorithm, "all-gather", n))), ranks, GATHERS[algorithm], add=False)
    assert ranks == [{b: frozenset({b}) for b in range(n)}] * n


def contributions(n: int) -> list[Partial]:
    return [{b: frozenset({r}) for b in range(n)} for r in range(n)]


@pytest.mark.parametrize(("algorithm", "n"), cases("reduce-scatter"))
def test_reduce_scatter(algorithm: str, n: int) -> None:
    ranks = contributions(n)
    run(list(flat(phases_of(algorithm, "reduce-scatter", n))), ranks, SCATTERS[algorithm], add=True)
    assert all(ranks[r][r] == frozenset(range(n)) for r in range(n))


@pytest.mark.parametrize(("algorithm", "n"), cases("all-reduce"))
def test_all_reduce(algorithm: str, n: int) -> None:
    ranks = contributions(n)
    phases = list(flat(phases_of(algorithm, "all-reduce", n)))
    everything: Pick = lambda m, held, n: list(range(n))  # noqa: E731
    if algorithm == "recursive-doubling":
        run(phases, ranks, everything, add=True)
    elif algorithm == "tree":
        half = len(phases) // 2
        run(phases[:half], ranks, everything, add=True)
        run(phases[half:], ranks, everything, add=False)
    else:
        half = len(phases) // 2
        run(phases[:half], ranks, SCATTERS[algorithm], add=True)
        ranks = [{r: mine[r]} for r, mine in enumerate(ranks)]
        run(phases[half:], ranks, GATHERS["recursive-doubling" if "halving" in algorithm else algorithm], add=False)
    assert ranks == [{b: frozenset(range(n)) for b in range(n)}] * n


@pytest.mark.parametrize(("algorithm", "n"), cases("all-to-all"))
def test_all_to_all(algorithm: str, n: int) -> None:
    """Items (from, to) of 1/n each."""
    at = {r: {(r, d) for d in range(n)} for r in range(n)}
    for messages in flat(phases_of(algorithm, "all-to-all", n)):
        moved = []
        for m in messages:
            if algorithm == "bruck":
                items = {x for x in at[m.source] if (x[1] - x[0]) % n >> m.phase & 1}
            else:
                items = {(m.source, m.destination)}
            assert items <= at[m.source]
            assert m.units == Fraction(len(items), n)
            moved.append((m, items))
        for m, items in moved:
            at[m.source] -= items
        for m, items in moved:
            at[m.destination] |= items
    assert at == {r: {(s, r) for s in range(n)} for r in range(n)}


@pytest.mark.parametrize("n", SIZES)
def test_broadcast(n: int) -> None:
    have = {0}
    for messages in flat(phases_of("tree", "broadcast", n)):
        assert {m.source for m in messages} <= have
        assert all(m.units == 1 for m in messages)
        have |= {m.destination for m in messages}
    assert have == set(range(n))


@pytest.mark.parametrize(
    ("algorithm", "operation", "n", "message"),
    [
        ("recursive-doubling", "all-gather", 6, "takes a power of two of ranks, and there are 6; for all-gather ring,"),
        ("pairwise", "all-to-all", 12, "for all-to-all bruck, linear-shift take any number"),
        ("tree", "all-to-all", 4, "tree is for broadcast and all-reduce; for all-to-all bruck or"),
        ("rings", "all-gather", 4, "the algorithm is 'rings'; did you mean 'ring'"),
    ],
)
def test_what_an_algorithm_does_not_do(algorithm: str, operation: str, n: int, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        phases_of(algorithm, operation, n)
