"""Claims about the best routing over a set of demands: true ones hold, and whatever is changed is refused."""

from __future__ import annotations

from typing import Any

from commanded_reports import Document, Forgery, at, check_forgery, forged, honest, made, packed, refusal, without
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints

JOBS, CABLES, BOX, WIDE = "design of jobs", "design of cables", "design of a box", "design of a wide box"
ADVERSARY = "c0_evidence__adversary"


@honest(JOBS, CABLES, BOX, WIDE)
def test_true_claims_hold(name: str) -> None:
    assert refusal(made(name)) is None


def test_a_box_alone_is_proved_by_the_lengths_of_its_channels() -> None:
    adversary = made(WIDE)["claims"][0]["evidence"]["adversary"]
    assert not adversary["pairs"]
    assert adversary["weights"]


def symmetric(**symmetry: Any) -> Any:
    return at(c0_evidence__adversary__symmetry=symmetry)


def smaller_weights(document: Document) -> None:
    adversary = document["claims"][0]["evidence"]["adversary"]
    weights = unpack_ints(adversary["weights"], what="weights", max_items=99)
    adversary["weights"] = pack_ints(weights // 2)


def larger_total(document: Document) -> None:
    document["subject"]["demands"]["total"] = "2"


def another_set(document: Document) -> None:
    """A smaller set under the same name of file."""
    document["subject"]["demands"]["jobs"] = {"a": [0, 1], "b": [2, 4]}


def twice(document: Document) -> None:
    pairs = document["claims"][0]["evidence"]["adversary"]["pairs"]
    pairs.append(pairs[0])


def of_nodes(document: Document) -> None:
    pair = document["claims"][0]["evidence"]["adversary"]["pairs"][0]
    pair["source"], pair["destination"] = pair.pop("from"), pair.pop("to")


def as_permutations(document: Document) -> None:
    for claim in document["claims"]:
        if "demands" in claim.get("about", claim):
            where = claim.get("about", claim)
            del where["demands"]
            where["model"] = "balanced"


FORGERIES: list[Forgery] = [
    (JOBS, at(c0_value="1"), "its evidence is for 4/3"),
    (JOBS, larger_total, "the total is 2"),
    (JOBS, another_set, "terminal 3 has no part in the set"),
    (JOBS, of_nodes, "terminals were expected"),
    (JOBS, as_permutations, "its evidence about 'demands'"),
    (JOBS, twice, "of one class"),
    (JOBS, symmetric(reversal=True, declared=["translate dimension 0"]), "does not leave the set of demands as it is"),
    (JOBS, at(c0_evidence__adversary__weights=packed(1, 1)), "only a set with least demands needs"),
    (JOBS, at(**{f"{ADVERSARY}__pairs__0__from": 99}), "the number of a terminal"),
    (JOBS, at(**{f"{ADVERSARY}__pairs__0__to": 2, f"{ADVERSARY}__pairs__0__from": 0}), "which may not"),
    (CABLES, symmetric(reversal=True, declared=[]), "have no such symmetry"),
    (CABLES, at(s_demands__sends=["1", "1/2", "1"]), "the adversaries prove at least 1/2"),
    (BOX, smaller_weights, "12 at least is needed"),
    (BOX, without("c0_evidence__adversary__weights"), "needs the weight of every channel"),
    (BOX, at(c0_evidence__adversary__weights=packed(1, 1)), "one number >= 0 for each channel"),
    (BOX, at(s_demands__limits=[]), "no pair of terminals may send"),
    (WIDE, smaller_weights, "the adversaries prove nothing"),
    (WIDE, without("c0_evidence__reached__matrices"), "has no 'worst-case'"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
