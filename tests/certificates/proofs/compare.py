"""Compare another checker of proofs with ours: on this folder, and on proofs with one entry changed.

    python tests/certificates/proofs/compare.py [--falsify 20] [--only NAME] -- node my_checker.js

The command is run with the path of a proof as its last argument, and must end with 0 (all claims hold), 1 (one does
not) or 2 (unreadable), as docs/proof-format.md says.  Every file of ``correct``, ``incorrect`` and ``malformed`` is
given to it; then each correct one with an entry changed, ``--falsify`` times, with the same seed every time: there the
status must be that of checkers/python/check_proof.py.  Exit status 0: no difference; 1: those that are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STATUS = {"correct": 0, "incorrect": 1, "malformed": 2}


def loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed_part(proof: Any, path: tuple[Any, ...]) -> str:
    """The kind of claim that is changed, else which part of the file."""
    return str(proof["claims"][path[1]]["kind"]) if path[0] == "claims" and len(path) > 2 else str(path[0])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--falsify", type=int, default=20, help="how often each correct proof is changed")
    parser.add_argument("--only", default="", help="files whose name has this in it")
    parser.add_argument("command", nargs="+", help="the other checker")
    asked = parser.parse_args(arguments)
    ours, falsify = loaded(ROOT / "checkers/python/check_proof.py"), loaded(ROOT / "tests/support/falsified_proofs.py")
    different = 0

    def compare(path: Path, wanted: int, what: str) -> None:
        nonlocal different
        found = subprocess.run([*asked.command, str(path)], capture_output=True, check=False).returncode
        if found != wanted:
            different += 1
            print(f"{what}: {found}, and not {wanted}")

    files = [(x, status) for folder, status in STATUS.items() for x in sorted((HERE / folder).glob("*.json"))]
    files = [(path, status) for path, status in files if asked.only in path.stem]
    for path, status in files:
        compare(path, status, f"{path.parent.name}/{path.stem}")
    print(f"{len(files)} files")
    refused, accepted = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        changed = Path(folder) / "proof.json"
        for path in (x for x, status in files if status == 0):
            proof = json.loads(path.read_text(encoding="utf-8"))
            for place, other in falsify.falsifications(proof, asked.falsify, seed=1):
                changed.write_text(json.dumps(other), encoding="utf-8")
                with contextlib.redirect_stdout(io.StringIO()):
                    status = ours.main([str(changed)])
                (refused if status else accepted)[changed_part(proof, place)] += 1
                compare(changed, status, f"{path.stem}, changed at {'/'.join(map(str, place))}")
    for part in sorted(refused | accepted):
        print(f"{part}: {refused[part]} changes refused, {accepted[part]} accepted (names, or what is still true)")
    print(f"{different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
