"""``routeproof simulate circuits``: disjoint paths through a multistage network."""

from __future__ import annotations

from typing import Any

from .wired_arguments import Epsilon, FaultFile, JsonFile, Load, Permutations, Threshold, WiringText

__all__ = ["circuits"]


def circuits(
    wiring: WiringText,
    permutation: Permutations = None,
    load: Load = 1,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    json: JsonFile = None,
) -> None:
    """Connect inputs to outputs by disjoint paths, level by level: proposals, acceptances, advances.

    Every L-th row is a terminal: the permutation is one of N/L terminals. With --faults, circuits that start or end
    at a switch that does not survive are left out.
    """
    from ..core.errors import InputError
    from ..formats.permutations_file import resolve_permutations
    from ..formats.resolve_wiring import resolve_wiring
    from ..report.wired import circuits_shown
    from ..simulate.circuits import route_circuits
    from ..simulate.claims import circuit_claims, described_wiring
    from ..simulate.packets import check_load
    from .outcome import check_target, finish

    check_target(json)
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
    settings: dict[str, Any] = {"algorithm": "simple", "load": load}
    if faults is not None:
        import numpy as np

        from ..formats.fault_file import switch_list
        from .simulate_faults import survivors_of

        survivors, more = survivors_of(chosen, faults, epsilon, threshold)
        alive = survivors.alive
        kept = alive[0, ::load] & alive[-1, images[0] * load] & (images[0] >= 0)
        images = np.where(kept, images, np.int32(-1))
        settings |= {**more, "faults": switch_list(survivors.faulty)}
    run = route_circuits(chosen, images[0], load=load, alive=alive)
    claims = circuit_claims(run, images[0], settings)
    subject = {"topology": wiring, "wiring": described_wiring(chosen)}
    finish(subject, claims, json=json, shown=circuits_shown(chosen, load, run, claims))
