"""The proofs of docs/atlas.md, made again and checked: ``python docs/generate/atlas_proofs.py FOLDER [NETWORK ...]``.

Where FOLDER has not the proof of a row yet (``routeproof study atlas --reports FOLDER`` writes them), its command is
asked again.  A proof with the SHA-256 that the atlas names is read by checkers/python/check_proof.py, and the CPU time
of that is kept in docs/assets/atlas.json.  A search that was stopped by time may end with another proof, which is read
as well, and not kept.  ``--no-asking``: only what is in FOLDER.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from routeproof.studies.atlas import ask

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs" / "assets" / "atlas.json"
CHECKER = ROOT / "checkers" / "python" / "check_proof.py"
_SECONDS = 600.0  # the most for a command


def checked(proof: Path) -> tuple[bool, float]:
    """What the independent checker says, in a process of its own, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, str(CHECKER), str(proof)], capture_output=True, check=False)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode == 0, round(took, 1)


def again(row: dict[str, Any], folder: Path, *, asking: bool) -> str:
    """One row: what is said of it; its data says so, too, where its own proof holds."""
    known = row["data"]
    report = folder / re.sub(r"[^\w=-]+", "_", known["network"]) / f"{known['column']}.json"
    proof = report.with_suffix(".proof.json")
    if not proof.exists() and asking:
        report.parent.mkdir(parents=True, exist_ok=True)
        ask(known["command"], report, _SECONDS, proof=True)
    if not proof.exists():
        return "no proof was made" if asking else "no proof is there"
    same = hashlib.sha256(proof.read_bytes()).hexdigest() == known["proof"]
    holds, seconds = checked(proof)
    if holds and same:
        known["checked"] = seconds
    return f"{'the same' if same else 'another'} proof, {'holds' if holds else 'REFUSED'}, {seconds} s"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="all where none is named")
    parser.add_argument("--no-asking", action="store_true")
    options = parser.parse_args(arguments)
    document = json.loads(DATA.read_text(encoding="utf-8"))
    for row in document["rows"]:
        if "proof" in row["data"] and (not options.networks or row["data"]["network"] in options.networks):
            print(f"{row['label']}: {again(row, options.folder, asking=not options.no_asking)}", flush=True)
    DATA.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
