"""What changed reports have in common is made and checked once: most changes leave network and routing as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from routeproof.claims import subject
from routeproof.routing.named import described


@contextmanager
def subjects_remembered() -> Iterator[None]:
    """The same words make the same network and routing, whose loads are held against its paths once.  What is refused
    is not remembered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject, "described_network", _remembered(subject.described_network, _words))
        routing = _remembered(described.routing_from_description, lambda data, network: (_words(data), id(network)))
        patch.setattr(described, "routing_from_description", routing)
        patch.setattr(subject, "check_loads_of_paths", _remembered(subject.check_loads_of_paths, id))
        yield


def _words(data: object) -> str:
    return json.dumps(data)


def _remembered(function: Callable[..., Any], key: Callable[..., Hashable]) -> Callable[..., Any]:
    found: dict[Hashable, Any] = {}

    def run(*arguments: Any) -> Any:
        at = key(*arguments)
        if at not in found:
            found[at] = function(*arguments), arguments  # kept, so that no other object is given its id
        return found[at][0]

    return run
