"""What ``simulate load`` prints: accepted against offered, delay and queues, beside the proved throughput."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from ...core.claim import Claim, Interval
from ...core.display import percent_text
from ...core.escape import printable
from ...core.sampling.trial_intervals import LOAD_QUANTITIES
from ...core.vocabulary.quantity import PER_TERMINAL
from ...questions.simulate.load import LoadAnswer
from .parts import number_table, title
from .table import claims_table


def load_parts(answer: LoadAnswer) -> list[RenderableType]:
    """The proved throughput as always; then one row per rate, each number with the half-width of its interval."""
    proved, sampled = answer.proved, answer.sampled
    shown: list[RenderableType] = [title(printable(answer.title))]
    if proved:
        shown += [claims_table(proved), Text()]
    rows = []
    predicted = predicted_throughput(proved)
    for rate, by in by_rate(sampled).items():
        accepted, growth, delay, hops = (by.get(name) for name in LOAD_QUANTITIES[1:])
        side = ""
        if predicted is not None:
            side = "below" if rate < predicted else "above" if rate > predicted else "at the proved throughput"
        rows.append((f"{float(rate):.4g}", _text(accepted, 4), _text(growth, 4), _text(delay, 1), _text(hops, 2), side))
    first = next(iter(sampled)).value
    assert isinstance(first, Interval)
    how = f"SAMPLED, seed {first.seed}: {PER_TERMINAL}, ± about {percent_text(first.confidence)} by batch means"
    table = number_table(("rate", "accepted", "queues grow by", "delay in cycles", "hops", ""), rows, words=(5,))
    shown += [table, Text(how, style="bold yellow")]
    if any("average_delay" not in by for by in by_rate(sampled).values()):
        shown.append(Text("no delay: queues grow, or the run is too short for their memory (--cycles)"))
    return shown


def by_rate(sampled: Sequence[Claim]) -> Mapping[Fraction, dict[str, Interval]]:
    """The sampled quantities at every rate, rates ascending."""
    found: dict[Fraction, dict[str, Interval]] = {}
    for claim in sampled:
        if isinstance(claim.value, Interval):
            found.setdefault(Fraction(str(claim.about["rate"])), {})[claim.quantity] = claim.value
    return dict(sorted(found.items()))


def predicted_throughput(proved: Sequence[Claim]) -> Fraction | None:
    """The throughput that is proved, if any."""
    value = next((x.value for x in proved if x.quantity == "throughput"), None)
    return value if isinstance(value, Fraction) else None


def _text(x: Interval | None, digits: int) -> str:
    return "-" if x is None else f"{x.best:.{digits}f} ± {max(x.high - x.best, 0):.{digits}f}"
