"""Kinds of evidence that no subject may have: what is said without a check, and repeated by the same command."""

from __future__ import annotations

from .kind import Kind
from .shapes import ANY

SAMPLED = Kind(
    "sampled",
    "Random packets with a seed: a confidence interval and no proof; the same command gives the same one.",
    ANY,
    {},
    frozenset(),
    subjects=frozenset(),
)
STUDY = Kind(
    "study",
    "A study of a published number: the same command computes it again.",
    ANY,
    {},
    frozenset(),
    subjects=frozenset(),
)
