"""Traffic patterns by name: ``uniform``, ``tornado``, ``random:seed=7``, ...

A pattern sends the packet of terminal i to terminal image[i].  Patterns on coordinates need a grid with exactly one
terminal per node, in node order; patterns on bits need a power of two of terminals and act on terminal numbers.
Source: the usual adversaries, Towles & Dally 2002 (SPAA), Table 1; Dally & Towles 2004, sec. 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError, did_you_mean
from ..core.network import Grid, Network
from ..core.traffic import Permutation, Traffic
from .build import shortened
from .text import options_of, parse_whole

Image = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Pattern:
    """One pattern: its name, a line of help, the traffic on a network with the pattern's options, and their names."""

    name: str
    help: str
    traffic: Callable[[Network, Mapping[str, str]], Traffic]
    options: tuple[str, ...] = ()


def _bit_complement(network: Network) -> Image:
    if network.grid is None:
        bits = _bits(network, "bit-complement", or_grid=True)
        return np.arange(network.num_terminals) ^ ((1 << bits) - 1)
    grid = _grid(network, "bit-complement")
    return _numbers(grid, np.array(grid.radix) - 1 - grid.coordinates)


def _transpose(network: Network) -> Image:
    if network.grid is None or network.grid.num_dimensions == 1:
        bits = _bits(network, "transpose", or_grid=True)
        if bits % 2:
            raise InputError(
                f"transpose swaps the halves of {bits} bits: {network.name} has 2^{bits} terminals; "
                f"an even power of two was expected"
            )
        number, half = np.arange(network.num_terminals), bits // 2
        return (number >> half) | ((number & ((1 << half) - 1)) << half)
    grid = _grid(network, "transpose")
    half = grid.num_dimensions // 2
    if grid.radix[:half] != grid.radix[half:]:
        raise InputError(
            f"transpose needs a square grid, (x, y) -> (y, x); {shortened(network.name)} is "
            f"{shortened(' x '.join(map(str, grid.radix)))}"
        )
    return _numbers(grid, np.roll(grid.coordinates, half, axis=1))


def _around(name: str, step: Callable[[int], int]) -> Callable[[Network, Mapping[str, str]], Traffic]:
    """x -> x + step(k) modulo k: in dimension 0, or, as BookSim has it, in all of them."""

    def traffic(network: Network, options: Mapping[str, str]) -> Traffic:
        which = options.get("dimensions", "first")
        if which not in ("first", "all"):
            raise InputError(f"dimensions of traffic {name} is {shortened(repr(which))}; first or all was expected")
        grid = _grid(network, name)
        count = grid.num_dimensions if which == "all" else 1
        steps = [step(k) if m < count else 0 for m, k in enumerate(grid.radix)]
        image = _numbers(grid, (grid.coordinates + steps) % np.array(grid.radix))
        called = f"{name}:dimensions=all" if which == "all" else name
        return Traffic.of_permutation(Permutation(image), name=called)

    return traffic


_AROUND = "modulo k in dimension 0, or in all"


def _bit_reversal(network: Network) -> Image:
    bits = _bits(network, "bit-reversal")
    number = np.arange(network.num_terminals)
    image = np.zeros_like(number)
    for b in range(bits):
        image |= (number >> b & 1) << (bits - 1 - b)
    return image


def _shuffle(network: Network) -> Image:
    bits = _bits(network, "shuffle")
    number = np.arange(network.num_terminals)
    if not bits:
        return number
    return (number << 1 & ((1 << bits) - 1)) | number >> (bits - 1)


def _random(network: Network, options: Mapping[str, str]) -> Traffic:
    if "seed" not in options:
        raise InputError(
            "traffic random is one random permutation and needs a seed, as in random:seed=7; packets to random "
            "terminals are uniform"
        )
    seed = parse_whole(options["seed"], what="seed of traffic random")
    image: Image = np.random.default_rng(seed).permutation(network.num_terminals)
    return Traffic.of_permutation(Permutation(image), name=f"random:seed={seed}")


def _shifted(network: Network, options: Mapping[str, str]) -> Traffic:
    size = network.num_terminals
    if "by" not in options:
        raise InputError("traffic shift needs a number of terminals, as in shift:by=3")
    by = parse_whole(options["by"], what="by of traffic shift")
    if not 0 < by < size:
        raise InputError(f"by of traffic shift is {by}; 1 to {size - 1} was expected for {size} terminals")
    return Traffic.of_permutation(Permutation((np.arange(size) + by) % size), name=f"shift:by={by}")


