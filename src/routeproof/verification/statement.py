"""One report states one value for one quantity, and means one thing by one name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..core.claim import Claim
from ..core.errors import VerificationError

__all__ = ["check_one_meaning", "check_stated_once"]


def check_stated_once(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if one quantity has two values."""
    first: dict[tuple[str, str], int] = {}
    for number, claim in enumerate(claims):
        about = sorted((key, repr(value)) for key, value in claim.about.items())
        if claim.relation != "==":  # bounds may be many: each holds by its own evidence
            continue
        k = first.setdefault((claim.quantity, repr(about)), number)
        if claims[k].value != claim.value:
            raise VerificationError(
                f"claims[{number}] ({claim.quantity[:80]}): claims[{k}] states another value for the same quantity"
            )


def check_one_meaning(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if a name means two things: traffic, a routing, or the rates of the hose model."""
    meant: dict[tuple[str, str], object] = {}
    for number, claim in enumerate(claims):
        for what, name, meaning in _names(claim):
            if meant.setdefault((what, name), meaning) != meaning:
                raise VerificationError(
                    f"claims[{number}] ({claim.quantity[:80]}): the {what} {name[:60]!r} is another one than before"
                )


def _names(claim: Claim) -> Iterator[tuple[str, str, object]]:
    data = claim.evidence.data
    if claim.evidence.kind in ("traffic-loads", "load-run") and isinstance(data.get("traffic"), str):
        yield "traffic", data["traffic"], (data.get("permutation"), data.get("matrix"))
    if claim.evidence.kind == "random-traffic" and isinstance(claim.about.get("routing"), str):
        yield "routing", claim.about["routing"], data.get("routing")
    model = data.get("model")
    if claim.evidence.kind == "worst-case" and isinstance(model, Mapping) and model.get("name") == "hose":
        yield "traffic model", "hose", (model.get("ingress"), model.get("egress"))
