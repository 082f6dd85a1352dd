"""Pieces for ``benchmarks/engine.py``, in a module that workers can import."""

from __future__ import annotations

import time


def wait(index: int, seconds: float) -> int:
    """Takes its time and no processor: what is measured beside it is the engine."""
    time.sleep(seconds)
    return index


def compute(index: int, rounds: int) -> int:
    """Whole-number arithmetic on one core."""
    x = index
    for _ in range(rounds):
        x = (x * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
    return x
