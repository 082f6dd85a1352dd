"""Which module of the package imports which: at the top, inside functions, for types only, and by text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from places import ROOT

__all__ = ["Name", "circles", "external_imports", "module_graph", "modules", "names_in"]

Name = tuple[str, ...]
_PACKAGE = ROOT / "src" / "routeproof"
_TEXT = re.compile(r"([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)(?::\w+)?")


def modules() -> Mapping[Name, Path]:
    """Every module by its name below ``routeproof``; a package is its ``__init__``."""
    found = {}
    for path in sorted(_PACKAGE.rglob("*.py")):
        parts = path.relative_to(_PACKAGE).with_suffix("").parts
        found[parts[:-1] if parts[-1] == "__init__" else parts] = path
    return found


def external_imports(path: Path) -> set[str]:
    """The packages of others that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return found - {"routeproof"}


def module_graph(known: Mapping[Name, Path]) -> dict[Name, set[Name]]:
    """The modules that each one imports; the package itself, which stands above all of them, imports nothing here."""
    graph = {name: set(names_in(name, path, known)) - {name, ()} for name, path in known.items()}
    graph[()] = set()
    return graph


def names_in(name: Name, path: Path, known: Mapping[Name, Path]) -> Iterator[Name]:
    """The modules of ``known`` that the module ``name`` imports, in whatever way.

    A text counts as an import where it names one of our modules in full (``routeproof.x.y`` or ``routeproof.x.y:f``),
    and, in a module that calls ``import_module``, where it names one as seen from the module's package.  The text of a
    package stands for every module in it.
    """
    package = name if path.name == "__init__.py" else name[:-1]
    tree = _tree(path)
    by_text = any(
        isinstance(x, ast.Call) and ast.unparse(x.func).split(".")[-1] == "import_module" for x in ast.walk(tree)
    )
    groups = {id(x.value) for x in ast.walk(tree) if isinstance(x, ast.keyword) and x.arg == "group"}  # entry points
    for node in ast.walk(tree):
        if id(node) in groups:
            continue
        if isinstance(node, ast.ImportFrom):
            inner = tuple(node.module.split(".")) if node.module else ()
            if not node.level and inner[:1] != ("routeproof",):
                continue
            base = package[: len(package) - node.level + 1] + inner if node.level else inner[1:]
            yield from (x for alias in node.names for x in _module((*base, alias.name), base, known))
        elif isinstance(node, ast.Import):
            texts = [alias.name.split(".") for alias in node.names]
            yield from (tuple(x[1:]) for x in texts if x[0] == "routeproof" and tuple(x[1:]) in known)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = _TEXT.fullmatch(node.value.lstrip("."))
            if text is None:
                continue
            parts = tuple(text[1].split("."))
            if parts[0] == "routeproof" and len(parts) > 1:
                yield from _named(parts[1:], known)
            elif by_text and parts[0] != "routeproof":
                yield from _named(package + parts, known)


def _module(name: Name, base: Name, known: Mapping[Name, Path]) -> list[Name]:
    return [name] if name in known else [base] if base in known else []


def _named(name: Name, known: Mapping[Name, Path]) -> list[Name]:
    if name not in known:
        return []
    return [name, *(x for x in known if x[:-1] == name and known[name].name == "__init__.py")]


def _tree(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def circles(graph: Mapping[Name, set[Name]]) -> list[set[Name]]:
    """The sets of two or more modules that all import one another in the end (Tarjan 1972)."""
    number: dict[Name, int] = {}
    low: dict[Name, int] = {}
    stack: list[Name] = []
    found: list[set[Name]] = []

    def visit(v: Name) -> None:
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in sorted(graph[v]):
            if w not in number:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == number[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for v in graph:
        if v not in number:
            visit(v)
    return found
