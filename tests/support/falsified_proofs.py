"""Proofs with one entry changed, with a fixed seed."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

Proof = dict[str, Any]
_NO_STATEMENT = {
    "evidence",
    "distances",
    "adversaries",
    "lengths",
    "order",
    "slots",
    "flows",
    "cuts",
    "potentials",
    "trees",
    "sums",
    "results",
    "sets",
    "scale",
    "cycle",
    "cycles",
    "lemmas",
    "eigenvalue",
    "power",
    "maps",
}
_KINDS = [
    "worst-case-at-most", "worst-case-at-least", "best-load-at-least", "flow-at-least", "flow-at-most", "path-length",
    "best-load-among-paths-at-least", "best-path-length-among-paths-at-least", "tables", "tables-at-least", "pairs",
    "throughput-at-least", "throughput-at-most", "transport", "matrices", "routable", "nodes", "terminals",
    "permutation", "many-one", "deadlock-free", "deadlock", "quotient",
    "deadlock-free-with-bubbles", "deadlock-free-with-classes", "escape-acyclic", "escape-cycle",
    "all-gather", "reduce-scatter", "broadcast", "all", "ranks", "collective-at-most", "collective-at-least",
    "all-reduce-at-most", "all-reduce-at-least", "phases-take",
    "bandwidth", "algorithm", "bus", "least-time", "times-optimal",
    "phases-meet", "time", "others", "shared-channel", "single-link-failure",
    "blocked-call", "never-blocked", "calls-at-once", "calls-cut", "neighbours-at-most", "neighbours-at-least",
    "steps-at-least", "split-chance", "above", "at-most", "at-least",
    "virtual-channels-at-least", "layers", "destinations", "hops",
    "schedule-deadlock-free", "schedule-deadlock", "schedule-race-free", "schedule-race", "schedule-result",
    "schedule-wrong-result", "schedule-reduction-orders", "schedule-time-at-least", "schedule-time-at-most",
    "send", "receive", "receive-copy-send", "receive-reduce-send", "copy", "reduce", "wait", "i", "o", "s",
]  # fmt: skip


def leaves(x: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every number, text and null, and of every list."""
    if isinstance(x, dict):
        for key, y in x.items():
            yield from leaves(y, (*path, key))
        return
    yield path
    if isinstance(x, list):
        for k, y in enumerate(x):
            yield from leaves(y, (*path, k))


