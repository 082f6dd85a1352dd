"""A checker of reports on tori and meshes, written from ``docs/formats.md`` alone: standard library, nothing of the
package.  ``python check_report.py REPORT.json``: 0 where all claims that it knows hold, 1 where one does not.

Networks ``torus:``, ``mesh:`` and ``ring:``, all bandwidths 1; routings ``dor``, ``valiant`` and designed ones, given
by classes of pairs.  It looks at every pair of every channel, and is slow.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import itertools
import json
import math
import struct
import sys
import zlib
from fractions import Fraction
from typing import Any

Pairs = dict[tuple[int, int], Fraction]
Map = tuple[list[int], list[int]]


class FalseClaimError(Exception):
    """A claim does not hold."""


def require(true: object, what: str) -> None:
    if not true:
        raise FalseClaimError(what)


def unpacked(text: Any) -> list[int]:
    if isinstance(text, list):
        return text
    kind, count, content = text.split(":")
    data = zlib.decompress(base64.b64decode(content))
    width = int(kind[1:])
    require(len(data) == int(count) * width, "a packed list has another length than it says")
    if width == 16:
        return [int.from_bytes(data[at : at + 16], "little", signed=True) for at in range(0, len(data), 16)]
    return list(struct.unpack(f"<{count}{ {1: 'b', 2: 'h', 4: 'i', 8: 'q'}[width] }", data))


def check_digest(entry: dict[str, Any]) -> None:
    rest = {key: x for key, x in entry.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    require(hashlib.sha256(text.encode("ascii")).hexdigest() == entry["digest"], "a digest does not match")


class Grid:
    """A torus or mesh: nodes row-major, channels by node, dimension, then + before -."""

    def __init__(self, spec: str) -> None:
        family, sizes = spec.split(":")
        require(family in ("torus", "mesh", "ring"), f"{spec} is no torus or mesh")
        self.wraps = family != "mesh"
        self.radix = [int(k) for k in sizes.split("x")]
        self.place = list(itertools.product(*map(range, self.radix)))
        self.node = {x: v for v, x in enumerate(self.place)}
        self.channels: list[tuple[int, int]] = []
        for v, x in enumerate(self.place):
            for m, k in enumerate(self.radix):
                for step in (1,) if self.wraps and k == 2 else (1, -1):
                    y = list(x)
                    y[m] += step
                    if self.wraps:
                        y[m] %= k
                    if 0 <= y[m] < k:
                        self.channels.append((v, self.node[tuple(y)]))
        self.number = {ends: c for c, ends in enumerate(self.channels)}
        self.size = len(self.place)

    def map_named(self, name: str) -> Map:
        words = name.split()
        m = int(words[2])
        k = self.radix[m]

        def image(x: tuple[int, ...]) -> tuple[int, ...]:
            y = list(x)
            if words[0] == "translate" and self.wraps:
                y[m] = (y[m] + 1) % k
            elif words[0] == "reflect":
                y[m] = -y[m] % k if self.wraps else k - 1 - y[m]
            elif words[0] == "swap":
                n = int(words[4])
                y[m], y[n] = y[n], y[m]
            else:
                raise FalseClaimError(f"unknown symmetry {name}")
            return tuple(y)

        return self.extended([self.node[image(x)] for x in self.place])

    def extended(self, node: list[int]) -> Map:
        """A map of nodes with its map of channels; FalseClaimError where it is no automorphism."""
        require(sorted(node) == list(range(self.size)), "a map of nodes is no permutation")
        ends = [(node[a], node[b]) for a, b in self.channels]
        require(all(x in self.number for x in ends), "a map of nodes takes a channel to none")
        return node, [self.number[x] for x in ends]

    def maps(self, symmetry: dict[str, Any]) -> tuple[list[Map], list[int] | None]:
        """The maps, and the opposite of each channel where reversal is used."""
        if "found" in symmetry:
            maps = [self.extended(unpacked(x)) for x in symmetry["found"]]
        else:
            maps = [self.map_named(name) for name in symmetry["declared"]]
        return maps, [self.number[b, a] for a, b in self.channels] if symmetry.get("reversal") else None

    def distances(self, start: int, length: list[int]) -> list[int]:
        leaving: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for c, (a, b) in enumerate(self.channels):
            leaving[a].append((b, length[c]))
        found: dict[int, int] = {}
        heap = [(0, start)]
        while heap:
            d, v = heapq.heappop(heap)
            if v not in found:
                found[v] = d
                for w, x in leaving[v]:
                    heapq.heappush(heap, (d + x, w))
        return [found[v] for v in range(self.size)]


def orbits(size: int, maps: list[list[int]]) -> list[int]:
    """The least member of each one's orbit."""
    label = list(range(size))
    changed = True
    while changed:
        changed = False
        for image in maps:
            for x, y in enumerate(image):
                if label[x] != label[y]:
                    label[x] = label[y] = min(label[x], label[y])
                    changed = True
    return label


