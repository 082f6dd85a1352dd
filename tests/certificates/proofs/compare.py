"""Compare another checker of proofs with ours: on this folder, and on proofs with entries changed.

    python tests/certificates/proofs/compare.py [--falsify 20] [--only NAME] -- node my_checker.js
    python tests/certificates/proofs/compare.py --falsify 1000 --each-kind --leaves 3 --lines -- node my_checker.js

The command is run with the path of a proof as its last argument, and must end with 0 (all claims hold), 1 (one does
not) or 2 (unreadable), as docs/proof-format.md says.  Every file of ``correct``, ``incorrect`` and ``malformed`` is
given to it; then each correct one with an entry changed, ``--falsify`` times, with the same seed every time: there the
status must be that of checkers/python/check_proof.py.  Exit status 0: no difference; 1: those that are printed.

``--each-kind``: for every kind of claim so many changes, of claims of that kind (and of anything, where ``--leaves``
allows more than one change).  ``--lines``: the command is started once; it reads paths, one a line, from its standard
input and answers each with the status, one a line.  ``--judge``: what our checker accepts must be true as a slow judge
finds (linear programs; needs scipy and networkx), if what the proof says was changed.  ``--without KIND`` (again for
each): the other checker does not know these claims.  ``--table``: the numbers as in README.md.
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
from collections.abc import Callable, Iterator
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


def has_kind(path: Path, kinds: list[str]) -> bool:
    """Has the file a claim of one of the kinds, as the corpus writes them?"""
    text = path.read_text(encoding="utf-8", errors="replace")
    return any(f'"kind": "{kind}"' in text for kind in kinds)


@contextlib.contextmanager
def answers(command: list[str], *, lines: bool) -> Iterator[Callable[[Path], int]]:
    """The exit status of the other checker for a file; of one process for all files, or of one for each."""
    if not lines:
        yield lambda path: subprocess.run([*command, str(path)], capture_output=True, check=False).returncode
        return
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        asked, said = run.stdin, run.stdout
        assert asked is not None
        assert said is not None

        def answer(path: Path) -> int:
            print(path, file=asked, flush=True)
            return int(said.readline())

        yield answer
        asked.close()


def falsified(asked: Any, files: list[Path]) -> Iterator[tuple[Path, tuple[Any, ...], Any, Any]]:
    """(file, where it is changed first, the proof, the changed one)."""
    falsify = loaded(ROOT / "tests/support/falsified_proofs.py").falsifications
    proofs = {path: json.loads(path.read_text(encoding="utf-8")) for path in files}
    if not asked.each_kind:
        for path, proof in proofs.items():
            for place, other in falsify(proof, asked.falsify, seed=1, most=asked.leaves):
                yield path, place, proof, other
        return
    kinds = sorted({claim["kind"] for proof in proofs.values() for claim in proof["claims"]})
    kinds = asked.kind or kinds
    for kind in kinds:
        of = [x for x, proof in proofs.items() if any(claim["kind"] == kind for claim in proof["claims"])]
        for k, path in enumerate(of):
            count = asked.falsify * (k + 1) // len(of) - asked.falsify * k // len(of)
            for place, other in falsify(proofs[path], count, seed=k, kind=kind, most=asked.leaves):
                yield path, place, proofs[path], other


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--falsify", type=int, default=20, help="how often each correct proof (or kind) is changed")
    parser.add_argument("--each-kind", action="store_true", help="change claims of every kind so often")
    parser.add_argument("--kind", action="append", default=[], help="with --each-kind: this kind alone")
    parser.add_argument("--leaves", type=int, default=1, help="how many entries are changed at once, at most")
    parser.add_argument("--lines", action="store_true", help="start the command once, and give it paths line by line")
    parser.add_argument("--judge", action="store_true", help="ask the judge whether what is accepted is true")
    parser.add_argument(
        "--without", metavar="KIND", action="append", default=[], help="leave out proofs with such claims"
    )
    parser.add_argument("--table", action="store_true", help="print the numbers as rows of a table in Markdown")
    parser.add_argument("--only", default="", help="files whose name has this in it")
    parser.add_argument("command", nargs="+", help="the other checker")
    asked = parser.parse_args(arguments)
    ours = loaded(ROOT / "checkers/python/check_proof.py")
    sys.path.append(str(ROOT / "tests" / "support"))  # what the judge imports
    judge = loaded(ROOT / "tests/support/proof_judge.py") if asked.judge else None
    statement = loaded(ROOT / "tests/support/falsified_proofs.py").statement
    files = [(x, status) for folder, status in STATUS.items() for x in sorted((HERE / folder).glob("*.json"))]
    files = [(path, status) for path, status in files if asked.only in path.stem and not has_kind(path, asked.without)]
    different, refused, accepted, true = 0, Counter[str](), Counter[str](), set[str]()
    with tempfile.TemporaryDirectory() as folder, answers(asked.command, lines=asked.lines) as answer:

        def compare(path: Path, wanted: int, what: str) -> None:
            nonlocal different
            found = answer(path)
            if found != wanted:
                different += 1
                print(f"{what}: {found}, and not {wanted}")

        for path, status in files:
            compare(path, status, f"{path.parent.name}/{path.stem}")
        print(f"{len(files)} files")
        changed = Path(folder) / "proof.json"
        for path, place, proof, other in falsified(asked, [x for x, status in files if status == 0]):
            changed.write_text(json.dumps(other), encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()):
                status = ours.main([str(changed)])
            where = f"{path.stem}, changed at {'/'.join(map(str, place))}"
            (refused if status else accepted)[changed_part(proof, place)] += 1
            if status == 0 and judge is not None and (says := statement(other)) not in true | {statement(proof)}:
                true.add(says)
                if judge.false_claims(other):
                    different += 1
                    print(f"{where}: accepted, and false")
            compare(changed, status, where)
    for part in sorted(refused | accepted):
        told = f"{part}: {refused[part]} changes refused, {accepted[part]} accepted (names, or what is still true)"
        print(f"| `{part}` | {refused[part]:,} | {accepted[part]:,} |" if asked.table else told)
    print(f"{different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
