"""What the claims of one report share: the routing, symmetry that was checked, sums that were formed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64
from ..core.claim import Claim
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.network import Network
from ..core.rational import Rationals
from ..core.segment_sums import BITS, Partial, add_up, bounds_of, exact_total, is_cheap, merged
from ..core.spread import Progress
from ..core.symmetry import Automorphism, check_automorphism, from_node_image, orbit_labels
from ..demand_sets.demand_set import DemandSet
from ..demand_sets.transport import TransportSet
from ..kernel.differences import sums_between_all
from ..kernel.multipliers import loads_between_all, without_base
from ..kernel.shortest_paths import hop_total
from ..routing.base.routing import Routing
from ..routing.base.views import seen_through
from ..routing.named.described import paths_from_description
from ..routing.path_sets.names import path_set
from ..routing.path_sets.path_set import PathSet
from .reading import as_numbers
from .subject import demands_of
from .work import spend

if TYPE_CHECKING:
    from ..routing.fabrics.service_levels import ServiceLevels

_CELLS = 1 << 24
_BY_SYMMETRY = ("same-class", "routable-class")
_MERGED_AT = 64  # blocks
_LOOKED_AT = 16  # channels, to say how many loads there are


class Context:
    """A routing and the claims about it.  ``others`` are all claims of the report, for those derived from another;
    ``levels``, ``demands``, ``paths``: the service levels, the set of demands and the set of paths that its subject
    describes (of the demands, or the set)."""

    def __init__(
        self,
        routing: Routing,
        others: Sequence[Claim],
        progress: Progress | None = None,
        *,
        levels: object = None,
        demands: object = None,
        paths: object = None,
    ) -> None:
        self.routing, self.others, self.progress = routing, others, progress
        self._levels, self._demands, self._paths = levels, demands, paths
        self.of_matrices: dict[str, dict[int, Fraction]] = {}
        """The loads of all channels, by the name of a matrix of the set of demands."""
        self._path_sets: dict[str, PathSet] = {}
        self.curve: list[Fraction] | None = None
        """The most that K packets make of any channel, by K, as proved."""
        self._seen: dict[TransportSet, tuple[Context, Fraction]] = {}
        self._label: Int32 | None = None
        self._noted: dict[int, Fraction] = {}
        self._at_most: dict[int, int] = {}
        self._total: list[Partial] = []
        self._summed = np.zeros(routing.network.num_channels, dtype=np.bool_)
        self.proved: dict[tuple[int, int], Fraction] = {}
        """Worst-case loads of single channels, by the channel whose claim has the evidence, and their own."""

    @property
    def network(self) -> Network:
        return self.routing.network

    @cached_property
    def levels(self) -> ServiceLevels | None:
        """The service levels of the packets, where the subject has them."""
        if self._levels is None:
            return None
        from ..routing.fabrics.service_levels import levels_from_description

        return levels_from_description(self._levels, self.network)

    @cached_property
    def demands(self) -> DemandSet | None:
        """The set of demands of the subject, where it has one."""
        if self._demands is None or isinstance(self._demands, DemandSet):
            return self._demands
        return demands_of(self._demands, self.network)

    @property
    def has_paths(self) -> bool:
        """Does the subject describe a set of paths?"""
        return self._paths is not None

    def path_set(self, name: str) -> PathSet:
        """The set of paths that evidence names: the subject's, or one that its name makes.

        Raises VerificationError where neither is called so, InputError where the subject's makes no sense."""
        if name not in self._path_sets:
            if self._paths is None:
                self._path_sets[name] = path_set(name, self.network)
            else:
                own = paths_from_description(self._paths, self.network)
                self._path_sets[own.name] = own
        if name not in self._path_sets:
            raise VerificationError(f"its paths are those {name[:60]!r}; the subject describes {own.name[:60]!r}")
        return self._path_sets[name]

    def through(self, demands: TransportSet) -> tuple[Context, Fraction]:
        """The same claims about the routing as the set sees it (``seen_through``), and what its idle packets send."""
        if demands in self._seen:
            return self._seen[demands]
        shaped, idle = seen_through(self.routing, demands)
        found = Context(shaped, self.others, self.progress), idle
        if demands is self.demands or self.demands is None or self.demands.transport is None:  # else of one job
            self._seen[demands] = found
        return found

    def by_row(self, amounts: list[int]) -> Int64:
        """Amounts per terminal, summed over the rows of the routing."""
        return _summed(self.routing.row_of, amounts, len(self.routing.row_node))

    def by_column(self, amounts: list[int]) -> Int64:
        return _summed(self.routing.column_of, amounts, len(self.routing.column_node))

    def stated(self, quantity: str, relation: str, about: Mapping[str, Any]) -> Fraction:
        """The value of another claim of the report, qualified just so (it is checked in its own turn).

        Raises VerificationError where there is none, and where several claims make it different.
        """
        found = {
            x.value
            for x in self.others
            if (x.quantity, x.relation, dict(x.about)) == (quantity, relation, dict(about))
            and isinstance(x.value, Fraction)
        }
        if len(found) != 1:
            which = "does not state" if not found else "states more than one value of"
            raise VerificationError(f"the report {which} {quantity} ({relation}), which it is derived from")
        return found.pop()

    def same_of(self, claim: Claim, channel: int) -> Claim | None:
        """What the report states of another channel in just the same words (quantity, relation, qualifiers) with
        evidence that does not rest on a symmetry; it is checked in its own turn."""
        return self._of_channel.get(_words(claim, channel))

    @cached_property
    def _of_channel(self) -> dict[tuple[str, str, str], Claim]:
        found = [x for x in self.others if x.evidence.kind not in _BY_SYMMETRY and type(x.about.get("channel")) is int]
        return {_words(x, x.about["channel"]): x for x in found}

    def stream(self, channels: npt.NDArray[np.integer], *, by_pair: bool) -> Iterator[LoadBlock]:
        """Loads of ``channels`` in order, with their base part written out pair by pair if it must be."""
        routing = self.routing
        # Checks hold channels x columns at once: not too many channels at a time, then, however few their loads.
        cells = len(routing.column_node) * (len(routing.row_node) if by_pair else 1)
        step = max(1, _CELLS // max(1, cells))
        for at in range(0, len(channels), step):
            for block in routing.stream(channels[at : at + step]):
                yield without_base(block, routing.row_node, routing.column_node) if by_pair else block

    # -- symmetry -----------------------------------------------------------------------------------------------

    def classes(self, symmetry: Mapping[str, Any], *, uniform: bool, symmetric: bool) -> Int32:
        """The class of every channel, from generators that network and routing are checked to respect.

        ``uniform``: all terminals have the same rates; ``symmetric``: what they may send is what they may receive.
        """
        network, routing = self.network, self.routing
        images: list[Int32] = []
        for g in self.generators(symmetry):
            if not uniform:
                raise VerificationError("symmetry was used although the terminals' rates differ")
            check_automorphism(network, g)
            if not routing.by_node or not routing.respects(g):
                raise VerificationError(f"the routing does not respect the symmetry '{g.name}'")
            images.append(g.channel)
        if symmetry.get("reversal"):
            opposite = network.reverse
            both = uniform and symmetric and np.array_equal(network.supply, network.demand)
            if opposite is None or not both:
                raise VerificationError("reversal of paths was used, but network or traffic has no such symmetry")
            if not routing.respects_reversal():
                raise VerificationError("the routing does not respect reversal of paths")
            images.append(opposite)
        label = orbit_labels(network.num_channels, images)
        if uniform and symmetric and self._label is None:  # sums are kept by this label: it never changes
            self._label = label
        return label

    def generators(self, symmetry: Mapping[str, Any]) -> list[Automorphism]:
        return generators_of(self.network, symmetry)

    @property
    def label(self) -> Int32:
        """Classes of channels that carry the same under uniform traffic.

        From the symmetry that a worst case of the report uses, else from what the network declares; checked either way.
        """
        if self._label is not None:
            return self._label
        # Uniform traffic is the same both ways, whatever the model of the claim whose symmetry it is.
        return self.classes(self.symmetry, uniform=True, symmetric=True)

    @property
    def symmetry(self) -> Mapping[str, Any]:
        """The symmetry behind ``label``."""
        for claim in self.others:
            symmetry = claim.evidence.data.get("symmetry")
            if claim.evidence.kind in ("worst-case", "routable") and isinstance(symmetry, Mapping):
                return symmetry
        declared = self.network.symmetry.generators if self.network.symmetry is not None else ()
        return {"declared": [g.name for g in declared if self.routing.by_node and self.routing.respects(g)]}

    @cached_property
    def hops(self) -> int:
        """Hops of shortest paths, summed over all pairs of terminals."""
        network = self.network
        if network.grid is None:
            spend(np.count_nonzero(network.supply) * network.num_channels / 20, "shortest paths between all nodes")
        return hop_total(network)

    @property
    def shortest(self) -> Fraction:
        """Average hops of shortest paths, over all pairs of terminals."""
        return Fraction(self.hops, self.network.num_terminals**2)

    def busiest(self, loads: Mapping[int, Fraction]) -> Fraction:
        """The largest load per bandwidth among ``loads`` by channel; 0 if there is none."""
        network = self.network
        if network.uniform_bandwidth and network.num_channels:
            different = {id(x): x for x in loads.values()}  # one object for many channels, and dear to compare
            return max(different.values(), default=Fraction(0)) / network.bandwidth[0]
        return max((x / network.bandwidth[c] for c, x in loads.items()), default=Fraction(0))

    @cached_property
    def crossings(self) -> Fraction:
        """The loads of all channels, summed over all pairs of terminals: hops, of every packet once."""
        self._sum_all()
        return add_up(merged(self._total, 1)).fraction(0)

    @cached_property
    def busiest_between_all(self) -> Fraction:
        """The largest load per bandwidth, summed over all pairs of terminals: no other channel's upper bound passes
        it."""
        self._sum_all()
        most = {c: Fraction(x, 1 << BITS) / self.network.bandwidth[c] for c, x in self._at_most.items()}
        top = self.busiest(self._noted)
        for c in sorted(most, key=most.__getitem__, reverse=True):
            if most[c] <= top:
                break
            top = max(top, self.between_all(c) / self.network.bandwidth[c])
        return top

    def between_all(self, channel: int) -> Fraction:
        """The load of a channel, summed over all pairs of terminals."""
        c = int(self.label[channel])
        if self.routing.spans is not None:
            self._sum_all()
        if c not in self._noted:
            (block,) = self.routing.stream(np.array([c]))
            self._noted[c] = add_up(self._sums(block)).fraction(0)
        return self._noted[c]

    @cached_property
    def _members(self) -> npt.NDArray[np.integer]:
        return np.bincount(self.label, minlength=self.network.num_channels)

    def _sum_all(self) -> None:
        """Keep the sums of one channel of every class."""
        wanted, own, spans = np.unique(self.label), self.routing.differences, self.routing.spans
        every, load = np.arange(self.network.num_channels), None
        if own is not None:
            load = Rationals.of(sums_between_all(self.network, own))
        elif spans is not None:
            load = Rationals(spans.pairs, np.ones_like(spans.pairs))
        if load is not None and not self._summed.any():
            self._keep(every, Partial(len(load), every, load.num, load.den))
        left = wanted[~self._summed[wanted]]
        some = left[:: max(1, len(left) // _LOOKED_AT)]
        each = sum(self.routing.expected_loads(int(c)) for c in some) / max(1, len(some))
        spend(each * len(left) / 2, "adding up the loads of all pairs")
        for block in self.routing.stream(left):
            self._keep(block.channel, self._sums(block))

    def note(self, block: LoadBlock) -> None:
        """Keep the sums of a block that is at hand: deriving its loads once more takes longer than adding them up."""
        label, channel = self._label, block.channel
        if label is not None and not self._summed[channel].all() and np.array_equal(label[channel], channel):
            self._keep(channel, self._sums(block))

    def _keep(self, channels: npt.NDArray[np.integer], part: Partial) -> None:
        """Sums of ``channels``, exact where they are cheap, else upper bounds in units of 2**-BITS; and the total."""
        fresh, first = np.unique(channels, return_index=True)  # evidence may name a channel twice
        times = np.zeros(len(channels), dtype=np.int64)
        times[first] = np.where(self._summed[fresh], 0, self._members[fresh])
        self._total.append(exact_total(part, times))
        if len(self._total) > _MERGED_AT:
            self._total = [merged(self._total, 1)]
        self._summed[channels] = True
        if is_cheap(part):
            self._noted.update(zip(channels.tolist(), add_up(part).fractions(), strict=True))
        else:
            self._at_most.update(zip(channels.tolist(), bounds_of(part)[1].tolist(), strict=True))

    def _sums(self, block: LoadBlock) -> Partial:
        routing = self.routing
        ones = [1] * self.network.num_terminals
        return loads_between_all(block, self.by_row(ones), self.by_column(ones), routing.row_node, routing.column_node)


def generators_of(network: Network, symmetry: Mapping[str, Any]) -> list[Automorphism]:
    """The automorphisms that evidence names or gives, which are still to be checked."""
    if "found" not in symmetry:
        known = {g.name: g for g in network.symmetry.generators} if network.symmetry is not None else {}
        names = symmetry["declared"]
        for name in (x for x in names if x not in known):
            raise VerificationError(f"symmetry {name[:60]!r} is not declared by {network.name}")
        return [known[name] for name in names]
    result = []
    for k, text in enumerate(symmetry["found"]):
        node = as_numbers(text, f"symmetry.found[{k}]", network.num_nodes)
        if not np.array_equal(np.sort(node), np.arange(network.num_nodes)):
            raise VerificationError(f"symmetry.found[{k}] is not a permutation of the nodes")
        result.append(from_node_image(network, node, name=f"found[{k}]"))
    return result


def _words(claim: Claim, channel: int) -> tuple[str, str, str]:
    return claim.quantity, claim.relation, repr(sorted({**claim.about, "channel": channel}.items()))


def _summed(place: Int32, amounts: list[int], size: int) -> Int64:
    result = np.zeros(size, dtype=np.int64)
    np.add.at(result, place, np.array(amounts, dtype=np.int64))
    return result
