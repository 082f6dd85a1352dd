"""Kernels: functions of arrays in two copies of one source, one compiled by numba, one interpreted by Python.

To import numba takes half a second, to load compiled code as long, to compile it many seconds.  A small problem is
solved sooner without: ``Kernel.for_steps`` gives the interpreted copy as long as all that this process interprets is
little.  Both copies give the same numbers: sums of 64 bits wrap around in both, and callers bound them.
"""

from __future__ import annotations

import pickle
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, wraps
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

_SAVED = 7e5  # steps that need not be interpreted where compiled code is at hand
_LITTLE = 2e4  # steps that are interpreted sooner than one more kernel's code is loaded, once numba is
_MODULE = re.compile(rb"routeproof\.[a-z0-9_.]*kernels")  # of kernels, as their compiled code names it
_DISPATCHING = threading.RLock()  # threads that come to a kernel together compile it once


class Kernel:
    """A function of arrays, which may call other kernels of its module.  A call is one of the compiled copy.

    ``function``: as it is written; ``options``: those of ``numba.njit``.
    """

    allowance = 1e6
    """The steps that this process may still interpret, about a microsecond each: what numba would take at least."""

    at_hand = False
    """Has this process called numba's code?"""

    announce: Callable[[], None] | None = None
    """Called before a kernel is compiled for the first time on this machine."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return self._ready()(*arguments)

    def for_steps(self, steps: float) -> Callable[..., Any]:
        """The copy for a call whose inner loops take about so many ``steps``."""
        allowance = Kernel.allowance
        if self._on_disk:
            allowance = min(allowance - _SAVED, _LITTLE if Kernel.at_hand else allowance)
        if steps > allowance or (self._dispatcher is not None and self._dispatcher.overloads):
            return self._ready()
        Kernel.allowance -= steps
        return self.interpreted

    @cached_property
    def _on_disk(self) -> bool:
        """Is there compiled code beside the source?  Then it is only loaded, which takes less than to compile it.  Said
        without numba, which may keep it elsewhere."""
        file = Path(self.function.__code__.co_filename)
        return any(file.parent.joinpath("__pycache__").glob(f"{file.stem}.{self.function.__qualname__}-*.nbi"))

    @cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The copy that Python interprets: numbers of arrays wrap around without a warning, as in compiled code."""

        @wraps(self.function)
        def run(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):
                return self._plain(*arguments)

        return run

    @property
    def compiled(self) -> Any:
        """The copy that numba compiles: its dispatcher, which compiles when it is called.

        Without ``cache`` where no directory for compiled code can be written (a package that is read-only, and no home
        to write to: containers, build machines): numba itself refuses then; here every run compiles anew.
        """
        if self._dispatcher is None:
            with _DISPATCHING:
                numba = _numba()
                function = self._copy("compiled")
                try:
                    self._dispatcher = self._dispatcher or numba.njit(**self.options)(function)
                except RuntimeError:
                    self._dispatcher = numba.njit(**{**self.options, "cache": False})(function)
                self._forget_strange_code()
        return self._dispatcher

    def _forget_strange_code(self) -> None:
        """Drop lists of compiled code that name modules of another version of this package, or whose code does: numba
        reads such a list before it asks whether the source is still the same, asks that of the kernel's own module
        alone, and fails where a module is gone."""
        package = Path(__file__).parents[2]
        file = Path(self.function.__code__.co_filename).stem
        where = Path(str(self._dispatcher.stats.cache_path))  # "None": it keeps none
        for index in where.glob(f"{file}.{self.function.__qualname__}-*.nbi"):
            try:
                with index.open("rb") as stream:
                    pickle.load(stream)  # numba's version  # noqa: S301
                    pickle.load(stream)  # what numba itself is about to read  # noqa: S301
                codes = [x.read_bytes() for x in where.glob(f"{index.stem}.*.nbc")]
            except (ImportError, AttributeError):
                named = {"a module that is gone"}
            except (OSError, EOFError, pickle.UnpicklingError):
                continue
            else:
                named = {x.decode() for code in codes for x in _MODULE.findall(code)}
            if not all(package.joinpath(*x.split(".")).with_suffix(".py").exists() for x in named):
                index.unlink(missing_ok=True)

    def will_compile(self) -> bool:
        """Is there no compiled code yet, neither here nor on disk (a first run, or a directory that forgets)?"""
        if self.compiled.overloads:  # its ``signatures`` are a list, made anew each time
            return False
        file = Path(self.function.__code__.co_filename).stem
        try:
            where = Path(str(self.compiled.stats.cache_path))  # numba's directory for this module
            return not any(where.glob(f"{file}.{self.function.__qualname__}-*.nbc"))
        except OSError:
            return False

    @cached_property
    def _plain(self) -> Callable[..., Any]:
        return self._copy("_plain")

    def _ready(self) -> Callable[..., Any]:
        if Kernel.announce is not None and self.will_compile():
            Kernel.announce()
        Kernel.at_hand = True
        return self.compiled  # type: ignore[no-any-return]

    def _copy(self, which: str) -> FunctionType:
        """The function, with the same copy of every kernel that it calls."""
        own = self.function
        names = dict(own.__globals__)
        for name in own.__code__.co_names:
            if isinstance(names.get(name), Kernel):
                names[name] = getattr(names[name], which)
        return FunctionType(own.__code__, names, own.__name__, own.__defaults__, own.__closure__)


def _numba() -> Any:
    """The library numba, without scipy.linalg: it imports that only to know whether there is a BLAS, for two functions
    that no kernel calls, and it takes as long as half of numba."""
    import numba

    with suppress(ImportError, AttributeError):  # other versions may ask elsewhere: then it is imported
        from numba.np import linalg

        asks = linalg.ensure_blas
        try:
            linalg.ensure_blas = lambda: None  # scipy, which we need, has one
            import numba.np.arraymath
        finally:
            linalg.ensure_blas = asks
    return numba


def njit(**options: Any) -> Any:
    """``numba.njit(nogil=True, **options)`` for a ``Kernel``.  Without the GIL, so that Ctrl-C is heard while compiled
    code runs."""
    return lambda function: Kernel(function, {"nogil": True, **options})
