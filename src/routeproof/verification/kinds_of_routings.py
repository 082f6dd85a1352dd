"""Kinds of evidence for claims about a routing on a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..core.claim import Grade
from ..core.sampling.simulated_rates import LOAD_QUANTITIES
from ..core.sampling.trial_intervals import FAILURE_QUANTITIES
from .kinds import YES_OR_NO, Kind, States
from .shapes import (
    ANY,
    BOUND,
    FLAG,
    NUMBERS,
    TEXT,
    WHOLE,
    Either,
    Keys,
    ListOf,
    Shape,
    Word,
)

__all__ = ["KINDS", "LOOKS", "PLACES", "SPLITTERS"]

_PROVED, _SAMPLED = Grade.PROVED, Grade.SAMPLED
_EXACT = ("==",)
_BOUNDS = ("==", "<=", ">=")
_MODELS = Word("balanced", "unbalanced", "hose")
_BALANCED = Word("balanced")
_WORST = frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2 and 3"})
_DESIGN = frozenset(
    f"Towles, Dally & Boyd 2003 (SPAA), {x}" for x in ("eq. 8", "eq. 8 and 10", "eq. 10 and Figure 1", "eq. 6 and 10")
)
_LENGTH = frozenset({"Towles, Dally & Boyd 2003 (SPAA), eq. 5", "Towles, Dally & Boyd 2003 (SPAA), sec. 2.3"})
_LEFT = frozenset({"Towles & Dally 2002 (SPAA), sec. 3, on what is left"})
_DEADLOCK = frozenset({"Dally & Seitz 1987"})

SPLITTERS = "Maggs, Randomly Wired Multistage Networks, sec. 1.4 and 3.1"
PLACES: Mapping[str, Shape] = {"level": WHOLE, "block": WHOLE, "direction": Word("up", "down")}
"""Where a splitter is in a wiring."""
LOOKS: Mapping[str, Shape] = {"until_width": TEXT, "first_look": WHOLE, "most_trials": WHOLE}
"""Evidence of sampling that could stop early."""

_SYMMETRY = Either(
    "found",
    Keys({"found": ListOf(NUMBERS)}, {"reversal": FLAG}),
    Keys({"declared": ListOf(TEXT)}, {"reversal": FLAG}),
)
_BOUNDS_OF_GROUP = Keys({"scale": BOUND, "channel": NUMBERS, "shift": NUMBERS, "quantum": NUMBERS})
_POTENTIALS = Keys({"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS})
_PERMUTATION = Keys({"channel": WHOLE, "permutation": NUMBERS})
_WITNESS = Either("traffic", Keys({"channel": WHOLE, "traffic": ListOf(ANY)}), _PERMUTATION)


class _OrNothing:
    """The witness of a rate of 1 that no traffic turns into an overload: there is none."""

    def check(self, value: object, what: str) -> None:
        if value is not None:
            _WITNESS.check(value, what)


class _Model:
    """The traffic model of a worst case, with the rates that it needs and no others."""

    _KEYS: ClassVar[Mapping[str, Keys]] = {
        "balanced": Keys({"name": TEXT}),
        "unbalanced": Keys({"name": TEXT, "rate": BOUND}),
        "hose": Keys({"name": TEXT, "ingress": ListOf(BOUND), "egress": ListOf(BOUND)}),
    }

    def check(self, value: object, what: str) -> None:
        Keys({"name": _MODELS}, {"rate": ANY, "ingress": ANY, "egress": ANY}).check(value, what)
        assert isinstance(value, Mapping)
        self._KEYS[value["name"]].check(value, what)


WORST_CASE = Keys(
    {
        "model": _Model(),
        "ratio": BOUND,
        "witness": _OrNothing(),
        "symmetry": _SYMMETRY,
        "bounds": ListOf(_BOUNDS_OF_GROUP),
        "exact": ListOf(_POTENTIALS),
    },
    {"loads": Word("by-pair")},
)
_PATH_LENGTH = Keys({"average": BOUND, "minimal": BOUND})
_WITHIN = Either("worst_case_load", Keys({"worst_case_load": BOUND}), Keys({"average_path_length": BOUND}))
_OWN = {  # what the subject's own routing reaches, by quantity
    "worst_case_load": Keys({"worst-case": WORST_CASE}, {"within": _WITHIN}),
    "average_path_length": Keys({"path-length": _PATH_LENGTH}, {"within": _WITHIN}),
}
_BOTH = Keys({"worst-case": WORST_CASE, "path-length": _PATH_LENGTH})
_PAIR = Keys({"source": WHOLE, "destination": WHOLE, "traffic": NUMBERS})
_AGAINST: Mapping[str, Shape] = {"symmetry": _SYMMETRY, "hops": WHOLE, "pairs": ListOf(_PAIR)}
_ADVERSARY = Keys(_AGAINST, {"within": _WITHIN, "paths": TEXT})
_CORNER: Mapping[str, Shape] = {"routing": ANY, "within": _WITHIN, "reached": _BOTH}
_CHANNEL = Keys({"model": _BALANCED, "channel": WHOLE})


def _of_channel(check: str, evidence: Keys) -> Kind:
    """Claims about the worst case of one channel."""
    return Kind(check, evidence, {"worst_case_load": States(_EXACT, _PROVED, _CHANNEL)}, _WORST)


def _designed(relation: str, evidence: Mapping[str, Shape]) -> Mapping[str, States]:
    about: dict[str, dict[str, Shape]] = {"worst_case_load": {"model": _BALANCED}, "average_path_length": {}}
    return {name: States((relation,), _PROVED, Keys(about[name], {"within": TEXT}), evidence[name]) for name in about}


def _of_routing(evidence: Keys, paths: Keys) -> Mapping[str, States]:
    return {"deadlock_free": States(_EXACT, _PROVED, paths, evidence, YES_OR_NO)}


_OWN_PATHS = Keys({"paths": Word("own", "of-loads")})
_LANES = Keys({"paths": Word("own"), "lanes": Word("by service level")})


def _traffic(**more: Shape) -> Shape:
    """Traffic as a permutation, as a matrix, or by a name that says it all; the busiest channel, and its load."""
    keys: dict[str, Shape] = {"channel": WHOLE, "load": BOUND, "traffic": TEXT, **more}
    return Either("permutation", Keys({**keys, "permutation": NUMBERS}), Keys(keys, {"matrix": ListOf(ANY)}))


_CAPACITY_LENGTHS = Keys(
    {"kind": Word("all", "explicit", "dimension", "cut")},
    {"classes": ListOf(Keys({"length": WHOLE, "channels": ListOf(WHOLE)})), "dimension": WHOLE, "position": WHOLE},
)
_FLOWS = Keys({"scale": BOUND, "flow": NUMBERS})
_FAILURE: Mapping[str, Shape] = {"nodes": ListOf(WHOLE), "links": ListOf(ListOf(WHOLE))}
_LIKE: Mapping[str, Shape] = {"like": WHOLE, "cables": ListOf(ListOf(WHOLE))}
_RUN: Mapping[str, Shape] = {
    "traffic": TEXT, "order": Word("fifo", "farthest-first"), "seed": WHOLE, "rate": BOUND, "warm_up": WHOLE,
    "cycles": WHOLE, "counts": ListOf(ListOf(WHOLE)),
}  # fmt: skip
_AVERAGE: Mapping[str, Shape] = {
    "traffic": TEXT, "samples": WHOLE, "seed": WHOLE, "least": BOUND, "most": BOUND, "method": Word("betting"),
    "normal_approximation": ListOf(ANY),
}  # fmt: skip
_AVERAGE_ABOUT = Keys({"traffic": TEXT}, {"sample": Word("optimised", "fresh"), "routing": TEXT})

KINDS: Mapping[str, Kind] = {
    "worst-case": Kind(
        "routings.worst_case:check_worst_case",
        WORST_CASE,
        {
            "worst_case_load": States(_EXACT, _PROVED, Keys({"model": _MODELS})),
            "worst_case_throughput": States(_EXACT, _PROVED, Keys({"model": Word("unbalanced")})),
        },
        _WORST,
    ),
    "worst-case-channel": _of_channel(
        "routings.worst_case:check_channel",
        Keys(
            {"channel": WHOLE, "values": ListOf(BOUND), "row": NUMBERS, "column": NUMBERS, "permutation": NUMBERS},
            {"loads": Word("by-pair")},
        ),
    ),
    "worst-case-channels": _of_channel(
        "routings.shared_channels:check_shared_channels",
        Keys(
            {
                "scale": BOUND,
                "channel": NUMBERS,
                "load": NUMBERS,
                "shift": NUMBERS,
                "quantum": NUMBERS,
                "count": NUMBERS,
                "row": NUMBERS,
                "column": NUMBERS,
                "amount": NUMBERS,
            }
        ),
    ),
    "worst-case-among": _of_channel(
        "routings.shared_channels:check_among_channels", Keys({"channel": WHOLE, "with": WHOLE})
    ),
    "same-class": _of_channel("routings.worst_case:check_same_class", Keys({"channel": WHOLE, "focus": WHOLE})),
    "derived": Kind(
        "derived:check_derived",
        Keys({"from": ListOf(TEXT)}),
        {
            "worst_case_throughput": States(_BOUNDS, _PROVED, Keys({"model": _MODELS}, {"within": TEXT})),
            "worst_case_throughput_of_capacity": States(_BOUNDS, _PROVED, Keys({"model": _MODELS}, {"within": TEXT})),
            "average_path_length_of_minimal": States(("<=", ">="), _PROVED, Keys({}, {"within": TEXT})),
            "expansion": States(  # of a splitter, whose own checker judges it
                _EXACT, Grade.EXHAUSTED, Keys({"alpha": BOUND}, PLACES)
            ),
        },
        _WORST | _DESIGN | {"Towles & Dally 2002 (SPAA), sec. 5", SPLITTERS},
    ),
    "reached": Kind(
        "routings.adversary:check_design",
        ANY,
        _designed("<=", {**_OWN, "average_path_length": Either("routing", Keys(_CORNER), _OWN["average_path_length"])}),
        _DESIGN,
    ),
    "adversary": Kind(
        "routings.adversary:check_design",
        ANY,
        _designed(">=", dict.fromkeys(_OWN, Keys(_AGAINST, {"within": _WITHIN}))),
        _DESIGN,
    ),
    "optimum": Kind(
        "routings.adversary:check_design",
        ANY,
        _designed(
            "==",
            {
                "worst_case_load": Keys({"reached": _OWN["worst_case_load"], "adversary": _ADVERSARY}),
                "average_path_length": Either(
                    "routing",
                    Keys({**_CORNER, "adversary": Keys(_AGAINST, {"within": _WITHIN})}),
                    Keys({"reached": _OWN["average_path_length"], "adversary": _ADVERSARY}),
                ),
            },
        ),
        _DESIGN,
    ),
    "lengths": Kind(
        "routings.uniform:check_lengths",
        Keys(
            {
                "lengths": NUMBERS,
                "hops": WHOLE,
                "within": Keys({}, {"throughput": BOUND, "average_path_length": BOUND}),
            },
            {"paths": TEXT},
        ),
        {
            "throughput": States(("<=",), _PROVED, Keys({"traffic": Word("uniform")}, {"within": TEXT, "paths": TEXT})),
            "average_path_length": States(
                (">=",), _PROVED, Keys({"traffic": Word("uniform"), "within": TEXT}, {"paths": TEXT})
            ),
        },
        _DESIGN,
    ),
    "capacity": Kind(
        "routings.capacity:check_capacity",
        Either(
            "flows",
            Keys({"lengths": _CAPACITY_LENGTHS, "flows": _FLOWS}),
            Keys({"lengths": _CAPACITY_LENGTHS, "routing": TEXT}),
        ),
        {"capacity": States(_EXACT, _PROVED)},
        frozenset({"Towles & Dally 2002 (SPAA), sec. 5", "Towles, Dally & Boyd 2003 (SPAA), eq. 6"}),
    ),
    "path-length": Kind(
        "routings.traffic:check_path_length",
        _PATH_LENGTH,
        {
            "average_path_length": States(_EXACT, _PROVED),
            "average_path_length_of_minimal": States(_EXACT, _PROVED),
        },
        _LENGTH,
    ),
    "traffic-loads": Kind(
        "routings.traffic:check_traffic",
        _traffic(),
        {
            "throughput": States(_EXACT, _PROVED, Keys({"traffic": TEXT})),
            "throughput_of_capacity": States(_EXACT, _PROVED, Keys({"traffic": TEXT}), _traffic(capacity=BOUND)),
        },
        frozenset({"Towles & Dally 2002 (SPAA), sec. 2.2"}),
    ),
    "random-traffic": Kind(
        "routings.average_case:check_average_case",
        Keys(_AVERAGE, {**LOOKS, "routing": ANY}),
        {
            "average_case_throughput": States(_EXACT, _SAMPLED, _AVERAGE_ABOUT),
            "average_case_throughput_of_capacity": States(_EXACT, _SAMPLED, _AVERAGE_ABOUT),
        },
        frozenset({"Towles, Dally & Boyd 2003 (SPAA), sec. 3.3"}),
    ),
    "channel-order": Kind(
        "routings.deadlock:check_deadlock_claim", ANY, _of_routing(Keys({"number": NUMBERS}), _OWN_PATHS), _DEADLOCK
    ),
    "channel-cycle": Kind(
        "routings.deadlock:check_deadlock_claim",
        ANY,
        _of_routing(Keys({"cycle": ListOf(WHOLE), "packets": ListOf(ListOf(WHOLE))}, {"witness": TEXT}), _OWN_PATHS),
        _DEADLOCK,
    ),
    "virtual-channels": Kind(
        "routings.deadlock:check_deadlock_claim",
        Keys({"number": NUMBERS}, {"order": NUMBERS, "channels": NUMBERS, "layer": NUMBERS}),
        {
            "virtual_channels": States(
                ("<=",),
                _PROVED,
                Keys({"paths": Word("own", "of-loads"), "assignment": Word("turns", "descents", "layers")}),
            )
        },
        _DEADLOCK,
    ),
    "lane-order": Kind(
        "routings.deadlock:check_deadlock_claim", ANY, _of_routing(Keys({"number": NUMBERS}), _LANES), _DEADLOCK
    ),
    "lane-cycle": Kind(
        "routings.deadlock:check_deadlock_claim",
        ANY,
        _of_routing(
            Keys({"cycle": ListOf(ListOf(WHOLE)), "packets": ListOf(ListOf(WHOLE))}, {"witness": TEXT}), _LANES
        ),
        _DEADLOCK,
    ),
    "failure": Kind(
        "routings.failures:verify_failures",
        ANY,
        {
            "connected": States(
                _EXACT,
                _PROVED,
                Keys({"failed": TEXT}),
                Keys(_FAILURE, {**_LIKE, "lost": ListOf(WHOLE)}),
                ("false",),
            ),
            "worst_case_load": States(
                _EXACT,
                _PROVED,
                Keys({"failed": TEXT, "model": _BALANCED}),
                Either(
                    "worst_case",
                    Keys({**_FAILURE, "worst_case": WORST_CASE}, _LIKE),
                    Keys(
                        {
                            **_FAILURE,
                            "witness": _PERMUTATION,
                            "bounds": ListOf(_BOUNDS_OF_GROUP),
                            "exact": ListOf(_POTENTIALS),
                        },
                        _LIKE,
                    ),
                ),
            ),
        },
        _LEFT,
    ),
    "every-failure": Kind(
        "routings.failures:verify_failures",
        Keys({"of": Word("links", "switches", "cables"), "symmetry": _SYMMETRY}, {"opposite": NUMBERS}),
        {"worst_case_load": States(_EXACT, _PROVED, Keys({"failed": TEXT, "model": _BALANCED}))},
        _LEFT,
    ),
    "drawn-failures": Kind(
        "routings.failures:verify_failures",
        Keys({"links": WHOLE, "switches": WHOLE, "cables": WHOLE, "method": TEXT}, {**LOOKS, "opposite": NUMBERS}),
        {x.name: States(_EXACT, _SAMPLED, Keys({"failed": TEXT})) for x in FAILURE_QUANTITIES},
        _LEFT,
    ),
    "load-run": Kind(
        "routings.loads_simulated:verify_load_simulation",
        Either(
            "with", Keys({"with": Word("offered_rate")}), Keys(_RUN, {"permutation": NUMBERS, "matrix": ListOf(ANY)})
        ),
        {name: States(_EXACT, _SAMPLED, Keys({"traffic": TEXT, "rate": TEXT})) for name in LOAD_QUANTITIES},
        frozenset({"Dally & Towles 2004, ch. 24 (ideal flow control); intervals by batch means"}),
    ),
}
