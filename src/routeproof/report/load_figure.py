"""Accepted against offered rate and delay, as measured, beside the proved throughput."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from ..core.claim import Claim
from ..core.errors import InputError
from ..formats.text_files import write_bytes_atomic
from .escape import printable
from .load import by_rate, predicted_throughput

__all__ = ["check_load_figure", "draw_load"]

_FORMS = {".svg": {"Date": None}, ".png": {"Software": None}, ".pdf": {"CreationDate": None}}
_MEASURED, _DELAY, _PROVED = "#0072b2", "#d55e00", "#009e73"


def check_load_figure(path: str) -> None:
    """Raise InputError, before any work, where the figure cannot be drawn."""
    if Path(path).suffix.lower() not in _FORMS:
        raise InputError(f"cannot draw '{path[:200]}': its name must end in .svg, .png or .pdf")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("drawing needs matplotlib: pip install 'routeproof[plot]'") from None


def draw_load(path: str, title: str, proved: Sequence[Claim], sampled: Sequence[Claim]) -> None:
    """Two charts above each other: accepted rate and delay against the offered rate; written whole or not at all."""
    check_load_figure(path)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    form = Path(path).suffix.lower()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "routeproof"}):
        figure = Figure(figsize=(6.0, 5.2), layout="constrained")
        FigureCanvasAgg(figure)
        top, bottom = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 2)})
        measured = by_rate(sampled)
        end = min(1.0, float(max(measured)) * 1.05)
        top.plot([0, end], [0, end], color="0.75", linewidth=1, zorder=0, label="all accepted")
        for axes, name, colour in ((top, "accepted_rate", _MEASURED), (bottom, "average_delay", _DELAY)):
            points = [(float(rate), found[name]) for rate, found in measured.items() if name in found]
            axes.errorbar(
                [rate for rate, _ in points],
                [x.best for _, x in points],
                yerr=[[x.best - x.low for _, x in points], [x.high - x.best for _, x in points]],
                color=colour,
                marker="o",
                markersize=4,
                linewidth=1.2,
                capsize=2,
                label="measured" if axes is top else None,
            )
        proven = predicted_throughput(proved)
        if proven is not None and proven <= 1:
            for axes in (top, bottom):
                label = f"proved throughput {proven}" if axes is top else None
                axes.axvline(float(proven), color=_PROVED, linestyle="--", linewidth=1.2, label=label)
        top.set_title(printable(title, limit=90), fontsize=10, parse_math=False)
        top.set_ylabel("accepted, packets per cycle")
        top.set_ylim(bottom=0)
        top.legend(frameon=False, fontsize=8, loc="upper left")
        bottom.set_ylabel("delay, cycles")
        bottom.set_yscale("log")
        bottom.set_xlabel("offered, packets per cycle and terminal")
        bottom.set_xlim(0, end)
        for axes in (top, bottom):
            axes.spines[["top", "right"]].set_visible(False)
        out = io.BytesIO()
        figure.savefig(out, format=form[1:], dpi=150, metadata=_FORMS[form])
    write_bytes_atomic(path, out.getvalue())
