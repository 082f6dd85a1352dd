"""Seeds that follow from what is sampled, so that every sample can be drawn again alone."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

__all__ = ["generator_for", "seed_of"]


def seed_of(*parts: str | int) -> int:
    """A seed of 128 bits for the sample that ``parts`` name, such as ("average-case", seed, index).

    SHA-256 of the parts, each with its type and length: different parts give unrelated seeds, on every machine alike.
    """
    text = "".join(f"{type(x).__name__}:{len(str(x))}:{x}," for x in parts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:16], "little")


def generator_for(*parts: str | int) -> np.random.Generator:
    """numpy's PCG64 generator for the sample that ``parts`` name; see ``seed_of``."""
    import numpy as np

    return np.random.Generator(np.random.PCG64(seed_of(*parts)))
