"""Claims about jobs: true ones hold, and whatever is changed is refused for its own reason."""

from __future__ import annotations

from typing import Any

from commanded_reports import Document, Forgery, check_forgery, forged, honest, made, of_quantity, refusal


@honest("two jobs", "apart")
def test_true_claims_hold(name: str) -> None:
    document = made(name)
    assert refusal(document) is None
    (value,) = [x["value"] for x in document["claims"] if x["quantity"] == "jobs_share_channels"]
    assert value == ("true" if name == "two jobs" else "false")


def shared(**values: Any) -> Any:
    return of_quantity("jobs_share_channels", **values)


def across(value: Any, key: str = "across") -> Any:
    """Another value in the first claim about the channels of a job."""

    def change(document: Document) -> None:
        next(x for x in document["claims"] if "across" in x)[key] = value

    return change


def of_job(**values: Any) -> Any:
    def change(document: Document) -> None:
        next(x for x in document["claims"] if "job" in x).update(values)

    return change


def not_shared(document: Document) -> None:
    claim = next(x for x in document["claims"] if x["quantity"] == "jobs_share_channels")
    claim.update(value="false", evidence={"kind": "shared-channel"})


FORGERIES: list[Forgery] = [
    ("two jobs", shared(value="false"), "what shows that jobs share a channel"),
    ("two jobs", shared(evidence__channel=99), "the number of a channel"),
    ("two jobs", shared(evidence__jobs=["a", "a"]), "two different jobs"),
    ("two jobs", shared(evidence__jobs=["a", "c"]), "there is no job"),
    ("two jobs", shared(evidence__pairs=[[0, 1], [0, 1]]), "are not a pair of job"),
    ("two jobs", shared(evidence__pairs=[[0], [0, 1]]), "[source, destination]"),
    ("two jobs", of_job(job="c"), "there is no job"),
    ("two jobs", of_job(value="1/9"), "its evidence is for"),
    ("two jobs", across("c"), "there is no job"),
    ("two jobs", across("1/9", "value"), "its evidence is for"),
    ("apart", shared(value="true"), "what shows that jobs share a channel"),
    ("two jobs", not_shared, "share channel"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
