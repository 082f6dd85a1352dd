"""What all families share: checks of parameters, bandwidths, names, and networks with their declared symmetry."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import first_true, frozen
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from ..core.symmetry import Automorphism, Symmetry
from ..machine.memory import check_memory, shown_bytes

Integers = npt.NDArray[np.integer[Any]]
Bandwidth = int | str | Fraction
Maps = Sequence[tuple[str, Integers]]
"""Images of all nodes, shape (N,), by the name of the automorphism."""

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


def whole_numbers(values: Iterable[object], names: Iterable[str], family: str, *, least: int = 1) -> tuple[int, ...]:
    """``whole_number`` of parameters, each by its name, of ``family`` ("dragonfly:p,a,h")."""
    return tuple(
        whole_number(x, what=f"{name} of {family}", least=least) for x, name in zip(values, names, strict=True)
    )


def log_of_inputs(inputs: object, family: str, *, least: int = 2) -> int:
    """log2 of a number of inputs; raises InputError for one that is not a power of two."""
    size = whole_number(inputs, what=f"number of inputs of {family}", least=least)
    low = 1 << (size.bit_length() - 1)
    if size != low:
        raise InputError(f"{family} has {size} inputs; a power of two was expected, such as {low} or {2 * low}")
    return size.bit_length() - 1


def check_radices(radix: Sequence[object], *, family: str) -> tuple[int, ...]:
    """The radices as ints; raises InputError for none, for a radix below 2, or for too many nodes."""
    if not radix:
        raise InputError(f"{family} has no dimensions; at least one radix was expected, as in {family}:4x4")
    result = tuple(whole_number(k, what=f"radix of dimension {m} of {family}", least=0) for m, k in enumerate(radix))
    for m, k in enumerate(result):
        if k < 2:
            raise InputError(f"radix below 2: dimension {m} of {family} has radix {k}; at least 2 was expected")
    text = family + ":" + "x".join(str(k) for k in result[:64])
    nodes = product_within(result, 2**60)
    if nodes > 2**60:  # else the family counts channels, too
        check_size(text, nodes=nodes, channels=0)
    return result


def product_within(factors: Sequence[int], limit: int) -> int:
    """The product of ``factors``, each at least 1; stops multiplying beyond ``limit`` (then anything above it)."""
    result = 1
    for k in factors:
        result *= k
        if result > limit:
            break
    return result


def check_size(what: str, *, nodes: int, channels: int, terminals: int = 0, generators: int = 0) -> None:
    """Raise InputError for more than MAX_NODES nodes, or as many terminals, MAX_CHANNELS channels or MAX_IMAGES images
    of channels, and for more than the memory holds.  Every refusal says how much memory the network would take.

    ``terminals``: where they are not one for each node.
    """
    needed = (nodes + terminals) * _NODE_BYTES + channels * (_CHANNEL_BYTES + generators * _IMAGE_BYTES)
    memory = f"about {shown_bytes(needed)}" if needed < 10**18 else "more than 10^18 bytes"
    for count, limit, unit in (
        (nodes, MAX_NODES, "nodes"),
        (terminals, MAX_NODES, "terminals"),
        (channels, MAX_CHANNELS, "channels"),
        (channels * generators, MAX_IMAGES, "images of channels under its symmetry"),
    ):
        if count > limit:
            about = f"at least {count:,}" if count < 10**15 else "more than 10^15"
            raise InputError(
                f"{shortened(what)} would have {about} {unit} and take {memory} of memory; at most {limit:,} "
                f"are supported"
            )
    if not channels:
        return  # their number is not known yet
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


def build_network(
    name: str,
    num_nodes: int,
    channels: Integers,
    *,
    widths: Sequence[Fraction],
    along: Integers | None = None,
    terminals: Integers | tuple[Integers, Integers] | None = None,
    maps: Maps | None = None,
    **more: Any,
) -> Network:
    """The network of a family, named by its canonical text: ``name``, then the bandwidth unless it is 1 throughout.

    ``channels``: (C, 2), tail and head; ``along``: (C,), which of ``widths`` each has, where not all have the first.
    ``terminals``: the node of each, or (where it sends, where it receives); by default every node is one.  ``maps``:
    the declared symmetry, on a network without parallel channels; None where none is declared.  The rest is as for
    ``Network.of``.
    """
    title = family_name(name, bandwidth=widths)
    symmetry = None
    if maps is not None:
        symmetry = Symmetry(tuple(_automorphism(*x, channels[:, 0], channels[:, 1]) for x in maps))
    source, sink = terminals if isinstance(terminals, tuple) else (terminals, terminals)
    return Network.of(
        title,
        num_nodes,
        channels,
        bandwidth=widths[0] if along is None or len(set(widths)) == 1 else [widths[k] for k in along.tolist()],
        source=source,
        sink=sink,
        symmetry=symmetry,
        spec=title,
        **more,
    )


def extended(network: Network, more: str, **changes: Any) -> Network:
    """``network`` with ``changes``, and with the options that made them in its name and spec."""
    spec = None if network.spec is None else f"{network.spec},{more}"
    return replace(network, name=f"{network.name},{more}", spec=spec, **changes)


def named_after(network: Network, start: str, *options: str, bandwidth: Sequence[Fraction] = ()) -> Network:
    """``network`` under the ``family_name`` of a family that makes it of another one's."""
    title = family_name(start, *options, bandwidth=bandwidth)
    return replace(network, name=title, spec=title)


def _automorphism(name: str, node: Integers, tail: Integers, head: Integers) -> Automorphism:
    """The automorphism that sends node v to ``node[v]``, on a network without parallel channels.

    Channel (u, v) goes to the channel (node[u], node[v]).  Raises InputError where there is none.
    """
    size = len(node)
    key = tail.astype(np.int64) * size + head
    order = None if bool(np.all(key[1:] > key[:-1])) else np.argsort(key, kind="stable")
    ranked = key if order is None else key[order]
    wanted = node[tail].astype(np.int64) * size + node[head]
    place = np.minimum(np.searchsorted(ranked, wanted), len(key) - 1)
    wrong = first_true(ranked[place] != wanted)
    if wrong is not None:
        raise InputError(f"symmetry '{name}' is not an automorphism: channel {wrong} has no image")
    return Automorphism(name, frozen(node), frozen(place if order is None else order[place]))


def shortened(text: str, limit: int = 60) -> str:
    """``text`` for an error of one line: printable, and at most ``limit`` characters."""
    clean = "".join(x if x.isprintable() else "?" for x in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


def letter_permutations(letters: int) -> list[tuple[str, npt.NDArray[np.int64]]]:
    """A transposition and, from 3 letters on, a rotation: together they generate all permutations of the letters."""
    swap = np.arange(letters)
    swap[:2] = 1, 0
    result = [("0 and 1", swap)]
    if letters > 2:
        result.insert(0, ("all", np.roll(np.arange(letters), -1)))
    return result
