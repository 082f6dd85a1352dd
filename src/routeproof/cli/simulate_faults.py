"""``routeproof simulate faults``: what faulty switches leave of a multistage network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .plot_options import Theme, ThemeName
from .wired_arguments import Epsilon, FaultFile, JsonFile, Threshold, WiringText, parse_epsilon

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..core.wiring import Wiring
    from ..simulate.faults import Survivors

__all__ = ["faults", "survivors_of"]


def faults(
    wiring: WiringText,
    faults: FaultFile = None,
    epsilon: Epsilon = "1/4",
    threshold: Threshold = None,
    json: JsonFile = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw survivors against random faults, up to twice as many (.svg, .png, .pdf).",
        ),
    ] = None,
    theme: Theme = ThemeName.LIGHT,
) -> None:
    """Erase the blocks that lost too much, propagate faults back, and list the inputs and outputs that survive.

    For example: routeproof simulate faults multibutterfly:1024,d=2,seed=7 --faults random:count=20,seed=1 --threshold 2
    """
    from ..core.errors import InputError
    from ..formats.resolve_wiring import resolve_wiring
    from ..report.wired import faults_shown
    from ..simulate.claims import described_wiring
    from ..simulate.fault_claims import fault_claims
    from .outcome import check_target, finish

    check_target(json)
    check_target(plot)
    if plot is not None:
        from ..report.style import check_figure

        check_figure(plot)
    chosen = resolve_wiring(wiring)
    if faults is None:
        raise InputError("no faults are given; --faults FILE or a pattern such as random:count=20,seed=1 was expected")
    survivors, settings = survivors_of(chosen, faults, epsilon, threshold)
    claims = fault_claims(chosen, survivors, settings)
    if plot is not None:
        _draw(chosen, int(survivors.faulty.sum()), settings, plot, theme.value)
    subject = {"topology": wiring, "wiring": described_wiring(chosen)}
    finish(subject, claims, json=json, shown=faults_shown(chosen, survivors, claims))


def _draw(wiring: Wiring, count: int, settings: dict[str, Any], path: str, theme: str) -> None:
    """Random faults of up to twice ``count``, five seeds each."""
    from fractions import Fraction

    from ..report.escape import printable
    from ..report.figure_survivors import survivor_points, survivors_figure
    from ..report.style import theme_named, write_figure

    switches = (wiring.num_edge_levels + 1) * wiring.inputs
    counts = sorted({min(switches, round(count * k / 8)) for k in range(17)})
    points = survivor_points(
        wiring, counts, epsilon=Fraction(settings["epsilon"]), threshold=int(settings["threshold"])
    )
    title = f"survivors: {printable(wiring.name, limit=50)}"
    write_figure(
        path, lambda look: survivors_figure(title, points, of=wiring.inputs, theme=look), theme=theme_named(theme)
    )


def survivors_of(wiring: Wiring, faults: str, epsilon: str, threshold: int | None) -> tuple[Survivors, dict[str, Any]]:
    """Who survives the faults in a file or of a pattern, and the settings for a report."""
    from ..simulate.faults import default_threshold, survive

    fraction = parse_epsilon(epsilon)
    survivors = survive(wiring, _faulty(wiring, faults), epsilon=fraction, threshold=threshold)
    return survivors, {"epsilon": str(fraction), "threshold": threshold or default_threshold(wiring)}


def _faulty(wiring: Wiring, text: str) -> npt.NDArray[np.bool_]:
    import os.path

    from ..formats.fault_file import read_switch_faults
    from ..simulate.fault_patterns import faults_from_text, is_fault_pattern

    if is_fault_pattern(text) and not os.path.isfile(text):
        return faults_from_text(text, wiring)
    return read_switch_faults(text, wiring)
