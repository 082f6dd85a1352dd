"""Demand sets by text, as ``--demands`` takes them: ``permutations``, ``sparse:16``, ``within:jobs.txt``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...demands.transport import TransportSet, among, intersection, permutations, sparse, within

_USAGE: Mapping[str, str] = {
    "permutations": "permutations",
    "sparse": "sparse:16",
    "within": "within:JOBS",
    "pairs": "pairs:FILE",
}


def demands_from_spec(texts: Sequence[str], network: Network) -> TransportSet:
    """The demands that are in all of the sets that ``texts`` name, between the terminals of ``network``.

    Raises InputError for an unknown set (with the nearest), for what a set does not take, and for sets that contradict
    each other.
    """
    return intersection([_one(text, network) for text in texts])


def _one(text: str, network: Network) -> TransportSet:
    name, colon, rest = text.partition(":")
    if name not in _SETS:
        raise InputError(f"unknown demand set '{name[:40]}'; {did_you_mean(name[:40], _SETS)}")
    if bool(colon and rest) != (":" in _USAGE[name]):
        raise InputError(f"the demand set is '{text[:40]}'; {_USAGE[name]} was expected")
    return _SETS[name](text, rest, network)


def _sparse(text: str, rest: str, network: Network) -> TransportSet:
    if not (rest.isascii() and rest.isdigit() and 0 < len(rest) < 10 and int(rest)):
        raise InputError(f"the demand set is '{text[:40]}'; a number of packets from 1, as in sparse:16, was expected")
    return sparse(network.num_terminals, int(rest))


def _within(text: str, rest: str, network: Network) -> TransportSet:
    from .jobs import read_jobs

    jobs = read_jobs(rest, network).terminals
    return within(jobs, network.num_terminals, text=text)


def _pairs(text: str, rest: str, network: Network) -> TransportSet:
    from .pairs import read_pairs

    return among(read_pairs(rest, network), network.num_terminals, text=text)


_SETS: Mapping[str, Callable[[str, str, Network], TransportSet]] = {
    "permutations": lambda text, rest, network: permutations(network.num_terminals),  # noqa: ARG005
    "sparse": _sparse,
    "within": _within,
    "pairs": _pairs,
}
