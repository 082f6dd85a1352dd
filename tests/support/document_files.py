"""Whole files of permutations, routings and reports: what the command does in steps."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from routeproof.core.claim import Claim
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.paths import Paths
from routeproof.core.traffic import Permutation
from routeproof.formats.documents.json_text import format_json
from routeproof.formats.documents.report import claims_to_document
from routeproof.formats.documents.routing import paths_from_document, paths_on_network, paths_to_document
from routeproof.formats.documents.traffic import read_traffic
from routeproof.formats.format import File
from routeproof.formats.text_files import write_text_atomic

__all__ = ["permutation_in", "read_routing", "read_routing_document", "write_report", "write_routing"]

Path = str | os.PathLike[str]


def permutation_in(path: Path, size: int) -> Permutation:
    """The permutation of ``size`` terminals in a file of traffic."""
    found = read_traffic(path, size).permutation
    if found is None:
        raise InputError(f"{path} holds rates")
    return found


def read_routing_document(path: Path) -> tuple[Network, Paths]:
    file = File(path, wanted="a routing document")
    return paths_from_document(file.document, what=file.what)


def read_routing(path: Path, network: Network) -> Paths:
    file = File(path, wanted="a routing document")
    return paths_on_network(file.document, network, what=file.what)


def write_report(path: Path, subject: dict[str, Any], claims: Sequence[Claim]) -> None:
    write_text_atomic(path, format_json(claims_to_document(subject, claims)))


def write_routing(paths: Paths, network: Network, path: Path) -> None:
    write_text_atomic(path, format_json(paths_to_document(paths, network)))
