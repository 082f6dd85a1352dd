"""What traffic may be called: a pattern's name needs the pattern, ``worst`` needs the worst case beside it.

Traffic that a report gives in full bears a name of its own, such as that of the file it came from.
"""

from __future__ import annotations

import re

from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.permutation import Permutation
from ...core.plain_names import check_own_name, is_file_name, plain_name, reads_like
from ...topologies.patterns import PATTERNS, is_pattern, traffic_pattern
from ...topologies.traffic_models import TRAFFIC_MODELS

__all__ = ["WORST", "check_traffic_name", "meaning_of_traffic"]

WORST = "worst"
_SAYS = {"worst", "worst-case", "worst-permutation", "any", "all", "every", "balanced", "admissible", "permutations"}


def check_traffic_name(name: str, network: Network, permutation: Permutation | None) -> None:
    """Raise VerificationError if ``name`` is a pattern's and the traffic is another one.

    ``permutation``: None for traffic given as a matrix.  Whether ``worst`` is the worst is for the caller to find out.
    """
    what = "matrix" if permutation is None else "permutation"
    plain = plain_name(name)
    if is_pattern(plain):
        if permutation is None or traffic_pattern(plain, network).permutation != permutation:
            raise VerificationError(f"its {what} is not the pattern {name[:60]}")
        return
    if name == WORST and permutation is not None:
        return
    check_own_name(name, f"its {what}")
    if not is_file_name(name) and re.search(r"[^\w .~+-]", name):
        raise VerificationError(f"its {what} is called {name[:60]!r}; letters, digits, or the name of a file expected")
    alike = reads_like(name, (*PATTERNS, *TRAFFIC_MODELS, *_SAYS))
    if alike is not None or (_SAYS & set(re.split(r"[^a-z]+", plain)) and not is_file_name(name)):
        reads = f"reads like '{alike or 'a statement'}', traffic of another kind"
        raise VerificationError(f"its {what} is called {name[:60]!r}, which {reads}")


def meaning_of_traffic(claim: Claim) -> tuple[str, str, object] | None:
    """What the name of the claim's traffic stands for."""
    data = claim.evidence.data
    if not isinstance(data.get("traffic"), str):
        return None
    return "traffic", data["traffic"], (data.get("permutation"), data.get("matrix"))
