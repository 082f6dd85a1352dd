"""Automorphisms of networks: images of nodes and channels."""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import Int32


@dataclass(frozen=True, eq=False)
class Automorphism:
    """Node v goes to ``node[v]`` and channel c to ``channel[c]`` (int32, shapes (N,) and (C,))."""

    name: str
    node: Int32
    channel: Int32


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group of automorphisms, given by generators."""

    generators: tuple[Automorphism, ...]
