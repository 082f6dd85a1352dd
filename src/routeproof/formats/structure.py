"""The structure of our documents as pydantic models, and pydantic's findings as one line.  Imported lazily."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ..core.errors import InputError, did_you_mean
from .text_files import brief

__all__ = [
    "DestinationGraphDocument",
    "NetworkDocument",
    "PairEntry",
    "ReportDocument",
    "RoutingDocument",
    "validated",
]

Model = TypeVar("Model", bound=BaseModel)


class _Strict(BaseModel):
    """No conversions, no unknown keys.  Long lists are ``list[Any]``: their users check entry by entry."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NetworkDocument(_Strict):
    """``routeproof/network``: N nodes and [tail, head] or [tail, head, bandwidth] per channel."""

    format: Literal["routeproof/network"]
    version: Literal[1] = 1
    name: str | None = None
    comment: str | None = None
    num_nodes: int
    channels: list[Any]
    source: list[Any] | None = None
    sink: list[Any] | None = None
    labels: list[Any] | None = None
    terminal_labels: list[Any] | None = None


class RoutingDocument(_Strict):
    """``routeproof/routing``: weighted paths for pairs of terminals of a network."""

    format: Literal["routeproof/routing"]
    version: Literal[1] = 1
    name: str | None = None
    comment: str | None = None
    network: dict[str, Any]
    pairs: list[Any]


class PathEntry(_Strict):
    weight: Any
    channels: list[Any]


class PairEntry(_Strict):
    """One entry of a routing document's ``pairs``."""

    source: int
    destination: int
    paths: list[PathEntry]


class DestinationGraphDocument(_Strict):
    """``routeproof/destination-graph``: the moves of every node of a t-nary d-cube to node 0."""

    format: Literal["routeproof/destination-graph"]
    version: Literal[1] = 1
    name: str | None = None
    comment: str | None = None
    radix: int
    dimensions: int
    paths: dict[str, Any]


class ReportDocument(_Strict):
    """``routeproof/report``: claims about one subject, and the environment that made them."""

    format: Literal["routeproof/report"]
    version: Literal[1]
    subject: dict[str, Any]
    claims: list[Any]
    environment: dict[str, Any] = {}


def validated(model: type[Model], value: Any, *, what: str) -> Model:
    """``value`` as a ``model``; raises InputError with the first thing that pydantic finds, on one line."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    except RecursionError:
        raise InputError(f"{what} is nested too deeply") from None
    where = "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in first["loc"]).lstrip(".")
    kind = first["type"]
    if kind == "missing":
        raise InputError(f"{what} has no key '{where}'")
    if kind == "extra_forbidden":
        key = str(first["loc"][-1])
        hint = did_you_mean(key, model.model_fields) if len(first["loc"]) == 1 else "it is not part of the format"
        raise InputError(f"{what} has an unknown key {brief(key)}; {hint}")
    place = f"{what}: {where}" if where else what
    raise InputError(f"{place} is {brief(first['input'])}; {_wanted(kind, first.get('ctx', {}))} was expected")


def _wanted(kind: str, context: dict[str, Any]) -> str:
    if kind == "literal_error":
        return str(context["expected"]).replace("'", '"')
    words = {
        "int_type": "an integer",
        "string_type": "a string",
        "list_type": "a list",
        "dict_type": "an object",
        "model_type": "an object",
        "model_attributes_type": "an object",
    }
    return words.get(kind, kind.removesuffix("_type").replace("_", " "))
