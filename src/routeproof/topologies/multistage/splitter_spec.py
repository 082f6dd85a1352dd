"""Single splitters from text: ``ramanujan:5,13``, ``random-splitter:1092,d=6,seed=1``."""

from __future__ import annotations

import numpy as np

from ...core.errors import InputError
from ...core.multistage.splitter import Splitter
from ..build import shortened, whole_number
from ..text import parse_pieces, parse_whole, with_example
from .explicit_splitters import ramanujan

__all__ = ["SPLITTERS", "is_splitter", "random_splitter", "splitter_from_spec"]

SPLITTERS = {
    "ramanujan": "ramanujan:5,13",
    "random-splitter": "random-splitter:64,d=3,seed=7",
}
_MOST = 20_000


def is_splitter(text: str) -> bool:
    """Does ``text`` begin with the name of a splitter family?"""
    return _name(text) in SPLITTERS


def splitter_from_spec(text: str) -> Splitter:
    """The splitter that ``text`` describes; raises InputError for bad parameters."""
    name = _name(text)
    rest = text.strip()[len(name) + 1 :]
    where = shortened(text.strip())
    usage = SPLITTERS[name]
    if name == "ramanujan":
        pieces = parse_pieces(rest, where=where, parameters=2, flags=(), options=(), usage=usage)
        with with_example(usage):
            p, q = (parse_whole(x, what=f"a prime of {name}") for x in pieces.parameters)
            return ramanujan(p, q)
    pieces = parse_pieces(rest, where=where, parameters=1, flags=(), options=("d", "seed"), usage=usage)
    for option in ("d", "seed"):
        if option not in pieces.options:
            raise InputError(f"{name} needs {option}=, as in {usage}")
    with with_example(usage):
        return random_splitter(
            parse_whole(pieces.parameters[0], what=f"number of inputs of {name}"),
            d=parse_whole(pieces.options["d"], what=f"d of {name}"),
            seed=parse_whole(pieces.options["seed"], what=f"seed of {name}"),
        )


def random_splitter(inputs: int, *, d: int, seed: int) -> Splitter:
    """M = ``inputs`` (even) inputs with d edges to M/2 outputs, from d random permutations, outputs merged in pairs.

    The k-th permutation sorts 64-bit keys of ``numpy.random.PCG64(SeedSequence([seed, k]))``.
    """
    size = whole_number(inputs, what="number of inputs of random-splitter", least=2)
    d = whole_number(d, what="d of random-splitter", least=1)
    seed = whole_number(seed, what="seed of random-splitter", least=0)
    if size % 2 or size > _MOST or d > 1000:
        raise InputError(f"random-splitter has {size} inputs, d = {d}; an even number up to {_MOST} was expected")
    maps = [
        np.argsort(np.random.PCG64(np.random.SeedSequence([seed, k])).random_raw(size), kind="stable") for k in range(d)
    ]
    adjacent = (np.stack(maps, axis=1) % (size // 2)).tolist()
    return Splitter(f"random-splitter:{size},d={d},seed={seed}", tuple(tuple(row) for row in adjacent))


def _name(text: str) -> str:
    return text.strip().split(":", 1)[0].split(",", 1)[0].strip()
