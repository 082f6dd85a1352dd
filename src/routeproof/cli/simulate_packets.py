"""``routeproof simulate packets``: permutations through a multistage network, step by step."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

from .wired_arguments import Epsilon, FaultFile, JsonFile, Load, Permutations, Threshold, WiringText

__all__ = ["packets"]


class _Algorithm(enum.StrEnum):
    UPFAL = "upfal"
    GREEDY = "greedy"


def packets(
    wiring: WiringText,
    permutation: Permutations = None,
    load: Load = 1,
    algorithm: Annotated[
        _Algorithm, typer.Option("--algorithm", help="Upfal's (waves, phases, colours), or greedy with queues.")
    ] = _Algorithm.UPFAL,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    json: JsonFile = None,
) -> None:
    """How fast permutations go through: Upfal's algorithm, several permutations pipelined, or greedy with queues.

    With --faults, packets that start or end at a switch that does not survive are left out.

    For example: routeproof simulate packets multibutterfly:1024,d=2,seed=7 --permutation bit-reversal --load 4
    """
    from ..formats.permutations_file import resolve_permutations
    from ..formats.resolve_wiring import resolve_wiring
    from ..report.wired import packets_shown
    from ..simulate.claims import described_wiring, packet_claims
    from ..simulate.greedy import route_greedily
    from ..simulate.packets import check_load, route_packets
    from .outcome import check_target, finish
    from .progress import counted

    check_target(json)
    chosen = resolve_wiring(wiring)
    check_load(load, chosen.inputs)
    images = resolve_permutations(permutation or (), chosen.inputs)
    alive = None
    settings: dict[str, Any] = {"algorithm": algorithm.value, "load": load}
    if faults is not None:
        from ..formats.fault_file import switch_list
        from ..simulate.faults import restrict_to
        from .simulate_faults import survivors_of

        survivors, more = survivors_of(chosen, faults, epsilon, threshold)
        alive, images = survivors.alive, restrict_to(survivors, images)
        settings |= {**more, "faults": switch_list(survivors.faulty)}
    with counted("packets delivered") as progress:
        if algorithm is _Algorithm.GREEDY:
            run = route_greedily(chosen, images, alive=alive, progress=progress)
        else:
            run = route_packets(chosen, images, load=load, alive=alive, progress=progress)
    claims = packet_claims(run, images, settings)
    subject = {"topology": wiring, "wiring": described_wiring(chosen)}
    finish(subject, claims, json=json, shown=packets_shown(chosen, images, run, claims))
