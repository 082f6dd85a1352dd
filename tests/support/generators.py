"""The scripts of ``docs/generate`` as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).resolve().parents[2] / "docs"


def generator(name: str) -> ModuleType:
    """The script of this name; what it imports beside it is found."""
    folder = DOCS / "generate"
    spec = importlib.util.spec_from_file_location(f"docs_{name}", folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module
