"""Reports about several routings on one network: each routing's claims are verified by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ..context import Progress
from .routing_claims import verify_routing

__all__ = ["verify_comparison"]


def verify_comparison(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check every claim under the routing that it names; arguments as in ``verify_claims``.

    Raises InputError for a subject that makes no sense, VerificationError for the first claim that does not hold.
    """
    del routing  # each has its own
    routings = subject["routings"]
    if not isinstance(routings, Mapping) or not routings or not all(isinstance(x, str) for x in routings):
        raise InputError("the report's subject: its routings must be an object, by name")
    own: dict[str, list[Claim]] = {name: [] for name in routings}
    for number, claim in enumerate(claims):
        name = claim.about.get("routing")
        if not isinstance(name, str) or name not in own:
            raise VerificationError(f"claims[{number}] ({claim.quantity[:80]}): it is about none of the routings")
        about = {key: value for key, value in claim.about.items() if key != "routing"}
        own[name].append(replace(claim, about=about))
    levels = subject.get("service_levels", {})
    if not isinstance(levels, Mapping) or not set(levels) <= set(routings):
        raise InputError("the report's subject: its service levels must be an object, by names of its routings")
    rest = {key: value for key, value in subject.items() if key not in ("routings", "service_levels")}
    for name, some in own.items():
        described = routings[name]
        if not isinstance(described, Mapping) or described.get("spec") != name:
            raise VerificationError(f"subject: the routing {name[:60]!r} goes by another name")
        if not some:
            raise VerificationError(f"subject: the report makes no claims about the routing {name[:60]!r}")
        one = {"service_levels": levels[name]} if name in levels else {}
        try:
            verify_routing({**rest, **one, "routing": described}, some, progress=progress)
        except VerificationError as error:
            raise VerificationError(f"{name[:60]}: {error}") from None
    return list(claims)
