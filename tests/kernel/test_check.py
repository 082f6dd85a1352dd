"""The trusted kernel: feasible potentials are accepted, the pair that they miss is named, whatever the numbers are."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core.errors import VerificationError
from routeproof.core.loads import BaseLoads, LoadBlock
from routeproof.core.rational import Rationals
from routeproof.core.segment_sums import add_up, exact_sums
from routeproof.kernel.multipliers import (
    base_load,
    check_column_potentials,
    check_potentials,
    line_constant,
    load_under,
    loads_between_all,
    potentials_along,
    rounded_up,
    shown,
    without_base,
)

HAIR = Fraction(1, 10**40)
LONG = Fraction(3**5000 + 1, 3**5000)  # a denominator of 7,925 bits

fractions = st.builds(Fraction, st.integers(0, 12), st.integers(1, 9))
Pairs = dict[tuple[int, int], Fraction]


def block_of(*channels: Pairs) -> LoadBlock:
    entries = [(k, i, j, x) for k, loads in enumerate(channels) for (i, j), x in sorted(loads.items()) if x]
    sizes = [sum(1 for e in entries if e[0] == k) for k in range(len(channels))]
    return LoadBlock(
        np.arange(len(channels), dtype=np.int32) + 7,
        np.cumsum([0, *sizes]),
        np.array([e[1] for e in entries], dtype=np.int32),
        np.array([e[2] for e in entries], dtype=np.int32),
        Rationals.of(e[3] for e in entries),
    )


@st.composite
def instances(draw: st.DrawFn) -> tuple[Pairs, list[int], list[int]]:
    """Loads of one channel between a few rows and columns, and what each may send and receive."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = list(itertools.product(range(rows), range(columns)))
    loads = {cell: draw(fractions) for cell in draw(st.sets(st.sampled_from(cells)))}
    amounts = st.integers(0, 3)
    supply = draw(st.lists(amounts, min_size=rows, max_size=rows))
    return loads, supply, draw(st.lists(amounts, min_size=columns, max_size=columns))


def most(loads: Pairs, supply: list[int], demand: list[int]) -> Fraction:
    """The largest load by brute force: all integral traffic (which is enough, the problem being one of transport)."""
    cells = [cell for cell, x in loads.items() if x and supply[cell[0]] and demand[cell[1]]]

    def best(k: int, out: list[int], into: list[int]) -> Fraction:
        if k == len(cells):
            return Fraction(0)
        i, j = cells[k]
        found = best(k + 1, out, into)
        for n in range(1, min(out[i], into[j]) + 1):
            left, right = list(out), list(into)
            left[i] -= n
            right[j] -= n
            found = max(found, n * loads[i, j] + best(k + 1, left, right))
        return found

    return best(0, supply, demand)


def judge(
    loads: Pairs, supply: list[int], demand: list[int], u: list[Fraction], v: list[Fraction], limit: Fraction
) -> None:
    values = sorted({*u, *v})
    check_potentials(
        block_of(loads),
        np.array(supply, dtype=np.int64),
        np.array(demand, dtype=np.int64),
        values=values,
        row=np.array([values.index(x) for x in u], dtype=np.int64),
        column=np.array([values.index(x) for x in v], dtype=np.int64),
        limit=limit,
    )


def cost(amounts: list[int], potentials: list[Fraction]) -> Fraction:
    return sum((n * x for n, x in zip(amounts, potentials, strict=True)), Fraction(0))


@settings(max_examples=150)
@given(instances(), st.data())
def test_feasible_potentials_are_accepted_and_bound_the_truth(
    instance: tuple[Pairs, list[int], list[int]], data: st.DataObject
) -> None:
    loads, supply, demand = instance
    v = [data.draw(fractions) for _ in demand]
    u = [
        max([x - v[j] for (i, j), x in loads.items() if i == row and demand[j] and supply[i]] + [Fraction(0)])
        for row in range(len(supply))
    ]
    limit = cost(supply, u) + cost(demand, v)
    assert limit >= most(loads, supply, demand)
    judge(loads, supply, demand, u, v, limit)
    with pytest.raises(VerificationError, match="its potentials sum to"):
        judge(loads, supply, demand, u, v, limit - HAIR)
    needed = [i for i, x in enumerate(u) if x]
    if needed:  # each of these rows has a pair that just holds
        i = needed[0]
        with pytest.raises(VerificationError, match=f"the potentials of row {i} and column"):
            judge(loads, supply, demand, [x - HAIR * (k == i) for k, x in enumerate(u)], v, limit)


