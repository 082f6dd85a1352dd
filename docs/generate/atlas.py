"""The tables of docs/atlas.md: ``python docs/generate/atlas.py`` makes them from docs/assets/atlas.json, which
``routeproof study atlas --json docs/assets/atlas.json --reports REPORTS`` wrote, and docs/assets/open-questions.json;
the site has a page for each network (``network_pages``), too.  ``--add FILE`` first takes what another run of the study
proved more; ``--proofs REPORTS`` packs the proofs of the smallest networks, with a manifest of their hashes.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, inf
from pathlib import Path
from typing import Any

from routeproof.studies.result import decimal

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "atlas.md"
DATA = ROOT / "docs" / "assets" / "atlas.json"
PROOFS = ROOT / "docs" / "assets" / "atlas-proofs.tar.xz"
QUESTIONS = ROOT / "docs" / "assets" / "open-questions.json"
PICTURE = ROOT / "docs" / "images" / "atlas.svg"
_TABLES = re.compile(r"(<!-- tables of (\S+) -->\n).*?(?=<!-- end of the tables -->)", re.DOTALL)
GUARANTEES = ("capacity", "oblivious", "adaptive", "ecmp", "usual", "tables", "failure")
OTHERS = ("hops", "lanes", "all-gather", "all-to-all")
_PER_TERMINAL = ("nodes/terminal", "channels/terminal", "bandwidth/terminal")
_SMALL = 16  # terminals of a network whose proofs are packed
_DRAWN = 64  # nodes of a network that is drawn on its page
SURPRISES = {
    "ECMP over all shortest paths can guarantee less than one path for each destination": [
        ("xpander:4,3,seed=1", "ecmp"), ("xpander:4,3,seed=1", "tables"),
    ],
    "On a complete graph, direct channels alone guarantee an eighth of the best": [
        ("complete:16", "usual"), ("complete:16", "oblivious"),
    ],
    "Random shortest paths (ROMM) can guarantee less than one path for each destination": [
        ("torus:9x9", "usual"), ("torus:9x9", "tables"),
    ],
    "A fat tree that blocks nothing under ECMP guarantees 1/7 under D-Mod-K, and 1/4 under the best tables": [
        ("fat-tree:8", "ecmp"), ("fat-tree:8", "usual"), ("fat-tree:8", "tables"),
    ],
    "One dead link of 32 takes half of the guarantee": [("fat-tree:4", "ecmp"), ("fat-tree:4", "failure")],
}  # fmt: skip
"""Each with the cells that show it; their commands take seconds."""
ABOVE = {
    "ecmp": ("oblivious", "adaptive", "capacity"), "usual": ("oblivious", "adaptive", "capacity"),
    "tables": ("oblivious", "adaptive", "capacity"), "oblivious": ("adaptive", "capacity"), "adaptive": ("capacity",),
    "capacity": (),
}  # fmt: skip
"""The columns that are never less than a column."""
_WORDS = {  # heads of columns of words
    "network", "what", "surprise", "command", "the command that answered it", "the command that was tried", "why",
    "why it has none", "its usual routing", "proof",
}  # fmt: skip
_OF_STUDIES = ("published", "agrees", "note")  # keys of rows that quote papers
Cell = Mapping[str, Any]


def ends(cell: Cell) -> tuple[Fraction | None, Fraction | None]:
    """The proved bounds of a row of the study."""
    computed = cell["computed"]
    if isinstance(computed, dict):
        return Fraction(computed["low"]), Fraction(computed["high"])
    if number := re.fullmatch(r"([<>]= )?([\d./]+)", computed):
        value = Fraction(number[2])
        return (None if number[1] == "<= " else value), (None if number[1] == ">= " else value)
    return None, None


def text(cell: Cell) -> str:
    low, high = ends(cell)
    if low is None and high is None:
        return "-"
    if low is not None and high is not None:
        places = next((x for x in range(3, 9) if decimal(low, x) != decimal(high, x)), 9)
        if low == high or (low.denominator == high.denominator == 1):
            return short(low) if low == high else f"{low} .. {high}"
        return f"{below(low, places)} .. {above(high, places)}"
    some, sign, rounded = (low, "≥", below) if low is not None else (high or Fraction(0), "≤", above)
    return f"{sign} {some if some.denominator < 100 else rounded(some, 4)}"


def below(value: Fraction, places: int) -> str:
    """Rounded down: a bound stays true."""
    return decimal(Fraction(floor(value * 10**places), 10**places), places)


def above(value: Fraction, places: int) -> str:
    return decimal(Fraction(ceil(value * 10**places), 10**places), places)


def short(value: Fraction) -> str:
    return str(value) if value.denominator < 100 else decimal(value, 4)


def tables(document: Mapping[str, Any]) -> str:
    """Guarantees; what else; where both ends do not meet."""
    cells, heads = by_network(document), heads_of(document)
    first = [
        [link(name), str(size(row)["terminals"]), *(text(row[x]) for x in GUARANTEES), f"`{size(row)['routing']}`"]
        for name, row in cells.items()
    ]
    second = [
        [
            link(name), per_bandwidth(row), *(per_terminal(row, x) for x in ("nodes", "channels", "bandwidth")),
            *(text(row[x]) for x in OTHERS),
        ]
        for name, row in sorted(cells.items(), key=lambda x: -guaranteed(x[1]))
    ]  # fmt: skip
    closed = sum(1 for x in document["rows"] if (e := ends(x))[0] is not None and e[0] == e[1])
    found = f"{len(cells)} networks, {len(document['rows'])} numbers: {closed} exact, "
    bounded = sum(1 for x in document["rows"] if any(y is not None for y in ends(x)))
    found += f"{bounded - closed} from one side or both, {len(document['rows']) - bounded} without an answer in time."
    found += "\n\n" + proofs_read(document)
    return "\n\n".join((
        found,
        "### What they guarantee",
        table(["network", "terminals", *(heads[x] for x in GUARANTEES), "its usual routing"], first),
        "### What they cost, and what else they do",
        table(["network", "guarantee/bandwidth", *_PER_TERMINAL, *(heads[x] for x in OTHERS)], second),
        "### Open rows",
        "Ends that other columns prove count, too.",
        table(["network", "what", "proved", "factor", "the command that answered it", "time"], open_rows(document)),
        "### Without an answer",
        table(["network", "what", "the command that was tried", "why it has none"], unanswered(document)),
        "### Not wholly in a proof file that was read",
        "`routeproof verify REPORT --elaborate FILE` makes a proof file of the report of a row's command.",
        table(["network", "what", "why"], unread(document)),
    ))  # fmt: skip


def proofs_read(document: Mapping[str, Any]) -> str:
    """How many numbers have a proof, how many of these proofs were read, and by which checker."""
    proofs = {x["data"]["proof"]: x["data"] for x in document["rows"] if "proof" in x["data"]}
    with_proof = sum("proof" in x["data"] for x in document["rows"])
    read = [x for x in proofs.values() if "checker" in x]
    partly = sum("left_out" in x["data"] for x in document["rows"])
    checkers = ", ".join(f"`{x[:16]}`" for x in sorted({x["checker"] for x in read}))
    return (
        f"{with_proof} numbers have {len(proofs)} proof files (a command may answer two columns), of which {len(read)} "
        f"were read, and hold, by `checkers/python/check_proof.py` (SHA-256 {checkers}) in "
        f"{sum(x['checked'] for x in read):.0f} s of CPU time; of {partly} numbers a part is not in the file that was "
        f"read. CI reads [{packed()} proofs](assets/{PROOFS.name}) of "
        f"networks of up to {_SMALL} terminals at each change."
    )


def packed() -> int:
    with tarfile.open(PROOFS) as archive:
        return len(archive.getnames()) - 1  # without the manifest


def by_network(document: Mapping[str, Any]) -> dict[str, dict[str, Cell]]:
    """Network -> column -> row."""
    cells: dict[str, dict[str, Cell]] = {}
    for row in document["rows"]:
        cells.setdefault(row["data"]["network"], {})[row["data"]["column"]] = row
    return cells


def heads_of(document: Mapping[str, Any]) -> dict[str, str]:
    heads = {row["data"]["column"]: row["label"].partition(", ")[2].rpartition(", ")[2] for row in document["rows"]}
    return heads | {"failure": "ECMP, one link down"}


def path_of(name: str) -> str:
    return f"atlas/{re.sub(r'[^a-z0-9=-]+', '_', name)}.md"


def picture_of(name: str) -> str:
    return path_of(name).removesuffix(".md") + ".svg"


def network_pictures(document: Mapping[str, Any]) -> dict[str, str]:
    """Path -> picture of each network that has not too many nodes to tell them apart."""
    from routeproof.formats.resolve import resolve_network
    from routeproof.report.drawing.plot import network_figure
    from routeproof.report.figures.style import figure_bytes

    names = [x for x, row in by_network(document).items() if size(row)["nodes"] <= _DRAWN]
    with contextlib.chdir(ROOT):
        networks = {x: resolve_network(x) for x in names}
    return {
        picture_of(x): figure_bytes(lambda theme, net=net: network_figure(net, theme), ".svg").decode()
        for x, net in networks.items()
    }


GROUPS = {
    "tori, meshes, hypercubes": r"(twisted-)?torus|mesh|ring|hypercube|tofu|bluegene",
    "HyperX, dragonflies, Slim Flies and others of low diameter": (
        r"hyperx|flattened|complete|(cray-)?dragonfly|fat-clique|slim|polar|spectral|mlfm|orthogonal|petersen|kautz"
    ),
    "fat trees and leaf-spine": r"fat-tree|k-ary|leaf|three-tier",
    "random graphs, expanders, DRing": r"jellyfish|random|xpander|dring",
    "servers and their networks": r"rail|bcube|dcell|dgx|a100|h100|mi250",
    "wide-area networks": r"docs/wan",
}
_NAMED = ("complete:16", "hypercube:9", "torus:16x16", "mesh:16x16", "fat-tree:16", "dgx1", "h100:2", "ring:16")


def picture(document: Mapping[str, Any]) -> bytes:
    """What the best oblivious routing guarantees against what the channels cost, a mark for each network."""
    from routeproof.report.figures.style import figure_bytes, one_axes

    points = {}
    for name, row in by_network(document).items():
        known, low = size(row), ends(row["oblivious"])[0]
        if low is not None:
            points[name] = float(Fraction(known["bandwidth"]) / known["terminals"]), float(low)

    def drawn(theme: Any) -> Any:
        figure, axes = one_axes(
            "",
            across="bandwidth of all channels per terminal",
            up="guaranteed throughput per terminal",
            size=(7.4, 4.6),
        )
        for k, (group, names) in enumerate(GROUPS.items()):
            these = [point for name, point in points.items() if re.match(names, name)]
            look = theme.look(k) | {"linestyle": "none", "marker": theme.marker(k), "markersize": 5}
            axes.plot(*zip(*these, strict=True), label=group, **look)
        for part in (2, 10, 50):
            ends_of = (0.5, 1100.0)
            axes.plot(ends_of, [x / part for x in ends_of], color=theme.faint, linewidth=0.8, zorder=0)
            axes.annotate(f"1/{part}", (0.5, 0.5 / part), color=theme.quiet, fontsize=7)
        for name in _NAMED:
            axes.annotate(name, points[name], xytext=(5, -3), textcoords="offset points", fontsize=7)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.legend(fontsize=7, frameon=False, loc="lower right")
        return figure

    return figure_bytes(drawn, ".svg")


def link(name: str) -> str:
    return f"[`{name}`]({path_of(name)})"


def network_pages(document: Mapping[str, Any]) -> dict[str, str]:
    """Path -> page: every answer about one network in full, the command that gave it, its time, its proof's hash."""
    heads = heads_of(document)
    return {path_of(name): network_page(name, row, heads) for name, row in by_network(document).items()}


