"""What all families share: checks of parameters, bandwidths, names, and automorphisms given by where nodes go."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.rational import parse_fraction
from ..core.symmetry import Automorphism
from ..machine.memory import check_memory

__all__ = [
    "MAX_CHANNELS",
    "MAX_IMAGES",
    "MAX_NODES",
    "Bandwidth",
    "axis_bandwidths",
    "check_radices",
    "check_size",
    "family_name",
    "frozen",
    "letter_permutations",
    "one_bandwidth",
    "product_within",
    "shortened",
    "simple_automorphism",
    "swappable_dimensions",
    "whole_number",
]

Int32 = npt.NDArray[np.int32]
Bandwidth = int | str | Fraction

MAX_NODES = 2**22
MAX_CHANNELS = 2**25
MAX_IMAGES = 2**28  # 1 GiB
_NODE_BYTES, _CHANNEL_BYTES, _IMAGE_BYTES = 100, 110, 8  # as measured while networks are made


def whole_number(value: object, *, what: str, least: int) -> int:
    """``value`` as an int of at least ``least``; ``what`` names it in the error."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{what} is {value!r}; a whole number was expected") from None
    if isinstance(value, bool):
        raise InputError(f"{what} is {value!r}; a whole number was expected")
    if number < least:
        raise InputError(f"{what} is {max(number, -(2**63))}; at least {least} was expected")
    if number >= 2**63:
        raise InputError(f"{what} is beyond 2^63; a smaller number was expected")
    return number


def check_radices(radix: Sequence[object], *, family: str) -> tuple[int, ...]:
    """The radices as ints; raises InputError for none, for a radix below 2, or for too many nodes."""
    if not radix:
        raise InputError(f"{family} has no dimensions; at least one radix was expected, as in {family}:4x4")
    result = tuple(whole_number(k, what=f"radix of dimension {m} of {family}", least=0) for m, k in enumerate(radix))
    for m, k in enumerate(result):
        if k < 2:
            raise InputError(f"radix below 2: dimension {m} of {family} has radix {k}; at least 2 was expected")
    text = family + ":" + "x".join(str(k) for k in result[:64])
    check_size(text, nodes=product_within(result, 2**60), channels=0)
    return result


def product_within(factors: Sequence[int], limit: int) -> int:
    """The product of ``factors``, each at least 1; stops multiplying beyond ``limit`` (then anything above it)."""
    result = 1
    for k in factors:
        result *= k
        if result > limit:
            break
    return result


def check_size(what: str, *, nodes: int, channels: int, generators: int = 0) -> None:
    """Raise InputError for more than MAX_NODES nodes, MAX_CHANNELS channels or MAX_IMAGES images of channels, and for
    more than the memory holds."""
    for count, limit, unit in (
        (nodes, MAX_NODES, "nodes"),
        (channels, MAX_CHANNELS, "channels"),
        (channels * generators, MAX_IMAGES, "images of channels under its symmetry"),
    ):
        if count > limit:
            about = f"at least {count:,}" if count < 10**15 else "more than 10^15"
            raise InputError(f"{shortened(what)} would have {about} {unit}; at most {limit:,} are supported")
    if not channels:
        return  # their number is not known yet
    needed = nodes * _NODE_BYTES + channels * (_CHANNEL_BYTES + generators * _IMAGE_BYTES)
    check_memory(needed, f"{shortened(what)} ({nodes:,} nodes, {channels:,} channels)")


def one_bandwidth(value: Bandwidth, *, family: str) -> Fraction:
    """A positive fraction; raises InputError otherwise."""
    if isinstance(value, str) and "x" in value.lower():
        raise InputError(f"bandwidth of {family} is {value!r}; one fraction for all channels was expected")
    width = parse_fraction(value, what=f"bandwidth of {family}")
    if width <= 0:
        raise InputError(f"bandwidth of {family} is {width}; a positive fraction was expected")
    return width


def axis_bandwidths(value: Bandwidth | Sequence[Bandwidth], dimensions: int, *, family: str) -> tuple[Fraction, ...]:
    """One positive fraction per dimension, from one for all, a sequence, or text such as ``3/2x1``."""
    if isinstance(value, str):
        given: Sequence[Bandwidth] = value.split("x")
    else:
        given = value if isinstance(value, Sequence) else [value]
    if len(given) == 1 and (isinstance(value, str) or not isinstance(value, Sequence)):
        given = list(given) * dimensions
    if len(given) != dimensions:
        raise InputError(
            f"{shortened(family)} has {dimensions} dimensions but {len(given)} bandwidths; one each was expected"
        )
    return tuple(one_bandwidth(x, family=f"dimension {m} of {shortened(family)}") for m, x in enumerate(given))


def family_name(start: str, *options: str, bandwidth: Sequence[Fraction] = ()) -> str:
    """The canonical text of a network: ``start``, then options, then the bandwidth unless it is 1 throughout."""
    parts = [start, *(x for x in options if x)]
    if any(x != 1 for x in bandwidth):
        different = bandwidth if len(set(bandwidth)) > 1 else bandwidth[:1]
        parts.append("bandwidth=" + "x".join(str(x) for x in different))
    return ",".join(parts)


def swappable_dimensions(radix: Sequence[int], bandwidth: Sequence[Fraction]) -> list[tuple[int, int]]:
    """Pairs of successive dimensions among those with equal radix and bandwidth; their swaps generate all others."""
    last: dict[tuple[int, Fraction], int] = {}
    pairs = []
    for m, kind in enumerate(zip(radix, bandwidth, strict=True)):
        if kind in last:
            pairs.append((last[kind], m))
        last[kind] = m
    return pairs


def simple_automorphism(name: str, node: npt.NDArray[np.integer], tail: Int32, head: Int32) -> Automorphism:
    """The automorphism that sends node v to ``node[v]``, on a network without parallel channels.

    Channel (u, v) goes to the channel (node[u], node[v]).  Raises InputError where there is none.
    """
    size = len(node)
    key = tail.astype(np.int64) * size + head
    order = None if bool(np.all(key[1:] > key[:-1])) else np.argsort(key, kind="stable")
    ranked = key if order is None else key[order]
    wanted = node[tail].astype(np.int64) * size + node[head]
    place = np.minimum(np.searchsorted(ranked, wanted), len(key) - 1)
    wrong = np.nonzero(ranked[place] != wanted)[0]
    if wrong.size:
        raise InputError(f"symmetry '{name}' is no automorphism: channel {int(wrong[0])} has no image")
    image = place if order is None else order[place]
    return Automorphism(name, frozen(node), frozen(image))


def shortened(text: str, limit: int = 60) -> str:
    """``text`` for an error of one line: printable, and at most ``limit`` characters."""
    clean = "".join(x if x.isprintable() else "?" for x in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


def frozen(values: npt.NDArray[np.integer]) -> Int32:
    """A read-only int32 copy."""
    result = np.array(values, dtype=np.int32, order="C").reshape(-1)
    result.setflags(write=False)
    return result


def letter_permutations(letters: int) -> list[tuple[str, npt.NDArray[np.int64]]]:
    """A transposition and, from 3 letters on, a rotation: together they generate all permutations of the letters."""
    swap = np.arange(letters)
    swap[:2] = 1, 0
    result = [("0 and 1", swap)]
    if letters > 2:
        result.insert(0, ("all", np.roll(np.arange(letters), -1)))
    return result
