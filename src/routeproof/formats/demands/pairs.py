"""Files of pairs that may send: two columns, source and destination, or JSON ``[[i, j], ...]``."""

from __future__ import annotations

from ...core.errors import InputError
from ...core.network import Network
from ...core.quoted import split_outside, unquoted
from ..documents.json_text import parse_json
from ..text_files import FilePath, brief, read_text, shown
from .terminal_names import TerminalNames

_LIMIT = 256 << 20


def read_pairs(path: FilePath, network: Network) -> list[tuple[int, int]]:
    """The pairs (source terminal, destination terminal) in a file; a host with several terminals stands for all.

    Raises InputError, naming the line or entry, for names that are not known, a terminal to itself and files without a
    pair.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="pairs of terminals: two columns, or JSON")
    entries: list[tuple[str, list[object]]]
    if text.lstrip()[:1] == "[":
        value = parse_json(text, what=what)
        entries = [(f"{what}: entry {k}", x if isinstance(x, list) else [x]) for k, x in enumerate(value)]
    else:
        lines = (split_outside(line.partition("#")[0], ", \t") for line in text.splitlines())
        found_words = ([unquoted(x) for x in words if x.strip()] for words in lines)
        entries = [(f"{what}, line {k}", list(words)) for k, words in enumerate(found_words, 1) if words]
    names = TerminalNames(network)
    found: dict[tuple[int, int], None] = {}
    for place, words in entries:
        if len(words) != 2:
            raise InputError(f"{place}: {brief(words)}; a source and a destination were expected")
        for i in names.find(words[0], what=place):
            for j in names.find(words[1], what=place):
                if i == j:
                    raise InputError(f"{place}: {brief(words[0])} sends to itself; a demand's diagonal is 0")
                found[i, j] = None
    if not found:
        raise InputError(f"{what} holds no pair; a line such as n1 n2 was expected")
    return list(found)
