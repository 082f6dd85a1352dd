"""Will numba compile on the first call, or load what an earlier run has compiled?"""

from __future__ import annotations

from pathlib import Path

__all__ = ["will_compile"]


def will_compile() -> bool:
    """True where no compiled kernel of the worst case is cached yet (a first run, or a directory that forgets)."""
    from .worst_case.transport_kernels import solve_channels

    try:
        where = Path(str(solve_channels.stats.cache_path))  # numba's directory for this module
        return not any(where.glob("transport_kernels.solve_channels*.nbc"))
    except (AttributeError, OSError, TypeError):
        return False
