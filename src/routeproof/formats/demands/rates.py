"""Files of rates: what every terminal may send and receive, for the hose model."""

from __future__ import annotations

from fractions import Fraction

from ...core.errors import InputError
from ..documents.json_text import parse_json
from ..documents.traffic import check_lines
from ..text_files import FilePath, brief, parse_number, read_text, shown


def read_rates(path: FilePath, size: int) -> tuple[list[Fraction], list[Fraction]]:
    """(ingress, egress) of ``size`` terminals from a file: two numbers for every terminal, in order.

    Numbers are integers, decimals or fractions such as 3/2, separated by white space or commas; ``#`` starts a
    comment; a JSON list of pairs will do as well.  Raises InputError, naming the terminal, for anything else.
    """
    wanted = f"what each of {size} terminals sends and receives"
    what = f"file {shown(path)}"
    text = read_text(path, limit=4096 + 256 * size, wanted=wanted)
    entries: list[object] = []
    if text.lstrip().startswith("["):
        for i, pair in enumerate(parse_json(text, what=what)):
            if not isinstance(pair, list) or len(pair) != 2:
                raise InputError(f"{what}: entry {i} is {brief(pair)}; a pair [sends, receives] was expected")
            entries += pair
    else:
        for number, line in enumerate(text.splitlines(), 1):
            words = line.partition("#")[0].replace(",", " ").split()
            for word in words:
                parse_number(word, what=f"{what}, line {number}: a rate (two numbers a line, in the terminals' order)")
            entries += words
        if len(entries) == 2 * size:
            check_lines(text, size, 2, what=what)
    if len(entries) != 2 * size:
        raise InputError(f"{what} holds {len(entries)} numbers; two for each of {size} terminals were expected")
    numbers = []
    for k, entry in enumerate(entries):
        name = f"{what}: what terminal {k // 2} {'receives' if k % 2 else 'sends'}"
        value = parse_number(entry, what=name)
        if value < 0:
            raise InputError(f"{name} is {brief(entry)}; it cannot be negative")
        numbers.append(value)
    return numbers[0::2], numbers[1::2]