def _at(proof: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        proof = proof[key]
    return proof


def _other(x: Any, rng: random.Random) -> Any:
    if isinstance(x, list):
        y = copy.deepcopy(x)
        how = rng.randrange(4)
        if how == 0 and y:
            y.pop(rng.randrange(len(y)))
        elif how == 1 and y:
            y.append(rng.choice(y))
        elif how == 2 and len(y) > 1:
            i, j = rng.sample(range(len(y)), 2)
            y[i], y[j] = y[j], y[i]
        else:
            return rng.choice([None, [], 0, [*y, 0]])
        return y
    number = int(x) if isinstance(x, int) or (isinstance(x, str) and x.lstrip("-").isdigit()) else None
    if number is not None:
        y = rng.choice(
            [number + 1, number - 1, number + 1, number - 1, 0, 1, -number, 2 * number, number + 7, number // 2]
        )
        return y if abs(y) < 1 << 53 else str(y)
    return rng.choice(_KINDS) if isinstance(x, str) else rng.choice([0, 1, [1, 1], []])


def falsified(proof: Proof, path: tuple[Any, ...], rng: random.Random) -> Proof:
    """A copy in which the entry at ``path`` is another one."""
    result = copy.deepcopy(proof)
    old = _at(result, path)
    new = old
    while new == old:
        new = _other(old, rng)
    _at(result, path[:-1])[path[-1]] = new
    return result


def falsifications(
    proof: Proof, count: int, seed: int, *, kind: str = "", most: int = 1
) -> Iterator[tuple[tuple[Any, ...], Proof]]:
    """(the path of the first changed entry, the proof): first a part of the proof is drawn, then an entry of it, so
    that long lists do not take all.

    ``kind``: the first is in a claim of this kind; ``most``: up to so many entries are changed, the others anywhere."""
    rng = random.Random(seed)
    everywhere, first = (_parts(proof, x) for x in ("", kind))
    for _ in range(count):
        path = rng.choice(first[rng.choice(sorted(first))])
        changed = falsified(proof, path, rng)
        for _ in range(rng.randrange(most)):
            other = rng.choice(everywhere[rng.choice(sorted(everywhere))])
            with contextlib.suppress(LookupError, TypeError):  # an entry that is no longer there
                changed = falsified(changed, other, rng)
        yield path, changed


def _parts(proof: Proof, kind: str) -> dict[tuple[Any, ...], list[tuple[Any, ...]]]:
    """The paths of entries by part of the proof: all, or those in claims of one kind."""
    parts: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in leaves(proof):
        known = not kind or (path[0] == "claims" and len(path) > 2 and proof["claims"][path[1]]["kind"] == kind)
        if len(path) > 1 and path[0] != "not_elaborated" and known:
            parts.setdefault(tuple(x for x in path if isinstance(x, str)), []).append(path)
    return parts


def statement(proof: Proof) -> str:
    """What a proof says, without the evidence and names."""

    def told(claim: dict[str, Any]) -> dict[str, Any]:
        drop = _NO_STATEMENT | ({"demand"} if claim["kind"] == "worst-case-at-least" else set())
        return {key: x for key, x in claim.items() if key not in drop}

    about = {key: proof[key] for key in ("network", "routings", "demands", "graph", "schedule") if key in proof}
    return json.dumps([about, [told(x) for x in proof["claims"]]])


_QUOTIENTS = {
    "throughput-at-least": ("worst-case-at-most",), "throughput-at-most": ("worst-case-at-least",),
    "fraction-at-least": ("flow-at-least", "worst-case-at-most"),
    "fraction-at-most": ("flow-at-most", "worst-case-at-least"),
    "best-throughput-at-least": ("flow-at-most",),
    "best-throughput-at-most": (
        "best-load-at-least", "best-load-among-paths-at-least", "tables-at-least", "flow-at-least",
    ),
    "best-fraction-at-most": (
        "flow-at-most", "best-load-at-least", "best-load-among-paths-at-least", "tables-at-least",
    ),
    "price-of-obliviousness-at-least": ("best-load-at-least", "worst-case-at-most", "flow-at-most"),
    "price-of-obliviousness-at-most": ("worst-case-at-most", "flow-at-least"),
    "relative-path-length": ("path-length", "minimal-path-length"),
    "relative-path-length-at-least": (
        "best-path-length-at-least", "best-path-length-among-paths-at-least", "minimal-path-length",
    ),
}  # fmt: skip


def other_quotients(proof: Proof, count: int, seed: int) -> Iterator[Proof]:
    """The proof with only its claims that are no quotients, some changed to be about listed channels, and one quotient
    of any of them, mostly of kinds that fit, whose value is theirs or close to it."""
    rng = random.Random(seed)
    plain = [x for x in proof["claims"] if x["kind"] != "quotient" and "value" in x]
    kinds = {x["kind"] for x in plain}
    fitting = [name for name, needed in _QUOTIENTS.items() if kinds & set(needed)]
    for _ in range(count if fitting else 0):
        result = copy.deepcopy({**proof, "claims": plain})
        claims, name = result["claims"], rng.choice(fitting)
        for claim in claims:
            if claim["kind"] == "worst-case-at-most" and rng.random() < 0.2:
                claim["channels"] = list(range(len(proof["network"]["channels"])))
        near = [k for k, x in enumerate(claims) if x["kind"] in _QUOTIENTS[name] or rng.random() < 0.05]
        of, over = rng.choice([*near, None]) if "through" not in name else None, rng.choice(near)
        a, b = (1, 1) if of is None else map(int, claims[of]["value"])
        c, d = map(int, claims[over]["value"])
        value = rng.choice([a * d, a * d, a * d + 1, a * d - 1, 2 * a * d]), max(b * c, 1)
        claims.append({"kind": "quotient", "quantity": name, "value": list(value), "over": over, "of": of})
        yield result
