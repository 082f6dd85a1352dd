"""`hashing`, `split` and `worst-hash:` as a user types them: answers that verify, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from places import ETHERNET
from routeproof.cli.main import main

FABRIC = str(ETHERNET / "leaf-spine")


@pytest.mark.parametrize("command", [
    "hashing fat-tree:4 -r ecmp --traffic shift:by=4 --flows 4 --samples 50",
    "hashing fat-tree:4 -r wcmp:hash=same-range --traffic bit-complement --pair 0,15 --samples 0",
    f"hashing {FABRIC} --traffic worst --pair h1,h3",
    f"hashing {FABRIC} -r routes:hash=same --traffic shift:by=1 --at-least 1/2 --at-least 2",
    "hashing torus:4x4 -r o1turn --traffic transpose",
    "hashing torus:3x3 -r ksp:k=2 --traffic ring --samples 20",
    f"worst-case {FABRIC} -r worst-hash:routes --all-channels",
    f"compare {FABRIC} routes worst-hash:routes routes:hash=same",
    "worst-case fat-tree:4 -r worst-hash:updown --demands sparse:all",
    "split 3:0:1 --weights 2:1:1 --level 1/20",
    "split 10:12:9:30:7:6:11:10:9:12:10:8",
])  # fmt: skip
def test_what_is_answered_is_verified(command: str, tmp_path: Path) -> None:
    report = str(tmp_path / "r.json")
    assert main([*command.split(), "--quiet", "--json", report, "--html", str(tmp_path / "r.html")]) == 0
    assert main(["verify", report, "--quiet"]) == 0


@pytest.mark.parametrize(("command", "why"), [
    ("hashing fat-tree:4 -r ecmp", "no traffic is given; --traffic shift:by=4"),
    ("hashing fat-tree:4 -r ecmp --traffic uniform", "traffic uniform is not a permutation"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --pair 0", "two terminals, such as 0,7, were expected"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --pair 0,99", "terminal 99; terminals are 0 to 15"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --pair 0,1", "no flow enters the network"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --at-least 0", "--at-least takes loads above 0"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --flows 99999999", "in all 1 to 200,000 were expected"),
    ("hashing fat-tree:4 -r ecmp --traffic ring --samples 999999999", "100000, and 0 on, were expected"),
    ("hashing torus:4x4 -r valiant --traffic ring", "make a cycle"),
    ("hashing fat-tree:4 -r worst-hash:ecmp --traffic ring", "packets can follow"),
    ("split 47", "2 to 128"),
    ("split 47:x", "whole numbers with colons between"),
    ("split 47:53 --weights 1", "one for each was expected"),
    ("split 47:53 --level 3", "less than 1, such as 1%"),
    ("split 47:53 --test fair", "likelihood or deviation was expected"),
    ("split 99999999:1", "1 to 50,000 are judged exactly"),
])  # fmt: skip
def test_bad_input_is_one_line(command: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert why.replace("100000", "100,000") in error


def test_numbers_that_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """47:53 of 100: the binomial test of every textbook; four flows on four spines: 1 - 4!/4^4 that two meet."""
    report = tmp_path / "r.json"
    assert main(["split", "47:53", "--quiet", "--json", str(report)]) == 0
    (p, *_) = json.loads(report.read_text())["claims"]
    numerator, denominator = map(int, p["value"].split("/"))
    assert numerator / denominator == pytest.approx(0.61729941358925)
    assert main(["hashing", "fat-tree:8", "-r", "ecmp", "--traffic", "shift:by=64", "--samples", "0", "--quiet",
                 "--at-least", "2", "--json", str(report)]) == 0  # fmt: skip
    capsys.readouterr()
    claims = json.loads(report.read_text())["claims"]
    (low,) = (x["value"] for x in claims if x.get("at_least") == "2" and x["relation"] == ">=")
    numerator, denominator = map(int, low.split("/"))
    assert numerator / denominator >= 1 - (24 / 256) ** 32  # of 32 leaves