def _ring(network: Network) -> Image:
    return (np.arange(network.num_terminals) + 1) % network.num_terminals


UNIFORM = Pattern(
    "uniform", "1/T to every terminal, the source included", lambda network, _: Traffic.uniform(network.num_terminals)
)


def _permutation(name: str, words: str, image: Callable[[Network], Image]) -> Pattern:
    return Pattern(name, words, lambda network, _: Traffic.of_permutation(Permutation(image(network)), name=name))


PATTERNS: dict[str, Pattern] = {
    pattern.name: pattern
    for pattern in (
        UNIFORM,
        _permutation(
            "bit-complement", "x -> k - 1 - x in every dimension; without a grid: all bits flipped", _bit_complement
        ),
        _permutation("transpose", "(x, y) -> (y, x); without a grid: the halves of the bits swapped", _transpose),
        Pattern(
            "tornado",
            f"x -> x + ceil(k/2) - 1 {_AROUND}: tornado:dimensions=all",
            _around("tornado", lambda k: (k + 1) // 2 - 1),
            options=("dimensions",),
        ),
        Pattern(
            "neighbor",
            f"x -> x + 1 {_AROUND}: neighbor:dimensions=all",
            _around("neighbor", lambda _: 1),
            options=("dimensions",),
        ),
        _permutation("bit-reversal", "the bits of the terminal number reversed", _bit_reversal),
        _permutation("shuffle", "the bits of the terminal number rotated left by one", _shuffle),
        Pattern("shift", "terminal i -> i + by modulo T, on any network: shift:by=3", _shifted, options=("by",)),
        _permutation("ring", "terminal i -> i + 1 modulo T, on any network", _ring),
        Pattern("random", "a uniformly random permutation: random:seed=7", _random, options=("seed",)),
    )
}
PERMUTATION_PATTERNS = tuple(name for name in PATTERNS if name != UNIFORM.name)


def is_pattern(text: str) -> bool:
    """Does ``text`` begin with the name of a pattern, followed by ":" or nothing?"""
    return text.strip().split(":", 1)[0].strip() in PATTERNS


def traffic_pattern(name: str, network: Network) -> Traffic:
    """The traffic that ``name`` means on ``network``; the traffic's name is the canonical text.

    ``PATTERNS`` says what each is.  Besides: in an even number n of dimensions ``transpose`` exchanges the first n/2
    coordinates and the last n/2, which must have the same radices, and without a grid, or on a line of one dimension,
    the halves of the bits of the terminal number; ``tornado`` and ``neighbor`` go around the end even where the grid is
    not a torus; ``random:seed=7`` is ``numpy.random.default_rng(7).permutation(T)``, uniform over all permutations.

    Raises InputError for an unknown name (with the nearest match), for options that the pattern lacks, and where the
    network is not what the pattern needs.
    """
    word, _, rest = (x.strip() for x in name.strip().partition(":"))
    pattern = PATTERNS.get(word)
    if pattern is None:
        raise InputError(f"unknown traffic pattern {shortened(repr(word))}; {did_you_mean(word[:100], PATTERNS)}")
    parts = rest.split(",") if rest else []
    options = options_of(parts, where=f"traffic {word}", flags=(), options=pattern.options).options
    return pattern.traffic(network, options)


def _grid(network: Network, pattern: str) -> Grid:
    """The network's grid, once it is sure that terminal i is at node i."""
    if network.grid is None:
        raise InputError(f"{pattern} needs a grid such as torus:8x8; {shortened(network.name)} has none")
    everyone = np.arange(network.num_nodes)
    if not (np.array_equal(network.source, everyone) and np.array_equal(network.sink, everyone)):
        raise InputError(
            f"{pattern} needs exactly one terminal per node, in node order; {shortened(network.name)} has "
            f"{network.num_terminals} terminals on {network.num_nodes} nodes, placed otherwise"
        )
    return network.grid


def _bits(network: Network, pattern: str, *, or_grid: bool = False) -> int:
    """log2 of the number of terminals; raises InputError where that is not a power of two."""
    count = network.num_terminals
    if count & (count - 1):
        grid = "a grid or " if or_grid else ""
        raise InputError(
            f"{pattern} needs {grid}a power of two of terminals; {shortened(network.name)} has {count} terminals"
        )
    return count.bit_length() - 1


def _numbers(grid: Grid, coordinates: npt.NDArray[np.integer[Any]]) -> Image:
    return np.asarray(np.ravel_multi_index(tuple(coordinates.T), grid.radix))