@settings(max_examples=150)
@given(st.lists(instances(), min_size=1, max_size=3), st.integers(0, 12), st.data())
def test_column_potentials_never_prove_too_little(
    parts: list[tuple[Pairs, list[int], list[int]]], scale_bits: int, data: st.DataObject
) -> None:
    _, supply, demand = parts[0]
    channels = [{c: x for c, x in p[0].items() if c[0] < len(supply) and c[1] < len(demand)} for p in parts]
    block = block_of(*channels)
    scale = data.draw(st.sampled_from([1 << scale_bits, 3 * 5 * 7 * 8, 1000]))
    quanta = data.draw(st.lists(st.integers(0, 40), min_size=12, max_size=12))
    shift = data.draw(st.lists(st.integers(0, 5), min_size=len(channels), max_size=len(channels)))

    def used(limit: list[int]) -> int:
        return check_column_potentials(
            block,
            np.array(supply, dtype=np.int64),
            np.array(demand, dtype=np.int64),
            scale=scale,
            shift=np.array(shift, dtype=np.int64),
            quantum=np.array(quanta * len(channels), dtype=np.int64),
            limit=limit,
        )

    at, limits = 0, []
    for k, loads in enumerate(channels):  # the same by the definition, in Python integers
        live = {c: x for c, x in loads.items() if x and supply[c[0]] and demand[c[1]]}
        columns = sorted({j for _, j in live})
        v = {j: (quanta * len(channels))[at + n] << shift[k] for n, j in enumerate(columns)}
        at += len(columns)
        rows = {i: max([math.ceil(x * scale) - v[j] for (a, j), x in live.items() if a == i] + [0]) for i, _ in live}
        limits.append(sum(demand[j] * x for j, x in v.items()) + sum(supply[i] * x for i, x in rows.items()))
        assert Fraction(limits[-1], scale) >= most(loads, supply, demand)
    assert used(limits) == at
    for k in range(len(channels)):
        with pytest.raises(VerificationError, match=f"channel {7 + k}: its potentials prove"):
            used([x - (n == k) for n, x in enumerate(limits)])


@pytest.mark.parametrize("size", [Fraction(1), LONG, Fraction(10**400), Fraction(1, 10**400), Fraction(7, 10**316)])
@pytest.mark.parametrize("part", [HAIR, Fraction(1, 2**300), Fraction(1, 7)])
def test_a_hair_decides(size: Fraction, part: Fraction) -> None:
    loads = {(0, 0): size, (0, 1): size / 3, (1, 1): size / 2}
    u, v = [size / 3, size / 6], [size * 2 / 3, size / 3]
    limit = cost([1, 1], u) + cost([1, 1], v)
    judge(loads, [1, 1], [1, 1], u, v, limit)
    for pair in ((0, 0), (1, 1)):
        more = {**loads, pair: loads[pair] * (1 + part)}
        with pytest.raises(VerificationError, match=f"channel 7: the potentials of row {pair[0]} and column {pair[1]}"):
            judge(more, [1, 1], [1, 1], u, v, limit)
    with pytest.raises(VerificationError, match=r"sum to .* above the claimed"):
        judge(loads, [1, 1], [1, 1], u, v, limit * (1 - part))


def test_a_hair_below_the_smallest_float() -> None:
    tiny = Fraction(1, 2**1074)  # sums of rounded potentials would seem twice as large as they are
    with pytest.raises(VerificationError, match="below their load"):
        judge({(0, 0): tiny * 14 / 10}, [1], [1], [tiny * 6 / 10], [tiny * 6 / 10], tiny * 2)


def test_unused_potentials_may_be_anything_but_negative() -> None:
    judge({(0, 0): Fraction(1)}, [1, 0], [1], [Fraction(1), Fraction(10**400)], [Fraction(0)], Fraction(1))
    with pytest.raises(VerificationError, match="channel 7: a potential is negative"):
        judge({(0, 0): Fraction(1)}, [1, 0], [1], [Fraction(1), -HAIR], [Fraction(0)], Fraction(1))


