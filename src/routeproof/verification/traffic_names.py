"""What traffic may be called: a pattern's name needs the pattern, ``worst`` needs the worst case beside it.

Traffic that a report gives in full bears a name of its own, such as that of the file it came from.
"""

from __future__ import annotations

from ..core.errors import VerificationError
from ..core.network import Network
from ..core.permutation import Permutation
from ..core.plain_names import names_in_front, plain_name
from ..topologies.patterns import PATTERNS, is_pattern, traffic_pattern
from ..topologies.traffic_models import TRAFFIC_MODELS

__all__ = ["WORST", "check_traffic_name"]

WORST = "worst"


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
    taken = {*PATTERNS, *TRAFFIC_MODELS, WORST, "worst-case", "worst-permutation"}
    alike = next((x for x in names_in_front(name) if x in taken), None)
    if alike is not None:
        reads = f"reads like '{alike}', traffic of another kind"
        raise VerificationError(f"its {what} is called {name[:60]!r}, which {reads}")
