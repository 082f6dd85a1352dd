"""The rooms of routing stand above one another: what a routing is (base) knows none of them, nor how they are named."""

from __future__ import annotations

import ast
from pathlib import Path

import routeproof.routing

ROOT = Path(routeproof.routing.__file__).parent
ORDER = ("base", "tables", "graph", "grid", "cube", "classes", "function", "dependencies", "infiniband", "named")


def test_imports_between_rooms_point_one_way() -> None:
    """Lazy imports and imports for types count, too."""
    seen = 0
    for path in ROOT.rglob("*/*.py"):
        room = path.parent.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2 and node.module:
                other = node.module.split(".")[0]
                seen += 1
                if other in ORDER:
                    assert ORDER.index(other) < ORDER.index(room), f"{room}/{path.name} imports {node.module}"
    assert seen > 100
