"""A disk that is really full, in the middle of a run: one line, nothing lost, and the same bytes once there is room."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.engine import work as engine_work


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of 52 kB; skipped for whoever may not mount one."""
    monkeypatch.setenv(engine_work.VARIABLE, "0.0+test")
    engine_work.code_version.cache_clear()
    if not hasattr(os, "getuid") or os.getuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a file system")
    where = tmp_path / "tiny"
    where.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=52k", "tmpfs", str(where)], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield where
    subprocess.run(["umount", "-l", str(where)], check=True)  # lazily: a busy machine may still hold it


def test_a_disk_that_is_full(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verb = ["simulate", "calls", "multi-benes:8,d=2,seed=1", "--trials", "2000"]
    assert main([*verb, "--workers", "1", "--json", str(tmp_path / "one.json")]) == 0
    capsys.readouterr()
    run = ["--run", str(tiny / "run"), "--json", str(tmp_path / "two.json")]
    assert main([*verb, *run, "--workers", "2"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written: no space is left; what was kept before is safe" in said
    subprocess.run(["mount", "-o", "remount,size=4m", str(tiny)], check=True)
    assert main(["runs", "verify", str(tiny / "run")]) == 0
    assert "records are whole" in capsys.readouterr().out
    assert main([*verb, *run, "--workers", "2"]) == 0
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()
