"""Pieces on a ``concurrent.futures`` executor of the caller's."""

from __future__ import annotations

from concurrent.futures import Executor, Future

from .errors import EngineError
from .local import usable_cores

__all__ = ["OnExecutor"]
