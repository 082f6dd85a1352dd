"""Files of ranks: the terminals that take part in a collective, in order: the first one is rank 0.

Text, with comments from ``#``: names or numbers of terminals, one or more a line, ranges such as ``gpu[00-15]``; or a
JSON list.  A name that several terminals have (a host with several ports) stands for all of them, in order.
"""

from __future__ import annotations

from ...core.collective import check_ranks
from ...core.errors import InputError
from ...core.network import Network
from ..documents.json_text import parse_json
from ..host_names import hosts_of
from ..text_files import FilePath, brief, numbered_lines, read_text, shown
from .terminal_names import TerminalNames

_LIMIT = 16 << 20


def read_ranks(path: FilePath, network: Network) -> tuple[int, ...]:
    """The terminals in a file, on ``network``.

    Raises InputError, naming the line, for names that the network does not have (with the nearest), a terminal twice,
    and files with fewer than two.
    """
    what = f"file {shown(path)}"
    text = read_text(path, limit=_LIMIT, wanted="a file of ranks (a terminal a line, or a JSON list)")
    names = TerminalNames(network)
    words: list[tuple[str, object]] = []
    if text.lstrip()[:1] == "[":
        value = parse_json(text, what=what)
        if not isinstance(value, list):
            raise InputError(f"{what} is {brief(value)}; a list of terminals was expected")
        words = [(f"{what}: entry {k}", x) for k, x in enumerate(value)]
    else:
        for line in numbered_lines(text, what, comment="#"):
            words += [(line.place, x) for x in hosts_of(line.text, what=line.place)]
    place: dict[int, str] = {}
    for where, word in words:
        for i in names.find(word, what=where):
            if i in place:
                raise InputError(
                    f"{where}: terminal {network.terminal_label(i)} is a rank already ({place[i]}); once was expected"
                )
            place[i] = where
    if len(place) < 2:
        raise InputError(f"{what} names {len(place)} of the terminals; two at least were expected")
    return tuple(check_ranks(network, list(place), apart=False))
