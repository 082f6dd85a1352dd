"""How much the documentation says, and how: hand-written words in all, phrases that must not come back, sentences.

``python tests/test_words.py`` prints the words of every page: prose and tables; files and commands of examples; what
programs print in examples; and what the scripts of ``docs/generate`` make (or a test tries entry by entry).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MOST_WORDS = 60_000  # prose and tables: who adds a page shortens another
README_WORDS = 700
CHANGELOG_WORDS = 2_000
MEAN_SENTENCE = 19  # words, of a page

# What is made from the code or measured, or stands in a list of which a test tries every entry: (start, end)
MADE = [
    (r"<!-- from here on made by docs/generate/glossary\.py -->", r"\Z"),
    (r"<!-- map of the rooms -->", r"<!-- end of the map -->"),
    (r"<!-- kinds of evidence made by", r"<!-- end of the kinds -->"),
    (r"<!-- functions -->", r"<!-- end of functions -->"),
    (r"<!-- names made by", r"<!-- end of the names -->"),
    (r"<!-- the catalogue, by", r"<!-- end of the catalogue -->"),
    (r"<!-- statements; a test", r"<!-- end of the statements -->"),
    (r"<!-- tables of \S+ -->", r"<!-- end of the tables -->"),
    (r"<!-- printed by: routeproof", r"<!-- end of the study -->"),
]

# Phrases that readers had to decode, or that said more than is true; each with what to write instead
GONE = {
    r"by the clock": "elapsed, or nothing",
    r"of (a )?processor\b|processor time": "CPU time",
    r"give or take": "within a factor of two",
    r"\b[Ww]hoever\b": "anybody who, or you",
    r"a line (that )?says so|with a line\b": "a warning",
    r"honest (question|measure)": "say what it measures",
    r"drawn as water": "dividing evenly",
    r"no (other )?traffic does worse": "no traffic within line rate is worse",
    r"whatever the others do": "whatever the destinations",
    r"needs to be believed": "you need not trust",
    r"[Cc]ables of unlike speed": "links of different speeds",
    r"\bis no (signature|channel|routing|rank|step|symmetry|cause|change|list|device)\b": "is not a ...",
    r"\bso (many|much)\b": "the number or the amount",
    r"'?routeproof\[(design|plot)\]": "both are of the core install",
    r"[Hh]ow to read the answer\]\(for-ethernet": "each page explains its own answer",
    r"what it takes\b": "name it",
    r"\bon the terminal\b": "on the screen; a terminal sends and receives packets",
}


def written_and_made(text: str) -> tuple[str, str]:
    """A page in two parts: written by hand, and made."""
    made = ""
    for start, end in MADE:
        for found in re.finditer(f"{start}.*?(?:{end})", text, re.DOTALL):
            made += found.group()
        text = re.sub(f"{start}.*?(?:{end})", "", text, flags=re.DOTALL)
    return text, made


def printed(text: str) -> str:
    """What programs print in the examples of a page; ``tests/test_docs.py`` compares it."""
    out = []
    for body in re.findall(r"^```(?:console|text)\n(\$ .*?)^```$", text, re.MULTILINE | re.DOTALL):
        out += [x.partition("\n")[2] for x in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]]
    return "\n".join(out)


def words(text: str) -> int:
    return len(text.split())


def prose(page: Path) -> str:
    """Sentences of a page that people wrote: no code, tables, headings, pictures or lists of links."""
    text = re.sub(r"^```.*?^```$", "", written_and_made(page.read_text(encoding="utf-8"))[0], flags=re.M | re.S)
    lines = [x for x in text.splitlines() if not re.match(r"\s*(\||#|!\[|<)", x)]
    return re.sub(r"`[^`]*`", "x", re.sub(r"\]\([^)]*\)", "]", "\n".join(lines)))


def sentences(page: Path) -> Iterator[str]:
    for block in re.split(r"\n\s*\n|\n(?=\s*[-*] )", prose(page)):
        yield from (x for x in re.split(r"(?<=[.!?:;])\s+", " ".join(block.split())) if words(x) > 2)


def count(page: Path) -> tuple[int, int, int, int]:
    """Words of a page: prose and tables; written in examples; printed in examples; made."""
    hand, made = written_and_made(page.read_text(encoding="utf-8"))
    prose_and_tables = words(re.sub(r"^```.*?^```$", "", hand, flags=re.M | re.S))
    shown = words(printed(hand))
    return prose_and_tables, words(hand) - prose_and_tables - shown, shown, words(made)


def test_the_pages_are_no_longer_than_people_read() -> None:
    assert sum(count(page)[0] for page in PAGES) <= MOST_WORDS
    assert words((ROOT / "README.md").read_text(encoding="utf-8")) <= README_WORDS
    assert words((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) <= CHANGELOG_WORDS


@pytest.mark.parametrize("phrase", sorted(GONE))
def test_what_readers_had_to_decode_does_not_come_back(phrase: str) -> None:
    for page in PAGES:
        found = re.search(phrase, " ".join(written_and_made(page.read_text(encoding="utf-8"))[0].split()))
        assert not found, f"{page.name}: '{found.group()}'; write: {GONE[phrase]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_short(page: Path) -> None:
    lengths = [words(x) for x in sentences(page)]
    assert sum(lengths) <= MEAN_SENTENCE * len(lengths), f"{sum(lengths) / len(lengths):.1f} words a sentence"


MEASURED = re.compile(r"(?<![-`])\b\d[\d.,]*\s?(s|ms|seconds|minutes|GB|GiB|MB|MiB)\b")
COMMAND = re.compile(r"routeproof \w|python \S*benchmarks/|`(design|worst-case|failures|compare|deadlock|collective) ")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_measured_tables_stand_beside_their_commands(page: Path) -> None:
    """Times and sizes of memory in a table: a command is in the section before it, or in its rows."""
    for section in re.split(r"\n(?=#+ )", page.read_text(encoding="utf-8")):
        for table in re.finditer(r"(?m)^\|(?! option ).*\n\|[ :|-]+\|?\n(\|.*\n)+", section):
            if MEASURED.search(table[0]):
                assert COMMAND.search(section[: table.end()]), f"{page.name}: {table[0][:100]}"


if __name__ == "__main__":
    counts = {page.name: count(page) for page in PAGES}
    counts["in all"] = tuple(map(sum, zip(*counts.values(), strict=True)))  # type: ignore[assignment]
    print(f"{'':42} {'prose':>8} {'examples':>8} {'printed':>8} {'made':>8}")
    for name, numbers in counts.items():
        print(f"{name:42}", *(f"{n:8}" for n in numbers))
