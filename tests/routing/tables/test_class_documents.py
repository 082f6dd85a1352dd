"""Routing documents by classes of pairs, or by groups of next channels: what is missing is said, with the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof import network
from routeproof.core.errors import InputError
from routeproof.routing.named.spec import routing_from_spec

RING = {"format": "routeproof/routing", "network": {"spec": "ring:3"}}
NONE = {"reversal": False, "found": []}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"classes": {}}, "loads by class need 'classes' (a list)"),
        ({"classes": {"classes": []}}, "the scale of the loads"),
        ({"classes": {"classes": [], "scale": 1}}, "needs 'symmetry' (an object)"),
        ({"classes": {"classes": [[0, 1]], "scale": 1, "symmetry": NONE}}, "[source, destination, channels, loads]"),
        ({"classes": []}, "'classes' must be an object"),
        ({"classes": {"classes": [], "scale": 1, "symmetry": NONE}, "x": 1}, "and no other keys"),
        ({"groups": {}}, "group"),
        ({"groups": []}, "group"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, entry: dict[str, object], words: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps({**RING, **entry}), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        routing_from_spec(str(path), network("ring:3"))
    assert words in str(caught.value)
    assert "r.json" in str(caught.value)
    assert "\n" not in str(caught.value)
