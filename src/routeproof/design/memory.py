"""How much memory there is, so that a program that cannot fit is refused before it is built."""

from __future__ import annotations

__all__ = ["free_memory"]


def free_memory() -> int | None:
    """Bytes of memory that can be had, where the system says so."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None
