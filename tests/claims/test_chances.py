"""The second calculation of hashing's probabilities: it agrees with the first, shares nothing, finds forgeries."""

from __future__ import annotations

import ast
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from commanded_reports import refusal, sealed
from routeproof.claims import chances, splits
from routeproof.claims.chances import none_over, one_channel
from routeproof.claims.routings import hashing
from routeproof.cli.main import main
from routeproof.kernel.independent_flows import within
from routeproof.kernel.splits import TESTS, p_value, reached
from routeproof.routing.hashing.flows import Flows


@pytest.mark.parametrize("seed", range(40))
def test_flows_on_channels(seed: int) -> None:
    rng = random.Random(seed)
    classes, room = [], {c: rng.randint(-1 if seed % 7 == 0 else 0, 4) for c in range(6)}
    for _ in range(rng.randint(1, 4)):
        some = rng.sample(range(6), rng.randint(1, 3))
        parts = [rng.randint(1, 5) for _ in some]
        total = sum(parts) + rng.choice([0, 0, 3])
        classes.append((rng.randint(1, 5), {c: Fraction(x, total) for c, x in zip(some, parts, strict=True)}))
    assert none_over(classes, room) == within(classes, room)


def test_a_channel_of_very_many_flows() -> None:
    classes = [(300, {0: Fraction(1, 16)}), (40, {0: Fraction(1)}), (70, {0: Fraction(2, 7)})]
    assert one_channel(classes, 0, 80) == within(classes, {0: 80}).low
    classes = [(60, {c: Fraction(1, 8) for c in range(8)})]
    assert none_over(classes, dict.fromkeys(range(8), 12)) == within(classes, dict.fromkeys(range(8), 12))
    many = [(60, {c: Fraction(1, 60) for c in range(60)}), (60, {c: Fraction(1, 30) for c in range(30)})]
    assert none_over(many, dict.fromkeys(range(60), 5)) == within(many, dict.fromkeys(range(60), 5))


@pytest.mark.parametrize("weights", [(1, 1), (2, 3), (1, 2, 3), (1, 1, 1, 1)])
@pytest.mark.parametrize("test", TESTS)
def test_splits(weights: tuple[int, ...], test: str) -> None:
    rng = random.Random(5)
    for _ in range(6):
        counts = [rng.randint(0, 12) for _ in weights[1:]] + [3]
        assert splits._p_value(counts, weights, test) == p_value(counts, weights, test)
    assert splits._reached(40, weights, Fraction(5)) == reached(40, weights, Fraction(5))


COMMANDS = (
    "hashing fat-tree:4 --routing minimal:choice=per-hop --traffic shift:by=4 --samples 0 --pair 0,8",
    "hashing mesh:2x3,concentration=2 --routing minimal:choice=per-path --traffic shift:by=5 --samples 0",
    "hashing fat-tree:4 --routing minimal:choice=per-hop --traffic shift:by=5 --flows 3 --samples 0",
    "hashing ring:4 --routing minimal --traffic shift:by=2 --flows 2",
    "hashing torus:3x4 --routing minimal:choice=per-hop --traffic random:seed=3 --samples 0",
    "split 20:35",
    "split 3:9:4:12:6 --weights 1:2:1:2:1",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_reports_without_the_code_that_made_them(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.json"
    assert main([*command.split(), "--json", str(path), "--quiet"]) == 0
    document = json.loads(path.read_text())

    def broken(*_: object, **__: object) -> Any:
        raise AssertionError("the checker called the finder")

    for name in ("reaches", "channel_reaches", "_joint", "mean", "stages"):
        monkeypatch.setattr(Flows, name, property(broken))
    for name in ("within", "components", "_component", "_one_channel", "_multinomial", "_by_states"):
        monkeypatch.setattr(f"routeproof.kernel.independent_flows.{name}", broken)
    for name in ("p_value", "reached", "tolerance", "_inside", "_all_ways"):
        monkeypatch.setattr(f"routeproof.kernel.splits.{name}", broken)
    monkeypatch.setattr("routeproof.routing.hashing.flows.next_shares", broken)
    assert refusal(document) is None
    changed = 0
    for claim in document["claims"]:
        if claim["grade"] != "PROVED" or claim["evidence"]["kind"] not in ("hashed-flows", "split"):
            continue
        wrong = json.loads(json.dumps(document))
        here = wrong["claims"][document["claims"].index(claim)]
        if claim["value"] in ("true", "false"):
            here["value"] = "true" if claim["value"] == "false" else "false"
        else:
            value = Fraction(claim["value"])
            step = Fraction(1) if claim["quantity"] == "split_tolerance" else Fraction(1, 10**12)
            here["value"] = str(value - step if claim["relation"] != ">=" and value > step else value + step)
        assert refusal(sealed(wrong)), claim
        changed += 1
    assert changed


def test_the_second_calculation_imports_nothing_of_the_first() -> None:
    for module, allowed in (
        (chances, {"Chance"}),
        (splits, {"Chance", "TESTS", "check_split"}),
        (hashing, {"Chance", "Flows", "drawn"}),
    ):
        assert module.__file__
        found = set()
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            where = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if any(x in where for x in ("independent_flows", "checks.splits", "routing.hashing")):
                found |= {x.name for x in node.names}  # type: ignore[union-attr, attr-defined]
        assert found <= allowed
