"""Options that a verb has not: what is nearly the same word is proposed, else the verbs that have it."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (["deadlock", "ring:5", "--csv", "x"], "compare has it", "--sl2vl"),
        (["worst-case", "ring:5", "--latx"], "No such option: --latx", "--plot"),
        (["worst-case", "ring:5", "--rooting", "dor"], "did you mean --routing?", "has it"),
        (["verify", "--jsn", "x"], "did you mean --json?", "has it"),
        (["simulate", "load", "--links", "3"], "failures has it", "mean"),
        (["worst-case", "ring:5", "--service-levels", "x"], "(compare, deadlock have it; see", "mean"),
        (["compare", "ring:5", "--routing", "dor"], "follow the network: routeproof compare torus:8x8 dor", "have it"),
        (["worst-case", "ring:5", "--zzz"], "see 'routeproof worst-case --help'", "ha"),
    ],
)
def test_suggestions_are_near_or_none(words: list[str], said: str, unsaid: str, run: Any) -> None:
    ran = run(*words)
    assert ran.status == 2
    assert said in ran.err
    assert unsaid not in ran.err.replace(said, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plot", "ring:5"], "--plot FILE.svg of worst-case"),
        (["analyze", "ring:5"], "worst-case judges a routing"),
        (["help"], "routeproof --help was expected"),
        (["worstcase"], "did you mean 'worst-case'?"),
        (["worst-case", "torus", "4x4"], "one argument too many: 4x4 (a routing is given by --routing"),
        (["worst-case", "ring:5", "--routing"], "--routing needs a value"),
        (["design", "ring:5"], "--then path-length --output best.json; see"),
    ],
)
def test_wrong_commands_are_told_what_would_be_right(words: list[str], said: str, run: Any) -> None:
    ran = run(*words)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
