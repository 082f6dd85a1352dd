"""The numbers and tables of docs/paper/paper.tex: ``python docs/generate/paper.py`` asks every command of COMMANDS
again and writes docs/paper/numbers.tex from the answers, docs/assets/atlas.json and benchmarks/results.json.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from routeproof.cli.main import main

sys.path.insert(0, str(Path(__file__).parent))
from atlas import DATA, QUESTIONS, ROOT, above, below, by_network, ends
from atlas import text as atlas_text

PAPER = ROOT / "docs" / "paper"
NUMBERS = PAPER / "numbers.tex"


class Number(NamedTuple):
    """A macro, and the claim of the command that it quotes: its quantity and, where several have it, its evidence."""

    macro: str
    command: str
    quantity: str
    evidence: str = ""


_ROMM = "worst-case torus:9x9 --routing romm"
_DOR = "worst-case torus:9x9 --routing dor"
_FIVE = "design docs/paper/five.json --objective worst-case"
_TREE = "design fat-tree:8,levels=2 --objective worst-case --paths tables"
COMMANDS = (
    Number("RommLoad", _ROMM, "worst_case_load"),
    Number("RommShare", _ROMM, "worst_case_throughput_of_capacity"),
    Number("DorLoad", _DOR, "worst_case_load"),
    Number("DorShare", _DOR, "worst_case_throughput_of_capacity"),
    Number("BestNine", "design torus:9x9 --objective worst-case", "worst_case_load"),
    Number("FiveLoad", _FIVE, "worst_case_load"),
    Number("BullPrice", "adaptive docs/paper/bull.json", "price_of_obliviousness"),
    Number("BannerPrice", "adaptive docs/paper/banner.json", "price_of_obliviousness"),
    Number("UtilityPrice", "adaptive docs/paper/k33.json", "price_of_obliviousness"),
    Number("PetersenRatio", "design petersen --objective worst-case --demands routable", "worst_case_load"),
    Number("TreeTables", _TREE, "worst_case_throughput", "derived"),
    Number("TreeTwoLids", f"{_TREE} --lids 2", "worst_case_throughput", "derived"),
    Number("TorusLanes", "deadlock torus:5x5 --routing sssp --virtual-channels", "virtual_channels"),
    Number("GatherRate", "collective dgx1 --operation all-gather", "bus_bandwidth"),
)
"""Commands are run in the repository's root."""
_ROWS = (
    "torus:4x4", "torus:8x8", "mesh:8x8", "hypercube:6", "twisted-torus:4x8", "hyperx:4x4", "dragonfly:2,4,2",
    "slim-fly:5", "polarfly:5", "orthogonal-fat-tree:3", "xpander:4,3,seed=1",
    "fat-tree:4", "fat-tree:8,levels=2", "leaf-spine:8,8,4", "dgx1", "a100:2",
)  # fmt: skip
CELLS = {
    "XpanderEcmp": ("xpander:4,3,seed=1", "ecmp"), "XpanderTables": ("xpander:4,3,seed=1", "tables"),
    "XpanderBest": ("xpander:4,3,seed=1", "oblivious"), "CompleteDirect": ("complete:16", "usual"),
    "CompleteBest": ("complete:16", "oblivious"), "OpenTables": ("mesh:8x8", "tables"),
}  # fmt: skip
"""Macros for numbers of the atlas: network and column."""
HOPS = {"HopsThree": "torus:3x3", "HopsTwelve": "torus:12x12"}
"""Macros for answers to the open question of the shortest optimum."""
_COLUMNS = ("capacity", "oblivious", "adaptive", "ecmp", "usual", "tables", "failure")


