"""``rp.compare``: several routings on one network, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..answers.compare import Comparison, answer_compare
from ..core.display import small_table
from ..routing.base.routing import Routing
from .result import Result

if TYPE_CHECKING:
    import pandas

    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["CompareResult", "compare"]

_SHOWN = ("worst_case_throughput", "throughput", "average_path_length", "deadlock_free")


class CompareResult(Result):
    """``routings`` in the order in which they are shown, and what is claimed of each."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison, title=comparison.network.name)
        self.comparison = comparison

    @property
    def routings(self) -> tuple[Routing, ...]:
        return self.comparison.routings

    def to_frame(self) -> pandas.DataFrame:
        """A row for every routing, a column for every quantity, as a pandas DataFrame; values stay exact."""
        from ..report.notebook.frames import frame_of_table

        return frame_of_table(
            {
                routing.name: {x.quantity: x.value for x in claims if "channel" not in x.about}
                for routing, claims in zip(self.routings, self.comparison.stated, strict=True)
            }
        )

    def _repr_html_(self) -> str:
        """For notebooks: a row for every routing."""
        rows = []
        for routing, claims in zip(self.routings, self.comparison.stated, strict=True):
            value = {x.quantity: x.value_text() for x in claims if "channel" not in x.about}
            rows.append([routing.name, *(value.get(name, "") for name in _SHOWN)])
        return small_table(self._title, ["routing", *(name.replace("_", " ") for name in _SHOWN)], rows)


def compare(
    routings: Sequence[Routing],
    *,
    virtual_channels: bool = False,
    best: bool = False,
    time_limit: float | None = None,
    levels: Mapping[str, ServiceLevels] | None = None,
) -> CompareResult:
    """Worst case, uniform throughput, path length and deadlock freedom of routings on one network.

    - ``virtual_channels``: also look for virtual channels that free each routing of deadlock;
    - ``best``: rank them, and bound the best oblivious routing by a linear program, for at most ``time_limit`` seconds;
    - ``levels``: service levels, by name of a routing.

    Raises InputError for no routings, two of one name, several networks, or sampled loads, which are no exact numbers.
    """
    return CompareResult(
        answer_compare(routings, virtual=virtual_channels, best=best, time_limit=time_limit, levels=levels)
    )
