"""Every example in the documentation runs, and prints what the page says.

A page's blocks run in order, in one empty directory and one namespace:

- ``python``: executed; with ``>>>`` prompts, compared like a doctest;
- ``console``: each line after ``$ `` is run and its output compared with the lines below it; ``...`` stands for
  anything; a last line ``[exit status 2]`` says how the command ends; a ``text`` that begins with ``$ `` is run, too;
- a block after ``<!-- file: name -->`` is written to that file first (and, if Python, not executed);
- a block after ``<!-- not executed -->``, or after the README's two command markers, is left alone.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from routeproof.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
SKIPPED = ("not executed", "first-command", "second-command")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

_BLOCK = re.compile(
    r"(?:<!-- (?P<mark>[^>]*?) -->\n)?^```(?P<kind>\w*)[^\n]*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    kind: str
    mark: str
    body: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("body")) + 1
        yield Block(match["kind"], (match["mark"] or "").strip(), match["body"], line)


def run_command(command: str) -> tuple[str, int]:
    """Output and exit status; our own command runs in this process, which is faster."""
    words = shlex.split(command)
    if words[:2] == ["routeproof", "search"] or ("--strict" in words and "--time-limit" not in words):
        words += ["--time-limit", "1e9"]  # what has an answer has it on the slowest machine, too
    if words[0] == "routeproof" and not set(command) & set("|<>&;"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main(words[1:])
        return out.getvalue(), status
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    return result.stdout + result.stderr, result.returncode


def run_console(block: Block) -> None:
    commands = re.split(r"^\$ ", block.body, flags=re.MULTILINE)
    assert not commands[0].strip(), "a console block starts with '$ '"
    for entry in commands[1:]:
        command, _, expected = entry.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more
        wanted = 0
        ending = re.search(r"^\[exit status (\d+)\]\n?\Z", expected, re.MULTILINE)
        if ending:
            wanted = int(ending[1])
            expected = expected[: ending.start()]
        output, status = run_command(command)
        assert status == wanted, f"line {block.line}: '{command}' ended with {status}:\n{output}"
        if expected.strip():
            same = doctest.OutputChecker().check_output(expected, output, FLAGS)
            assert same, f"line {block.line}: '{command}' printed\n{output}\nand not\n{expected}"


def run_python(block: Block, namespace: dict[str, object], page: Path) -> None:
    if ">>>" not in block.body:
        exec(compile(block.body, f"{page.name}:{block.line}", "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.body, namespace, page.name, str(page), block.line)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.write, clear_globs=False)
    namespace.update(test.globs)
    assert not runner.failures, report.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("COLUMNS", raising=False)
    for folder in ("checkers", "docs", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if block.mark in SKIPPED:
            continue
        if block.mark.startswith("file: "):
            name = block.mark.removeprefix("file: ")
            assert Path(name).name == name
            (tmp_path / name).write_text(block.body, encoding="utf-8")
        elif block.kind == "console" or (block.kind == "text" and block.body.startswith("$ ")):
            run_console(block)
        elif block.kind == "python":
            run_python(block, namespace, page)


def test_the_harness_notices_a_wrong_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = [
        Block("console", "", "$ routeproof --version\nrouteproof 99\n", 1),
        Block("console", "", "$ routeproof frobnicate\n", 1),
        Block("python", "", ">>> 1 + 1\n3\n", 1),
    ]
    for block in wrong:
        with pytest.raises(AssertionError):
            run_console(block) if block.kind == "console" else run_python(block, {}, Path("page.md"))


def test_every_page_is_linked_from_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in ROOT.glob("docs/*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, f"{page.name} is not linked from index.md"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", _BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z]+:", target):
            made = target.startswith(("reference/", "live/", "atlas/"))  # made when the site is built
            assert made or (page.parent / target).exists(), f"{page.name} links to {target}"
