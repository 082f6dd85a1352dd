"""Options that the verbs which draw share."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

__all__ = ["PlotFile", "Theme", "ThemeName"]


class ThemeName(enum.StrEnum):
    LIGHT = "light"
    DARK = "dark"


PlotFile = Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Draw it: .svg, .png or .pdf.")]
Theme = Annotated[ThemeName, typer.Option("--theme", help="Colours of the figure.")]