@pytest.mark.parametrize(
    ("row", "column"), [([0], [0, 0]), ([0, 1], [0, 5]), ([0, -1], [0, 0]), ([0, 0, 0], [0, 0]), ([], [])]
)
def test_potentials_for_other_rows(row: list[int], column: list[int]) -> None:
    with pytest.raises(VerificationError, match=r"channel 7: the (row|column) potentials do not match"):
        check_potentials(
            block_of({(0, 0): Fraction(1)}),
            np.ones(2, dtype=np.int64),
            np.ones(2, dtype=np.int64),
            values=[Fraction(9), Fraction(0)],
            row=np.array(row, dtype=np.int64),
            column=np.array(column, dtype=np.int64),
            limit=Fraction(100),
        )


def along(rows: list[int], columns: list[int], start: tuple[int, ...] = (0, 0, 0, 0)) -> tuple[int, list[int]]:
    """Rows and columns 0 and 1; three pairs have loads."""
    block = block_of({(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 3), (1, 1): Fraction(3, 4)})
    after, first = np.array([rows, columns]), np.array(start).reshape(2, 2)
    return potentials_along(block, (after[0], after[1]), (first[0], first[1]), 5)


def test_potentials_follow_from_tight_pairs() -> None:
    unit, potential = along([1, -1], [0, 1], (0, 1, 0, 0))
    half, third, most, start = Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(1, 5)
    row = third - (most - start)
    assert [Fraction(x, unit) for x in potential] == [row, start, half - row, most - start]


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        ([0, -1], [0, -1], "follows from itself"),
        ([1, 1], [0, 0], "follows from itself"),
        ([-1, 0], [-1, -1], "from a pair that does not load it"),
        ([2, -1], [-1, -1], "no row or column"),
        ([-1, -1], [-1, -2], "no row or column"),
        ([-1, -1], [2**62, -1], "no row or column"),
    ],
)
def test_potentials_that_follow_from_nothing(rows: list[int], columns: list[int], words: str) -> None:
    with pytest.raises(VerificationError, match=f"channel 7: a potential .*{words}"):
        along(rows, columns)
    with pytest.raises(VerificationError, match="both follows from another one and starts by itself"):
        along([1, -1], [0, 1], (1, 1, 0, 0))


def column_check(quantum: list[int], shift: int, *, scale: int = 4, load: Fraction = Fraction(1), most: int = 1) -> int:
    return check_column_potentials(
        block_of({(0, 1): load}),
        np.array([most, 1], dtype=np.int64),
        np.array([1, most], dtype=np.int64),
        scale=scale,
        shift=np.array([shift], dtype=np.int64),
        quantum=np.array(quantum, dtype=np.int64),
        limit=[10**30],
    )


@pytest.mark.parametrize(
    ("quantum", "shift"),
    [([-1], 0), ([1], -1), ([1], 61), ([1], 64), ([1], 10**12), ([2**62], 0), ([4], 60), ([-1], 63)],
)
def test_column_potentials_cannot_wrap_around(quantum: list[int], shift: int) -> None:
    with pytest.raises(VerificationError, match="channel 7: a column potential is negative or too large"):
        column_check(quantum, shift)


def test_sums_of_column_potentials_cannot_wrap_around() -> None:
    with pytest.raises(VerificationError, match="do not fit 64 bits"):
        column_check([1 << 55], 0, most=1 << 10)
    with pytest.raises(VerificationError, match="do not fit 64 bits"):
        column_check([0], 0, scale=1 << 50, load=Fraction(1000), most=1 << 10)
    for scale in (1 << 60, 3**37):
        with pytest.raises(VerificationError, match="does not fit 64-bit fixed point"):
            column_check([0], 0, scale=scale, load=Fraction(10**6))
    assert column_check([5, 5, 5], 2) == 1
    with pytest.raises(VerificationError, match="need 1 column potentials; 0 are left"):
        column_check([], 0)


