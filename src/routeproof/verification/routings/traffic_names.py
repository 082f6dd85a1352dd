"""The traffic of a claim, and what it may be called: a pattern's name needs the pattern, ``worst`` the worst case.

Traffic that a report gives in full bears a name of its own, such as that of the file it came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...core.claim import Claim
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.permutation import Permutation
from ...core.plain_names import check_own_name, is_file_name, plain_name, reads_like
from ...core.rational import lcm_within
from ...core.traffic import Traffic
from ...topologies.patterns import PATTERNS, is_pattern, traffic_pattern
from ...topologies.traffic_models import TRAFFIC_MODELS
from ..reading import as_fraction, as_permutation

__all__ = ["WORST", "meaning_of_traffic", "traffic_of"]

WORST = "worst"
_MOST_SCALE = 1 << 65_536  # of the common denominator of a matrix
_SAYS = {"worst", "worst-case", "worst-permutation", "any", "all", "every", "balanced", "admissible", "permutations"}


def traffic_of(network: Network, data: Mapping[str, Any]) -> Traffic:
    """The traffic that the evidence gives in full, with a name that fits, or uniform traffic."""
    size, name = network.num_terminals, data["traffic"]
    if "permutation" in data and "matrix" in data:
        raise VerificationError("its traffic is a permutation and a matrix; one of them was expected")
    if "permutation" in data:
        permutation = as_permutation(data["permutation"], size)
        _check_name(name, network, permutation)
        return Traffic.of_permutation(permutation, name=name)
    if "matrix" in data:
        _check_name(name, network, None)
        rows = [[as_fraction(x, "a rate") for x in row] for row in data["matrix"]]
        if len(rows) != size:
            raise VerificationError(f"its matrix has {len(rows)} rows; {size} were expected")
        if lcm_within({x.denominator for row in rows for x in row}, _MOST_SCALE) is None:
            raise VerificationError("its rates have too large a common denominator")
        return Traffic.of_matrix(rows, name=name)  # refuses rows and columns above 1
    if name != "uniform":
        raise VerificationError(f"its evidence does not say what traffic {name[:60]!r} is")
    return Traffic.uniform(size)


def _check_name(name: str, network: Network, permutation: Permutation | None) -> None:
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