def network_page(name: str, row: Mapping[str, Cell], heads: Mapping[str, str]) -> str:
    known = size(row)
    lines = [
        [
            heads[x], in_full(cell), f"`routeproof {cell['data']['command']}`", f"{cell['data']['seconds']:g} s",
            proof_of(cell),
        ]
        for x, cell in row.items()
    ]  # fmt: skip
    counted = f"{known['nodes']} nodes, {known['channels']} channels, {known['terminals']} terminals"
    return "\n\n".join((
        f"# {name}",
        f"{counted}; its usual routing is `{known['routing']}`. A proof is named by the beginning of its SHA-256, and "
        "so is the independent checker that has read it; beside that stands its CPU time. "
        "[What the answers mean](../atlas.md#how-to-read-it)",
        *([f"![{name}](../{picture_of(name)})"] if known["nodes"] <= _DRAWN else []),
        table(["what", "exact value or interval", "the command that answered it", "time", "proof"], lines),
    )) + "\n"  # fmt: skip


def proof_of(cell: Cell) -> str:
    """The beginning of its hash, and how it was checked."""
    known = cell["data"]
    if "proof" not in known:
        return known.get("unproved", "-")
    by = f", read by `{known['checker'][:8]}` in {known['checked']:g} s" if "checker" in known else ""
    left = f"; not in it: {known['left_out']}" if "left_out" in known else ""
    return f"`{known['proof'][:16]}`{by}{left}"


