"""Names as people read them: two texts that look alike have one plain name.

A name in a report may stand beside a proved number, so it must not pass for one of the package's own: not in capitals,
not in full-width letters, not with letters of another script that look Latin, not with characters that nobody sees.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["names_in_front", "plain_name"]

_LOOKS_LIKE = str.maketrans(
    "аеорсухіјѕԁɡһӏԛԝνοαρτυικ"  # Cyrillic and Greek small letters, and Latin ones of phonetics
    "∕⁄∗⋆",  # division and fraction slash, asterisk and star operators
    "aeopcyxijsdghlqwvoaptuik//**",
)


def plain_name(text: str) -> str:
    """``text`` without capitals, compatibility forms, look-alike letters, invisible characters and outer spaces."""
    seen = [x for x in unicodedata.normalize("NFKC", text) if unicodedata.category(x) not in ("Cf", "Cc", "Mn")]
    dashes = ["-" if unicodedata.category(x) == "Pd" or x == "\N{MINUS SIGN}" else x for x in seen]
    folded = unicodedata.normalize("NFKC", "".join(dashes).casefold())
    return " ".join(folded.translate(_LOOKS_LIKE).split())


def names_in_front(text: str) -> list[str]:
    """What a text may be taken for the name of: all of it, and what stands before options or a remark.

    A path of files ("tables/dor.json") is not taken for what its first letters say.
    """
    plain = plain_name(text).replace("_", "-")
    names = [plain, plain.replace(" ", "-"), re.split(r"\s*[:,;]", plain)[0]]
    if not re.search(r"[./\\]", plain):
        names.append(re.split(r"[^a-z0-9-]", plain)[0])
    return names
