"""``rp.expansion``: how few outputs the inputs of splitters can be joined to."""

from __future__ import annotations

from ..answers.expansion import ExpansionAnswer, answer_expansion, answer_wiring_expansion
from ..core.errors import InputError
from ..core.multistage.splitter import Splitter
from ..core.multistage.wiring import Wiring
from .result import Result

__all__ = ["ExpansionResult", "expansion"]


class ExpansionResult(Result):
    """The least neighbourhood of subsets of every size, with the subsets, as claims."""

    def __init__(self, answer: ExpansionAnswer) -> None:
        super().__init__(answer, title=f"expansion of {answer.topology}")


def expansion(
    of: Splitter | Wiring,
    *,
    level: int | None = None,
    block: int | None = None,
    direction: str | None = None,
    unique: int | None = None,
) -> ExpansionResult:
    """The least neighbourhood of subsets of every size of the inputs of a splitter, or of a wiring's splitters.

        >>> import routeproof as rp
        >>> rp.expansion(rp.multibutterfly(16, d=2, seed=7)).claims()[0].quantity
        'least_neighbourhood'

    Of a wiring: for every level with splitters of at most 32 inputs, the worst over all of them and both directions;
    ``level``, ``block``, ``direction`` ("up", "down"): these alone.  ``unique``: unique neighbours of subsets up to
    this size, 0 for none.  Exact for up to 64 inputs, proved bounds beyond.

    Source: Maggs, Randomly Wired Multistage Networks, sec. 1.2.  Raises InputError for a level or block that is not
    there.
    """
    if isinstance(of, Wiring):
        answer = answer_wiring_expansion(of, level=level, block=block, direction=direction, unique=unique)
        return ExpansionResult(answer)
    if level is not None or block is not None or direction is not None:
        raise InputError("level, block and direction are for wirings; a splitter is one splitter")
    return ExpansionResult(answer_expansion(of, unique=unique))