def dor_loads(grid: Grid) -> list[Pairs]:
    """By channel: the load of every pair."""
    loads: list[Pairs] = [{} for _ in grid.channels]
    for (i, x), (j, y) in itertools.product(enumerate(grid.place), repeat=2):
        at = list(x)
        for m, k in enumerate(grid.radix):
            ahead = (y[m] - x[m]) % k if grid.wraps else y[m] - x[m]
            ways: list[tuple[int, int, Fraction]] = [(1, ahead, Fraction(1))]  # step, hops, probability
            if grid.wraps and 2 * ahead == k:
                ways = [(1, ahead, Fraction(1, 2)), (-1, ahead, Fraction(1, 2))]
            elif ahead < 0 or (grid.wraps and 2 * ahead > k):
                ways = [(-1, k - ahead if grid.wraps else -ahead, Fraction(1))]
            for step, hops, weight in ways:
                here = list(at)
                for _ in range(hops):
                    there = list(here)
                    there[m] = (there[m] + step) % k
                    c = grid.number[grid.node[tuple(here)], grid.node[tuple(there)]]
                    loads[c][i, j] = loads[c].get((i, j), Fraction(0)) + weight
                    here = there
            at[m] = y[m]
    return loads


def designed_loads(grid: Grid, routing: dict[str, Any]) -> list[Pairs]:
    """The flows of one pair of each class, and their images; each is a unit flow, and all agree."""
    maps, opposite = grid.maps(routing["symmetry"])
    flows: dict[tuple[int, int], dict[int, Fraction]] = {}
    scale = int(routing["scale"])
    for i, j, channels, amounts in routing["classes"]:
        flow = {c: Fraction(x, scale) for c, x in zip(unpacked(channels), unpacked(amounts), strict=True) if x}
        left = dict.fromkeys(range(grid.size), Fraction(0))
        for c, x in flow.items():
            require(x >= 0, "a flow is negative")
            left[grid.channels[c][0]] += x
            left[grid.channels[c][1]] -= x
        require(all(x == (v == i) - (v == j) for v, x in left.items()), f"no unit flow from {i} to {j}")
        waiting = [((i, j), flow)]
        while waiting:
            (a, b), one = waiting.pop()
            if (a, b) in flows:
                require(flows[a, b] == one, f"two flows from {a} to {b}")
                continue
            flows[a, b] = one
            for node, channel in maps:
                waiting.append(((node[a], node[b]), {channel[c]: x for c, x in one.items()}))
            if opposite is not None:
                waiting.append(((b, a), {opposite[c]: x for c, x in one.items()}))
    require(len(flows) == grid.size * (grid.size - 1), "some pair has no flow")
    loads: list[Pairs] = [{} for _ in grid.channels]
    for pair, flow in flows.items():
        for c, x in flow.items():
            loads[c][pair] = x
    return loads


