"""The structure of our documents as pydantic models, and pydantic's findings as one line.  Imported lazily.

What the fields mean is said where the documents are read, in ``documents`` and ``simulators.sst``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..core.errors import InputError, did_you_mean
from .text_files import CONTROL, brief

_FORMATS = [
    f"routeproof/{x}"
    for x in (
        "network",
        "routing",
        "next-hop",
        "report",
        "destination-graph",
        "wiring",
        "splitter",
        "schedule",
        "phases",
    )
]


def _printable(text: str) -> str:
    if CONTROL.search(text):
        raise ValueError("no control characters were expected")
    return text


Printable = Annotated[str, AfterValidator(_printable)]


class _Strict(BaseModel):
    """No conversions, no unknown keys.  Long lists are ``list[Any]``: their users check entry by entry."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Document(_Strict):
    version: Literal[1] = 1
    name: Printable | None = None
    comment: str | None = None


class NetworkDocument(_Document):
    format: Literal["routeproof/network"]
    num_nodes: int
    channels: list[Any]
    source: list[Any] | None = None
    sink: list[Any] | None = None
    labels: list[Any] | None = None
    terminal_labels: list[Any] | None = None
    positions: list[Any] | None = None
    channel_attributes: dict[str, list[Any]] | None = None


class RoutingDocument(_Document):
    format: Literal["routeproof/routing"]
    network: dict[str, Any]
    pairs: list[Any]


class PathEntry(_Strict):
    weight: Any
    channels: list[Any]
    virtual_channels: list[Any] | None = None


class PairEntry(_Strict):
    source: int
    destination: int
    paths: list[PathEntry]


class NextHopDocument(_Document):
    format: Literal["routeproof/next-hop"]
    network: dict[str, Any]
    columns: Any
    tables: list[Any]


class TableEntry(_Strict):
    weight: Any = 1
    channel: list[Any] | str


class DestinationGraphDocument(_Document):
    format: Literal["routeproof/destination-graph"]
    radix: int
    dimensions: int
    paths: dict[str, Any]


class WiringDocument(_Document):
    format: Literal["routeproof/wiring"]
    inputs: int
    multiplicity: int
    wire: list[Any]


class SplitterDocument(_Document):
    format: Literal["routeproof/splitter"]
    inputs: int
    adjacent: list[Any]


class ScheduleDocument(_Document):
    format: Literal["routeproof/schedule"]
    collective: str
    chunks: int
    in_place: list[bool] = [False]
    root: int | None = None
    inputs: list[int] | None = None
    outputs: list[int] | None = None
    scratch: list[int] | int = 0
    ranks: list[list[dict[str, Any]]]


class BlockEntry(_Strict):
    send_to: int | None = None
    receive_from: int | None = None
    channel: int = 0
    steps: list[dict[str, Any]]


class StepEntry(_Strict):
    do: str
    source: str | None = None
    target: str | None = None
    count: int = 1
    after: list[list[int]] = []


class PhasesDocument(_Document):
    format: Literal["routeproof/phases"]
    operation: str
    ranks: int
    chunks: int = 1
    phases: list[list[dict[str, Any]]]


class MessageEntry(_Strict):
    source: int = Field(alias="from")
    to: int
    pieces: list[int]


class SstDocument(_Strict):
    format: Literal["sst-anytopo"]
    name: Printable | None = None
    routers: list[Any]
    links: list[Any]
    routing_table: Any = None
    virtual_channels: Any = None


class ReportDocument(_Strict):
    format: Literal["routeproof/report"]
    version: Literal[1]
    subject: dict[str, Any]
    claims: list[Any]
    environment: dict[str, Any] = {}


Model = TypeVar("Model", bound=BaseModel)


def document_of(model: type[Model], document: Mapping[str, Any], *, what: str) -> Model:
    """A parsed document as a ``model``; raises InputError, naming ``what`` and the first thing wrong with it."""
    (wanted,) = get_args(model.model_fields["format"].annotation)
    if document.get("format") != wanted:
        raise InputError(_other_format(document, wanted, what))
    return validated(model, dict(document), what=what)


_HINTS = {"report": "; --json writes one", "network": "; docs/formats.md lists the JSON that is read"}


_HINTS = {"report": "; --json writes one", "network": "; docs/formats.md lists the JSON that is read"}


def _other_format(document: Mapping[str, Any], wanted: str, what: str) -> str:
    if "format" not in document:
        kind = wanted.partition("/")[2].replace("-", " ")
        return f'{what} is not a {kind}: "format": "{wanted}" was expected in it{_HINTS.get(kind, "")}'
    found = document["format"]
    if found == "routeproof/proof":
        hint = "; a proof is checked by checkers/python/check_proof.py"
    elif wanted == "routeproof/wiring" and found == "routeproof/network":
        hint = "; levels and wires are in what routeproof.write_wiring writes, from Python"
    elif wanted == "routeproof/report" and found in _FORMATS and found != "routeproof/splitter":
        hint = "; documents of that kind are judged by routeproof check"
    elif found == "routeproof/study":
        hint = "; a study is not a report of claims: it is run again by routeproof study"
    else:
        hint = "" if not isinstance(found, str) or found in _FORMATS else f"; {did_you_mean(found, _FORMATS)}"
    return f'{what} has the format {brief(found)}; "{wanted}" was expected{hint}'


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
    raise InputError(f"{place} is {brief(first['input'])}; {_wanted(kind, first.get('ctx', {}))}")


def _wanted(kind: str, context: Mapping[str, Any]) -> str:
    if kind == "value_error":
        return str(context["error"])
    words = {
        "literal_error": str(context.get("expected")).replace("'", '"'),
        "int_type": "an integer",
        "string_type": "a string",
        "list_type": "a list",
        "dict_type": "an object",
        "model_type": "an object",
        "model_attributes_type": "an object",
    }
    return f"{words.get(kind, kind.removesuffix('_type').replace('_', ' '))} was expected"
