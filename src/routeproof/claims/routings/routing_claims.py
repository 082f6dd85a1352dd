"""Reports about one routing on a network (analyses, designs and curves of designs), and about several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.claim import Claim
from ...core.errors import InputError, VerificationError
from ...routing.base.worst_hash import worst_hash_name
from ..context import Context
from ..kind import NAMED, NETWORK, SubjectKind
from ..kinds import KINDS, checker_of
from ..reading import Report, errors_at, name_of
from ..shapes import ANY, TEXT, WHOLE, Keys, Shape, Word
from ..subject import routing_of
from .adversary import tells_nothing_of


def verify_routing(report: Report) -> None:
    """Check every claim of a report about one routing.  Their form is checked already."""
    report = _without_whole_flows(report)
    subject = report.subject
    routing = routing_of(subject, report.routing, bound=subject.get("kind") in _MAY_BE_BOUNDS)
    if routing.whole_flows_of is not None:
        _check_of_whole_flows(report.claims)
    context = Context(
        routing,
        report.claims,
        report.progress,
        levels=subject.get("service_levels"),
        demands=subject.get("demands"),
        paths=subject.get("paths"),
    )
    if "demands" in subject:
        with errors_at("subject"):
            if context.demands is None:
                raise VerificationError("its set of demands is null")
    # What rests on other claims comes last, so that the claim which is wrong is the one that is named.
    for number, claim in sorted(enumerate(report.claims), key=lambda x: KINDS.own[x[1].evidence.kind].rests):
        with errors_at(name_of(number, claim)):
            checker_of(claim)(context, claim, claim.value, claim.evidence.data)
    _check_requested(report.subject.get("design", {}), context)


def _without_whole_flows(report: Report) -> Report:
    """The report without its claims about whole flows, which are checked here, as those of a report on the bound."""
    whole = [x for x in report.claims if x.about.get("flows") == "whole"]
    inner = report.subject.get("routing")
    if not whole or not isinstance(inner, Mapping):
        return report
    bound = {"spec": worst_hash_name(str(inner.get("spec"))), "whole_flows_of": inner}
    plain = [replace(x, about={k: y for k, y in x.about.items() if k != "flows"}) for x in whole]
    other = report.routing and worst_hash_name(report.routing)
    try:
        verify_routing(replace(report, subject={**report.subject, "routing": bound}, claims=plain, routing=other))
    except VerificationError as error:
        raise VerificationError(f"of whole flows: {error}") from None
    return replace(report, claims=[x for x in report.claims if x.about.get("flows") != "whole"])


_MAY_BE_BOUNDS = ("analysis", "comparison")


def _check_of_whole_flows(claims: Sequence[Claim]) -> None:
    for number, claim in enumerate(claims):
        if not KINDS.own[claim.evidence.kind].whole_flows or "path_length" in claim.quantity:
            raise VerificationError(
                f"{name_of(number, claim)}: it is about paths or packets; the report's routing bounds every channel by "
                f"itself, and packets cannot follow it"
            )


def verify_comparison(report: Report) -> None:
    """Check every claim under the routing that it names; raises InputError for a subject that makes no sense."""
    subject = report.subject
    routings, levels = subject["routings"], subject.get("service_levels", {})
    if not isinstance(routings, Mapping) or not routings or not all(isinstance(x, str) for x in routings):
        raise InputError("the report's subject: its routings must be an object, by name")
    if not isinstance(levels, Mapping) or not set(levels) <= set(routings):
        raise InputError("the report's subject: its service levels must be an object, by names of its routings")
    own: dict[str, list[Claim]] = {name: [] for name in routings}
    for number, claim in enumerate(report.claims):
        name = claim.about.get("routing")
        if not isinstance(name, str) or name not in own:
            raise VerificationError(f"{name_of(number, claim)}: it is about none of the routings")
        own[name].append(replace(claim, about={key: x for key, x in claim.about.items() if key != "routing"}))
    rest = {key: value for key, value in subject.items() if key not in ("routings", "service_levels")}
    for name, claims in own.items():
        described = routings[name]
        if not isinstance(described, Mapping) or described.get("spec") != name:
            raise VerificationError(f"subject: the routing {name[:60]!r} goes by another name")
        if not claims:
            raise VerificationError(f"subject: the report makes no claims about the routing {name[:60]!r}")
        one = {"service_levels": levels[name]} if name in levels else {}
        try:
            verify_routing(replace(report, subject={**rest, **one, "routing": described}, claims=claims))
        except VerificationError as error:
            raise VerificationError(f"{name[:60]}: {error}") from None


def _check_requested(design: Mapping[str, Any], context: Context) -> None:
    """The claims say what the designer was asked for.  The objective, the search and its seed are how the routing came
    about: no statement about it."""
    sets = {
        (x.evidence.data["adversary"] if x.evidence.kind == "optimum" else x.evidence.data).get("paths")
        for x in context.others
        if x.evidence.kind in ("optimum", "adversary", "lengths")
    }
    if not sets <= {None, design.get("paths")}:
        raise VerificationError("subject: its optimum is one among some paths, which its design does not name")
    untold = any(x.evidence.kind == "optimum" and tells_nothing_of(x) for x in context.others)
    if untold and design.get("then") != "path-length":
        raise VerificationError(
            "subject: an optimum of path lengths assumes a worst case that neither it nor its design names"
        )
    if design.get("deadlock_free") not in (None, False) and not _says(context, "deadlock_free", "true"):
        raise VerificationError("subject: its design is called free of deadlock, which no claim of the report proves")
    if design.get("shortest") not in (None, False) and not _says(context, "average_path_length_of_minimal", 1):
        raise VerificationError("subject: its design is said to keep to shortest paths, which no claim proves")
    if design.get("paths") not in (None, "tables", "single"):
        _check_paths(design["paths"], context)
    elif context.has_paths:
        raise VerificationError("subject: it describes a set of paths, which its design does not name")
    most, entries = design.get("entries"), context.routing.entries
    if most is not None and (entries is None or entries > most):
        found = "it is not made of such tables" if entries is None else f"one needs {entries}"
        raise VerificationError(f"subject: its tables are said to have at most {most} entries; {found}")
    most, members = design.get("members"), context.routing.members
    if most is not None and (design.get("entries") is None or members is None or members > most):
        found = "it is not made of such tables" if members is None else f"those of one have {members}"
        raise VerificationError(f"subject: groups of a switch are said to have at most {most} members; {found}")
    if design.get("objective") != "average-case":
        return
    made_for = [x for x in context.others if x.about.get("sample") == "optimised"]
    for key, name in (("traffic_model", "traffic"), ("samples", "samples"), ("seed", "seed")):
        if key in design and not made_for:
            raise VerificationError("subject: no claim is about the sample that its routing is said to be made for")
        if key in design and any(x.evidence.data.get(name) != design[key] for x in made_for):
            raise VerificationError(f"subject: its {key} is not that of the sample which the routing was made for")


def _check_paths(name: str, context: Context) -> None:
    """The routing uses paths of the set that its design names, and no others."""
    routing = context.routing
    if not context.has_paths:
        if name != routing.allowed:
            raise VerificationError(f"subject: its paths are said to be those of {name[:40]!r}; they are not")
        return
    allowed = context.path_set(name)
    if not (routing.has_explicit_paths and routing.by_node):
        raise VerificationError(f"subject: its paths are said to be those {name[:40]!r}, but it has no explicit paths")
    for bundle in routing.bundles():
        for i, j, path in zip(bundle.row.tolist(), bundle.column.tolist(), bundle.channel.tolist(), strict=True):
            if not allowed.holds(i, j, path):
                raise VerificationError(
                    f"subject: its paths are said to be those {name[:40]!r}; one from node {i} to node {j} is not"
                )


def _says(context: Context, quantity: str, value: object) -> bool:
    some = (x for x in context.others if "flow_control" not in x.about)
    return any(x.quantity == quantity and x.relation == "==" and x.value == value for x in some)


_DESIGN = Keys(
    {"objective": Word("worst-case", "average-case", "capacity")},
    {
        "then": TEXT, "path_length": TEXT, "paths": TEXT, "traffic_model": TEXT, "samples": WHOLE, "seed": WHOLE,
        "entries": WHOLE, "members": WHOLE, "start": TEXT, "proposals": WHOLE, "deadlock_free": ANY, "shortest": ANY,
        "lids": WHOLE, "path_selection": Word("spread", "pinned"), "curve": TEXT,
    },
)  # fmt: skip
_ROUTING: Mapping[str, Shape] = {**NETWORK, "routing": ANY}
_OF_DEMANDS: Mapping[str, Shape] = {**NAMED, "demands": ANY}
ANALYSIS = SubjectKind(
    "analysis",
    verify_routing,
    Keys(_ROUTING, {**_OF_DEMANDS, "service_levels": ANY}),
    extra={"flows": "whole"},
    one_routing=True,
)
DESIGN = SubjectKind(
    "design", verify_routing, Keys({**_ROUTING, "design": _DESIGN}, {**_OF_DEMANDS, "paths": ANY}), one_routing=True
)
ADAPTIVE = SubjectKind("adaptive", verify_routing, Keys(_ROUTING, {**_OF_DEMANDS, "design": _DESIGN, "paths": ANY}))
TRADEOFF = SubjectKind(
    "tradeoff",
    verify_routing,
    Keys({**_ROUTING, "tradeoff": Word("worst-case", "average-case")}, _OF_DEMANDS),
    one_routing=True,
)
COMPARISON = SubjectKind(
    "comparison",
    verify_comparison,
    Keys({**NETWORK, "routings": ANY}, {**_OF_DEMANDS, "service_levels": ANY}),
    qualifier="routing",
)