@settings(max_examples=100)
@given(st.lists(fractions | st.just(LONG) | st.just(Fraction(2**62, 3)), max_size=8), st.integers(1, 2**20))
def test_rounding_up_is_never_below(loads: list[Fraction], scale: int) -> None:
    load = Rationals.of(loads)
    exact = [math.ceil(x * scale) for x in loads]
    if max(exact, default=0) < 2**61:
        assert rounded_up(load, scale).tolist() == exact
    else:
        try:
            assert rounded_up(load, scale).tolist() == exact
        except VerificationError as error:
            assert "does not fit" in str(error)  # noqa: PT017


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 4), fractions | st.sampled_from([LONG, HAIR, Fraction(2**63 - 1)])), max_size=20)
)
def test_exact_sums(items: list[tuple[int, Fraction]]) -> None:
    wanted: dict[int, Fraction] = {}
    for group, x in items:
        wanted[group] = wanted.get(group, Fraction(0)) + x
    found = exact_sums(np.array([g for g, _ in items], dtype=np.int64), Rationals.of(x for _, x in items), 5)
    assert {g: x for g, x in found.items() if x} == {g: x for g, x in wanted.items() if x}


def with_base(loads: Pairs, row: list[Fraction], column: list[Fraction]) -> LoadBlock:
    block = block_of(loads)
    part = [Rationals(x.num[None, :], x.den[None, :]) for x in (Rationals.of(row), Rationals.of(column))]
    return LoadBlock(block.channel, block.offset, block.row, block.column, block.load, BaseLoads(*part))


@settings(max_examples=100)
@given(
    st.lists(fractions | st.just(LONG), min_size=3, max_size=3),
    st.lists(fractions, min_size=3, max_size=3),
    st.dictionaries(st.sampled_from([(0, 1), (1, 0), (1, 2), (2, 0)]), fractions),
)
def test_base_loads_count_for_pairs_on_different_nodes(row: list[Fraction], column: list[Fraction], own: Pairs) -> None:
    nodes = np.arange(3, dtype=np.int32)
    block = with_base(own, row, column)
    pairs = {(i, j): row[i] + column[j] + own.get((i, j), Fraction(0)) for i in range(3) for j in range(3) if i != j}
    plain = without_base(block, nodes, nodes)
    assert plain.base is None
    assert plain.as_dict() == {pair: x for pair, x in pairs.items() if x}
    ones = np.ones(3, dtype=np.int64)
    assert add_up(loads_between_all(block, ones, ones, nodes, nodes)).fractions() == [sum(pairs.values(), Fraction(0))]
    some = [(0, 1, Fraction(1, 3)), (0, 1, Fraction(1, 3)), (2, 2, Fraction(1)), (1, 0, LONG)]
    wanted = sum((x * pairs.get((i, j), Fraction(0)) for i, j, x in some), Fraction(0))
    assert load_under(block, some, nodes, nodes) == wanted
    assert load_under(plain, some, nodes, nodes) == wanted
    assert base_load(block, 0, ones, 2 * ones) == sum(row, Fraction(0)) + 2 * sum(column, Fraction(0))
    assert base_load(plain, 0, ones, ones) == 0


def test_negative_base_loads_prove_nothing() -> None:
    block = with_base({}, [Fraction(1), Fraction(-1, 3)], [Fraction(1), Fraction(0)])
    ones = np.ones(2, dtype=np.int64)
    with pytest.raises(VerificationError, match="channel 7 has a negative base load"):
        base_load(block, 0, ones, ones)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-25, 144), "-25/144"),
        (LONG, "1 (a fraction of 7,925 bits)"),
        (Fraction(10**5000), "a fraction of 16,610 bits"),
        (-Fraction(1, 10**5000), "-0 (a fraction of 16,610 bits)"),
    ],
)
def test_fractions_in_messages(value: Fraction, text: str) -> None:
    assert shown(value) == text


def test_nothing_is_rounded_where_bandwidth_and_load_share_a_factor() -> None:
    load = Rationals(np.array([3]), np.array([4]))
    zero, one = np.array([0], dtype=np.int32), np.ones(1, dtype=np.int64)
    block = LoadBlock(zero, np.array([0, 1], dtype=np.int64), zero, zero, load)
    none = np.zeros(0, dtype=np.int64)
    found = line_constant(block, Fraction(2, 3), one, one, scale=1, slope=0, column=none, v=none)
    assert found == Fraction(9, 8)
