"""In a notebook long work says how far it is; elsewhere nothing is displayed."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

import routeproof as rp
from routeproof.report.notebook import progress


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What IPython was asked to display, in a kernel that is none."""
    seen: list[Any] = []

    def display(what: Any, *, display_id: bool) -> Any:
        assert display_id
        seen.append(what)
        return SimpleNamespace(update=seen.append)

    kernel = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    return seen


def test_long_work_is_told_and_the_line_goes_when_it_ends(shown: list[Any]) -> None:
    rp.average_case(rp.DOR().on(rp.mesh(2, 2)), samples=5)
    assert any("random matrices: " in repr(x) and "<progress" in x._repr_html_() for x in shown)
    assert shown[-1]._repr_html_() == repr(shown[-1]) == ""


def test_words_are_shown_and_escaped(shown: list[Any]) -> None:
    with progress.stage_here()("solving") as tell:
        tell("round 3 <b>")  # type: ignore[call-arg, arg-type]
    with progress.words_here("search") as say:
        assert say is not None
        say("try 2")
    texts = [x._repr_html_() for x in shown]
    assert "<div>round 3 &lt;b&gt;</div>" in texts
    assert "<div>search: try 2</div>" in texts


def test_work_that_never_reports_is_named(shown: list[Any]) -> None:
    with progress.stage_here()("solving"):
        until = time.monotonic() + 20
        while not shown and time.monotonic() < until:
            time.sleep(0.01)
    assert repr(shown[0]) == "solving"


def test_without_a_kernel_nothing_is_displayed(shown: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace()))
    rp.average_case(rp.DOR().on(rp.mesh(2, 2)), samples=5)
    with progress.words_here("search") as say:
        assert say is None
    assert shown == []
