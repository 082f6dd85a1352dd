"""Options that a verb has not: what is nearly the same word is proposed, else the verbs that have it."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (["deadlock", "ring:5", "--csv", "x"], "compare has it", "--sl2vl"),
        (["worst-case", "ring:5", "--latx"], "No such option: --latx", "--plot"),
        (["worst-case", "ring:5", "--rooting", "dor"], "(Possible options: --routing)", "has it"),
        (["verify", "--jsn", "x"], "(Possible options: --json)", "has it"),
        (["simulate", "load", "--links", "3"], "failures has it", "Possible"),
        (["worst-case", "ring:5", "--zzz"], "see 'routeproof worst-case --help'", "ha"),
    ],
)
def test_suggestions_are_near_or_none(words: list[str], said: str, unsaid: str, run: Any) -> None:
    ran = run(*words)
    assert ran.status == 2
    assert said in ran.err
    assert unsaid not in ran.err.replace(said, "")
    assert ran.err.count("\n") == 1
