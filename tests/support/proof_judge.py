"""A slow judge of proofs: is what a proof *says* true?  It looks at no multipliers, lengths or orders, but solves
linear programs with HiGHS, walks packets one by one and searches for cycles.

Only for small networks and short numbers; a claim that is false by less than 1e-6 is taken to be true.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
from scipy.optimize import LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix

from schedule_judge import ScheduleJudge

EPSILON = 1e-6
BEST = {
    "best-load-at-least": False, "best-path-length-at-least": True,
    "best-load-among-paths-at-least": False, "best-path-length-among-paths-at-least": True,
}  # fmt: skip
"""Bounds on all routings, or on those with some paths: is it one on path lengths?"""
Terms = Mapping[Hashable, float]


class Program:
    """min cost . x, x >= 0, rows ``terms <= bound`` or ``terms == bound``; variables are anything hashable."""

    def __init__(self) -> None:
        self.place: dict[Hashable, int] = {}
        self.rows: dict[bool, list[tuple[Terms, float]]] = {False: [], True: []}

    def add(self, terms: Terms, bound: float, *, equal: bool = False) -> None:
        for key in terms:
            self.place.setdefault(key, len(self.place))
        self.rows[equal].append((terms, bound))

    def least(self, cost: Terms, whole: str = "") -> float:
        """inf where nothing is feasible, -inf where there is no least; ``whole``: which variables are whole."""
        for key in cost:
            self.place.setdefault(key, len(self.place))
        if not self.place:
            return 0.0
        c = np.zeros(len(self.place))
        for key, x in cost.items():
            c[self.place[key]] += x
        sides: list[Any] = []
        for equal in (False, True):
            entries = [(r, self.place[k], x) for r, (terms, _) in enumerate(self.rows[equal]) for k, x in terms.items()]
            shape = len(self.rows[equal]), len(self.place)
            r, k, x = zip(*entries, strict=True) if entries else ((), (), ())
            sides += (
                [csr_matrix((x, (r, k)), shape=shape), [b for _, b in self.rows[equal]]] if shape[0] else [None, None]
            )
        found = linprog(
            c, A_ub=sides[0], b_ub=sides[1], A_eq=sides[2], b_eq=sides[3], method="highs",
            integrality=[int(bool(whole) and isinstance(key, tuple) and key[0] == whole) for key in self.place],
        )  # fmt: skip
        return {2: np.inf, 3: -np.inf, 4: -np.inf}.get(found.status, found.fun)


def ratio(x: list[Any]) -> float:
    return float(Fraction(int(x[0]), int(x[1])))


def _whole(rows: Sequence[tuple[Mapping[int, int], int]], size: int) -> list[bool] | None:
    """0 or 1 for each variable, so that all sums are at most their bounds; None where there is no such choice."""
    at = [(k, x, n) for k, (terms, _) in enumerate(rows) for x, n in terms.items()]
    matrix = csr_matrix(([n for *_, n in at], ([k for k, *_ in at], [x for _, x, _ in at])), shape=(len(rows), size))
    limits = LinearConstraint(matrix, ub=np.array([b for _, b in rows]))
    found = milp(np.zeros(size), constraints=limits, integrality=np.ones(size), bounds=(0, 1))
    return None if found.x is None else [bool(x > 0.5) for x in found.x]


class Judge:
    def __init__(self, proof: Mapping[str, Any]) -> None:
        self.proof, self.claims = proof, proof["claims"]
        network = proof["network"]
        self.channels = [(a, b, int(x) / int(network["scale"])) for a, b, x in network["channels"]]
        self.terminals = [tuple(x) for x in network["terminals"]]
        self.size = len(self.terminals)
        self.pairs = list(itertools.product(range(self.size), repeat=2))
        self.loads = [self._loads(x) for x in proof["routings"]]

    def _ends(self, i: int, j: int) -> tuple[int, int]:
        return self.terminals[i][0], self.terminals[j][1]

    def _loads(self, routing: Mapping[str, Any]) -> list[dict[tuple[int, int], float]]:
        """By channel, the load between terminals, after every pair is found to be routed as it must be."""
        scale, found = int(routing["scale"]), [dict[tuple[int, int], float]() for _ in self.channels]
        by_nodes = routing["between"] == "nodes"
        given = {}
        for i, j, flow in routing["paths"] or routing["loads"]:
            amounts: Counter[int] = Counter()
            if routing["paths"] is None:
                for c, n in flow:
                    amounts[c] += int(n)
            else:
                for n, path, _ in flow:
                    amounts.update({c: k * int(n) for c, k in Counter(path).items()})
            net: Counter[int] = Counter()
            for c, n in amounts.items():
                net[self.channels[c][0]] += n
                net[self.channels[c][1]] -= n
            a, b = (i, j) if by_nodes else self._ends(i, j)
            assert {v: n for v, n in net.items() if n} == {a: scale, b: -scale}
            assert (i, j) not in given
            given[i, j] = amounts
        self._move(given, routing.get("symmetry") or [], by_nodes)
        for i, j in self.pairs:
            ends = self._ends(i, j)
            if ends[0] != ends[1]:
                for c, n in given[ends if by_nodes else (i, j)].items():
                    found[c][i, j] = n / scale
        return found

    def _move(self, given: dict[tuple[int, int], Counter[int]], maps: Iterable[Any], by_nodes: bool) -> None:
        """All images of the flows, which agree where they meet."""
        waiting = list(given)
        for i, j in waiting:
            for nodes, channels, terminals in maps:
                ends = nodes if by_nodes else terminals
                there, flow = (ends[i], ends[j]), Counter({channels[c]: n for c, n in given[i, j].items()})
                if there not in given:
                    waiting.append(there)
                assert given.setdefault(there, flow) == flow

    # -- sets -------------------------------------------------------------------------------------------------

    def _matrices(self, data: Mapping[str, Any]) -> list[dict[tuple[int, int], float]]:
        return [{(i, j): int(n) / int(x["scale"]) for i, j, n in x["entries"]} for x in data["matrices"]]

    def _limits(self, data: Mapping[str, Any], factor: float) -> tuple[Any, Any, Any, Any]:
        scale = int(data["scale"])

        def over(x: Any) -> float | None:
            return None if x is None else int(x) / scale

        rows = data["rows"] and [int(x) / scale * factor for x in data["rows"]]
        columns = data["columns"] and [int(x) / scale for x in data["columns"]]
        pairs = (
            {(i, j): (over(low), over(high)) for i, j, low, high in data["pairs"]}
            if data["pairs"] is not None
            else None
        )
        return rows, columns, over(data["total"]), pairs

    def most(self, data: Mapping[str, Any], weight: Mapping[tuple[int, int], float], factor: float = 1) -> float:
        """The most that a demand of the set makes of the sum of weight x demand; rows are multiplied by the factor."""
        if data["kind"] == "matrices":
            return max(sum(x * weight.get(pair, 0) for pair, x in m.items()) for m in self._matrices(data))
        program = Program()
        if data["kind"] == "routable":
            self._carry(program, lambda i, j: {("D", i, j): 1.0}, {"one": 1.0})
            program.add({"one": 1.0}, 1, equal=True)
            return -program.least({("D", *pair): -x for pair, x in weight.items()})
        rows, columns, total, limits = self._limits(data, factor)
        allowed = self.pairs if limits is None else list(limits)
        for k, side in enumerate((rows, columns)):
            for t in range(self.size) if side is not None else ():
                program.add({("D", *p): 1.0 for p in allowed if p[k] == t}, side[t])
        if total is not None:
            program.add({("D", *p): 1.0 for p in allowed}, total)
        for pair, (low, high) in (limits or {}).items():
            program.add({("D", *pair): -1.0}, -low)
            if high is not None:
                program.add({("D", *pair): 1.0}, high)
        return -program.least({("D", *p): -weight[p] for p in allowed if p in weight})

    def _carry(self, program: Program, sent: Callable[[int, int], Terms], most: Terms) -> None:
        """A flow of the demand whose terms are ``sent``, within ``most`` x bandwidth; by the node that sends."""
        for s in {a for a, _ in self.terminals}:
            for v in {x for a, b, _ in self.channels for x in (a, b)} | {x for ends in self.terminals for x in ends}:
                if v == s:
                    continue
                terms: Counter[Hashable] = Counter()
                for c, (a, b, _) in enumerate(self.channels):
                    terms["f", s, c] += (b == v) - (a == v)
                for i, j in self.pairs:
                    if self._ends(i, j) == (s, v):
                        terms.subtract(sent(i, j))  # type: ignore[arg-type]
                program.add({k: float(x) for k, x in terms.items()}, 0, equal=True)
        for c, (*_, b) in enumerate(self.channels):
            of: dict[Hashable, float] = {("f", s, c): 1.0 for s in {a for a, _ in self.terminals}}
            for key, x in most.items():
                of[key] = of.get(key, 0) - x * b
            program.add(of, 0)

    def congestion(self, demand: Mapping[tuple[int, int], float]) -> float:
        """The least largest load per bandwidth of any flow of a demand."""
        program = Program()
        program.add({"one": 1.0}, 1, equal=True)
        self._carry(program, lambda i, j: {"one": demand.get((i, j), 0.0)}, {"w": 1.0})
        return program.least({"w": 1.0})

    def best(
        self, data: Mapping[str, Any], between: str, within: float | None, *, length: bool, kept: Mapping[str, Any]
    ) -> float:
        """The least worst-case load over the set (or average path length) of all routings, or of those that keep to
        what the claim ``kept`` lists."""
        program = Program()
        for i, j, paths in kept.get("listed", ()):
            program.add({("x", i, j, k): 1.0 for k in range(len(paths))}, 1, equal=True)
            for c in range(len(self.channels)):
                of = {("x", i, j, k): float(path.count(c)) for k, path in enumerate(paths)}
                program.add({**of, ("f", (i, j), c): -1.0}, 0, equal=True)
        for i, j, only, _ in kept.get("over", ()):
            for c in set(range(len(self.channels))) - set(only):
                program.add({("f", (i, j), c): 1.0}, 0, equal=True)
        by_nodes = between == "nodes"

        def pair(i: int, j: int) -> tuple[int, int]:
            return self._ends(i, j) if by_nodes else (i, j)

        apart = [p for p in self.pairs if self._ends(*p)[0] != self._ends(*p)[1]]
        nodes = {x for a, b, _ in self.channels for x in (a, b)} | {x for ends in self.terminals for x in ends}
        for p in {pair(*x) for x in apart}:
            a, b = p if by_nodes else self._ends(*p)
            for v in nodes:
                terms = {("f", p, c): float((h == v) - (t == v)) for c, (t, h, _) in enumerate(self.channels)}
                program.add(terms, (v == b) - (v == a), equal=True)
        for c, (*_, width) in enumerate(self.channels):
            if data["kind"] == "matrices":
                for m in self._matrices(data):
                    terms = defaultdict(float, {"w": -width})
                    for p, x in m.items():
                        if p in apart:
                            terms["f", pair(*p), c] += x
                    program.add(dict(terms), 0)
                continue
            if data["kind"] == "routable":
                self._within_lengths(program, c, {x: pair(*x) for x in apart})
                continue
            rows, columns, total, limits = self._limits(data, 1)
            cost: dict[Hashable, float] = defaultdict(float, {"w": -width})
            for t in range(self.size):
                if rows is not None:
                    cost["u", c, t] += rows[t]
                if columns is not None:
                    cost["v", c, t] += columns[t]
            if total is not None:
                cost["x", c] += total
            for p in apart if limits is None else limits:
                low, high = (0, None) if limits is None else limits[p]
                of: dict[Hashable, float] = {("f", pair(*p), c): 1.0} if p in apart else {}
                for there, key in ((rows, ("u", c, p[0])), (columns, ("v", c, p[1])), (total, ("x", c))):
                    if there is not None:
                        of[key] = -1.0
                of["less", c, p] = 1.0
                cost["less", c, p] -= low
                if high is not None:
                    of["more", c, p] = -1.0
                    cost["more", c, p] += high
                program.add(of, 0, equal=True)
            program.add(dict(cost), 0)
        hops: dict[Hashable, float] = defaultdict(float)
        for p, c in itertools.product(apart, range(len(self.channels))):
            hops["f", pair(*p), c] += 1 / self.size**2
        if within is not None:
            program.add({"w": 1.0} if length else dict(hops), within)
        return program.least(dict(hops) if length else {"w": 1.0})

    def _within_lengths(self, program: Program, c: int, apart: Mapping[tuple[int, int], tuple[int, int]]) -> None:
        """The dual of the worst case of channel c over all that is routable: lengths, and distances under them."""
        budget: dict[Hashable, float] = {("l", c, e): b for e, (*_, b) in enumerate(self.channels)}
        program.add({**budget, "w": -self.channels[c][2]}, 0)
        for s in {a for a, _ in self.terminals}:
            for e, (a, b, _) in enumerate(self.channels):
                if b != s:
                    terms: dict[Hashable, float] = {("d", c, s, b): 1.0, ("l", c, e): -1.0}
                    program.add({**terms, **({("d", c, s, a): -1.0} if a != s else {})}, 0)
        for (i, j), key in apart.items():
            s, v = self._ends(i, j)
            program.add({("f", key, c): 1.0, ("d", c, s, v): -1.0}, 0)

    # -- claims -----------------------------------------------------------------------------------------------

    def holds(self, claim: Mapping[str, Any]) -> bool:
        kind = claim["kind"]
        data = self.proof["demands"][claim["demands"]] if "demands" in claim else {}
        loads = self.loads[claim["routing"]] if "routing" in claim else []
        value = ratio(claim["value"]) if isinstance(claim.get("value"), list) else 0.0
        near = EPSILON * max(1, abs(value))
        if kind == "worst-case-at-most":
            only = range(len(self.channels)) if claim["channels"] is None else claim["channels"]
            return all(self.most(data, loads[c]) <= (value + near) * self.channels[c][2] for c in only)
        if kind == "worst-case-at-least":
            c = claim["channel"]
            return self.most(data, loads[c]) >= (value - near) * self.channels[c][2]
        if kind == "alike":
            return all(self.holds({**self.claims[claim["of"]], "channel": c}) for c in claim["channels"])
        if kind == "single-link-failure":
            worst = self._after_any_link(self.proof["demands"][self.claims[claim["failed"][0][1]]["demands"]])
            return worst <= value + near and (claim["reached"] is None or worst >= value - near)
        if kind == "unsaturated-below":
            return all(self.most(data, of, 0.999) < b for of, (*_, b) in zip(loads, self.channels, strict=True))
        if kind in BEST:
            within = None if claim["within"] is None else ratio(claim["within"])
            return self.best(data, claim["between"], within, length=BEST[kind], kept=claim) >= value - near
        if kind == "flow-at-least":
            demand = {(i, j): int(n) / int(claim["demand"]["weight"]) for i, j, n in claim["demand"]["entries"]}
            if data["kind"] == "routable" and self.congestion(demand) > 1 + near:
                return False
            return self._admits(data, demand) and self.congestion(demand) >= value - near
        if kind == "flow-at-most":
            if data["kind"] == "routable":
                return value >= 1
            return all(self.congestion(m) <= value + near for m in self._matrices(data))
        if kind == "path-length":
            return abs(sum(x for of in loads for x in of.values()) / self.size**2 - value) <= near
        if kind == "minimal-path-length":
            return abs(self._hops() / self.size**2 - value) <= near
        if kind in ("deadlock-free", "deadlock"):
            routing = self.proof["routings"][claim["routing"]]
            if kind == "deadlock-free" and not self._is_on(routing, int(claim["virtual"])):
                return False
            return self._is_acyclic(routing) == (kind == "deadlock-free")
        if kind == "virtual-channels-at-least":
            return self._has_a_cycle_on(claim, int(claim["value"]) - 1)
        if kind == "deadlock-free-with-bubbles":
            return self._cycles_are_rings(self.proof["routings"][claim["routing"]])
        if kind == "deadlock-free-with-classes":
            return self._has_no_deadlock_of_classes(claim)
        if kind in ("escape-acyclic", "escape-cycle"):
            return self._is_escape(claim)
        if kind in ("collective-at-most", "collective-at-least"):
            return self._is_collective(claim, value, near)
        if kind.startswith("all-reduce"):
            best = self._best_by_partitions(claim["ranks"])
            return value >= best - near if kind == "all-reduce-at-most" else value <= best + near
        if kind in ("bandwidth", "least-time", "times-optimal"):
            return self._follows_from_a_rate(claim, Fraction(*map(int, claim["value"])))
        if kind == "phases-take":
            return abs(self._time(claim, list(map(max, self._busy(claim)))) - value) <= near
        if kind == "phases-meet":
            return self._phases_meet(claim, value, near)
        if kind == "shared-channel":
            return self._is_shared(claim, loads)
        if kind in ("blocked-call", "never-blocked", "calls-at-once", "calls-cut"):
            return self._of_calls(claim)
        if kind.startswith("neighbours"):
            return self._neighbours(claim)
        if kind == "tables":
            return self._has_tables(claim)
        if kind == "tables-at-least":
            assert data["kind"] == "transport"
            return self._best_tables(claim["of"]) >= value - near
        assert kind == "quotient"
        return self._follows(claim, value, near)

    def _after_any_link(self, data: Mapping[str, Any]) -> float:
        """The worst case over the set after each link that parts no terminals: packets take, at every node, any
        channel that leads nearer, as walked node by node from the farthest on."""
        found = -np.inf
        for link in {frozenset(x[:2]) for x in self.channels if x[0] != x[1]}:
            left = {c: x for c, x in enumerate(self.channels) if frozenset(x[:2]) != link}
            back = nx.DiGraph((b, a) for a, b, _ in left.values())
            back.add_nodes_from(v for ends in self.terminals for v in ends)
            loads = [dict[tuple[int, int], float]() for _ in self.channels]
            parted = False
            for i, j in self.pairs:
                start, end = self._ends(i, j)
                hops = nx.single_source_shortest_path_length(back, end)
                parted = parted or start not in hops
                at = Counter({start: 1.0})
                for v in sorted(hops, key=hops.__getitem__, reverse=True):
                    nearer = [c for c, x in left.items() if x[0] == v and hops.get(x[1]) == hops[v] - 1]
                    for c in nearer if at[v] else ():
                        loads[c][i, j] = at[v] / len(nearer)
                        at[left[c][1]] += at[v] / len(nearer)
            if not parted:
                found = max([found, *(self.most(data, loads[c]) / x[2] for c, x in left.items())])
        return found

    def _follows_from_a_rate(self, claim: dict[str, Any], value: Fraction) -> bool:
        """Is the rate that the value comes from one that the best schedule has, or that none passes?"""
        of = self.proof["claims"][claim["of"]]
        operation, n = of.get("operation", "all-reduce"), len(of["ranks"])
        over: Fraction | int
        if claim["kind"] == "least-time":
            value -= int(claim["phases"]) * Fraction(*map(int, claim["latency"]))
            value, over = Fraction(1), value
            if over <= 0:
                return True
        elif claim["kind"] == "times-optimal":
            over = Fraction(*map(int, self.proof["claims"][claim["time"]]["value"]))
        else:
            over = 1 if operation == "broadcast" else n  # what all ranks hold, in units of the rate
            share = {"broadcast": Fraction(1), "all-reduce": Fraction(2 * (n - 1), n)}
            over *= share.get(operation, Fraction(n - 1, n)) if claim["quantity"] == "bus" else 1
        if over == 0:
            return bool(of["kind"].endswith("at-most") or value <= 0)
        rate = value / over
        return self.holds({**of, "value": [rate.numerator, rate.denominator]})

    def _busy(self, claim: Mapping[str, Any]) -> list[list[float]]:
        """Of every phase of a claim about phases, for how long it keeps each channel busy."""
        matrices = self._matrices(self.proof["demands"][claim["demands"]])
        return [
            [
                ratio(amount) * sum(n * of.get(p, 0.0) for p, n in matrices[k].items()) / b
                for of, (*_, b) in zip(self.loads[claim["routing"]], self.channels, strict=True)
            ]
            for k, _, amount in claim["phases"]
        ]

    def _time(self, claim: Mapping[str, Any], takes: Sequence[float]) -> float:
        each = zip(claim["phases"], takes, strict=True)
        return sum(int(times) * (ratio(claim["latency"]) + x) for (_, times, _), x in each)

    def _phases_meet(self, claim: Mapping[str, Any], value: float, near: float) -> bool:
        """All choices of a phase of each are gone through."""
        of, others = self.claims[claim["of"]], [self.claims[k] for k in claim["others"]]
        assert {x["routing"] for x in others} <= {of["routing"]}
        none, own = [0.0] * len(self.channels), self._busy(of)
        meetings = [
            list(map(sum, zip(none, *x, strict=True)))
            for x in itertools.product(*(self._busy(y) or [none] for y in others))
        ]
        used = [any(column) for column in zip(none, *own, strict=True)]
        if claim["quantity"] == "time":
            takes = [
                max(max((x + y) * (x > 0) for x, y in zip(mine, x, strict=True)) for x in meetings) for mine in own
            ]
            return value >= self._time(of, takes) - near
        if claim["quantity"] == "others":
            found = max(max(x * own for x, own in zip(met, used, strict=True)) for met in meetings)
        else:
            found = max(x + y for met in meetings for mine in own or [none] for x, y in zip(met, mine, strict=True))
        return abs(found - value) <= near

    def _is_shared(self, claim: Mapping[str, Any], loads: Sequence[Mapping[tuple[int, int], float]]) -> bool:
        jobs = [{(i, j) for i in sends for j in receives if i != j} for sends, receives in claim["jobs"]]
        if claim["crossed"] is None:
            return all(sum(not job.isdisjoint(of) for job in jobs) < 2 for of in loads)
        c, *pairs = claim["crossed"]
        crossing = [tuple(x) for x in pairs if tuple(x) in loads[c]]
        return len({k for x in crossing for k, job in enumerate(jobs) if x in job}) == 2

    def _states(self) -> Iterator[dict[int, tuple[int, list[int]]]]:
        """All sets of calls along disjoint paths: by who makes a call, who answers it and the path."""
        graph = nx.DiGraph((a, b) for a, b, _ in self.channels)
        graph.add_nodes_from(v for ends in self.terminals for v in ends)

        def more(i: int, used: set[int]) -> Iterator[dict[int, tuple[int, list[int]]]]:
            if i == self.size:
                yield {}
                return
            yield from more(i + 1, used)
            for j, (_, end) in enumerate(self.terminals):
                for path in nx.all_simple_paths(graph, self.terminals[i][0], end):
                    if used.isdisjoint(path):
                        yield from ({**x, i: (j, path)} for x in more(i + 1, used | set(path)))

        return more(0, set())

    def _is_blocked(self, calls: Iterable[Sequence[int]], i: int, j: int) -> bool:
        used = {v for path in calls for v in path}
        graph = nx.DiGraph((a, b) for a, b, _ in self.channels if a not in used and b not in used)
        start, end = self._ends(i, j)
        return start not in graph or end not in graph or not nx.has_path(graph, start, end)

    def _of_calls(self, claim: Mapping[str, Any]) -> bool:
        ends = [v for x in self.terminals for v in x]
        assert len(set(ends)) == len(ends) < 12
        assert not any(a in ends[1::2] or b in ends[::2] for a, b, _ in self.channels)
        states = list(self._states())
        if claim["kind"] == "calls-cut":
            return not any(set(claim["terminals"]) <= set(state) for state in states)
        if claim["kind"] in ("blocked-call", "calls-at-once"):
            paths = sorted(claim["calls"])
            state = next((x for x in states if sorted(path for _, path in x.values()) == paths), None)
            if state is None or claim["kind"] == "calls-at-once":
                return state is not None
            i, j = claim["from"], claim["to"]
            idle = i not in state and all(j != answers for answers, _ in state.values())
            return idle and self._is_blocked(claim["calls"], i, j)
        for state in states:
            paths, answering = [path for _, path in state.values()], {j for j, _ in state.values()}
            idle = ((i, j) for i, j in self.pairs if i not in state and j not in answering)
            if any(self._is_blocked(paths, i, j) for i, j in idle):
                return False
        return True

    def _neighbours(self, claim: Mapping[str, Any]) -> bool:
        def count(nodes: Iterable[int]) -> int:
            return len({b for a, b, _ in self.channels if a in set(nodes)})

        if claim["kind"] == "neighbours-at-most":
            inside = any(set(claim["nodes"]) <= set(group) for group in claim["groups"])
            return inside and count(claim["nodes"]) <= int(claim["value"])
        some = (x for group in claim["groups"] for x in itertools.combinations(sorted(set(group)), int(claim["size"])))
        return all(count(x) >= int(claim["value"]) for x in some)

    def _best_by_partitions(self, ranks: list[int]) -> float:
        """The least of what all sets of disjoint sets of nodes allow an all-reduce; some nodes may be in none."""
        assert len(set(ranks)) == len(ranks)
        assert all(a == b for a, b in (self.terminals[r] for r in ranks))
        held = {self.terminals[r][0] for r in ranks}
        nodes = sorted({v for a, b, _ in self.channels for v in (a, b)} | held)
        assert len(nodes) < 7
        least = np.inf
        for labels in itertools.product(range(-1, len(held)), repeat=len(nodes)):
            of = dict(zip(nodes, labels, strict=True))
            parts = {of[v] for v in held}
            if len(parts) > 1 and -1 not in parts and set(labels) - {-1} == parts:
                across = [(of[a], of[b], w) for a, b, w in self.channels if of[a] != of[b]]
                width = min(sum(w for *ends, w in across if ends[k] >= 0) for k in (0, 1))
                least = min(least, width / (2 * (len(parts) - 1) * len(ranks)))
        return least

    def _has_tables(self, claim: Mapping[str, Any]) -> bool:
        """Does every packet take one path, and (of destinations) at every node that of all others to its terminal?"""
        taken: dict[Hashable, int] = {}
        for c, of in enumerate(self.loads[claim["routing"]]):
            for (i, j), x in of.items():
                at = (self.channels[c][0], j, i if claim["of"] == "pairs" else None)
                if abs(x - 1) > EPSILON or taken.setdefault(at, c) != c:
                    return False
        return True

    def _best_tables(self, of: str) -> float:
        """The least worst-case load over permutations of all tables, or of all choices of a path: an integer program,
        in which sources and destinations cover the pairs that cross a channel."""
        graph = nx.MultiDiGraph((a, b, {"c": c}) for c, (a, b, _) in enumerate(self.channels))
        each: list[list[list[tuple[tuple[int, int], list[int]]]]] = []
        for j, (_, end) in enumerate(self.terminals):
            choices = [self._ways(graph, self.terminals[i][0], end) for i in range(self.size)]
            if of == "pairs":
                each += [[[((i, j), path)] for path in some] for i, some in enumerate(choices) if some]
                continue
            trees = []
            for some in itertools.product(*[x or [[]] for x in choices]):
                taken: dict[int, int] = {}
                if all(taken.setdefault(self.channels[c][0], c) == c for path in some for c in path):
                    trees.append([((i, j), path) for i, path in enumerate(some)])
            each.append(trees)
        program = Program()
        for g, choices_of in enumerate(each):
            program.add({("y", g, k): 1.0 for k in range(len(choices_of))}, 1, equal=True)
        for c, (*_, b) in enumerate(self.channels):
            for i, j in self.pairs:
                of_pair = {
                    ("y", g, k): 1.0
                    for g, some in enumerate(each)
                    for k, chosen in enumerate(some)
                    if any(pair == (i, j) and c in path for pair, path in chosen)
                }
                program.add({**of_pair, ("u", c, i): -1.0, ("v", c, j): -1.0}, 0)
            ends = range(self.size)
            program.add({("w",): -b, **{("u", c, t): 1.0 for t in ends}, **{("v", c, t): 1.0 for t in ends}}, 0)
        return program.least({("w",): 1.0}, whole="y")

    def _ways(self, graph: Any, start: int, end: int) -> list[list[int]]:
        if start == end:
            return []
        return [[graph.edges[x]["c"] for x in path] for path in nx.all_simple_edge_paths(graph, start, end)]

    def _is_collective(self, claim: Mapping[str, Any], value: float, near: float) -> bool:
        """As far as all cuts of a small network tell: where switches may copy, trees can stay below every cut."""
        assert len(set(claim["ranks"])) == len(claim["ranks"])
        assert all(a == b for a, b in (self.terminals[r] for r in claim["ranks"]))
        assert claim["root"] is None or claim["root"] in claim["ranks"]
        if claim["kind"] == "collective-at-least":
            return value <= self._best_by_cuts(claim, balanced=claim["copies"] == "ranks") + near
        return value >= self._best_by_cuts(claim, balanced=True) - near

    def _best_by_cuts(self, claim: Mapping[str, Any], *, balanced: bool) -> float:
        """The best rate of flows that leave every set which misses a rank; ``balanced``: switches copy nothing."""
        held = {self.terminals[r][0] for r in claim["ranks"]}
        emits = Counter(self.terminals[r][0] for r in (claim["ranks"] if claim["root"] is None else [claim["root"]]))
        back = claim["operation"] == "reduce-scatter"
        ends = [(b, a) if back else (a, b) for a, b, _ in self.channels]
        nodes = sorted({v for x in ends for v in x} | held)
        assert len(nodes) < 12
        program = Program()
        for c, (*_, width) in enumerate(self.channels):
            program.add({c: 1.0}, width)
        for size in range(1, len(nodes)):
            for inside in map(set, itertools.combinations(nodes, size)):
                if not held <= inside and (sent := sum(emits[v] for v in inside)):
                    out = {c: -1.0 for c, (a, b) in enumerate(ends) if a in inside and b not in inside}
                    program.add({"rate": float(sent), **out}, 0)
        for v in (x for x in nodes if balanced and x not in held):
            program.add({c: float((b == v) - (a == v)) for c, (a, b) in enumerate(ends)}, 0, equal=True)
        return -program.least({"rate": -1.0})

    def _follows(self, claim: Mapping[str, Any], value: float, near: float) -> bool:
        """A quotient is what its words say of the routing and the set, computed again without the claims' numbers."""
        quantity, over = claim["quantity"], self._meant(self.claims[claim["over"]])
        of = 1.0 if claim["of"] is None else self._meant(self.claims[claim["of"]])
        exact = of / over if over else np.inf
        if quantity.endswith("at-least"):
            return value <= exact + near
        return value >= exact - near if quantity.endswith("at-most") else abs(value - exact) <= near

    def _meant(self, claim: Mapping[str, Any]) -> float:
        """The number of which a claim gives a bound; of ideal routing over limits only the claim itself is known."""
        kind = claim["kind"]
        data = self.proof["demands"][claim["demands"]] if "demands" in claim else {}
        if kind.startswith("worst-case"):
            loads = self.loads[claim["routing"]]
            return max(self.most(data, of) / b for of, (*_, b) in zip(loads, self.channels, strict=True))
        if kind == "tables-at-least":
            return self._best_tables(claim["of"])
        if kind.startswith("best"):
            within = None if claim["within"] is None else ratio(claim["within"])
            return self.best(data, claim["between"], within, length=BEST[kind], kept=claim)
        if kind.startswith("flow"):
            if data["kind"] == "transport":
                return ratio(claim["value"])
            return 1.0 if data["kind"] == "routable" else max(map(self.congestion, self._matrices(data)))
        if kind == "path-length":
            return sum(x for of in self.loads[claim["routing"]] for x in of.values()) / self.size**2
        return self._hops() / self.size**2

    def _admits(self, data: Mapping[str, Any], demand: Mapping[tuple[int, int], float]) -> bool:
        if data["kind"] == "routable":
            return True
        if data["kind"] == "matrices":
            program = Program()
            matrices = self._matrices(data)
            for p in set(demand).union(*matrices):
                terms = {("mu", k): m.get(p, 0.0) for k, m in enumerate(matrices)}
                program.add(terms, demand.get(p, 0) + EPSILON)
                program.add({k: -x for k, x in terms.items()}, EPSILON - demand.get(p, 0))
            program.add({("mu", k): 1.0 for k in range(len(matrices))}, 1, equal=True)
            return program.least({}) < np.inf
        rows, columns, total, limits = self._limits(data, 1)
        for k, side in enumerate((rows, columns)):
            for t in range(self.size) if side is not None else ():
                if sum(x for p, x in demand.items() if p[k] == t) > side[t] + EPSILON:
                    return False
        if total is not None and sum(demand.values()) > total + EPSILON:
            return False
        if limits is not None and not set(demand) <= set(limits):
            return False
        return all(
            low - EPSILON <= demand.get(p, 0) <= (np.inf if high is None else high + EPSILON)
            for p, (low, high) in (limits or {}).items()
        )

    def _hops(self) -> int:
        leaving = defaultdict(list)
        for a, b, _ in self.channels:
            leaving[a].append(b)
        total = 0
        for s, _ in self.terminals:
            far, queue = {s: 0}, deque([s])
            while queue:
                v = queue.popleft()
                for w in leaving[v]:
                    if w not in far:
                        far[w] = far[v] + 1
                        queue.append(w)
            total += sum(far[v] for _, v in self.terminals)
        return total

    def _is_on(self, routing: Mapping[str, Any], virtual: int) -> bool:
        """All paths take only the first ``virtual`` virtual channels."""
        return all(v < virtual for *_, flow in routing["paths"] or () for *_, taken in flow for v in taken)

    def _cycles_are_rings(self, routing: Mapping[str, Any]) -> bool:
        graph = self._dependencies(routing)
        parts = [graph.subgraph(x) for x in nx.strongly_connected_components(graph)]
        return self._is_on(routing, 1) and all(x.number_of_edges() <= x.number_of_nodes() for x in parts)

    def _has_no_deadlock_of_classes(self, claim: Mapping[str, Any]) -> bool:
        routing, listed = self.proof["routings"][claim["routing"]], claim["transactions"]
        if listed is None:
            return self._is_on(routing, int(claim["virtual"])) and self._is_acyclic(routing)
        known = [path for path, _ in listed]
        missing = [x for x in self._transactions(routing, int(claim["classes"])) if x and x not in known]
        hops = [list(zip(path, taken, strict=True)) for path, taken in listed]
        graph = nx.DiGraph(x for some in hops for x in itertools.pairwise(some))
        on = all(v < int(claim["virtual"]) for some in hops for _, v in some)
        return on and not missing and nx.is_directed_acyclic_graph(graph)

    def _transactions(self, routing: Mapping[str, Any], classes: int) -> Iterator[list[int]]:
        """The channels of a message and its answers, of so many classes, in one."""
        of: dict[tuple[int, int], list[list[int]]] = {(i, j): [p for _, p, _ in x] for i, j, x in routing["paths"]}
        for i, j in self.pairs:
            there, back = (
                ((i, j), (j, i)) if routing["between"] == "terminals" else (self._ends(i, j), self._ends(j, i))
            )
            chains: list[list[int]] = [[]]
            for k in range(classes):
                chains = [[*x, *path] for x in chains for path in of.get(back if k % 2 else there, [[]])]
            yield from chains

    def _has_a_cycle_on(self, claim: Mapping[str, Any], count: int) -> bool:
        """However paths take so many virtual channels?  Ways are found, without the cycles of those before."""
        routing, by, classes = self.proof["routings"][claim["routing"]], claim["by"], claim["classes"]
        ways = [p for *_, x in routing["paths"] for _, p, _ in x]
        if classes is not None:
            ways = list(self._transactions(routing, int(classes)))
        paths = sorted({tuple(x) for x in ways if len(x) > 1}, key=lambda x: (self.channels[x[-1]][1], len(x), x))

        def key(path: tuple[int, ...], hop: int) -> Hashable:
            return {"layers": path, "destinations": self.channels[path[-1]][1]}.get(by, (path, hop))

        place: dict[Hashable, int] = {}
        rows: list[tuple[dict[int, int], int]] = []  # sums that are at most a number
        seen: dict[Hashable, None] = {}

        def at(*x: Hashable) -> int:
            return place.setdefault(x, len(place))

        made: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
        for path in paths:
            seen.update(dict.fromkeys(key(path, h) for h in range(len(path))))
            for h, (c, e) in enumerate(itertools.pairwise(path)):
                for k, m in itertools.product(range(count), repeat=2):
                    edge = (c, k), (e, m)
                    made[edge] = at("made", edge)
                    both = Counter([at(key(path, h), k), at(key(path, h + 1), m)])
                    rows.append(({**both, made[edge]: -1}, 1))
        rows += [({at(x, k): -1 for k in range(count)}, -1) for x in seen]
        while True:
            found = _whole(rows, len(place))
            if found is None:
                return True
            graph = nx.DiGraph(edge for edge, x in made.items() if found[x])
            if nx.is_directed_acyclic_graph(graph):
                return False
            cycle = [(a[0], a[1]) for a in nx.find_cycle(graph)]
            for turn in range(count):
                turned = [tuple((c, (v + turn) % count) for c, v in edge) for edge in cycle]
                rows.append(({place["made", edge]: 1 for edge in turned}, len(cycle) - 1))

    def _is_escape(self, claim: Mapping[str, Any]) -> bool:
        """Duato's condition by its definition: are there shortest paths from one escape to another?"""
        routing = self.proof["routings"][claim["routing"]]
        network = nx.MultiDiGraph((a, b) for a, b, _ in self.channels)
        graph: nx.DiGraph[Any] = nx.DiGraph()
        for to in {j for _, j, _ in routing["paths"]}:
            own = [(i, x) for i, j, x in routing["paths"] if j == to]
            starts = [i if routing["between"] == "nodes" else self.terminals[i][0] for i, _ in own]
            end = to if routing["between"] == "nodes" else self.terminals[to][1]
            hops = nx.single_source_shortest_path_length(network.reverse(), end)
            nearer = nx.DiGraph((a, b) for a, b in network.edges() if b in hops and hops.get(a) == hops[b] + 1)
            escapes = {x for _, flow in own for _, path, taken in flow for x in zip(path, taken, strict=True)}
            if any(not nearer.has_edge(*self.channels[c][:2]) for c, _ in escapes):
                return False
            at = set(starts).union(*(nx.descendants(nearer, x) for x in starts)) - {end}
            if not at <= {self.channels[c][0] for c, _ in escapes}:
                return False
            for one, two in itertools.permutations(escapes, 2):
                head, tail = self.channels[one[0]][1], self.channels[two[0]][0]
                if head == tail or (head in nearer and tail in nx.descendants(nearer, head)):
                    graph.add_edge(one, two)
        if claim["kind"] == "escape-cycle":
            return not nx.is_directed_acyclic_graph(graph)
        return self._is_on(routing, int(claim["virtual"])) and nx.is_directed_acyclic_graph(graph)

    def _is_acyclic(self, routing: Mapping[str, Any]) -> bool:
        return bool(nx.is_directed_acyclic_graph(self._dependencies(routing)))

    def _dependencies(self, routing: Mapping[str, Any]) -> nx.DiGraph[Any]:
        graph: nx.DiGraph[Any] = nx.DiGraph()
        for _, _, flow in routing["paths"] or routing["loads"]:
            if routing["paths"] is not None:
                for _, path, virtual in flow:
                    graph.add_edges_from(itertools.pairwise(zip(path, virtual, strict=True)))
            else:
                used = [c for c, _ in flow]
                edges: Iterable[Any] = itertools.product(used, used)
                graph.add_edges_from((c, e) for c, e in edges if self.channels[c][1] == self.channels[e][0])
        return graph


