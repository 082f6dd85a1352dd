"""The symmetry by which a routing, a flow or a bound is given for one pair of every class, and how reports write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import Int32
from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import Automorphism, check_automorphism, from_node_image
from ..formats.documents.packed_ints import pack_ints, unpack_ints


class ClassSymmetry(NamedTuple):
    """What makes pairs equivalent: ``generators``, ``declared`` by the network under these names (None: found), and, if
    ``reversal``, reversing paths."""

    generators: Sequence[Automorphism]
    reversal: bool
    declared: Sequence[str] | None = None

    def described(self) -> dict[str, Any]:
        """What ``symmetry_of`` reads."""
        if self.declared is not None:
            return {"reversal": self.reversal, "declared": list(self.declared)}
        return {"reversal": self.reversal, "found": [pack_ints(g.node) for g in self.generators]}


def opposite_of(network: Network, name: str, symmetry: ClassSymmetry) -> Int32 | None:
    """``network.reverse`` where the symmetry has reversal; raises InputError for a symmetry that the network lacks."""
    for g in symmetry.generators:
        check_automorphism(network, g)
    if not symmetry.reversal:
        return None
    if network.reverse is None or not np.array_equal(network.supply, network.demand):
        raise InputError(f"routing {name} uses reversal of paths, which {network.name} does not have")
    return network.reverse


def symmetry_of(network: Network, symmetry: object) -> ClassSymmetry:
    """The symmetry that ``ClassSymmetry.described`` wrote."""
    if not isinstance(symmetry, Mapping):
        raise InputError("a routing by classes needs 'symmetry' (an object)")
    if set(symmetry) - {"reversal", "found", "declared"} or len({"found", "declared"} & set(symmetry)) != 1:
        raise InputError("'symmetry' has other keys than 'reversal' and one of 'found' and 'declared'")
    reversal = symmetry.get("reversal", False)
    if not isinstance(reversal, bool):
        raise InputError(f"'reversal' of the symmetry is {str(reversal)[:40]!r}; true or false was expected")
    generators, declared = _generators(network, symmetry)
    return ClassSymmetry(generators, reversal, declared)


def _generators(network: Network, symmetry: Mapping[str, Any]) -> tuple[list[Automorphism], list[str] | None]:
    if "found" in symmetry:
        texts = symmetry["found"]
        if not isinstance(texts, list):
            raise InputError("'found' symmetry must be a list")
        result = []
        for k, text in enumerate(texts):
            node = unpack_ints(text, what=f"symmetry.found[{k}]", max_items=network.num_nodes)
            if not np.array_equal(np.sort(node), np.arange(network.num_nodes)):
                raise InputError(f"symmetry.found[{k}] is not a permutation of the nodes")
            result.append(from_node_image(network, node, name=f"found[{k}]"))
        return result, None
    known = {g.name: g for g in network.symmetry.generators} if network.symmetry is not None else {}
    names = symmetry.get("declared")
    if not isinstance(names, list) or any(not isinstance(x, str) or x not in known for x in names):
        raise InputError(f"the routing uses a symmetry that {network.name} does not declare")
    return [known[x] for x in names], [str(x) for x in names]
