"""Claims about a document on its own (``routeproof check``): the report carries the document, which is read again."""

from __future__ import annotations

import re

from ..core.claim import Claim, Grade
from ..core.errors import InputError, VerificationError
from ..core.plain_names import is_file_name
from ..formats.format import Facts
from ..routing.base.routing import Routing
from ..routing.files.table import facts_of
from ..routing.named.names import is_taken
from .context import Context
from .kind import DOCUMENTS, EXACT, VERIFIED, YES_OR_NO, Kind, States, SubjectKind
from .reading import Report, check_value
from .routings.deadlock import DEADLOCK, check_deadlock
from .shapes import ANY, TEXT, Keys
from .subject import is_family_name


def verify_document(report: Report) -> None:
    """Check the claims about the subject's document; raises InputError for one that cannot be understood."""
    name, kind, text = (report.subject[key] for key in ("document", "kind", "content"))
    if not isinstance(text, str):
        raise InputError("the report's subject: the content of its document must be a text")
    if not is_file_name(name) and (is_family_name(name) or is_taken(name)):
        raise VerificationError(f"subject: its document is called {name[:60]!r}, a name of this package's own")
    try:
        found = facts_of(kind, text, what=f"file {name}", name=name)
    except InputError as error:
        raise InputError(f"the report's document: {error}") from None
    report.check_each(lambda claim: _check(found, claim, name))


def _check(found: Facts[Routing], claim: Claim, name: str) -> None:
    if claim.quantity in DEADLOCK:
        if found.routing is None:
            raise VerificationError("its document is not a routing that delivers")
        check_deadlock(Context(found.routing, ()), claim, claim.value, claim.evidence.data)
        return
    if claim.quantity not in found.facts:
        raise VerificationError(f"nothing is known of it; a document of this kind has {', '.join(found.facts)}")
    fact = found.facts[claim.quantity]
    check_value(claim, fact if isinstance(fact, int) else "true" if fact is None else "false", "the document has")
    witness = claim.evidence.data.get("witness")
    # One sentence, where the file called ``name`` may be named with the folders that it was in.
    pattern = re.escape(str(fact)).replace(re.escape(f"file {name}"), r"file ([^\s:]*/)?" + re.escape(name))
    if witness is not None and not (isinstance(fact, str) and re.fullmatch(pattern, witness)):
        raise VerificationError(f"its witness is not what is wrong with the document: {str(fact)[:200]}")


_JUDGED = ("connected", "valid_permutation", "valid_routing", "valid_wiring", "degrees", "one_logical_path")
_COUNTED = (
    "num_nodes", "num_channels", "num_terminals", "num_paths", "num_edge_levels", "inputs", "multiplicity", "outputs",
)  # fmt: skip
_FACT = Keys({}, {"witness": TEXT})
DOCUMENT = Kind(
    "document",
    "The document itself, which the report holds, read and checked again.",
    Keys(),
    {
        **{x: States(EXACT, Grade.EXHAUSTED, evidence=_FACT, words=YES_OR_NO) for x in _JUDGED},
        **{x: States(EXACT, Grade.EXHAUSTED) for x in _COUNTED},
    },
    frozenset(),
    subjects=DOCUMENTS,
)
_SHAPE = Keys({"document": TEXT, "content": ANY}, VERIFIED)
NETWORK, ROUTING, NEXT_HOP, WIRING, PERMUTATION = (
    SubjectKind(name, verify_document, _SHAPE) for name in ("network", "routing", "next-hop", "wiring", "permutation")
)
