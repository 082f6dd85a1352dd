"""Work: a function of a module, and the pieces to which it is to be applied."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..core.errors import InputError
from .records import encode

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Work:
    """``function`` applied to every piece, independently.

    - ``name``: what it is, for people: "channels", "seeds"; different works of one run directory have different names;
    - ``function``: a function of a module, or its name "package.module:function"; it is called with a piece's arguments
      by keyword and returns plain data (see ``records``).  The same arguments must always give the same result;
    - ``pieces``: key -> arguments (plain data).  Keys are short texts for people; results come back under them;
    - ``shared``: arguments that all pieces have in common, sent once to every worker;
    - ``prepare``: if given, ``prepare(**shared)`` is called once in every worker process, and what it returns
      (anything) becomes the first argument of ``function``.  Without it ``function`` gets ``shared`` by keyword;
    - ``seconds``: roughly what all pieces take on one core; below two seconds no process is started unless asked for;
    - ``memory``: roughly the bytes that one worker needs for a piece.
    """

    name: str
    function: str | Callable[..., Any]
    pieces: Mapping[str, Mapping[str, Any]]
    shared: Mapping[str, Any] = field(default_factory=dict)
    prepare: str | Callable[..., Any] | None = None
    seconds: float | None = None
    memory: int = 0

    def task(self) -> bytes:
        """What all pieces have in common, as it is sent to workers; the code's version included."""
        return encode(
            {
                "code": code_version(),
                "function": function_name(self.function),
                "prepare": None if self.prepare is None else function_name(self.prepare),
                "modules": [
                    module_digest(function_name(x).partition(":")[0])
                    for x in (self.function, self.prepare)
                    if x is not None
                ],
                "shared": dict(sorted(self.shared.items())),
            }
        )


def arguments_of(piece: Mapping[str, Any]) -> bytes:
    """A piece's arguments as they are sent; equal arguments give equal bytes."""
    return encode(dict(sorted(piece.items())))


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def function_name(function: str | Callable[..., Any]) -> str:
    """``package.module:function``.  Raises InputError for functions that a worker could not import."""
    if isinstance(function, str):
        return function
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    if module in (None, "__main__") or "<" in name or "." in name:
        raise InputError(
            f"{name or function!r} of {module} cannot be imported by workers; a function of a module of its own "
            "was expected"
        )
    return f"{module}:{name}"


def named_function(name: str) -> Callable[..., Any]:
    """The function that ``function_name`` named."""
    module, _, inner = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), inner)
    except (ImportError, AttributeError) as error:
        raise InputError(f"the function {name} cannot be imported: {error}") from None
    if not callable(found):
        raise InputError(f"{name} is not a function")
    result: Callable[..., Any] = found
    return result


VARIABLE = "ROUTEPROOF_CODE_VERSION"  # by which a process tells its own workers, who need not read all source again


@functools.cache
def code_version() -> str:
    """``0.1.0+0123456789ab``: the version, and the first digits of the SHA-256 of all source files of the package."""
    if known := os.environ.get(VARIABLE):
        return known
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:12]}"


@functools.cache
def module_digest(module: str) -> str:
    """A digest of a module's source, where it is none of the package's own (those are in ``code_version``)."""
    if module.partition(".")[0] == "routeproof":
        return ""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return ""
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()


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
