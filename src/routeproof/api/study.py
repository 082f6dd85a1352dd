"""``rp.study``: a published table or figure, computed again beside what was printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..questions.study import StudyAnswer
from ..studies.registry import run_study
from ..studies.result import Row, StudyResult
from .result import drawn

if TYPE_CHECKING:
    import pandas

    from ..report.notebook.frames import InlineFigure


class Study:
    """``rows``: what was computed beside what was published; ``disagreements``: where they part, with the reason."""

    def __init__(self, result: StudyResult) -> None:
        self.result = result

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.result.rows

    @property
    def disagreements(self) -> tuple[str, ...]:
        return self.result.disagreements

    def row(self, label: str) -> Row:
        """The row with this label; raises KeyError without one."""
        return self.result.row(label)

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame; raises InputError where pandas is missing."""
        from ..report.notebook.frames import frame_of_study

        return frame_of_study(self.result)

    def plot(self, *, path: str | Path | None = None, theme: str = "light") -> InlineFigure:
        """The figure of the study, also into ``path``; raises InputError for a study that is a table."""
        from ..report.figures.study import study_figure

        return drawn(lambda look: study_figure(self.result, look), path=path, theme=theme)

    def write(self, path: str | Path) -> None:
        """Write the rows into a JSON file, whole or not at all; raises InputError if it cannot be written."""
        StudyAnswer(stated=(), result=self.result).write(path)

    def __repr__(self) -> str:
        return f"<Study: {self.result.title}>"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


def study(name: str, **options: Any) -> Study:
    """Compute a published table or figure again; the names are those of ``routeproof study``.

        >>> import routeproof as rp
        >>> rp.study("towles-dally-2002-figure-4").disagreements
        ()

    ``options``: what the study can be asked beside its name.  Raises InputError for an unknown study or option.
    """
    return Study(run_study(name, **options))
