"""Automorphisms of networks: images of nodes and channels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Int32


@dataclass(frozen=True, eq=False)
class Automorphism:
    """Node v goes to ``node[v]`` and channel c to ``channel[c]`` (int32, shapes (N,) and (C,))."""

    name: str
    node: Int32
    channel: Int32

    def after(self, first: Automorphism) -> Automorphism:
        """First ``first``, then this one."""
        return Automorphism("", self.node[first.node], self.channel[first.channel])

    @property
    def inverse(self) -> Automorphism:
        node, channel = np.empty_like(self.node), np.empty_like(self.channel)
        node[self.node] = np.arange(len(node), dtype=np.int32)
        channel[self.channel] = np.arange(len(channel), dtype=np.int32)
        return Automorphism("", node, channel)

    @property
    def key(self) -> bytes:
        """The same for those that do the same."""
        return self.node.tobytes() + self.channel.tobytes()


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group of automorphisms, given by generators."""

    generators: tuple[Automorphism, ...]