def graph_holds(graph: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
    """A claim about a destination graph, by walking all packets."""
    t, d, paths = graph["radix"], graph["dimensions"], graph["paths"]

    def digits(x: int) -> list[int]:
        return [x // t ** (d - 1 - k) % t for k in range(d)]

    def walk(origin: int, destination: int) -> dict[int, Any]:
        """By step: (the node, the move)."""
        x = sum(
            (a - b) % t * t ** (d - 1 - k)
            for k, (a, b) in enumerate(zip(digits(origin), digits(destination), strict=True))
        )
        at, found = digits(origin), {}
        for step, digit, amount in paths[x]:
            found[step] = (tuple(at), digit, amount)
            at[digit - 1] = (at[digit - 1] - amount) % t
        assert at == digits(destination)
        return found

    kind = claim["kind"]
    if kind == "steps":
        return int(claim["value"]) == max((m[0] for path in paths for m in path), default=0)
    if kind == "minimum":
        return all(len(path) == sum(map(bool, digits(x))) for x, path in enumerate(paths))
    if kind in ("not-many-one", "not-permutation"):
        (a, z), (b, y) = claim["packets"]
        one, two = walk(a, z).get(int(claim["step"])), walk(b, y).get(int(claim["step"]))
        return one is not None and one == two and a != b and (z != y or kind == "not-many-one")
    slots = defaultdict(list)
    for origin, destination in itertools.product(range(t**d), repeat=2):
        for step, place in walk(origin, destination).items():
            slots[step, place].append((origin, destination))
    return not any(
        a != b and (z != y or kind == "many-one")
        for packets in slots.values() for (a, z), (b, y) in itertools.combinations(packets, 2)
    )  # fmt: skip


def is_least_steps(claim: Mapping[str, Any]) -> bool:
    """No graph has fewer steps: all of them are gone through, node by node; a move is (digit, amount), or none.  Of
    more than nine nodes their slots are counted."""
    t, d, fewer = claim["radix"], claim["dimensions"], int(claim["value"]) - 1
    if fewer < d:
        return True
    if t**d > 9:
        slots = fewer * d * (t - 1)
        most = max((1 + p) * (1 + slots - p) for p in range(slots + 1))
        return bool(t**d > (1 + slots if claim["graphs"] == "many-one" else most))
    nodes = list(itertools.product(range(t), repeat=d))

    def sums(moves: Sequence[tuple[int, int] | None]) -> list[tuple[int, ...]]:
        found = [[0] * d]
        for move in moves:
            found.append(list(found[-1]))
            if move is not None:
                found[-1][move[0]] = (found[-1][move[0]] + move[1]) % t
        return [tuple(x) for x in found]

    types = [None, *itertools.product(range(d), range(1, t))]
    paths: dict[tuple[int, ...], list[Any]] = {x: [] for x in nodes}
    for moves in itertools.product(types, repeat=fewer):
        before = sums(moves)
        after = [tuple((a - b) % t for a, b in zip(before[-1], x, strict=True)) for x in before]
        paths[before[-1]].append([((n, m), before[n], after[n]) for n, m in enumerate(moves) if m is not None])

    def meet(one: Any, two: Any) -> bool:
        same = claim["graphs"] == "many-one"
        return any(x == y and p != q and (same or r != s) for x, p, r in one for y, q, s in two)

    def possible(k: int, chosen: list[Any]) -> bool:
        if k == len(nodes):
            return True
        some = (x for x in paths[nodes[k]] if not meet(x, x) and not any(meet(x, y) for y in chosen))
        return any(possible(k + 1, [*chosen, x]) for x in some)

    return not possible(0, [])


def is_chance_of_a_split(claim: Mapping[str, Any]) -> bool:
    """All splits are gone through, with the probability of each."""
    n, weights = int(claim["flows"]), [int(x) for x in claim["weights"]]
    whole = sum(weights)

    def probability(split: Sequence[int]) -> Fraction:
        found = Fraction(math.factorial(n), math.prod(math.factorial(k) for k in split))
        return found * math.prod((Fraction(w, whole) ** k for k, w in zip(split, weights, strict=True)), start=1)

    bars = itertools.combinations(range(n + len(weights) - 1), len(weights) - 1)
    ends = ((-1, *x, n + len(weights) - 1) for x in bars)
    splits = [[b - a - 1 for a, b in itertools.pairwise(x)] for x in ends]
    assert len(splits) < 20_000
    if claim["counts"] is not None:
        counts = [int(x) for x in claim["counts"]]
        assert sum(counts) == n
        some = [x for x in splits if probability(x) <= probability(counts)]
    else:
        far = Fraction(*map(int, claim["away"]))
        some = [
            x for x in splits
            if max(abs(k - Fraction(n * w, whole)) for k, w in zip(x, weights, strict=True)) >= far
        ]  # fmt: skip
    found, value = sum(map(probability, some), Fraction(0)), Fraction(*map(int, claim["value"]))
    return {"at-most": found <= value, "at-least": found >= value, "above": found > value}[claim["side"]]


NUMBERS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "steps-at-least": is_least_steps,
    "split-chance": is_chance_of_a_split,
}
"""Judges of claims that are about no network."""


def false_claims(proof: Mapping[str, Any]) -> list[int]:
    """Which claims of a proof that a checker can read are false."""
    return [k for k, holds in enumerate(_judged(proof)) if not holds]


def _judged(proof: Mapping[str, Any]) -> Iterator[bool]:
    judge = None if proof["network"] is None else Judge(proof)
    on = () if judge is None else (judge.loads, [b for *_, b in judge.channels])
    of_schedule = ScheduleJudge(proof["schedule"], *on) if proof["version"] == 3 else None
    for claim in proof["claims"]:
        kind = claim["kind"]
        if kind in NUMBERS:
            yield NUMBERS[kind](claim)
        elif proof["graph"] is not None:
            yield graph_holds(proof["graph"], claim)
        else:
            found = of_schedule if kind.startswith("schedule-") else judge
            assert found is not None
            yield found.holds(claim)
