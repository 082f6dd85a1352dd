"""Claims about a document on its own (``routeproof check``): the report carries the document, which is judged again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.plain_names import is_file_name
from ..formats.format import Facts
from ..routing.base.routing import Routing
from ..routing.files.judge import facts_of
from ..routing.named.names import is_taken
from .called import is_family_name
from .context import Progress
from .kind import EXACT, YES_OR_NO, Kind, States
from .reading import stated
from .routings.deadlock import DEADLOCK, check_deadlock
from .shapes import TEXT, Keys

__all__ = ["KINDS", "verify_document"]


def verify_document(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check ``claims`` about the document in ``subject`` ({"document", "kind", "content"}); returns them.

    Raises InputError for a subject without a document that can be understood, VerificationError naming the first claim
    that does not hold.
    """
    del routing, progress  # a document is small, and the routing its own
    name, kind, text = subject["document"], subject["kind"], subject["content"]
    if not isinstance(text, str):
        raise InputError("the report's subject: the content of its document must be a text")
    if not is_file_name(name) and (is_family_name(name) or is_taken(name)):
        raise VerificationError(f"subject: its document is called {name[:60]!r}, a name of this package's own")
    try:
        found = facts_of(kind, text, what=f"file {name}", name=name)
    except InputError as error:
        raise InputError(f"the report's document: {error}") from None
    for number, claim in enumerate(claims):
        try:
            _check(found, claim, name)
        except (VerificationError, InputError) as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): {error}") from None
    return list(claims)


def _check(found: Facts[Routing], claim: Claim, name: str) -> None:
    if claim.quantity in DEADLOCK:
        if found.routing is None:
            raise VerificationError("its document is no routing that delivers")
        check_deadlock(found.routing, claim)
        return
    if claim.quantity not in found.facts:
        raise VerificationError(f"nothing is known of it; a document of this kind has {', '.join(found.facts)}")
    fact = found.facts[claim.quantity]
    wanted: Fraction | str = Fraction(fact) if isinstance(fact, int) else "true" if fact is None else "false"
    if claim.value != wanted:
        raise VerificationError(f"it is {stated(claim)}; the document has {wanted}")
    witness = claim.evidence.data.get("witness")
    if witness is not None and not (isinstance(fact, str) and _same_sentence(witness, fact, name)):
        raise VerificationError(f"its witness is not what is wrong with the document: {str(fact)[:200]}")


def _same_sentence(told: str, own: str, name: str) -> bool:
    """Are they one sentence, where the file called ``name`` may be told with the folders that it was in?"""
    pattern = re.escape(own).replace(re.escape(f"file {name}"), r"file ([^\s:]*/)?" + re.escape(name))
    return re.fullmatch(pattern, told) is not None


_JUDGED = ("connected", "valid_permutation", "valid_routing", "valid_wiring", "degrees", "one_logical_path")
_COUNTED = (
    "num_nodes", "num_channels", "num_terminals", "num_paths", "num_edge_levels", "inputs", "multiplicity", "outputs",
)  # fmt: skip
_FACT = Keys({}, {"witness": TEXT})
KINDS: Mapping[str, Kind] = {
    "document": Kind(
        Keys(),
        {
            **{x: States(EXACT, Grade.EXHAUSTED, evidence=_FACT, words=YES_OR_NO) for x in _JUDGED},
            **{x: States(EXACT, Grade.EXHAUSTED) for x in _COUNTED},
        },
        frozenset(),
    )
}
