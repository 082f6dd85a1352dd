"""The proofs of docs/atlas.md, made again and checked: ``python docs/generate/atlas_proofs.py FOLDER [NETWORK ...]``.

A command of the atlas whose proof is not in FOLDER (``routeproof study atlas --reports FOLDER`` writes them) is asked
again.  A search that is stopped by time may end with another answer: it is kept where no row says less.  A proof with
the SHA-256 that the atlas names is read by checkers/python/check_proof.py, and docs/assets/atlas.json keeps the CPU
time of that, the SHA-256 of that checker, and what the proof leaves out of a row; a command without a proof gets the
reason.  ``--no-asking``: only what is in FOLDER.  ``--unread``: only rows that no checker, or another one, has read.
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

sys.path.insert(0, str(Path(__file__).parent))
from atlas import DATA, ROOT, by_network, reach

from routeproof.studies.atlas import COLUMNS, ask, assembled, bounds

CHECKER = ROOT / "checkers" / "python" / "check_proof.py"
_SECONDS = 600.0  # the most for a command
_SIZES = ("terminals", "nodes", "channels", "bandwidth")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def checked(proof: Path) -> tuple[bool, float]:
    """What the independent checker says, in a process of its own, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, str(CHECKER), str(proof)], capture_output=True, check=False)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode == 0, round(took, 1)


def asked_again(rows: Sequence[dict[str, Any]], report: Path) -> None:
    """The rows of one command get its new answer where none of them says less in it."""
    known = rows[0]["data"]
    report.parent.mkdir(parents=True, exist_ok=True)
    told = ask(known["command"], report, _SECONDS, proof=True)
    if told["why"]:
        return
    claims, columns = told.pop("claims"), {x["data"]["column"]: COLUMNS[x["data"]["column"]] for x in rows}
    del told["why"]
    cells = [[known[x] for x in _SIZES], *(told | bounds(x, claims) for x in columns.values())]
    found = assembled({known["network"]: known["routing"]}, columns, {known["network"]: cells}).to_json()["rows"]
    ends = [(reach(new), reach(old)) for new, old in zip(found, rows, strict=True)]
    no_less = all(least <= low and high <= most for (low, high), (least, most) in ends)
    if no_less and ("proof" in told or "proof" not in known):
        for new, old in zip(found, rows, strict=True):
            old |= {"computed": new["computed"], "data": new["data"]}


def again(rows: Sequence[dict[str, Any]], folder: Path, *, asking: bool) -> str:
    """The rows of one command: what is said of them; their data says so, too, where their own proof holds."""
    known = rows[0]["data"]
    report = folder / re.sub(r"[^\w=-]+", "_", known["network"]) / f"{known['column']}.json"
    proof = report.with_suffix(".proof.json")
    if not proof.exists() and asking:
        asked_again(rows, report)
    if not proof.exists():
        return rows[0]["data"].get("unproved", "no proof was made") if asking else "no proof is there"
    same = sha256(proof) == rows[0]["data"].get("proof")
    holds, seconds = checked(proof)
    if holds and same:
        for row in rows:
            row["data"] |= {"checked": seconds, "checker": sha256(CHECKER)}
            row["data"].pop("left_out", None)
            if left := left_out(row["data"]["column"], proof):
                row["data"]["left_out"] = left
    return f"{'the same' if same else 'another'} proof, {'holds' if holds else 'REFUSED'}, {seconds} s"


STATED = {
    "failure": r"worst_case_load .*failed any of", "tables": r"worst_case_load .*among tables",
    "all-gather": "collective_throughput ", "all-to-all": "collective_throughput ",
}  # fmt: skip
"""How the claim begins that a column is read from, where that is not its quantity alone; bandwidths of collectives are
arithmetic on rates."""


def left_out(column: str, proof: Path) -> str:
    """Why the proof has not the whole claim that the column is read from; nothing where it has."""
    said = STATED.get(column, f"{COLUMNS[column].quantity} ")
    left = json.loads(proof.read_text(encoding="utf-8"))["not_elaborated"]
    return "; ".join(sorted({why for claim, why in left if re.match(said, claim)}))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="all where none is named")
    parser.add_argument("--no-asking", action="store_true")
    parser.add_argument("--unread", action="store_true")
    options = parser.parse_args(arguments)
    document = json.loads(DATA.read_text(encoding="utf-8"))
    for network, row in by_network(document).items():
        commands: dict[str, list[Any]] = {}
        for cell in row.values():
            if cell["computed"] != "none":
                commands.setdefault(cell["data"]["command"], []).append(cell)
        for command, rows in commands.items():
            read = all(x["data"].get("checker") == sha256(CHECKER) for x in rows)
            if (options.networks and network not in options.networks) or (options.unread and read):
                continue
            print(f"{command}: {again(rows, options.folder, asking=not options.no_asking)}", flush=True)
    DATA.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
