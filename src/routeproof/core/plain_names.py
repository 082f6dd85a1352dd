"""Names that a report gives to what it carries in full: they must not pass for names of the package's own.

A name may stand beside a proved number, so two texts that read alike count as one: capitals, full-width letters, "0"
for "o", "1" for "l".  Letters outside ASCII are for names of files only, which nobody takes for a routing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from .errors import VerificationError

_ALIKE = str.maketrans("01i|", "olll")
_FILE = re.compile(
    r"(.*[/\\])?[^/\\]*\.(json|csv|txt|lft|lst|gz|xz|bz2|dump|fdbs|topo|net|py|npy|sst|anynet|gml|graphml|xml|dot|matrix|"
    r"demands|cfg|log|out|rates|perm|tables|yaml|yml)",
    re.IGNORECASE,
)


def plain_name(text: str) -> str:
    """``text`` without capitals, compatibility forms, invisible characters and outer spaces; all dashes are alike."""
    seen = [x for x in unicodedata.normalize("NFKC", text) if unicodedata.category(x) not in ("Cf", "Cc", "Mn")]
    dashes = ["-" if unicodedata.category(x) == "Pd" or x == "\N{MINUS SIGN}" else x for x in seen]
    return " ".join(unicodedata.normalize("NFKC", "".join(dashes).casefold()).split())


def is_file_name(text: str) -> bool:
    """Is it the name of a file: with an extension that we know, or with folders before a name?"""
    plain = re.sub(r"#\d+$", "", plain_name(text))  # "two.json#1": one of the tables in a file
    return _FILE.fullmatch(plain) is not None or re.fullmatch(r"\.{0,2}([/\\][\w .-]*)*[/\\][\w.-]+", plain) is not None


def names_in_front(text: str) -> list[str]:
    """What a text may be taken for the name of: all of it, and, unless it is a file's, what stands before the rest."""
    plain = plain_name(text).replace("_", "-")
    names = [plain, plain.replace(" ", "-"), re.split(r"\s*[:,;]", plain)[0]]
    if not is_file_name(text):
        words = re.split(r"[^a-z0-9-]+", plain)
        names += ["-".join(words[:k]) for k in (1, 2, 3)]  # "fat tree:4"
    return names


def reads_like(text: str, known: Iterable[str]) -> str | None:
    """The first of the ``known`` names that ``text`` can be taken for, or None."""
    folded = {x.translate(_ALIKE): x for x in known}
    return next((folded[x] for x in (y.translate(_ALIKE) for y in names_in_front(text)) if x in folded), None)


def check_own_name(text: str, what: str) -> None:
    """Raise VerificationError for a name whose letters could be taken for others, or that ends a quotation.

    Files may have an apostrophe in their name, which quotations show as ``\\'``.
    """
    quotes = '["`\N{LEFT SINGLE QUOTATION MARK}-\N{DOUBLE LOW-9 QUOTATION MARK}' + ("]" if is_file_name(text) else "']")
    if not text.strip() or not text.isprintable() or re.search(quotes, text):
        raise VerificationError(
            f"{what} is called {text[:60]!r}; printable characters without quotation marks expected"
        )
    if not text.isascii() and not is_file_name(text):
        raise VerificationError(f"{what} is called {text[:60]!r}; ASCII letters were expected, or the name of a file")
