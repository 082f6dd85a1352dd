"""The commands that a page of the documentation prints, for tests that follow it on a fabric of its own."""

from __future__ import annotations

import re
import shlex

from places import ROOT

__all__ = ["commands_of"]


def commands_of(page: str, heading: str) -> list[list[str]]:
    """The words after ``routeproof`` of every such line in one section of ``docs/PAGE``, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = re.findall(r"^\$ routeproof (.*)$", section, re.MULTILINE)
    assert lines
    return [shlex.split(x) for x in lines]