def in_full(cell: Cell) -> str:
    """The fractions themselves, unless they are longer than a line."""
    low, high = ends(cell)
    if low is None and high is None:
        return cell["data"].get("why") or "no answer"
    whole = (
        str(low) if low == high else f"{'' if low is None else f'{low} <= '}x{'' if high is None else f' <= {high}'}"
    )
    return whole if len(whole) <= 60 else text(cell)


def size(row: Mapping[str, Cell]) -> Mapping[str, Any]:
    data: Mapping[str, Any] = next(iter(row.values()))["data"]
    return data


def guaranteed(row: Mapping[str, Cell]) -> Fraction:
    """All that the best oblivious routing guarantees together, at least, divided by the sum of all bandwidths."""
    low, known = ends(row["oblivious"])[0], size(row)
    return Fraction(0) if low is None else low * known["terminals"] / Fraction(known["bandwidth"])


def per_bandwidth(row: Mapping[str, Cell]) -> str:
    low, high = ends(row["oblivious"])
    return "-" if low is None else (decimal if low == high else below)(guaranteed(row), 3)


def per_terminal(row: Mapping[str, Cell], what: str) -> str:
    return decimal(Fraction(size(row)[what]) / size(row)["terminals"], 2)


def with_neighbours(row: Mapping[str, Cell], column: str) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a cell with what other columns prove: what is above guarantees no less."""
    if column not in ABOVE:
        return ends(row[column])
    above, below_it = ABOVE[column], [x for x, higher in ABOVE.items() if column in higher]
    lows = [ends(row[x])[0] for x in (column, *below_it) if x in row]
    highs = [ends(row[x])[1] for x in (column, *above) if x in row]
    return max((x for x in lows if x is not None), default=None), min((x for x in highs if x is not None), default=None)


def open_rows(document: Mapping[str, Any]) -> list[list[str]]:
    """Those whose two ends do not meet, the widest first."""
    gaps, cells = [], by_network(document)
    for row in document["rows"]:
        known = row["data"]
        low, high = with_neighbours(cells[known["network"]], known["column"])
        if low is not None and high is not None and low < high and None not in ends(row):
            proved = text({"computed": {"low": str(low), "high": str(high)}})
            line = [
                f"`{known['network']}`", what(row), proved, decimal(high / low, 3), f"`{known['command']}`",
                took(known),
            ]  # fmt: skip
            gaps.append((high / low, line))
    return [line for _, line in sorted(gaps, key=lambda x: -x[0])]


def unanswered(document: Mapping[str, Any]) -> list[list[str]]:
    rows = [x for x in document["rows"] if ends(x) == (None, None)]
    return [[f"`{x['data']['network']}`", what(x), f"`{x['data']['command']}`", x["data"]["why"]] for x in rows]


def unread(document: Mapping[str, Any]) -> list[list[str]]:
    """Numbers that no independent checker has read a whole proof of, with the reason."""
    whole = [x for x in document["rows"] if "checker" in x["data"] and "left_out" not in x["data"]]
    rows = [x for x in document["rows"] if x not in whole and ends(x) != (None, None)]
    return [[f"`{x['data']['network']}`", what(x), why_unread(x["data"])] for x in rows]


def why_unread(known: Mapping[str, Any]) -> str:
    if "left_out" in known:
        return f"not in the file: {known['left_out']}"
    if "unproved" in known:
        return f"no proof file: {known['unproved']}"
    return "not read yet" if "proof" in known else "no proof file was made"


def questions(document: Mapping[str, Sequence[Mapping[str, str]]]) -> str:
    """What commands answered about each open question."""
    return "\n\n".join(
        f"### {title}\n\n" + table(["command", "answer"], [[f"`{x['command']}`", x["answer"]] for x in rows])
        for title, rows in document.items()
    )


def what(row: Cell) -> str:
    return str(row["label"].removeprefix(row["data"]["network"] + ", "))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---" if x in _WORDS else "---:" for x in heads]
    return "\n".join(f"| {' | '.join(x)} |" for x in (heads, rule, *rows))


def narrower(new: Cell, old: Cell | None) -> bool:
    """Does the new row say all that the old one says, and more, or the same with a proof?"""
    if old is None:
        return True
    (low, high), (least, most) = reach(new), reach(old)
    if (low, high) == (least, most):
        return "proof" in new["data"] and "proof" not in old["data"]
    return least <= low and high <= most


def reach(cell: Cell) -> tuple[Fraction, Fraction | float]:
    """Both ends; all numbers of the atlas are positive."""
    low, high = ends(cell)
    return low or Fraction(0), inf if high is None else high


def added(document: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """The atlas with the rows of another run that say more; hops go with the oblivious routing whose they are."""
    cells = by_network(document)
    for name, row in by_network(found).items():
        known = cells.setdefault(name, {})
        pair = [x["oblivious"] for x in (row, known) if "oblivious" in x]
        other = len(pair) == 2 and reach(pair[0]) != reach(pair[1])
        judges = {x: "oblivious" if x == "hops" and other else x for x in row}
        taken = [x for x, judge in judges.items() if narrower(row[judge], known.get(judge))]
        known |= {x: {k: v for k, v in row[x].items() if k not in _OF_STUDIES} for x in taken}
    return {**document, "rows": [cell for row in cells.values() for cell in row.values()]}


def pack(document: Mapping[str, Any], reports: Path) -> None:
    """The proofs of networks of few terminals, as one file with a manifest."""
    manifest, kept = [], []
    for row in document["rows"]:
        known = row["data"]
        if known["terminals"] <= _SMALL and "proof" in known:
            path = reports / re.sub(r"[^\w=-]+", "_", known["network"]) / f"{known['column']}.proof.json"
            if path.exists():
                content = path.read_bytes()
                if hashlib.sha256(content).hexdigest() != known["proof"]:
                    raise SystemExit(f"{path} is not the proof that the atlas names")
                name = f"{path.parent.name}/{path.name}"
                manifest.append(f"# {known['command']}\n{known['proof']}  {name}")
                kept.append((name, content))
    with tarfile.open(PROOFS, "w:xz", preset=9) as archive:
        for name, content in [("SHA256SUMS", ("\n".join(manifest) + "\n").encode()), *kept]:
            entry = tarfile.TarInfo(f"atlas-proofs/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def surprises(document: Mapping[str, Any]) -> str:
    """SURPRISES with what their commands answered."""
    cells, lines = by_network(document), []
    for said, shown in SURPRISES.items():
        for k, (network, column) in enumerate(shown):
            cell = cells[network][column]
            known = cell["data"]
            lines.append([said if k == 0 else "", f"`routeproof {known['command']}`", text(cell), took(known)])
    return table(["surprise", "command", "throughput per terminal", "time"], lines)


def took(known: Mapping[str, Any]) -> str:
    return f"{known['seconds']:.0f} s"


def with_tables(page: str) -> str:
    """``page`` with the tables of the run that is kept, and of the open questions."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    made = {
        DATA.name: tables(document),
        "surprises": surprises(document),
        QUESTIONS.name: questions(json.loads(QUESTIONS.read_text(encoding="utf-8"))),
    }
    return _TABLES.sub(lambda x: f"{x[1]}\n{made[x[2]]}\n\n", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proofs", type=Path, metavar="REPORTS", help="the folder that --reports wrote")
    parser.add_argument("--add", type=Path, metavar="FILE", help="the JSON of another run, for the rows that say more")
    options = parser.parse_args()
    if options.add is not None:
        kept, found = (json.loads(x.read_text(encoding="utf-8")) for x in (DATA, options.add))
        DATA.write_text(json.dumps(added(kept, found), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    if options.proofs is not None:
        pack(json.loads(DATA.read_text(encoding="utf-8")), options.proofs)
    PICTURE.write_bytes(picture(json.loads(DATA.read_text(encoding="utf-8"))))
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
