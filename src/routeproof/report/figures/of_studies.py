"""The figures of studies that are drawn in their own way; an entry stands beside the function that draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.registry import Registry
from ...studies.result import StudyResult
from .style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["STUDY_FIGURES", "StudyFigure"]


@dataclass(frozen=True)
class StudyFigure:
    """``name``: the study's; ``draw``: from its result and the theme to a figure."""

    name: str
    draw: Callable[[StudyResult, Theme], Figure]


STUDY_FIGURES: Registry[StudyFigure] = Registry("figure", StudyFigure, rooms=[str(__package__)])
"""By the name of the study; every other study is drawn from its ``chart``."""
