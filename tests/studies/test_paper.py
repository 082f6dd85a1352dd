"""The article: its numbers are what the commands answer today, it names no number that is not made, and is short."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import routeproof
from generators import generator

DOCS = Path(__file__).parents[2] / "docs"
PAPER = DOCS / "paper"
MOST_PAGES = 8


def test_its_numbers_are_those_that_the_commands_answer() -> None:
    assert (PAPER / "numbers.tex").read_text(encoding="utf-8") == generator("paper").written()


def test_every_number_that_is_made_is_used() -> None:
    text = (PAPER / "paper.tex").read_text(encoding="utf-8")
    for macro in re.findall(r"newcommand\{\\(\w+)\}", (PAPER / "numbers.tex").read_text(encoding="utf-8")):
        assert f"\\{macro}" in text


def test_the_entry_for_bibtex_is_of_this_version() -> None:
    assert routeproof.__version__ in (PAPER / "routeproof.bib").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_it_is_short(tmp_path: Path) -> None:
    for _ in range(2):
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", f"-output-directory={tmp_path}", "paper.tex"],
            cwd=PAPER, capture_output=True, check=False,
        )  # fmt: skip
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    assert "undefined" not in said
    pages = re.search(r"Output written on.*?\((\d+)\s+pages", said, re.DOTALL)
    assert pages is not None
    assert int(pages[1]) <= MOST_PAGES
