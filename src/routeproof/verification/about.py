"""Is a proof about the subject that somebody wrote down apart from it (docs/proof-format.md, "Subjects")?

A part of the subject is a name that the page of the format defines, or written out as in a proof.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..claims.proofs.written import (
    common,
    head_of,
    matrices,
    pairs_of,
    permutations,
    transport,
    uniform,
    written_network,
    written_paths,
)  # fmt: skip
from ..core.errors import InputError, VerificationError
from ..core.network import Network
from ..formats.documents.json_text import read_json_object
from ..formats.text_files import shown
from ..routing.base.routing import Routing
from ..routing.named.spec import routing_from_spec
from ..topologies.family import network_from_spec

Data = Mapping[str, Any]
_KEYS = {"format", "version", "network", "routings", "demands", "graph"}
_NETWORKS = re.compile(r"(torus|ring|mesh|hypercube|hyperx|complete):[0-9]+(x[0-9]+)*")
_ON_GRIDS = re.compile(r"(dor|o1turn|valiant|romm)(:[a-z0-9=,-]+)?|minimal:choice=per-(path|hop)")
_ANYWHERE = re.compile(r"minimal:choice=per-(path|hop)")
_SETS = re.compile(r"permutations|uniform|routable|sparse:[1-9][0-9]{0,8}")


def check_about(proof: Data, network: Network | None, path: str) -> None:
    """Raise VerificationError unless ``proof`` (on ``network``) is about just the subject in the file ``path``;
    InputError where that cannot be read."""
    data = read_json_object(path, wanted="a subject")
    keys = _KEYS | ({"schedule"} if data.get("version") == 3 else set())
    if set(data) != keys or data["format"] != "routeproof/subject" or data["version"] not in (1, 2, 3):
        raise InputError(
            f'file {shown(path)} is no subject; "format": "routeproof/subject", "version": 1, 2 or 3 and the keys '
            f"network, routings, demands and graph, of version 3 also schedule, were expected"
        )
    numbers = proof["network"] is None and proof["graph"] is None and proof.get("schedule") is None
    if numbers:
        raise VerificationError("the proof is about numbers alone, and no subject")
    _require(_nameless(proof.get("schedule")) == _nameless(data.get("schedule")), "another schedule")
    if proof.get("schedule") is not None:
        same = (network is None, True) == (data["network"] is None, data["graph"] is None)
        _require(same, "another network, or without one")
        if network is None:
            return
    elif network is None or data["graph"] is not None:
        _require(_graph(proof["graph"]) == _read(path, "graph", _graph, data["graph"]), "another graph")
        return
    assert network is not None
    named = data["network"]
    by_name = isinstance(named, str)
    if by_name:
        _check_name(path, "network", named, _NETWORKS)
        network = network_from_spec(named)
        named = written_network(network)
    _require(_network(proof["network"]) == _read(path, "network", _network, named), "another network")
    deadlock = {
        x["routing"] for x in proof["claims"] if x["kind"].startswith(("deadlock", "escape", "virtual-channels"))
    }
    words = _ON_GRIDS if by_name else _ANYWHERE
    ends = proof["network"]
    mine = [
        _routing(path, k, x, data["version"], network, ends, words)
        for k, x in enumerate(_listed(path, data, "routings"))
    ]
    its = [_Written(x, proof["network"]) for x in proof["routings"]]
    _match("routing", mine, its, [x["name"] for x in proof["routings"]], lambda a, b, k: a(b, k in deadlock))
    sets = [_set(path, k, x, network) for k, x in enumerate(_listed(path, data, "demands"))]
    names = [x["name"] for x in proof["demands"]]
    _match("set", sets, [_limits(x) for x in proof["demands"]], names, lambda a, b, _: a == b)


def _check_name(path: str, what: str, name: str, known: re.Pattern[str]) -> None:
    if not known.fullmatch(name):
        raise InputError(
            f"file {shown(path)}: the {what} is {shown(name)}, which the format of proofs does not define; one of its "
            f"names was expected (docs/proof-format.md), or the {what} written out as in a proof"
        )


def _nameless(schedule: Any) -> Any:
    return {k: x for k, x in schedule.items() if k != "name"} if isinstance(schedule, dict) else schedule


def _require(same: bool, what: str) -> None:
    if not same:
        raise VerificationError(f"the proof is about {what} than the subject")


def _match(what: str, mine: list[Any], its: list[Any], names: list[str], same: Callable[[Any, Any, int], bool]) -> None:
    for k, x in enumerate(its):
        if not any(same(y, x, k) for y in mine):
            raise VerificationError(f"{what} {k + 1} of the proof ({names[k]}) is none of the subject's")
    for k, y in enumerate(mine):
        if not any(same(y, x, -1) for x in its):
            raise VerificationError(f"{what} {k + 1} of the subject is none of the proof's")


def _listed(path: str, data: Data, key: str) -> list[Any]:
    found = data[key]
    if not isinstance(found, list):
        raise InputError(f"file {shown(path)}: {key} is not a list")
    return found


def _read(path: str, what: str, read: Callable[[Any], Any], data: Any) -> Any:
    try:
        return read(data)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"file {shown(path)}: {what} is not written as in a proof ({error})"[:300]) from None


def _graph(data: Any) -> Any:
    return None if data is None else (data["radix"], data["dimensions"], data["paths"])


def _network(data: Data) -> Any:
    scale = int(data["scale"])
    channels = [(a, b, Fraction(int(n), scale)) for a, b, n in data["channels"]]
    return int(data["nodes"]), channels, [tuple(x) for x in data["terminals"]]


class _Written:
    """A routing as a proof gives it: by pair of terminals, its loads, or its paths."""

    def __init__(self, data: Data, network: Data) -> None:
        self.by_paths = data["loads"] is None
        self.network, self.scale, self.of_nodes = network, int(data["scale"]), data["between"] == "nodes"
        self.pairs = {(i, j): flow for i, j, flow in data["paths" if self.by_paths else "loads"]}
        if data.get("symmetry"):
            self._find_images(data["symmetry"])

    def _find_images(self, maps: Any) -> None:
        """The loads of every sender, from those of one in each orbit."""
        from_sender: dict[int, dict[int, Any]] = {}
        for (i, j), flow in self.pairs.items():
            from_sender.setdefault(i, {})[j] = flow
        found = list(from_sender)
        for i in found:  # grows while it is walked through
            for nodes, channels, terminals in maps:
                move = nodes if self.of_nodes else terminals
                image = {move[j]: sorted([channels[c], n] for c, n in flow) for j, flow in from_sender[i].items()}
                known = from_sender.setdefault(move[i], image)
                if known is image:
                    found.append(move[i])
                elif image != {j: sorted(flow) for j, flow in known.items()}:
                    raise ValueError(f"a map of its symmetry changes the loads from {move[i]}")
        self.pairs = {(i, j): flow for i, flows in from_sender.items() for j, flow in flows.items()}

    def flows(self, paths: bool, virtual: bool) -> dict[tuple[int, int], Counter[Any]]:
        found = {pair: self._flow(flow, paths, virtual) for pair, flow in self.pairs.items()}
        if not self.of_nodes:
            return found
        ends = self.network["terminals"]
        pairs = (((i, j), (s, v)) for i, (s, _) in enumerate(ends) for j, (_, v) in enumerate(ends) if s != v)
        return {pair: found[nodes] for pair, nodes in pairs}

    def _flow(self, flow: Any, paths: bool, virtual: bool) -> Counter[Any]:
        found: Counter[Any] = Counter()
        for hop in flow:
            if not self.by_paths:
                found[hop[0]] += Fraction(int(hop[1]), self.scale)  # type: ignore[assignment]  # exact counts
                continue
            n, channels, lanes = hop
            for what in [(tuple(channels), tuple(lanes) if virtual else ())] if paths else channels:
                found[what] += Fraction(int(n), self.scale)  # type: ignore[assignment]
        return found


def _routing(
    path: str, k: int, data: Any, version: int, network: Network, written: Data, words: re.Pattern[str]
) -> Callable[[_Written, bool], bool]:
    """A function of a routing of the proof, and whether claims are about its paths: is it this one?"""
    what = f"routing {k + 1}"
    if not isinstance(data, str):
        if ("symmetry" in data) != (version > 1):
            raise InputError(
                f"file {shown(path)}: {what} {'has no' if version > 1 else 'has a'} symmetry, null or maps; routings "
                f"have one in subjects of versions 2 and 3, and none in version 1"
            )
        mine = _read(path, what, lambda x: _Written(x, written), data)

        def same(its: _Written, by_paths: bool) -> bool:
            paths = by_paths or (mine.by_paths and its.by_paths)
            if paths and not (mine.by_paths and its.by_paths):
                return mine.by_paths == its.by_paths and same(its, False)
            return bool(_read(path, what, lambda x: x.flows(paths, True), mine) == its.flows(paths, True))

        return same
    _check_name(path, "routing", data, words)
    routing = routing_from_spec(data, network)

    def is_named(its: _Written, by_paths: bool) -> bool:  # noqa: ARG001  # its own paths are the name's
        named = _Written(_by_paths(routing) if its.by_paths else _by_loads(routing), written)
        return named.flows(its.by_paths, False) == its.flows(its.by_paths, False)

    return is_named


def _by_paths(routing: Routing) -> Data:
    scale, pairs = written_paths(routing)
    return {**head_of(routing, scale), "loads": None, "paths": pairs}


def _by_loads(routing: Routing) -> Data:
    pairs = list(pairs_of(routing))
    block = routing.pair_loads([row for _, _, row, _ in pairs], [column for *_, column in pairs])
    loads, offset = block.load.fractions(), block.offset.tolist()
    scale = common(loads)
    hops = [(c, int(x * scale)) for c, x in zip(block.channel.tolist(), loads, strict=True)]
    flows = [(i, j, hops[offset[k] : offset[k + 1]]) for k, (i, j, *_) in enumerate(pairs)]
    return {**head_of(routing, scale), "loads": flows, "paths": None}


def _set(path: str, k: int, data: Any, network: Network) -> Any:
    if not isinstance(data, str):
        return _read(path, f"set {k + 1}", _limits, data)
    _check_name(path, "set of demands", data, _SETS)
    size, kind, _, count = network.num_terminals, *data.partition(":")
    if kind == "sparse":
        return _limits(transport("", [Fraction(1)] * size, [Fraction(1)] * size, Fraction(int(count))))
    if kind == "uniform":
        return _limits(matrices("", {"": uniform(network)}))
    return _limits({"kind": "routable"} if kind == "routable" else permutations(size))


def _limits(data: Data) -> Any:
    """What a set is, whatever it is called."""
    if data["kind"] == "routable":
        return "routable"
    if data["kind"] == "matrices":
        every = [({(i, j): int(n) for i, j, n in x["entries"]}, int(x["scale"])) for x in data["matrices"]]
        return {frozenset((pair, Fraction(n, scale)) for pair, n in x.items()) for x, scale in every}
    scale = int(data["scale"])

    def over(x: Any) -> Fraction | None:
        return None if x is None else Fraction(int(x), scale)

    sides = [None if data[key] is None else [over(x) for x in data[key]] for key in ("rows", "columns")]
    pairs = None if data["pairs"] is None else {(i, j): (over(a), over(b)) for i, j, a, b in data["pairs"]}
    return sides, over(data["total"]), pairs
