"""Claims about collectives, written out for a proof: cuts and trees as ``collective-at-most`` and ``-at-least``,
uniform traffic and phases as claims about flows and about a routing.

Trees that stand for their images under a symmetry are written out one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...core.claim import Claim
from ...core.network import Network
from ...core.symmetry import Automorphism, orbit_labels
from ...kernel.packings import PackedTree
from ..context import Context, generators_of
from ..proofs.proof import NotElaborated, Proof, Writing, each_way, fraction, number
from ..proofs.work import Work
from ..proofs.written import common, written_network
from ..reading import Report, as_numbers
from ..subject import made_routing
from .subject import Ranks, ranks_of

_MOST_CHANNELS = 3_000_000  # of all trees that are written out
SIDE = {"<=": "most", ">=": "least"}
_ANY = "minimal:choice=per-hop"  # a routing to speak of, where only the network counts


class CollectiveWork(Writing):
    """What the elaboration of a report's claims shares: ``ranks`` as ``verify`` read them."""

    def __init__(self, proof: Proof, ranks: Ranks) -> None:
        self.proof, self.ranks = proof, ranks
        self.written: list[tuple[Claim, range]] = []

    def write(self, elaborate: Callable[..., None], claim: Claim) -> None:
        """Elaborate it, and note where it stands in the proof."""
        before = len(self.proof.kinds)
        elaborate(self, claim)
        self.written.append((claim, range(before, len(self.proof.kinds))))

    def position(self, quantity: str, relation: str, about: Mapping[str, Any], *kinds: str) -> int:
        """Where the only claim of some kinds stands that writes out what the report says of a quantity, from a side.

        Raises NotElaborated where there is none, or several.
        """
        stated = [
            where for x, where in self.written
            if x.quantity == quantity and x.relation in ("==", relation) and dict(x.about) == dict(about)
        ]  # fmt: skip
        found = [k for where in stated for k in where if self.proof.kinds[k] in kinds]
        if len(found) != 1:
            raise NotElaborated("a claim that it rests on stands in the proof as other ones, or not at all")
        return found[0]

    def rate(self, about: Mapping[str, Any], relation: str) -> int:
        """Where the best rate of a collective stands, from above (<=) or from below."""
        kind = "all-reduce" if about["operation"] == "all-reduce" else "collective"
        about = {k: x for k, x in about.items() if k in ("operation", "root", "switches", "host_cables")}
        return self.position("collective_throughput", relation, about, f"{kind}-at-{SIDE[relation]}")

    def times_optimal(self, claim: Claim, time_about: Mapping[str, Any], rate_about: Mapping[str, Any]) -> None:
        """A time times a rate, both from above or both from below."""

        def one_way(relation: str) -> None:
            kinds = "phases-take", f"schedule-time-at-{SIDE[relation]}"
            of, time = self.rate(rate_about, relation), self.position("collective_time", relation, time_about, *kinds)
            self.proof.claim("times-optimal", value=fraction(claim.number), of=of, time=time)

        each_way(claim, one_way)

    def claim(self, claim: Claim, relation: str, **evidence: Any) -> None:
        """The best rate is at most (<=) or at least (>=) what the claim says."""
        plain = relation == "<=" and "potentials" not in evidence  # a cut bounds those that copy anywhere, too
        copies = "all" if plain or "switches" in claim.about else "ranks"
        about = {"operation": claim.about["operation"], "ranks": self.ranks.ranks, "root": claim.about.get("root")}
        if relation == "<=":
            evidence.setdefault("potentials", [])
        self.proof.claim(
            f"collective-at-{SIDE[relation]}", **about, copies=copies, value=fraction(claim.number), **evidence
        )

    @cached_property
    def of_routing(self) -> Work:
        """Claims about the routing of the report."""
        if self.ranks.cables is not None:
            raise NotElaborated("it counts the ranks' own cables, over which no routing of a proof leads")
        return Work(self.proof, Context(self.ranks.routing, ()))


def collective_work(proof: Proof, report: Report) -> CollectiveWork:
    """Raises InputError for a report whose ranks make no sense."""
    work = CollectiveWork(proof, ranks_of(report))
    proof.network = written_network(work.ranks.network)
    return work


# -- cuts and trees -----------------------------------------------------------------------------------------------


def written_set(network: Network, inside: str, what: str) -> list[int]:
    """The nodes of a set that is given by 0 or 1 a node."""
    found: list[int] = np.flatnonzero(as_numbers(inside, what, network.num_nodes)).tolist()
    return found


def every_tree(
    network: Network, trees: Sequence[PackedTree], data: Mapping[str, Any], *, divided: bool = False
) -> list[PackedTree]:
    """Trees, and all their images under the symmetry of the evidence: of every root of the class with the weight of the
    tree in all, or, ``divided``, of all roots together."""
    generators = generators_of(network, data["symmetry"]) if "symmetry" in data else []
    found = with_images(network, trees, generators) if generators else list(trees)
    if not generators or not divided:
        return found
    label = orbit_labels(network.num_nodes, [g.node for g in generators])
    members = np.bincount(label)
    return [replace(x, weight=x.weight / int(members[label[x.root]])) for x in found]


def written_trees(**trees: Sequence[PackedTree]) -> dict[str, Any]:
    """Lists of trees by name, over one scale."""
    scale = common(x.weight for some in trees.values() for x in some)

    def row(tree: PackedTree) -> list[Any]:
        return [tree.root, number(int(tree.weight * scale)), tree.channels.tolist()]

    return {"scale": number(scale), **{name: [row(x) for x in some] for name, some in trees.items()}}


def with_images(network: Network, trees: Sequence[PackedTree], generators: Sequence[Automorphism]) -> list[PackedTree]:
    label = orbit_labels(network.num_nodes, [g.node for g in generators])
    members = np.bincount(label)
    result: list[PackedTree] = []
    room = _MOST_CHANNELS
    for tree in trees:
        seen = {(tree.root, frozenset(tree.channels.tolist()))}
        orbit = [tree]
        for here in orbit:
            for g in generators:
                there = PackedTree(int(g.node[here.root]), here.weight, g.channel[here.channels].astype(np.int64))
                key = there.root, frozenset(there.channels.tolist())
                if key not in seen:
                    seen.add(key)
                    orbit.append(there)
                    room -= len(there.channels)
                    if room < 0:
                        raise NotElaborated(f"the images of its trees have more than {_MOST_CHANNELS:,} channels")
        share = Fraction(int(members[label[tree.root]]), len(orbit))
        result += [replace(x, weight=x.weight * share) for x in orbit]
    return result


# -- what other claims carry --------------------------------------------------------------------------------------


def elaborate_all_to_all(work: CollectiveWork, claim: Claim) -> None:
    from ..routings.capacity import elaborate_capacity

    ranks = work.ranks
    if ranks.cables is not None:
        raise NotElaborated("it counts the ranks' own cables, and uniform traffic of a proof knows of none")
    network = ranks.network_of_ranks
    own = Work(work.proof, Context(made_routing({"spec": _ANY}, network), ()))
    elaborate_capacity(own, claim, sorted(ranks.ranks) if network.num_terminals < ranks.network.num_terminals else None)
