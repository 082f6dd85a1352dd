"""How typical the worst case is, as a sentence: the sampled mean over random traffic beside it."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.claim import Interval
from ..core.display import decimal_text, estimate_text, outward_text, percent_text, trials_text
from ..core.vocabulary.quantity import OF_CAPACITY, PER_TERMINAL
from .choice import Choice

_AVERAGE = {
    "average_case_throughput_of_capacity": ("worst_case_throughput_of_capacity", OF_CAPACITY),
    "average_case_throughput": ("worst_case_throughput", PER_TERMINAL),
}
"""By the mean: the exact worst case in the same unit, and that."""
_MODELS = {
    "permutation": "all permutations of the terminals", "shift": "all shifts of the terminals",
    "ring": "all orders of a ring of the terminals",
}  # fmt: skip


def average_cases(choice: Choice) -> Iterator[str]:
    """One sentence for each mean, with its interval and its seed; the worst case beside it where it is known."""
    for claim in choice.claims:
        mean, about = claim.value, dict(claim.about)
        model = about.pop("traffic", None)
        if claim.quantity not in _AVERAGE or not isinstance(mean, Interval) or about:
            continue
        worst, unit = _AVERAGE[claim.quantity]
        exact = choice.number(worst, about={"model": "balanced"})
        beside = "" if exact is None else f", where the worst case is {decimal_text(exact)}"
        drawn = _MODELS.get(str(model), f"random traffic of the model {model}")
        yield (
            f"How typical is that? The mean over {drawn} is about {estimate_text(mean.best)} {unit}{beside} (sampled, "
            f"no proof: a {percent_text(mean.confidence)} interval is {outward_text(mean.low, mean.high)}, "
            f"{trials_text(mean.trials)}, seed {mean.seed})."
        )
