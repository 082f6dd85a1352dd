"""``routeproof simulate circuits``: disjoint paths through a multistage network."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

from .wired_arguments import Epsilon, FaultFile, JsonFile, Load, Permutations, Threshold, WiringText

__all__ = ["circuits"]


class _Algorithm(enum.StrEnum):
    SIMPLE = "simple"
    PIPELINED = "pipelined"


def circuits(
    wiring: WiringText,
    permutation: Permutations = None,
    load: Load = 1,
    algorithm: Annotated[
        _Algorithm,
        typer.Option("--algorithm", help="Level by level, or all levels at once with placeholders and cancellations."),
    ] = _Algorithm.SIMPLE,
    rho: Annotated[
        str,
        typer.Option(
            "--rho", metavar="R", help="A phase ends when this fraction of the unextended is left (pipelined)."
        ),
    ] = "1/2",
    distance: Annotated[
        int, typer.Option("--distance", metavar="C", help="Levels that cancellations travel in a phase (pipelined).")
    ] = 2,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    json: JsonFile = None,
) -> None:
    """Connect inputs to outputs by disjoint paths: proposals, acceptances, advances.

    Simple: one level after the other. Pipelined: paths go on before all are extended; placeholders keep the way open
    for those left behind, and cancellations release it.

    Every L-th row is a terminal: the permutation is one of N/L terminals. With --faults, circuits that start or end
    at a switch that does not survive are left out.
    """
    from ..core.errors import InputError
    from ..core.rational import parse_fraction
    from ..formats.permutations_file import resolve_permutations
    from ..formats.resolve_wiring import resolve_wiring
    from ..report.wired import circuits_shown
    from ..simulate.circuits import route_circuits
    from ..simulate.claims import circuit_claims, described_wiring
    from ..simulate.packets import check_load
    from ..simulate.pipelined import route_pipelined
    from .outcome import check_target, finish
    from .progress import counted

    check_target(json)
    fraction = parse_fraction(rho, what="rho")
    chosen = resolve_wiring(wiring)
    check_load(load, chosen.inputs)
    if chosen.inputs % load:
        raise InputError(
            f"load {load} does not divide the number of rows, {chosen.inputs}: a power of two was expected"
        )
    images = resolve_permutations(permutation or (), chosen.inputs // load)
    if len(images) > 1:
        raise InputError(f"{len(images)} permutations were given; circuits hold their switches, so one was expected")
    alive = None
    settings: dict[str, Any] = {"algorithm": algorithm.value, "load": load}
    if algorithm is _Algorithm.PIPELINED:
        settings |= {"rho": str(fraction), "distance": distance}
    if faults is not None:
        import numpy as np

        from ..formats.fault_file import switch_list
        from .simulate_faults import survivors_of

        survivors, more = survivors_of(chosen, faults, epsilon, threshold)
        alive = survivors.alive
        kept = alive[0, ::load] & alive[-1, images[0] * load] & (images[0] >= 0)
        images = np.where(kept, images, np.int32(-1))
        settings |= {**more, "faults": switch_list(survivors.faulty)}
    if algorithm is _Algorithm.PIPELINED:
        with counted("circuits connected") as progress:
            run = route_pipelined(
                chosen, images[0], load=load, rho=fraction, distance=distance, alive=alive, progress=progress
            )
    else:
        run = route_circuits(chosen, images[0], load=load, alive=alive)
    claims = circuit_claims(run, images[0], settings)
    subject = {"topology": wiring, "wiring": described_wiring(chosen)}
    finish(subject, claims, json=json, shown=circuits_shown(chosen, load, run, claims))
