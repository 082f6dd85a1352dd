"""What a claim may say before its evidence is looked at: which quantities there are, and how each is stated.

A number that is right under a wrong unit, grade or qualifier is a false claim, so these are checked like the number.
``source`` cites where a quantity is defined; it is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..core.check import shown
from ..core.claim import Claim, Grade
from ..core.errors import VerificationError, did_you_mean

__all__ = ["MODELS", "check_stated_once", "check_statement"]

MODELS = ("balanced", "unbalanced", "hose")
_RATE = "packets per cycle and terminal"


_OF_CHANNEL = ("worst-case-channel", "worst-case-channels", "worst-case-among", "same-class")


@dataclass(frozen=True)
class _Form:
    """The unit of a quantity (by model, where it depends on it), what qualifies it, and kinds of evidence for it."""

    unit: str
    about: tuple[str, ...]
    kinds: tuple[str, ...]
    unit_of_model: Mapping[str, str] = field(default_factory=dict)


_FORMS: Mapping[str, _Form] = {
    "worst_case_load": _Form("packets per cycle and unit of bandwidth", ("model",), ("worst-case", *_OF_CHANNEL)),
    "worst_case_throughput": _Form(
        _RATE, ("model",), ("derived", "worst-case"), unit_of_model={"hose": "factor on the rates"}
    ),
    "worst_case_throughput_of_capacity": _Form("of capacity", ("model",), ("derived",)),
    "capacity": _Form(_RATE, (), ("capacity",)),
    "throughput": _Form(_RATE, ("traffic",), ("traffic-loads",)),
    "throughput_of_capacity": _Form("of capacity", ("traffic",), ("traffic-loads",)),
    "average_path_length": _Form("hops", (), ("path-length",)),
    "average_path_length_of_minimal": _Form("of minimal", (), ("path-length",)),
}


def check_statement(claim: Claim) -> Fraction:
    """The exact value that the claim states; raises VerificationError where its form is not that of its quantity."""
    if claim.grade is Grade.SAMPLED:
        raise VerificationError("a sampled quantity has no proof to check; run it again with its seed")
    form = _FORMS.get(claim.quantity)
    if form is None:
        raise VerificationError(f"no such quantity can be verified here; {did_you_mean(claim.quantity[:60], _FORMS)}")
    kind = claim.evidence.kind
    if kind not in form.kinds:
        kinds = " or ".join(f"'{x}'" for x in form.kinds)
        raise VerificationError(f"its evidence is of the kind {_brief(kind)}, which proves nothing here; {kinds} would")
    if claim.relation != "==" or not isinstance(claim.value, Fraction):
        value = shown(claim.value) if isinstance(claim.value, Fraction) else _brief(claim.value)
        raise VerificationError(f"it says {claim.relation} {value}; == and an exact fraction were expected")
    if claim.grade is not Grade.PROVED:
        raise VerificationError(f"it is graded {claim.grade.value}; its evidence makes it PROVED")
    _check_about(claim, form)
    unit = form.unit_of_model.get(str(claim.about.get("model")), form.unit)
    if claim.unit != unit:
        raise VerificationError(f"its unit is {_brief(claim.unit)}; '{unit}' was expected")
    if len(claim.source) > 200 or not claim.source.isprintable():
        raise VerificationError("its source is no line of text")
    return claim.value


def _check_about(claim: Claim, form: _Form) -> None:
    wanted = set(form.about)
    if claim.evidence.kind in _OF_CHANNEL:
        wanted.add("channel")
    for key in sorted({*wanted, *claim.about}):
        value = claim.about.get(key)
        if key not in claim.about:
            raise VerificationError(f"it does not say which {key} it is about")
        if key not in wanted:
            raise VerificationError(f"it is qualified by {_brief(key)}, which its evidence says nothing about")
        if key == "channel":
            if isinstance(value, bool) or not isinstance(value, int):
                raise VerificationError(f"its channel is {_brief(value)}; a number was expected")
        elif not isinstance(value, str):
            raise VerificationError(f"its {key} is {_brief(value)}; a text was expected")
        elif key == "model" and value not in MODELS:
            raise VerificationError(f"its model is {_brief(value)}; {did_you_mean(value[:40], MODELS)}")


def check_stated_once(claims: Sequence[Claim]) -> None:
    """Raise VerificationError if one quantity has two values: whatever else refers to it would be ambiguous."""
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


def _brief(value: object) -> str:
    return repr(value if isinstance(value, str) else str(value))[:60]