def asked(command: str, folder: Path) -> Sequence[Mapping[str, Any]]:
    """The claims of the command's report."""
    report = folder / "report.json"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(ROOT), contextlib.suppress(SystemExit):
        main([*shlex.split(command), "--json", str(report), "--quiet"])
    claims: Sequence[Mapping[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["claims"]
    return claims


def answers() -> Iterator[tuple[Number, str]]:
    """Every number of COMMANDS as its report states it; all are stated exactly."""
    claims: dict[str, Sequence[Mapping[str, Any]]] = {}
    for number in COMMANDS:
        if number.command not in claims:
            with tempfile.TemporaryDirectory() as folder:
                claims[number.command] = asked(number.command, Path(folder))
        found = {
            x["value"]
            for x in claims[number.command]
            if (x["quantity"], x["relation"], x["grade"]) == (number.quantity, "==", "PROVED")
            and number.evidence in ("", x["evidence"]["kind"])
        }
        if len(found) != 1:
            raise SystemExit(f"{number.command}: {number.quantity} is stated {len(found)} times, once was expected")
        yield number, found.pop()


def escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("%", r"\%").replace("&", r"\&").replace("--", "-{}-")


def code(text: str) -> str:
    """In small type, to be broken after commas and before options."""
    return r"\code{" + escaped(text).replace(",", r",\allowbreak ") + "}"


def fraction(value: str) -> str:
    top, _, bottom = value.partition("/")
    return rf"\ensuremath{{{top}/{bottom}}}" if bottom else top


def tabular(columns: str, rows: Sequence[Sequence[str]]) -> str:
    head, *body = (" & ".join(row) + r" \\" for row in rows)
    return "\n".join(
        (rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}")
    )


def interval(cell: Mapping[str, Any]) -> str:
    """Both ends, three digits each: rounded outwards, so that it stays true."""
    low, high = ends(cell)
    if low is None or high is None or low == high:
        return atlas_text(cell)
    return f"{below(low, 3)}--{above(high, 3)}"


def quoted(cell: Mapping[str, Any]) -> str:
    """As in a sentence."""
    low, high = ends(cell)
    return fraction(str(low)) if low == high else f"{fraction(str(low))} to {fraction(str(high))}"


def atlas_table(cells: Mapping[str, Mapping[str, Any]]) -> str:
    heads = ("network", "capacity", "oblivious", "adaptive", "ECMP", "usual", "tables", "link down")
    rows = [[code(x), *(interval(cells[x][y]) for y in _COLUMNS)] for x in _ROWS]
    return tabular("lrrrrrrr", [heads, *rows])


def rates_table() -> str:
    """The rows that docs/collectives.md has from ``routeproof study collectives``."""
    page = (ROOT / "docs" / "collectives.md").read_text(encoding="utf-8")
    lines = page.partition("<!-- printed by: routeproof study collectives -->\n")[2].split("\n\n")[0].splitlines()
    rows = [
        [escaped(x.strip()) for x in line.strip("|").split("|")][:4] for line in lines if re.match(r"\| ?[a-z]", line)
    ]
    return tabular("llrr", rows)


def written() -> str:
    """numbers.tex."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    cells = by_network(document)
    closed = sum(1 for x in document["rows"] if (e := ends(x))[0] is not None and e[0] == e[1])
    open_answers = [x for rows in json.loads(QUESTIONS.read_text(encoding="utf-8")).values() for x in rows]
    proofs = {x["data"]["proof"]: "checker" in x["data"] for x in document["rows"] if "proof" in x["data"]}
    found = [(number.macro, number.command, fraction(value)) for number, value in answers()]
    for macro, (network, column) in CELLS.items():
        cell = cells[network][column]
        found.append((macro, cell["data"]["command"], quoted(cell)))
    for macro, network in HOPS.items():
        (known,) = (
            x for x in open_answers if x["command"].startswith(f"design {network} ") and "--then" in x["command"]
        )
        found.append((macro, known["command"], fraction(known["answer"])))
    lines = [r"% made by docs/generate/paper.py"]
    lines += [rf"\newcommand{{\{macro}}}{{{value}}}" for macro, _, value in found]
    lines += [
        rf"\newcommand{{\AtlasNetworks}}{{{len(cells)}}}",
        rf"\newcommand{{\AtlasNumbers}}{{{len(document['rows'])}}}",
        rf"\newcommand{{\AtlasExact}}{{{closed}}}",
        rf"\newcommand{{\AtlasProofs}}{{{len(proofs)}}}",
        rf"\newcommand{{\AtlasRead}}{{{sum(proofs.values())}}}",
        rf"\newcommand{{\AtlasPartly}}{{{sum('left_out' in x['data'] for x in document['rows'])}}}",
        r"\newcommand{\AtlasTable}{" + atlas_table(cells) + "}",
        r"\newcommand{\RatesTable}{" + rates_table() + "}",
        r"\newcommand{\CommandTable}{"
        + tabular(
            r"@{}>{\raggedright\arraybackslash}p{0.78\linewidth}r@{}",
            [("\\code{routeproof} \\ldots", "answer"), *([code(command), value] for _, command, value in found)],
        )
        + "}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    NUMBERS.write_text(written(), encoding="utf-8")
