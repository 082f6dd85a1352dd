"""Reports in files: true ones are verified, false ones end with 1 and a name, files that are no report with 2.

The true ones keep old reports readable: do not make them again when the format changes, add new ones.  The false ones
were written to deceive, with digests that match; those named v0.1.0 were verified by version 0.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from routeproof.cli.main import main

HERE = Path(__file__).resolve().parent

NAMED = json.loads((HERE / "reasons.json").read_text())
"""By file in ``invalid``: why it is refused."""
TOLD = {
    "another-format": "routeproof/network",
    "claims-no-list": "claims is an object; a list was expected",
    "cut-off": "is not valid JSON",
    "division-by-zero": "claims[0].value is '5/0'",
    "empty": "is empty; JSON was expected",
    "huge-network": "at most 4,194,304 are supported",
    "key-twice": "the key 'version' twice",
    "nan": "holds NaN",
    "no-digest": "claims[0] has no digest",
    "no-evidence": "claims[0] has no key 'evidence'",
    "not-an-object": "a report (a JSON object) was expected",
    "unknown-grade": "claims[0].grade is 'CERTAIN'",
    "unknown-network": "did you mean 'torus'?",
}


def files(folder: str) -> list[Path]:
    return sorted((HERE / folder).glob("*.json"))


def test_every_file_has_its_test() -> None:
    assert len(files("valid")) >= 10
    assert {x.stem for x in files("invalid")} == set(NAMED)
    assert {x.stem for x in files("malformed")} == set(TOLD)
    assert all(x.stat().st_size < 30_000 for folder in ("valid", "invalid", "malformed") for x in files(folder))


@pytest.mark.parametrize("path", files("valid"), ids=lambda x: x.stem)
def test_valid(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path)]) == 0
    shown = capsys.readouterr()
    assert f"{len(json.loads(path.read_text())['claims'])} claims verified" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize("path", files("invalid"), ids=lambda x: x.stem)
def test_invalid(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path)]) == 1
    one_line(capsys, "not verified: ", NAMED[path.stem])


@pytest.mark.parametrize("path", files("malformed"), ids=lambda x: x.stem)
def test_malformed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path)]) == 2
    one_line(capsys, "error: ", TOLD[path.stem])


def one_line(capsys: pytest.CaptureFixture[str], start: str, words: str) -> None:
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert shown.err.startswith(start)
    assert words in shown.err
