"""Routings in the order of what is claimed of them, and in one sentence which to use, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..core.claim import Claim, Interval
from ..core.display import estimate_text
from .answer import PARTS, exact_value

Row = tuple[str, Sequence[Claim]]
"""A routing's name, and what is claimed of it."""
_NAMED = 3  # routings that tie, and are named


def by_column(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claims about one routing as the columns of a table: by quantity, traffic other than uniform, service levels.

    Those about one channel or job, and bounds other than on virtual channels, are in no column.
    """
    found = {}
    for x in claims:
        if not PARTS & set(x.about) and (x.relation == "==" or x.quantity == "virtual_channels"):
            traffic = x.about.get("traffic", "uniform")
            under = "" if traffic == "uniform" else f" under {traffic}"
            found[f"{x.quantity}{under}{' by service level' if 'lanes' in x.about else ''}"] = x
    return found


def load_claimed(claims: Sequence[Claim], relation: str = "==") -> Fraction:
    """The worst-case load, or the bound on it; 0 where there is none."""
    own = (x for x in claims if x.quantity == "worst_case_load" and x.relation == relation and not PARTS & set(x.about))
    return next(filter(None, map(exact_value, own)), Fraction(0))


def guarantee_claimed(claims: Sequence[Claim]) -> tuple[Fraction, bool] | None:
    """The worst-case throughput, or less than it; and is it exact?  None where nothing is known."""
    own = [x for x in claims if x.quantity == "worst_case_throughput" and not PARTS & set(x.about)]
    for relation in ("==", ">="):
        for x in own:
            value = exact_value(x) if x.relation == relation else None
            if value is not None:
                return value, relation == "=="
    return None


def _known(claims: Sequence[Claim]) -> bool:
    """Is the worst case known, and not only between two numbers?"""
    return any(x.quantity == "worst_case_load" and x.relation == "==" and not PARTS & set(x.about) for x in claims)


def lanes_claimed(claims: Sequence[Claim]) -> int | None:
    """On how many virtual lanes packets cannot deadlock, as far as claimed; None where nothing is."""
    found = by_column(claims)
    alone, lanes = found.get("deadlock_free"), found.get("virtual_channels")
    if alone is not None and alone.value == "true":
        return 1
    count = 0 if lanes is None else int(str(lanes.value))
    return count if count > 1 else None  # 1 is of other paths, with the same loads and without cycles


def _exact(claims: Sequence[Claim], quantity: str) -> Fraction:
    return exact_value(by_column(claims).get(quantity)) or Fraction(0)


def _average(claims: Sequence[Claim]) -> float:
    """The best estimate of the average case; 0 where there is none."""
    return next((x.value.best for x in claims if isinstance(x.value, Interval)), 0.0)


_Criterion = tuple[str, Callable[[Sequence[Claim]], "Fraction | float"], Callable[[Sequence[Claim]], str]]
_CRITERIA: Sequence[_Criterion] = (
    ("has the highest mean throughput over random traffic (sampled)", lambda x: -_average(x),
     lambda x: estimate_text(_average(x))),
    ("has the highest throughput under uniform traffic", lambda x: -_exact(x, "throughput"),
     lambda x: str(_exact(x, "throughput"))),
    ("has the highest throughput under the worst shift", lambda x: -_exact(x, "worst_shift_throughput"),
     lambda x: str(_exact(x, "worst_shift_throughput"))),
    ("needs the fewest virtual lanes of those assigned here", lambda x: float(lanes_claimed(x) or "inf"),
     lambda x: str(lanes_claimed(x) or "none found")),
    ("has the shortest paths", lambda x: _exact(x, "average_path_length"),
     lambda x: f"{_exact(x, 'average_path_length')} hops"),
)  # fmt: skip
"""What tells routings of equal worst case apart, the first first: in words, the least is best, how it is shown."""


def rank(claims: Sequence[Claim]) -> tuple[Fraction | float, ...]:
    """Least worst-case load first, or what is proved that it does not pass, and last where nothing is; ties go to the
    better average case (if asked for), to the higher throughput under uniform traffic and under the worst shift, to
    fewer virtual lanes, then to shorter paths."""
    load: Fraction | float = load_claimed(claims)
    if not _known(claims):
        load = load_claimed(claims, "<=") or float("inf")
    return load, *(key(claims) for _, key, _ in _CRITERIA)


def recommendation(rows: Sequence[Row], *, today: str = "", over: str | None = None) -> str:
    """Which of ``rows``, ranked, at least two, to use, and why; ties are said.  "" where the worst case of one of them
    is not known exactly.

    ``today``: the routing that the network has; ``over``: of which set of demands the worst case is; None: all
    permutations.  It is about the routings that were compared, and about nothing else.
    """
    name, best = rows[0]
    if not all(_known(claims) for _, claims in rows):
        return ""
    load = load_claimed(best)
    alike = [x for x in rows if load_claimed(x[1]) == load]
    among = f"of the {len(rows)} compared"
    where = "all permutations" if over is None else over
    value = _throughput(best)
    if len(alike) == 1:
        why = f"its worst-case throughput over {where}, {value}, is the highest {among} (next: {_next(rows[1])})"
    else:
        shared = f"that of {_names(alike[1:])}, and the highest {among}"
        if len(alike) == len(rows):
            shared = f"the same for all {len(rows)} compared"
        why = f"its worst-case throughput over {where}, {value}, is {shared}{_told_apart(alike)}"
    return f"{'Keep' if name == today else 'Use'} {name}: {why}; {_lanes_text(rows)}."


def _throughput(claims: Sequence[Claim]) -> str:
    own = exact_value(by_column(claims).get("worst_case_throughput"))
    return "unlimited" if own is None else str(own)


def _next(row: Row) -> str:
    return f"{row[0]}, {_throughput(row[1])}"


def _names(rows: Sequence[Row]) -> str:
    names = [name for name, _ in rows]
    more = len(names) - _NAMED
    shown = names[:_NAMED] + ([f"{more} more"] if more > 0 else [])
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _told_apart(alike: Sequence[Row]) -> str:
    """By what the first of routings of one worst case is better than the others, and which equal it in all."""
    words, left = "", alike
    for what, key, shown in _CRITERIA:
        values = [key(claims) for _, claims in left]
        equal = [x for x, value in zip(left, values, strict=True) if value == values[0]]
        if len(equal) < len(left):
            after = left[len(equal)]
            too = f", and so {'does' if len(equal) == 2 else 'do'} {_names(equal[1:])}" if len(equal) > 1 else ""
            words += f"; of these it {what} ({shown(left[0][1])}; {after[0]}: {shown(after[1])}){too}"
        left = equal
    if len(left) > 1:
        words += f"; {_names(left[1:])} {'equals' if len(left) == 2 else 'equal'} it in all that was compared"
    return words


def _lanes_text(rows: Sequence[Row]) -> str:
    """What is known of deadlock of the first; where it can deadlock, which is the best that cannot."""
    found = {"lanes" in x.about: x.value == "true" for x in rows[0][1] if x.quantity == "deadlock_free"}
    lanes = lanes_claimed(rows[0][1])
    if lanes == 1:
        return "its packets cannot deadlock, on one virtual lane"
    if found.get(True):
        return "on the virtual lanes of its service levels its packets cannot deadlock"
    if lanes is not None:
        return f"its packets can deadlock on one virtual lane, and cannot on the {lanes} that its paths are given here"
    if not found:
        return "deadlock is not judged"
    safe = next((x for x in rows[1:] if lanes_claimed(x[1]) is not None), None)
    other = "" if safe is None else f"; the best of those that cannot is {_next(safe)}"
    return f"on one virtual lane its packets can deadlock, and no assignment of more is known here{other}"
