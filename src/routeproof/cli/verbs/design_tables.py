"""``routeproof design --paths tables``: better deterministic forwarding tables, with the bound that none can beat."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from ...core.errors import InputError

__all__ = ["design_tables"]


def design_tables(
    topology: str,
    *,
    start: str | None,
    deadlock_free: bool,
    shortest: bool,
    proposals: int | None,
    seed: int | None,
    time_limit: float | None,
    output: str | None,
    json: str | None,
    stage: Callable[[str], AbstractContextManager[Any]],
) -> None:
    """Search for tables with a low worst case, judge them exactly, and write them; options as on the command line."""
    began = time.perf_counter()
    from ...analysis.deadlock.channels import deadlock
    from ...answers.answer import PlainAnswer
    from ...answers.subject import subject_of
    from ...answers.worst_case import answer_worst_case
    from ...design.least_load import least_load
    from ...design.tables.exchange import improve_tables
    from ...formats.resolve import resolve_network
    from ...report.terminal.tables import tables_parts
    from ...routing.named.files import routing_writer
    from ...routing.named.spec import routing_from_spec
    from ..frame.outcome import finish
    from ..frame.progress import counted
    from ..frame.screen import results_only

    write = None if output is None else routing_writer(output)
    network = resolve_network(topology)
    first = None
    if start is not None:
        with results_only():
            first = routing_from_spec(start, network)
    if proposals is not None and not 1 <= proposals <= 10**9:
        raise InputError(f"--proposals is {proposals}; 1 to 1,000,000,000 was expected")
    with counted("proposals") as progress:
        found = improve_tables(
            network, first, proposals=proposals or 100_000, seed=seed or 0, time_limit=time_limit, minimal=shortest,
            deadlock_free=deadlock_free, name=output or "tables", progress=progress,
        )  # fmt: skip
    judged = answer_worst_case(found.routing, stage=counted)
    bound, words = least_load(network, time_limit=time_limit, stage=stage)
    claims = [*judged.stated, *([] if bound is None else [bound])]
    if found.routing.network.num_channels:
        claims.append(deadlock(found.routing).claim())
    if write is not None:
        write(found.routing)
    about: dict[str, Any] = {
        "objective": "worst-case", "paths": "tables", "start": found.start.name, "seed": found.seed,
        "proposals": found.proposals, "deadlock_free": deadlock_free, "shortest": shortest,
    }  # fmt: skip
    subject = {**subject_of(found.routing, topology=topology), "kind": "design", "design": about}
    before = answer_worst_case(found.start).worst_case
    shown = (
        [] if json == "-" else tables_parts(judged, found, before, claims, words, seconds=time.perf_counter() - began)
    )
    finish(PlainAnswer(subject, claims), json=json, shown=shown, routing=found.routing)