class Report:
    """Network, routing (loads, and the base part by row and by column) and claims."""

    def __init__(self, document: dict[str, Any]) -> None:
        for entry in (document["subject"], *document["claims"]):
            check_digest(entry)
        subject = document["subject"]
        self.claims = document["claims"]
        self.grid = grid = Grid(subject["network"]["spec"])
        routing = subject["routing"]
        zero = [[Fraction(0)] * grid.size for _ in grid.channels]
        self.base_row, self.base_column = zero, zero
        if "classes" in routing:
            self.loads = designed_loads(grid, routing)
        else:
            self.loads = self.loads_of(routing["spec"])
            if routing["spec"] == "valiant":
                phase = dor_loads(grid)
                self.base_row, self.base_column = (self.means(phase, side) for side in (0, 1))

    def means(self, loads: list[Pairs], side: int) -> list[list[Fraction]]:
        """By channel and node: the mean load of the pairs that begin (side 0) or end (side 1) there."""
        n = self.grid.size
        return [[sum((x for p, x in of.items() if p[side] == v), Fraction(0)) / n for v in range(n)] for of in loads]

    def loads_of(self, spec: str) -> list[Pairs]:
        require(spec in ("dor", "valiant"), f"the routing {spec} is not known here")
        return dor_loads(self.grid) if spec == "dor" else [{} for _ in self.grid.channels]

    def load(self, c: int, i: int, j: int) -> Fraction:
        if i == j:
            return Fraction(0)
        return self.loads[c].get((i, j), Fraction(0)) + self.base_row[c][i] + self.base_column[c][j]

    def between_all(self, c: int) -> Fraction:
        """The sum of the loads of all pairs."""
        n = self.grid.size
        return sum((self.load(c, i, j) for i in range(n) for j in range(n)), Fraction(0))

    def classes(self, symmetry: dict[str, Any]) -> list[int]:
        """The class of every channel, after everything about the maps is checked."""
        maps, opposite = self.grid.maps(symmetry)
        n = self.grid.size
        for c, i, j in itertools.product(range(len(self.grid.channels)), range(n), range(n)):
            for node, channel in maps:
                alike = self.load(c, i, j) == self.load(channel[c], node[i], node[j])
                require(alike, "the routing does not respect a symmetry")
            if opposite is not None:
                require(self.load(c, i, j) == self.load(opposite[c], j, i), "the routing does not respect reversal")
        images = [channel for _, channel in maps] + ([] if opposite is None else [opposite])
        return orbits(len(self.grid.channels), images)

    def check_worst_case(self, value: Fraction, data: dict[str, Any]) -> None:
        require(data["model"] == {"name": "balanced"} and "loads" not in data, "another model")
        ratio = Fraction(data["ratio"])
        require(ratio == value, "the evidence is for another number")
        witness = data["witness"]
        image = unpacked(witness["permutation"])
        require(sorted(image) == list(range(self.grid.size)), "the witness is no permutation")
        reached = sum((self.load(witness["channel"], i, j) for i, j in enumerate(image)), Fraction(0))
        require(reached == ratio, "the witness does not reach the number")
        label = self.classes(data["symmetry"])
        proved = {label[c] for group in data["bounds"] for c in self.check_group(ratio, group)}
        proved |= {label[self.check_exact(ratio, item)] for item in data["exact"]}
        require(proved == set(label), "some class of channels has no proof")

    def limit(self, c: int, ratio: Fraction) -> Fraction:
        return ratio - sum(self.base_row[c], Fraction(0)) - sum(self.base_column[c], Fraction(0))

    def check_group(self, ratio: Fraction, group: dict[str, Any]) -> list[int]:
        channels, shifts = unpacked(group["channel"]), unpacked(group["shift"])
        quanta, scale = iter(unpacked(group["quantum"])), int(group["scale"])
        for c, shift in zip(channels, shifts, strict=True):
            loaded = {pair: x for pair, x in self.loads[c].items() if x > 0}
            v = {}
            for j in sorted({j for _, j in loaded}):
                quantum = next(quanta, -1)
                require(quantum >= 0 and shift >= 0, "a potential is missing or negative")
                v[j] = quantum << shift
            u: dict[int, int] = {}
            for (i, j), x in loaded.items():
                u[i] = max(u.get(i, 0), math.ceil(x * scale) - v[j])
            total = sum(u.values()) + sum(v.values())
            require(total <= math.floor(self.limit(c, ratio) * scale), f"channel {c} may pass the number")
        require(next(quanta, None) is None, "potentials are left over")
        return channels

    def check_exact(self, ratio: Fraction, item: dict[str, Any]) -> int:
        c = int(item["channel"])
        values = [Fraction(x) for x in item["values"]]
        u, v = ([values[k] for k in unpacked(item[side])] for side in ("row", "column"))
        require(len(u) == len(v) == self.grid.size and min(values) >= 0, "potentials do not fit")
        require(all(u[i] + v[j] >= x for (i, j), x in self.loads[c].items()), "a pair has too small potentials")
        require(sum(u) + sum(v) <= self.limit(c, ratio), f"channel {c} may pass the number")
        return c

    def check_capacity(self, value: Fraction, relation: str, data: dict[str, Any]) -> None:
        grid, spec = self.grid, data["lengths"]
        length = []
        for a, b in grid.channels:
            if spec["kind"] == "all":
                length.append(1)
                continue
            m = spec["dimension"]
            x, y = grid.place[a][m], grid.place[b][m]
            if spec["kind"] == "dimension":
                length.append(int(x != y))
            else:
                length.append(int((x < spec["position"]) != (y < spec["position"])))
        total = sum(sum(grid.distances(i, length)) for i in range(grid.size))
        if relation != ">=":
            require(Fraction(sum(length) * grid.size, total) == value, "the lengths prove another number")
        if relation != "<=":
            phase = dor_loads(grid)
            require(data["routing"] == "dor", "the routing is not known here")
            most = max(sum(of.values()) for of in phase)
            require(grid.size / most == value, "the routing does not reach the capacity")

    def check_uniform(self, value: Fraction, data: dict[str, Any]) -> None:
        loads = [self.between_all(c) / self.grid.size for c in range(len(self.grid.channels))]
        stated = Fraction(data["load"])
        require(loads[data["channel"]] == stated == max(loads), "the busiest channel carries something else")
        capacity = Fraction(data.get("capacity", 1))
        if "capacity" in data:
            require(capacity == self.stated("capacity"), "another capacity than the report states")
        require(1 / stated / capacity == value, "the throughput is another one")

    def check_path_length(self, quantity: str, value: Fraction, data: dict[str, Any]) -> None:
        pairs = self.grid.size**2
        average = sum((self.between_all(c) for c in range(len(self.grid.channels))), Fraction(0)) / pairs
        ones = [1] * len(self.grid.channels)
        minimal = Fraction(sum(sum(self.grid.distances(i, ones)) for i in range(self.grid.size)), pairs)
        require((Fraction(data["average"]), Fraction(data["minimal"])) == (average, minimal), "other averages")
        require(value == (average if quantity == "average_path_length" else average / minimal), "another ratio")

    def check_adversary(self, quantity: str, value: Fraction, data: dict[str, Any]) -> None:
        grid, n = self.grid, self.grid.size
        maps, opposite = grid.maps(data["symmetry"])
        out: list[Pairs] = [{} for _ in grid.channels]  # by channel: (side, node): traffic
        total = 0
        seen: set[tuple[int, int]] = set()
        for item in data["pairs"]:
            i, j, traffic = item["source"], item["destination"], unpacked(item["traffic"])
            require(len(traffic) == len(grid.channels) and min(traffic) >= 0, "traffic does not fit")
            # All images of (pair, numbers): what maps that lead to one pair give is averaged.
            images = {(i, j, tuple(traffic))}
            waiting = list(images)
            while waiting:
                a, b, numbers = waiting.pop()
                for node, channel in maps:
                    moved = [0] * len(numbers)
                    for c, x in enumerate(numbers):
                        moved[channel[c]] = x
                    found = [(node[a], node[b], tuple(moved))]
                    waiting += [x for x in found if x not in images]
                    images.update(found)
                if opposite is not None:
                    back = (b, a, tuple(numbers[opposite[c]] for c in range(len(numbers))))
                    if back not in images:
                        images.add(back)
                        waiting.append(back)
            members = {(a, b) for a, b, _ in images}
            require(not members & seen, "two pairs are of one class")
            seen |= members
            each = len(images) // len(members)
            for a, b, numbers in images:
                for c, x in enumerate(numbers):
                    if x:
                        for key in ((0, a), (1, b)):
                            out[c][key] = out[c].get(key, Fraction(0)) + Fraction(x, each)
            total += len(members) * grid.distances(i, [data["hops"] + x for x in traffic])[j]
        spent = sum((max(of.values(), default=Fraction(0)) for of in out), Fraction(0))
        hops = data["hops"] * n * n
        within = {key: Fraction(x) for key, x in data.get("within", {}).items()}
        if quantity == "worst_case_load":
            require(not hops or "average_path_length" in within, "nothing limits the path length")
            proved = (total - hops * within.get("average_path_length", 0)) / spent
        else:
            proved = (total - spent * within["worst_case_load"]) / hops
        require(proved >= value, "the adversaries prove less")

    def check_within(self, claim: dict[str, Any], within: dict[str, str]) -> None:
        """What adversaries assume is what a bound says, and what the routing of an optimum keeps to."""
        said = [f"{quantity} <= {most}" for quantity, most in within.items()]
        if claim["relation"] == "==":
            require(all(self.stated(q) <= Fraction(x) for q, x in within.items()), "its routing is none of them")
            said = []
        require(said == ([claim["within"]] if "within" in claim else []), "it is about other routings")

    def stated(self, quantity: str) -> Fraction:
        (found,) = {x["value"] for x in self.claims if x["quantity"] == quantity and x["relation"] == "=="}
        return Fraction(found)

    def check(self, claim: dict[str, Any]) -> bool:
        """Raises FalseClaimError; False where the kind of evidence is not known here."""
        quantity, value, data = claim["quantity"], Fraction(claim["value"]), claim["evidence"]
        kind = data["kind"]
        if kind == "worst-case":
            require(quantity == "worst_case_load" and claim["relation"] == "==", "another claim")
            self.check_worst_case(value, data)
        elif kind == "derived" and quantity == "worst_case_throughput":
            require(value * self.stated("worst_case_load") == 1, "it is not 1 over the load")
        elif kind == "derived" and quantity == "worst_case_throughput_of_capacity":
            require(value * self.stated("capacity") == self.stated("worst_case_throughput"), "another fraction")
        elif kind == "capacity" and "routing" in data:
            self.check_capacity(value, claim["relation"], data)
        elif kind == "traffic-loads" and data["traffic"] == claim["traffic"] == "uniform":
            self.check_uniform(value, data)
        elif kind == "path-length":
            self.check_path_length(quantity, value, data)
        elif kind == "adversary" and claim["relation"] == ">=":
            self.check_within(claim, data.get("within", {}))
            self.check_adversary(quantity, value, data)
        elif kind == "optimum" and claim["relation"] == "==" and "paths" not in data["adversary"]:
            require("routing" not in data, "a corner of a trade-off is not known here")
            self.check_within(claim, data["adversary"].get("within", {}))
            if quantity == "worst_case_load":
                self.check_worst_case(value, data["reached"]["worst-case"])
            else:
                self.check_path_length(quantity, value, data["reached"]["path-length"])
            self.check_adversary(quantity, value, data["adversary"])
        else:
            return False
        return True


def main(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    try:
        report = Report(document)
        known = [report.check(claim) for claim in report.claims]
    except (FalseClaimError, KeyError, TypeError, ValueError, IndexError, zlib.error) as error:
        print(f"does not hold: {error!r}")
        return 1
    print(f"{sum(known)} claims hold; {len(known) - sum(known)} are of kinds that are not known here")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
