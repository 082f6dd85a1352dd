"""What reports can be about: every kind of subject, its keys, the evidence that goes with it, and who checks it.

A subject says its ``kind``.  Those of version 0.1.0 mostly did not: then its keys must be those of exactly one kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from ..core.claim import Claim
from ..core.errors import InputError, VerificationError, did_you_mean
from .reading import Report
from .shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, OrNull, Shape, Word, brief


@dataclass(frozen=True)
class SubjectKind:
    """One kind of subject.

    ``verify``: the function that checks all claims, as ``module:name`` of this room; ``evidence``: the kinds of
    evidence that its claims may have; ``shape``: its keys, without ``kind``; ``qualifier``: what every claim is
    qualified by besides what its evidence asks for; ``extra``: a qualifier that a claim may have besides, and its only
    value; ``one_routing``: another routing can be named in place of its own.
    """

    verify: str
    shape: Shape
    evidence: frozenset[str]
    qualifier: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    one_routing: bool = False

    def asked(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """The qualifiers of a claim that its evidence asks for."""
        return {k: x for k, x in about.items() if k != self.qualifier and not (k in self.extra and x == self.extra[k])}

    def verifier(self) -> Callable[[Report], None]:
        module, _, name = self.verify.partition(":")
        found: Callable[[Report], None] = getattr(import_module(f"{__package__}.{module}"), name)
        return found


_NETWORK: Mapping[str, Shape] = {"network": ANY}
_QUOTED: Mapping[str, Shape] = {"verified": TEXT}
_NAMED: Mapping[str, Shape] = {"topology": TEXT, **_QUOTED}
_ROUTING = frozenset({
    "worst-case", "worst-case-channel", "worst-case-channels", "worst-case-among", "same-class", "derived", "capacity",
    "path-length", "traffic-loads", "channel-order", "channel-cycle", "virtual-channels", "lane-order", "lane-cycle",
    "routable", "routable-class", "matrices", "sparse-curve", "box", "shared-channel",
})  # fmt: skip
_DESIGN = frozenset({"reached", "adversary", "optimum", "lengths", "random-traffic"})
_OF_DEMANDS = frozenset({"worst-case", "matrices", "box", "routable"})
"""What the worst case of one routing over a set of demands rests on."""
_DESIGNED = Keys(
    {"objective": Word("worst-case", "average-case", "capacity")},
    {
        "then": TEXT, "path_length": TEXT, "paths": TEXT, "traffic_model": TEXT, "samples": WHOLE, "seed": WHOLE,
        "entries": WHOLE, "start": TEXT, "proposals": WHOLE, "deadlock_free": ANY, "shortest": ANY,
    },
)  # fmt: skip
_RUNS: Mapping[str, Shape] = {
    "algorithm": TEXT, "distance": WHOLE, "epsilon": TEXT, "load": WHOLE, "rho": TEXT, "threshold": OrNull(WHOLE),
    "permutation": ListOf(TEXT), "faults": TEXT, **_QUOTED,
}  # fmt: skip
_VERB = Word("packets", "circuits", "faults")
_DOCUMENT = Keys({"document": TEXT, "content": ANY}, _QUOTED)
_ON_DOCUMENTS = frozenset({"document", "channel-order", "channel-cycle", "virtual-channels"})
_FLOWS = Keys({"traffic": TEXT, "permutation": NUMBERS, "each": WHOLE})
_KEPT = Keys({"scale": BOUND, "column": NUMBERS})  # potentials of the whole network
_CUBE_RUNS = frozenset({"cube-run", "cube-trials"})


def _about_routing(needed: Mapping[str, Shape], optional: Mapping[str, Shape]) -> SubjectKind:
    shape = Keys({**_NETWORK, "routing": ANY, **needed}, {**_NAMED, **optional})
    return SubjectKind("routings.routing_claims:verify_routing", shape, _ROUTING | _DESIGN, one_routing=True)


SUBJECTS: Mapping[str, SubjectKind] = {
    "analysis": replace(
        _about_routing({}, {"service_levels": ANY, "demands": ANY}), extra={"flows": "whole"}
    ),
    "design": _about_routing({"design": _DESIGNED}, {"paths": ANY, "demands": ANY}),
    "adaptive": SubjectKind(
        "routings.routing_claims:verify_routing",
        Keys({**_NETWORK, "routing": ANY}, {**_NAMED, "demands": ANY, "design": _DESIGNED, "paths": ANY}),
        _DESIGN | {"adaptive", "derived", "capacity", "path-length"} | _OF_DEMANDS,
    ),
    "tradeoff": _about_routing({"tradeoff": Word("worst-case", "average-case")}, {"demands": ANY}),
    "comparison": SubjectKind(
        "routings.routing_claims:verify_comparison",
        Keys({**_NETWORK, "routings": ANY}, {**_NAMED, "service_levels": ANY, "demands": ANY}),
        _ROUTING | {"adversary", "random-traffic"},
        qualifier="routing",
    ),
    "failures": SubjectKind(
        "routings.failures:verify_failures",
        Keys(
            {**_NETWORK, "routing": ANY, "repair": Word("reroute", "rebuild")},
            {**_NAMED, "potentials": _KEPT, "demands": ANY},
        ),
        frozenset({"failure", "every-failure", "drawn-failures"}),
    ),
    "load-simulation": SubjectKind(
        "routings.loads_simulated:verify_load_simulation",
        Keys({**_NETWORK, "routing": ANY}, _NAMED),
        frozenset({"load-run", "traffic-loads", "worst-case", "derived"}),
        one_routing=True,
    ),
    "hashing": SubjectKind(
        "routings.hashing:verify_hashing",
        Keys({**_NETWORK, "routing": ANY, "flows": _FLOWS}, _NAMED),
        frozenset({"hashed-flows", "hashed-draws", "worst-case", "derived", "traffic-loads"}),
    ),
    "split": SubjectKind(
        "splits:verify_split", Keys({"counts": ListOf(WHOLE), "weights": ListOf(WHOLE)}, _QUOTED), frozenset({"split"})
    ),
    "multistage": SubjectKind(
        "multistage.runs:verify_multistage",
        Keys({"wiring": ANY}, _NAMED),
        frozenset({"packet-run", "circuit-run", "pipelined-circuit-run", "fault-propagation"}),
    ),
    "expansion": SubjectKind(
        "multistage.expansion:verify_expansion",
        Either("splitter", Keys({"splitter": ANY}, _NAMED), Keys({"wiring": ANY}, _NAMED)),
        frozenset({"splitter-enumeration", "splitter-subset", "splitter-spectrum", "splitter-subsets", "derived"}),
    ),
    "calls": SubjectKind(
        "calls.claims:verify_calls",
        Keys({"exchange": Either("wiring", Keys({"wiring": ANY, "load": WHOLE}), Keys({"network": ANY}))}, _NAMED),
        frozenset({
            "call-run", "call-together", "call-sequence", "call-witness", "call-refutation", "call-paths", "call-cut",
            "all-permutations",
        }),
    ),
    "trials": SubjectKind(
        "multistage.trials:verify_trials",
        Keys({"verb": _VERB, "topology": TEXT, "variables": ListOf(Word("trial"))}, _RUNS),
        frozenset({"trial-runs"}),
    ),
    "sweep": SubjectKind(
        "multistage.sweep:verify_sweep",
        Keys(
            {"verb": Word("packets", "circuits", "faults", "calls"), "topology": TEXT, "variables": ANY},
            {**_RUNS, "each": Word("trials"), "occupancy": TEXT},
        ),
        frozenset({
            "packet-run", "circuit-run", "pipelined-circuit-run", "fault-propagation", "call-run", "call-together",
            "trial-runs",
        }),
        qualifier="point",
    ),
    "destination-graph": SubjectKind(
        "cube.destination_graph:verify_destination_graph",
        Either(
            "graph",
            Keys({"graph": ANY}, {"document": TEXT, **_QUOTED}),
            Keys({"radix": WHOLE, "dimensions": WHOLE}, _QUOTED),
        ),
        frozenset({"destination-graph", "counting-bound", "refutation"}) | _CUBE_RUNS,
    ),
    **{
        name: SubjectKind("documents:verify_document", _DOCUMENT, _ON_DOCUMENTS)
        for name in ("network", "routing", "next-hop", "wiring", "permutation")
    },
}  # fmt: skip


_BY_KEY = {
    "design": "design", "tradeoff": "tradeoff", "routings": "comparison", "exchange": "calls", "splitter": "expansion",
    "routing": "analysis",
}  # fmt: skip
"""Version 0.1.0 named these kinds by a key, in this order."""


def kind_of_subject(subject: Mapping[str, Any], claims: Sequence[Claim]) -> SubjectKind:
    """The kind of a report's subject, whose keys are found to be those of the kind and no others.

    ``claims``: tell runs on a wiring from its expansion where version 0.1.0 did not name the kind.
    Raises InputError for a subject of no kind, VerificationError for keys that do not belong to it.
    """
    name = subject["kind"] if "kind" in subject else _unnamed(subject, claims)
    kind = SUBJECTS.get(name) if isinstance(name, str) else None
    if kind is None:
        hint = did_you_mean(name[:40], SUBJECTS) if isinstance(name, str) else f"known: {', '.join(sorted(SUBJECTS))}"
        raise InputError(f"the report's subject is of the kind {brief(name)}; {hint}")
    try:
        kind.shape.check({key: x for key, x in subject.items() if key != "kind"}, "it")
    except VerificationError as error:
        raise VerificationError(f"subject (of the kind '{name}'): {error}") from None
    return kind


def _unnamed(subject: Mapping[str, Any], claims: Sequence[Claim]) -> str | None:
    """The kind of a subject of version 0.1.0, by its keys."""
    if "wiring" in subject:
        return "expansion" if any(x.evidence.kind in SUBJECTS["expansion"].evidence for x in claims) else "multistage"
    return next((kind for key, kind in _BY_KEY.items() if key in subject), None)
