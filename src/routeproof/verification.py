"""``routeproof verify``: every claim of a report, checked again without a solver.

Loads are derived afresh from the network and the routing that the report names, and the evidence is held against them by
``core.check``.  Nothing here searches, and nothing of ``analysis`` is used: what found a number does not judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .core.check import (
    base_load,
    check_column_potentials,
    check_potentials,
    load_under,
    loads_between_all,
)
from .core.claim import Claim, Grade
from .core.errors import InputError, VerificationError
from .core.network import Network
from .core.permutation import Permutation
from .core.symmetry import Automorphism, check_automorphism, orbit_labels
from .core.traffic import Traffic
from .routing.base import Routing

__all__ = ["verify_claims", "verify_report"]

Int64 = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]

_MODELS = ("balanced", "unbalanced", "hose")
_GENERIC_NODES = 2000


def verify_report(path: str, *, routing: str | None = None, progress: Progress | None = None) -> list[Claim]:
    """Check every claim of the report; returns them.

    ``routing``: text of a routing to use in place of the one that the report carries in full (a user's own function, say).
    Raises VerificationError naming the first claim that does not hold, InputError for a file that is no report.
    """
    from .formats.report_file import read_report

    subject, claims = read_report(path)
    return verify_claims(subject, claims, routing=routing, progress=progress)


def verify_claims(
    subject: Mapping[str, Any], claims: Sequence[Claim], *, routing: str | None = None, progress: Progress | None = None
) -> list[Claim]:
    """Check ``claims`` about ``subject`` ({"network", "routing"}); as ``verify_report``."""
    checker = _Checker(_routing_of(subject, routing), claims, progress)
    for number, claim in enumerate(claims):
        try:
            checker.check(claim)
        except VerificationError as error:
            raise VerificationError(f"claims[{number}] ({claim.quantity}): {error}") from None
        except InputError as error:  # malformed evidence is a claim without support
            raise VerificationError(f"claims[{number}] ({claim.quantity}): {error}") from None
    return list(claims)


def _routing_of(subject: Mapping[str, Any], text: str | None) -> Routing:
    """The network and routing that the report is about, made again.  Code named by a report is never run."""
    from .formats.network_document import network_from_document
    from .routing.embedded import read_embedded
    from .routing.spec import ROUTINGS, routing_from_spec
    from .topologies.spec import network_from_spec

    described = subject.get("network")
    if not isinstance(described, Mapping):
        raise InputError("the report's subject has no network; {'spec': ...} or a network document was expected")
    if isinstance(described.get("spec"), str) and "num_nodes" not in described:
        network = network_from_spec(described["spec"])
    else:
        network = network_from_document(
            dict(described), what="the report's network", name=str(described.get("name", ""))
        )
    data = subject.get("routing")
    if text is not None:
        routing = routing_from_spec(text, network)
    elif isinstance(data, Mapping) and "loads" in data:
        routing = read_embedded(network, data)
    elif isinstance(data, Mapping) and isinstance(data.get("spec"), str):
        spec = data["spec"]
        if spec.split(":")[0] not in ROUTINGS:
            raise InputError(
                f"the report's routing '{spec}' is not one of this package and is not written out in the report; "
                f"name it with --routing to use your own copy"
            )
        routing = routing_from_spec(spec, network)
    else:
        raise InputError("the report's subject has no routing; {'spec': ...} or the loads in full were expected")
    routing.check()
    return routing


class _Checker:
    """What the claims of one report share: the routing, the symmetry that was checked, sums that were formed."""

    def __init__(self, routing: Routing, claims: Sequence[Claim], progress: Progress | None) -> None:
        self.routing, self.network, self.claims, self.progress = routing, routing.network, claims, progress
        self._label: npt.NDArray[np.int32] | None = None
        self._between_all: dict[int, Fraction] | None = None
        self._symmetries: dict[str, tuple[tuple[Automorphism, ...], bool]] = {}
        self.checks = {
            "worst-case": self.worst_case,
            "worst-case-channel": self.worst_case_channel,
            "derived": self.derived,
            "traffic-loads": self.traffic_loads,
            "capacity": self.capacity,
            "path-length": self.path_length,
        }

    def check(self, claim: Claim) -> None:
        if claim.grade is Grade.SAMPLED:
            raise VerificationError("a sampled quantity has no proof to check; run it again with its seed")
        if claim.relation != "==" or not isinstance(claim.value, Fraction):
            raise VerificationError(f"it says {claim.relation} {claim.value}; an exact fraction was expected")
        rule = self.checks.get(claim.evidence.kind)
        if rule is None:
            raise VerificationError(f"its evidence is of the kind '{claim.evidence.kind}', which proves nothing here")
        rule(claim, claim.value, claim.evidence.data)

    # -- worst cases ------------------------------------------------------------------------------------------

    def worst_case(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        model = _mapping(data, "model")
        name = model.get("name")
        if name not in _MODELS or claim.about.get("model") != name:
            raise VerificationError(f"its model is {name!r}, its evidence is for {claim.about.get('model')!r}")
        ratio = _fraction(data.get("ratio"), "ratio")
        wanted = "worst_case_throughput" if name == "unbalanced" else "worst_case_load"
        if claim.quantity != wanted or "channel" in claim.about:
            raise VerificationError(f"evidence of the kind 'worst-case' under the {name} model is for {wanted}")
        sends, receives, unit = self._rates(model)
        if name == "unbalanced":
            rate = _fraction(model.get("rate"), "model.rate")
            if rate != value or not 0 < rate <= 1:
                raise VerificationError(f"the claim is {value}, its evidence is for the rate {rate}")
            if ratio > 1 or (ratio < 1 and rate < 1):
                raise VerificationError(f"at the rate {rate} the worst load per bandwidth is {ratio}; 1 was expected")
        elif ratio != value:
            raise VerificationError(f"the claim is {value}, its evidence is for {ratio}")
        uniform = len(set(sends)) == 1 and len(set(receives)) == 1
        label = self._classes(_mapping(data, "symmetry"), uniform=uniform, alike=sends == receives)
        supply, demand = self._by_row(sends), self._by_column(receives)
        witness = data.get("witness")
        if witness is not None:
            self._witness(witness, name, ratio, sends, receives, unit)
        elif not (name == "unbalanced" and value == 1):
            raise VerificationError("there is no witness: permutation or traffic that reaches the number")
        proved = self._bounds(data, ratio, supply, demand, unit)
        missing = np.setdiff1d(np.unique(label), np.array(sorted(proved), dtype=np.int64))
        # A class is covered if any of its channels is.
        if missing.size:
            covered = (
                np.unique(label[np.array(sorted(proved), dtype=np.int64)]) if proved else np.zeros(0, dtype=np.int64)
            )
            missing = np.setdiff1d(missing, covered)
        if missing.size:
            c = int(missing[0])
            raise VerificationError(f"channel {c} ({self.network.channel_label(c)}) has no proof in the evidence")

    def worst_case_channel(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        """The exact worst case of one channel: exact potentials and a permutation, both for this channel."""
        c = self._channel(data.get("channel"))
        if claim.about.get("channel") != c or claim.about.get("model") != "balanced":
            raise VerificationError(f"it is about channel {claim.about.get('channel')}, its evidence about channel {c}")
        ones = [1] * self.network.num_terminals
        supply, demand = self._by_row(ones), self._by_column(ones)
        self._witness(data, "balanced", value, ones, ones, 1)
        self._exact(data, value, supply, demand, 1)

    def _rates(self, model: Mapping[str, Any]) -> tuple[list[int], list[int], int]:
        """What terminals send and receive, as integers over a unit."""
        size = self.network.num_terminals
        if model["name"] == "balanced":
            return [1] * size, [1] * size, 1
        if model["name"] == "unbalanced":
            rate = _fraction(model.get("rate"), "model.rate")
            return [rate.numerator] * size, [rate.denominator] * size, rate.denominator
        sides = []
        for what in ("ingress", "egress"):
            rates = model.get(what)
            if not isinstance(rates, list) or len(rates) != size:
                raise VerificationError(f"model.{what} must be {size} rates")
            sides.append([_fraction(x, f"model.{what}") for x in rates])
        unit = int(np.lcm.reduce(np.array([x.denominator for side in sides for x in side], dtype=object)))
        whole = [[int(x * unit) for x in side] for side in sides]
        if min(whole[0] + whole[1]) < 0 or sum(whole[0]) + sum(whole[1]) >= 1 << 50:
            raise VerificationError("the hose rates are negative or too fine for 64-bit arithmetic")
        return whole[0], whole[1], unit

    def _by_row(self, amounts: list[int]) -> Int64:
        result = np.zeros(len(self.routing.row_node), dtype=np.int64)
        np.add.at(result, self.routing.row_of, np.array(amounts, dtype=np.int64))
        return result

    def _by_column(self, amounts: list[int]) -> Int64:
        result = np.zeros(len(self.routing.column_node), dtype=np.int64)
        np.add.at(result, self.routing.column_of, np.array(amounts, dtype=np.int64))
        return result

    def _classes(self, symmetry: Mapping[str, Any], *, uniform: bool, alike: bool) -> npt.NDArray[np.int32]:
        """The class of every channel, from generators that network and routing are checked to respect."""
        from .formats.report_file import unpack_ints

        network, routing = self.network, self.routing
        generators: list[Automorphism] = []
        if "found" in symmetry:
            for k, text in enumerate(_list(symmetry, "found")):
                node = unpack_ints(text, what=f"symmetry.found[{k}]", max_items=network.num_nodes)
                if len(node) != network.num_nodes or not np.array_equal(np.sort(node), np.arange(network.num_nodes)):
                    raise VerificationError(f"symmetry.found[{k}] is not a permutation of the nodes")
                generators.append(_extended(network, node, f"found[{k}]"))
        else:
            known = {g.name: g for g in network.symmetry.generators} if network.symmetry is not None else {}
            for name in _list(symmetry, "declared"):
                if name not in known:
                    raise VerificationError(f"symmetry '{name}' is not declared by {network.name}")
                generators.append(known[name])
        images = []
        for g in generators:
            if not uniform:
                raise VerificationError("symmetry was used although the terminals' rates differ")
            check_automorphism(network, g)
            if not routing.by_node or not routing.respects(g):
                raise VerificationError(f"the routing does not respect the symmetry '{g.name}'")
            images.append(g.channel)
        if symmetry.get("reversal"):
            opposite = network.reverse
            if opposite is None or not alike or not np.array_equal(network.supply, network.demand):
                raise VerificationError("reversal of paths was used, but network or traffic has no such symmetry")
            if not routing.respects_reversal():
                raise VerificationError("the routing does not respect reversal of paths")
            images.append(opposite)
        count = network.num_channels
        label = orbit_labels(count, images) if images else np.arange(count, dtype=np.int32)
        self._label = label if uniform else self._label
        return label

    def _witness(
        self, witness: object, model: str, ratio: Fraction, sends: list[int], receives: list[int], unit: int
    ) -> None:
        """The witness is admissible and loads its channel as claimed."""
        routing, network = self.routing, self.network
        if not isinstance(witness, Mapping):
            raise VerificationError("the witness must be an object")
        c = self._channel(witness.get("channel"))
        if model == "balanced":
            image = _permutation(witness.get("permutation"), network.num_terminals).image
            rates = [(i, int(j), Fraction(1)) for i, j in enumerate(image.tolist())]
        else:
            rates = []
            row_sum, column_sum = [Fraction(0)] * network.num_terminals, [Fraction(0)] * network.num_terminals
            for item in _list(witness, "traffic"):
                if not isinstance(item, list) or len(item) != 3:
                    raise VerificationError("the witness's traffic must be [source, destination, rate] each")
                i, j = (self._terminal(x) for x in item[:2])
                x = _fraction(item[2], "a rate of the witness")
                if x < 0:
                    raise VerificationError(f"the witness's rate from {i} to {j} is negative")
                row_sum[i] += x
                column_sum[j] += x
                rates.append((i, j, x))
            for t in range(network.num_terminals):
                if row_sum[t] * unit > sends[t] or column_sum[t] * unit > receives[t]:
                    raise VerificationError(f"the witness's traffic sends or receives too much at terminal {t}")
        pairs = [(int(routing.row_of[i]), int(routing.column_of[j]), x) for i, j, x in rates]
        load = load_under(routing.channel_loads([c]), pairs, routing.row_node, routing.column_node)
        if load / network.bandwidth[c] != ratio:
            raise VerificationError(
                f"the witness loads channel {c} ({network.channel_label(c)}) with {load / network.bandwidth[c]} per unit of "
                f"bandwidth, not with {ratio}"
            )

    def _bounds(self, data: Mapping[str, Any], ratio: Fraction, supply: Int64, demand: Int64, unit: int) -> set[int]:
        """Check all proofs of the evidence; returns the channels that they cover."""
        from .formats.report_file import unpack_ints

        network, routing = self.network, self.routing
        proved: set[int] = set()
        count = network.num_channels
        for number, group in enumerate(_list(data, "bounds")):
            if not isinstance(group, Mapping):
                raise VerificationError(f"bounds[{number}] must be an object")
            what = f"bounds[{number}]"
            channels = unpack_ints(group.get("channel"), what=f"{what}.channel", max_items=count)
            shift = unpack_ints(group.get("shift"), what=f"{what}.shift", max_items=count)
            quantum = unpack_ints(group.get("quantum"), what=f"{what}.quantum", max_items=count * max(1, len(demand)))
            scale = _fraction(group.get("scale"), f"{what}.scale")
            if scale.denominator != 1 or not 1 <= scale <= 1 << 60 or len(shift) != len(channels):
                raise VerificationError(f"{what}: scale or shift does not fit its channels")
            if len(channels) and (int(channels.min()) < 0 or int(channels.max()) >= count):
                raise VerificationError(f"{what}: a channel is outside the network")
            at = used = 0
            for block in routing.stream(channels):
                limits = []
                for k in range(block.num_channels):
                    width = network.bandwidth[int(block.channel[k])]
                    free = (ratio * width * unit - base_load(block, k, supply, demand)) * scale
                    limits.append(int(free // 1))
                used += check_column_potentials(
                    block, supply, demand, scale=int(scale), shift=shift[at : at + block.num_channels],
                    quantum=quantum[used:], limit=limits,
                )  # fmt: skip
                at += block.num_channels
                if self.progress is not None:
                    self.progress(at, len(channels))
            if used != len(quantum):
                raise VerificationError(f"{what}.quantum holds {len(quantum)} potentials; the loads need {used}")
            proved.update(channels.tolist())
        for number, item in enumerate(_list(data, "exact")):
            if not isinstance(item, Mapping):
                raise VerificationError(f"exact[{number}] must be an object")
            proved.add(self._exact(item, ratio, supply, demand, unit))
        return proved

    def _exact(self, item: Mapping[str, Any], ratio: Fraction, supply: Int64, demand: Int64, unit: int) -> int:
        from .formats.report_file import unpack_ints

        c = self._channel(item.get("channel"))
        values = [_fraction(x, f"a potential of channel {c}") for x in _list(item, "values")]
        row = unpack_ints(item.get("row"), what=f"row potentials of channel {c}", max_items=len(supply))
        column = unpack_ints(item.get("column"), what=f"column potentials of channel {c}", max_items=len(demand))
        block = self.routing.channel_loads([c])
        free = ratio * self.network.bandwidth[c] * unit - base_load(block, 0, supply, demand)
        check_potentials(block, supply, demand, values=values, row=row, column=column, limit=free)
        return c

    def _channel(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.network.num_channels:
            raise VerificationError(f"channel {value!r} is outside 0 to {self.network.num_channels - 1}")
        return value

    def _terminal(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.network.num_terminals:
            raise VerificationError(f"terminal {value!r} is outside 0 to {self.network.num_terminals - 1}")
        return value

    # -- numbers that follow from others ----------------------------------------------------------------------

    def derived(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        sources = _list(data, "from")
        if claim.quantity == "worst_case_throughput" and sources == ["worst_case_load"]:
            load = self._other("worst_case_load", claim)
            if load <= 0 or value != 1 / load:
                raise VerificationError(
                    f"it is {value}; a worst-case load of {load} makes it {1 / load if load else 0}"
                )
        elif claim.quantity == "worst_case_throughput_of_capacity":
            throughput = self._other("worst_case_throughput", claim)
            capacity = self._other("capacity", None)
            if value != throughput / capacity:
                raise VerificationError(
                    f"it is {value}; {throughput} of a capacity of {capacity} is {throughput / capacity}"
                )
        else:
            raise VerificationError(f"nothing is known to derive it from {sources}")

    def _other(self, quantity: str, like: Claim | None) -> Fraction:
        """The value of another claim of the report (which is checked in its own turn), under the same model."""
        for other in self.claims:
            same = like is None or (
                other.about.get("model") == like.about.get("model") and "channel" not in other.about
            )
            if other.quantity == quantity and same and isinstance(other.value, Fraction):
                return other.value
        raise VerificationError(f"the report does not state {quantity}, which it is derived from")

    # -- given traffic ----------------------------------------------------------------------------------------

    def traffic_loads(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        network = self.network
        if claim.about.get("traffic") != data.get("traffic"):
            raise VerificationError(
                f"it is about {claim.about.get('traffic')}, its evidence about {data.get('traffic')}"
            )
        loads = self._loads(data)
        ratios = [(x / network.bandwidth[c], c) for c, x in loads.items()]
        top, _ = max(ratios)
        c = self._channel(data.get("channel"))
        stated = _fraction(data.get("load"), "load")
        label = c if c in loads or self._label is None else int(self._label[c])
        if loads.get(label, Fraction(0)) != stated:
            raise VerificationError(f"channel {c} carries {loads.get(label, 0)}, not {stated}")
        if not top or stated / network.bandwidth[c] != top:
            raise VerificationError(f"channel {c} is not the busiest: some channel carries {top} per unit of bandwidth")
        throughput = 1 / top
        if claim.quantity == "throughput_of_capacity":
            capacity = self._other("capacity", None)
            if _fraction(data.get("capacity"), "capacity") != capacity:
                raise VerificationError(f"its evidence does not use the report's capacity of {capacity}")
            throughput /= capacity
        elif claim.quantity != "throughput":
            raise VerificationError("evidence of the kind 'traffic-loads' is for throughput")
        if value != throughput:
            raise VerificationError(f"it is {value}; the loads make it {throughput}")

    def _loads(self, data: Mapping[str, Any]) -> dict[int, Fraction]:
        """Loads by channel under the evidence's traffic; for uniform traffic one channel of every class suffices."""
        network, routing = self.network, self.routing
        size = network.num_terminals
        name = str(data.get("traffic"))
        if "permutation" in data:
            traffic = Traffic.of_permutation(_permutation(data["permutation"], size), name=name)
            self._matches_pattern(name, traffic)
            image = traffic.permutation.image if traffic.permutation is not None else None
            assert image is not None
            pairs = [(int(routing.row_of[i]), int(routing.column_of[j])) for i, j in enumerate(image.tolist())]
            return self._sum_pairs(pairs, None)
        if "matrix" in data:
            rows = [[_fraction(x, "a rate") for x in row] for row in _list(data, "matrix")]
            if len(rows) != size:
                raise VerificationError(f"its matrix has {len(rows)} rows; {size} were expected")
            traffic = Traffic.of_matrix(rows, name=name)
            entries = [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row) if x]
            pairs = [(int(routing.row_of[i]), int(routing.column_of[j])) for i, j, _ in entries]
            return self._sum_pairs(pairs, [x for _, _, x in entries])
        if name != "uniform":
            raise VerificationError(f"its evidence does not say what traffic {name} is")
        return {c: x / size for c, x in self._totals().items()}

    def _matches_pattern(self, name: str, traffic: Traffic) -> None:
        """A permutation that goes by the name of a pattern must be that pattern."""
        from .topologies.patterns import is_pattern, traffic_pattern

        if is_pattern(name) and traffic_pattern(name, self.network).permutation != traffic.permutation:
            raise VerificationError(f"its permutation is not the pattern {name}")

    def _sum_pairs(self, pairs: list[tuple[int, int]], rates: list[Fraction] | None) -> dict[int, Fraction]:
        routing = self.routing
        total: dict[int, dict[int, Fraction | int]] = {}
        apart = [k for k, (i, j) in enumerate(pairs) if int(routing.row_node[i]) != int(routing.column_node[j])]
        for at in range(0, len(apart), 256):
            some = apart[at : at + 256]
            block = routing.pair_loads([pairs[k][0] for k in some], [pairs[k][1] for k in some])
            for place, k in enumerate(some):
                rate = 1 if rates is None else rates[k]
                part = slice(int(block.offset[place]), int(block.offset[place + 1]))
                num, den = block.load.num[part].tolist(), block.load.den[part].tolist()
                for c, a, b in zip(block.channel[part].tolist(), num, den, strict=True):
                    by_den = total.setdefault(c, {})
                    by_den[b] = by_den.get(b, 0) + a * rate
        return {c: sum((Fraction(x) / b for b, x in by_den.items()), Fraction(0)) for c, by_den in total.items()}

    def _totals(self) -> dict[int, Fraction]:
        """Loads summed over all pairs of terminals, for one channel of every class."""
        if self._between_all is None:
            routing = self.routing
            ones = [1] * self.network.num_terminals
            supply, demand = self._by_row(ones), self._by_column(ones)
            label = self._labels()
            self._between_all = {}
            for block in routing.stream(np.unique(label)):
                sums = loads_between_all(block, supply, demand, routing.row_node, routing.column_node)
                self._between_all.update(zip(block.channel.tolist(), sums, strict=True))
        return self._between_all

    def _labels(self) -> npt.NDArray[np.int32]:
        """Classes of channels, from symmetry that a worst case of this report was checked with."""
        if self._label is None:
            for claim in self.claims:
                symmetry = claim.evidence.data.get("symmetry")
                if claim.evidence.kind == "worst-case" and isinstance(symmetry, Mapping):
                    return self._classes(symmetry, uniform=True, alike=True)
            self._label = np.arange(self.network.num_channels, dtype=np.int32)
        return self._label

    # -- capacity and path length -----------------------------------------------------------------------------

    def capacity(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        """Lengths bound every routing from above, a routing's uniform throughput is reached: both must be the value."""
        from .routing.spec import ROUTINGS, routing_from_spec

        if claim.quantity != "capacity":
            raise VerificationError("evidence of the kind 'capacity' is for capacity")
        network = self.network
        lengths = self._lengths(_mapping(data, "lengths"))
        spent = Fraction(0)
        for c in np.nonzero(lengths)[0].tolist():
            spent += int(lengths[c]) * network.bandwidth[c]
        total = self._distance(lengths, _mapping(data, "lengths"))
        if not total or spent * network.num_terminals / total != value:
            raise VerificationError(
                f"its lengths prove at most {spent * network.num_terminals / total if total else 0}"
            )
        name = data.get("routing")
        if name == self.routing.name:
            reached = max(x / network.bandwidth[c] for c, x in self._totals().items())
        else:
            if not isinstance(name, str) or name.split(":")[0] not in ROUTINGS:
                raise VerificationError(f"its routing {name!r} is not one of this package")
            other = _Checker(routing_from_spec(name, network), (), None)
            if network.symmetry is not None:
                respected = [g.name for g in network.symmetry.generators if other.routing.respects(g)]
                other._classes({"declared": respected}, uniform=True, alike=True)
            reached = max(x / network.bandwidth[c] for c, x in other._totals().items())
        if network.num_terminals / reached != value:
            raise VerificationError(f"routing {name} reaches {network.num_terminals / reached} under uniform traffic")

    def _lengths(self, spec: Mapping[str, Any]) -> Int64:
        network, kind = self.network, spec.get("kind")
        lengths = np.zeros(network.num_channels, dtype=np.int64)
        if kind == "all":
            lengths[:] = 1
        elif kind == "explicit":
            for item in _list(spec, "classes"):
                x = item.get("length") if isinstance(item, Mapping) else None
                if not isinstance(x, int) or isinstance(x, bool) or not 0 <= x <= 1 << 20:
                    raise VerificationError(f"a length of {x!r} is not a small integer")
                lengths[[self._channel(c) for c in _list(item, "channels")]] = x
        elif kind in ("dimension", "cut") and network.grid is not None:
            m, where = spec.get("dimension"), network.grid.coordinates
            if not isinstance(m, int) or not 0 <= m < network.grid.num_dimensions:
                raise VerificationError(f"dimension {m!r} is not one of the grid's")
            a, b = where[network.tail, m], where[network.head, m]
            chosen = a != b
            if kind == "cut":
                position = spec.get("position")
                if not isinstance(position, int):
                    raise VerificationError("a cut needs a position")
                chosen &= (a < position) != (b < position)
            lengths[chosen] = 1
        else:
            raise VerificationError(f"lengths of the kind {kind!r} are not known for {network.name}")
        return lengths

    def _distance(self, lengths: Int64, spec: Mapping[str, Any]) -> int:
        """The sum of shortest distances over all pairs of terminals."""
        network = self.network
        grid = network.grid
        kind = spec.get("kind")
        if network.num_nodes > _GENERIC_NODES and grid is not None and kind in ("dimension", "cut"):
            # Only steps in one dimension count, so a distance is that of the two positions on a line of that dimension
            # (every line is alike: the lengths depend on the position alone).
            m = int(spec["dimension"])
            line = [v for v in range(network.num_nodes) if not np.delete(grid.coordinates[v], m).any()]
            place = {v: k for k, v in enumerate(line)}
            inside = np.isin(network.tail, line) & np.isin(network.head, line)
            ends = [
                (place[int(a)], place[int(b)]) for a, b in zip(network.tail[inside], network.head[inside], strict=True)
            ]
            table = _all_distances(len(line), ends, lengths[inside].tolist())
            position = grid.coordinates[:, m]
            out = np.bincount(position, weights=network.supply, minlength=len(line)).astype(np.int64)
            into = np.bincount(position, weights=network.demand, minlength=len(line)).astype(np.int64)
            return sum(int(out[a]) * int(into[b]) * table[a][b] for a in range(len(line)) for b in range(len(line)))
        if network.num_nodes > _GENERIC_NODES:
            raise VerificationError(f"distances on {network.num_nodes} nodes are not searched here")
        ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
        table = _all_distances(network.num_nodes, ends, lengths.tolist())
        supply, demand = network.supply.tolist(), network.demand.tolist()
        return sum(
            supply[a] * demand[b] * x
            for a, row in enumerate(table)
            if supply[a]
            for b, x in enumerate(row)
            if demand[b]
        )

    def path_length(self, claim: Claim, value: Fraction, data: Mapping[str, Any]) -> None:
        network = self.network
        size = network.num_terminals
        totals, label = self._totals(), self._labels()
        members = np.bincount(label, minlength=network.num_channels)
        average = sum((x * int(members[c]) for c, x in totals.items()), Fraction(0)) / (size * size)
        if _fraction(data.get("average"), "average") != average:
            raise VerificationError(f"the average path length is {average}, not {data.get('average')}")
        if claim.quantity == "average_path_length":
            wanted = average
        elif claim.quantity == "average_path_length_of_minimal":
            minimal = Fraction(self._hops(), size * size)
            if _fraction(data.get("minimal"), "minimal") != minimal:
                raise VerificationError(f"the shortest average is {minimal}, not {data.get('minimal')}")
            wanted = average / minimal
        else:
            raise VerificationError("evidence of the kind 'path-length' is for path lengths")
        if value != wanted:
            raise VerificationError(f"it is {value}; the loads make it {wanted}")

    def _hops(self) -> int:
        network = self.network
        if network.num_nodes > _GENERIC_NODES and network.grid is not None:
            # Steps in different dimensions do not help each other: hops add up over the dimensions.
            every = range(network.grid.num_dimensions)
            return sum(
                self._distance(
                    self._lengths({"kind": "dimension", "dimension": m}), {"kind": "dimension", "dimension": m}
                )
                for m in every
            )
        return _hop_total(network)


def _hop_total(network: Network) -> int:
    """The sum of hops of shortest paths over all pairs of terminals: all searches level by level, some sources at a time."""
    order = np.argsort(network.head, kind="stable")
    tail = network.tail[order]
    heads, start = np.unique(network.head[order], return_index=True)
    total = 0
    sources = np.nonzero(network.supply)[0]
    for at in range(0, len(sources), 256):
        some = sources[at : at + 256]
        reached = np.zeros((len(some), network.num_nodes), dtype=bool)
        reached[np.arange(len(some)), some] = True
        while True:
            missing = ((~reached) @ network.demand) @ network.supply[some]
            if not missing:
                break
            total += int(missing)  # one more hop for every pair that is not reached yet
            before = reached.copy()
            reached[:, heads] |= np.logical_or.reduceat(before[:, tail], start, axis=1)
            if np.array_equal(before, reached):
                raise VerificationError("some terminals are not connected")
    return total


def _all_distances(size: int, ends: list[tuple[int, int]], lengths: list[int]) -> list[list[int]]:
    """Shortest distances between all nodes (Dijkstra); raises VerificationError if a node is out of reach."""
    import heapq

    leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for (a, b), x in zip(ends, lengths, strict=True):
        leaving[a].append((b, x))
    table = []
    for start in range(size):
        distance = [-1] * size
        heap = [(0, start)]
        while heap:
            d, a = heapq.heappop(heap)
            if distance[a] >= 0:
                continue
            distance[a] = d
            for b, x in leaving[a]:
                if distance[b] < 0:
                    heapq.heappush(heap, (d + x, b))
        if min(distance) < 0:
            raise VerificationError(f"no path leads from node {start} to node {distance.index(-1)}")
        table.append(distance)
    return table


def _extended(network: Network, node: Int64, name: str) -> Automorphism:
    """A node map with the channel map that goes with it; parallel channels in order of bandwidth, then of number."""
    widths = {x: k for k, x in enumerate(sorted(set(network.bandwidth)))}
    rank = np.array([widths[x] for x in network.bandwidth], dtype=np.int64)
    number = np.arange(network.num_channels)
    channel = np.empty(network.num_channels, dtype=np.int32)
    order = np.lexsort((number, rank, node[network.head], node[network.tail]))
    channel[order] = np.lexsort((number, rank, network.head, network.tail))
    return Automorphism(name, node.astype(np.int32), channel)


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise VerificationError(f"its evidence has no '{key}'; an object was expected")
    return value


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise VerificationError(f"its evidence has no '{key}'; a list was expected")
    return value


def _fraction(value: object, what: str) -> Fraction:
    from .formats.long_fractions import fraction_from_text

    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if not isinstance(value, str):
        raise VerificationError(f"{what} is {str(value)[:40]!r}; a fraction string was expected")
    fraction = fraction_from_text(value)
    if fraction is None:
        raise VerificationError(f"{what} is {value[:40]!r}; a fraction string was expected")
    return fraction


def _permutation(value: object, size: int) -> Permutation:
    if not isinstance(value, list) or len(value) != size:
        raise VerificationError(f"its permutation must be a list of {size} terminals")
    if any(isinstance(x, bool) or not isinstance(x, int) for x in value):
        raise VerificationError("its permutation must hold integers")
    return Permutation(value)
