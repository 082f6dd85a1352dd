"""The names of ``import routeproof``: all there, all documented, each from its own room."""

from __future__ import annotations

import ast
import runpy
from fractions import Fraction
from pathlib import Path

import pytest

import routeproof

STUB = Path(routeproof.__file__).with_suffix(".pyi").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(routeproof.__all__))
def test_every_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    value = getattr(routeproof, name)
    assert name in dir(routeproof)
    if name != "__version__":
        assert value.__doc__, f"{name} has no docstring"


def test_the_stub_is_made_from_the_list_of_names() -> None:
    path = Path(__file__).parents[1] / "docs" / "generate" / "stub.py"
    module = runpy.run_path(str(path))
    assert module["stub_text"]() == STUB, "python docs/generate/stub.py writes it"


def test_pages_repeat_what_verbs_declare() -> None:
    docs = Path(__file__).parents[1] / "docs"
    for page, text in runpy.run_path(str(docs / "generate" / "verbs.py"))["pages"]().items():
        assert (docs / page).read_text(encoding="utf-8") == text, "python docs/generate/verbs.py writes it"


def test_rooms_do_not_hide_functions_of_their_name() -> None:
    """Importing a room makes it an attribute of the package, whatever stood there."""
    rooms = {path.name for path in Path(routeproof.__file__).parent.iterdir() if path.is_dir()}
    assert not rooms & set(routeproof.__all__)


def test_star_imports_give_every_name() -> None:
    names: dict[str, object] = {}
    exec("from routeproof import *", names)
    assert set(routeproof.__all__) <= set(names)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        routeproof.frobnicate  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    body = ast.parse(STUB).body
    seen = [alias.asname or alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names]
    seen += [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)]
    assert sorted([*(x for x in seen if not x.startswith("_")), "__version__"]) == routeproof.__all__


def test_text_and_names_make_the_same_things() -> None:
    net = routeproof.network("torus:5x5")
    by_text = routeproof.named_routing("romm", net)
    by_name = routeproof.ROMM().on(routeproof.torus(5, 5))
    assert routeproof.worst_case(by_text).throughput == routeproof.worst_case(by_name).throughput == Fraction(3, 8)
    assert routeproof.traffic("tornado", net).permutation is not None
