"""What ``simulate load`` prints: accepted against offered, delay and queues, beside the proved throughput."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...answers.simulate.load import LoadAnswer
from ...core.claim import Claim, Interval
from ...core.display import percent_text
from ...core.sampling.trial_intervals import LOAD_QUANTITIES
from ...core.vocabulary.quantity import PER_TERMINAL
from .escape import printable
from .table import claims_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["by_rate", "load_parts", "predicted_throughput"]


def load_parts(answer: LoadAnswer) -> list[RenderableType]:
    """The proved throughput as always; then one row per rate, each number with the half-width of its interval."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    proved, sampled = answer.proved, answer.sampled
    shown: list[RenderableType] = [Text(printable(answer.title), style="bold")]
    if proved:
        shown += [claims_table(proved), Text("")]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("rate", "accepted", "queues grow by", "delay in cycles", "hops", ""):
        table.add_column(name, justify="right" if name else "left", overflow="fold")
    predicted = predicted_throughput(proved)
    for rate, by in by_rate(sampled).items():
        accepted, growth, delay, hops = (by.get(name) for name in LOAD_QUANTITIES[1:])
        side = ""
        if predicted is not None:
            side = "below" if rate < predicted else "above" if rate > predicted else "at the proved throughput"
        table.add_row(f"{float(rate):.4g}", _text(accepted, 4), _text(growth, 4), _text(delay, 1), _text(hops, 2), side)
    shown.append(table)
    first = next(iter(sampled))
    assert isinstance(first.value, Interval)
    shown.append(
        Text(
            f"SAMPLED, seed {first.value.seed}: {PER_TERMINAL}, ± about "
            f"{percent_text(first.value.confidence)} by batch means",
            style="bold yellow",
        )
    )
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
