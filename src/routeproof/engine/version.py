"""Which code made a record: the version of the package and a digest of its source."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
from pathlib import Path

from .. import __version__

__all__ = ["VARIABLE", "code_version", "module_digest"]

VARIABLE = "ROUTEPROOF_CODE_VERSION"  # by which a process tells its own workers, who need not read all source again


@functools.cache
def code_version() -> str:
    """``0.1.0+0123456789ab``: the version, and the first digits of the SHA-256 of all source files of the package."""
    if told := os.environ.get(VARIABLE):
        return told
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
