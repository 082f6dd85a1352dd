"""One look for all figures: colours that the colour-blind can tell apart, light and dark, and files that never change.

Series are told apart by marker and line as well as by colour; the colours are those of Okabe & Ito (2008).  Loads are
shown by lightness, so that they can be read in grey.
"""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError, did_you_mean
from ...core.escape import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
_DPI = 200
_NO_STAMP: dict[str, dict[str, Any]] = {  # the same figure, the same bytes, whoever draws it
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@dataclass(frozen=True)
class Theme:
    """Colours of a figure.  ``ramp``: of loads, from none to the largest; ``series``: of lines and marks, in order."""

    name: str
    paper: str
    ink: str
    quiet: str
    faint: str
    path: str
    path_dark: str
    edge: str
    ramp: tuple[str, ...]
    series: tuple[str, ...]
    markers: tuple[str, ...] = ("o", "s", "^", "D", "v", "P", "X")
    lines: tuple[str, ...] = ("-", "--", "-.", ":")

    def look(self, k: int) -> dict[str, Any]:
        """Colour and line of series ``k``."""
        return {"color": self.series[k % len(self.series)], "linestyle": self.lines[k % len(self.lines)]}

    def marker(self, k: int) -> str:
        return self.markers[k % len(self.markers)]


LIGHT = Theme(
    "light",
    paper="#ffffff",
    ink="#1b1f24",
    quiet="#6a737d",
    faint="#e3e6ea",
    path="#2b7bdf",
    path_dark="#0b3d91",
    edge="#8a8f98",
    ramp=("#fff9d6", "#fee79b", "#fec44f", "#fb9a29", "#ec7014", "#cc4c02", "#8f3204", "#662506"),
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1b1f24"),
)
DARK = Theme(
    "dark",
    paper="#14171b",
    ink="#e8eaed",
    quiet="#a3abb5",
    faint="#31373f",
    path="#6cb2ff",
    path_dark="#b9d9ff",
    edge="#7d8590",
    ramp=("#2d2b29", "#4a3524", "#6f4423", "#9c5320", "#cb6a1e", "#f0972f", "#ffcb6b", "#fff3c9"),
    series=("#56b4e9", "#f28e4b", "#2ec49b", "#e39bc6", "#f0c04a", "#8fd0ff", "#e8eaed"),
)
THEMES = {"light": LIGHT, "dark": DARK}


TITLE = "title"  # what the artist is labelled that is the title of a whole figure
_MOST_INCHES = 100
_wish: ContextVar[tuple[str | None, tuple[float, float] | None]] = ContextVar("figure wish", default=(None, None))


@contextlib.contextmanager
def drawn_as(*, title: str | None = None, size: tuple[float, float] | None = None) -> Iterator[None]:
    """Inside, every figure has this title and this size in inches, instead of its own; raises InputError for a size
    that no figure has."""
    if size is not None and not all(math.isfinite(x) and 0.5 <= x <= _MOST_INCHES for x in size):
        raise InputError(f"the size of a figure is {size}; 0.5 to {_MOST_INCHES} inches each way were expected")
    before = _wish.set((title, size))
    try:
        yield
    finally:
        _wish.reset(before)


def _as_wished(figure: Figure) -> None:
    title, size = _wish.get()
    if size is not None:
        figure.set_size_inches(*size)
    if title is None:
        return
    text = printable(title, limit=200)
    found = [x for x in figure.texts if x.get_label() == TITLE]
    if found:
        found[0].set_text(text)
    elif figure.get_suptitle() or len(figure.axes) != 1:
        figure.suptitle(text)
    else:
        figure.axes[0].set_title(text)


def _fit_words(figure: Figure) -> None:
    """Titles and words below the figure, no wider than the figure."""
    from matplotlib.text import Text

    words = [*figure.texts, *(x for axes in figure.axes for x in axes.get_children() if isinstance(x, Text))]
    figure.draw_without_rendering()
    for text in words:
        box = text.get_window_extent()
        room = figure.bbox.width - max(0.0, box.x0) - 4
        if text.get_text() and box.width > room > 0:
            text.set_fontsize(0.94 * float(text.get_fontsize()) * room / box.width)  # letters have whole sizes


def theme_named(name: str) -> Theme:
    """Raises InputError for a name that is none."""
    if name not in THEMES:
        raise InputError(f"theme is '{name[:40]}'; {did_you_mean(name[:40], THEMES)}")
    return THEMES[name]


def check_figure(path: str | Path) -> None:
    """Raise InputError unless a figure can be drawn into a file of that name."""
    if Path(path).suffix.lower() not in FORMATS:
        raise InputError(f"cannot draw into '{path}': a name that ends in .svg, .png or .pdf was expected")


def check_plot(_: object, path: str | None) -> None:
    """The same of the file of ``--plot``, where there is one."""
    if path is not None:
        check_figure(path)


def write_figure(path: str | Path, make: Callable[[Theme], Figure], *, theme: Theme = LIGHT) -> None:
    """Draw what ``make`` makes into a file, whole or not at all; raises InputError as ``check_figure`` does."""
    from ...formats.text_files import write_bytes_atomic

    check_figure(path)
    write_bytes_atomic(path, figure_bytes(make, Path(path).suffix.lower(), theme=theme))


@contextlib.contextmanager
def _look(theme: Theme) -> Iterator[None]:
    import matplotlib

    with matplotlib.rc_context(_rc(theme)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a box stands for what the font lacks
        warnings.filterwarnings("ignore", message="findfont")
        yield


def made_figure(make: Callable[[Theme], Figure], theme: Theme) -> Figure:
    """What ``make`` makes, with the title and the look of this module."""
    with _look(theme):
        figure = make(theme)
        _as_wished(figure)
    return figure


def figure_bytes(make: Callable[[Theme], Figure], form: str, *, theme: Theme = LIGHT) -> bytes:
    """A figure as the bytes of a file of type ``form`` (".svg", ".png", ".pdf"); always the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = made_figure(make, theme)
    with _look(theme):
        _plain_powers(figure)
        FigureCanvasAgg(figure)
        if _wish.get() != (None, None):
            _fit_words(figure)
        out = io.BytesIO()
        figure.savefig(out, format=form[1:], dpi=_DPI, metadata=_NO_STAMP[form], facecolor=theme.paper)
    return out.getvalue()


def _plain_powers(figure: Figure) -> None:
    """Logarithmic axes say 100 and not $10^2$, which is never read as a formula here (names might be)."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
                axis.set_minor_formatter(NullFormatter())


def _rc(theme: Theme) -> dict[Any, Any]:
    from cycler import cycler

    colours = {
        theme.ink: ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor", "ytick.labelcolor"),
        theme.quiet: ("axes.edgecolor", "xtick.color", "ytick.color"),
        theme.paper: ("figure.facecolor", "axes.facecolor"),
        theme.faint: ("grid.color",),
    }
    return {key: colour for colour, keys in colours.items() for key in keys} | {
        "svg.hashsalt": "routeproof",
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "font.family": "DejaVu Sans",  # comes with matplotlib
        "text.usetex": False,
        "text.parse_math": False,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.prop_cycle": cycler(color=list(theme.series)),
        "grid.linewidth": 0.6,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.frameon": False,
        "legend.fontsize": 8,
        "lines.linewidth": 1.6,
        "lines.markersize": 5,
    }


def load_colours(theme: Theme) -> Colormap:
    """From no load to the largest, ordered by lightness."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(f"load {theme.name}", theme.ramp)


def empty_figure(width: float, height: float) -> Figure:
    """In inches; what is put into it finds its place.  To be called inside ``make`` of ``write_figure``."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def one_axes(title: str, *, across: str, up: str, size: tuple[float, float] = (6.0, 4.0)) -> tuple[Figure, Axes]:
    """A figure with one pair of axes; ``size`` in inches.  To be called inside ``make`` of ``write_figure``."""
    figure = empty_figure(*size)
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    return figure, axes
