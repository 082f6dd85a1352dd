"""A published table or figure, computed again beside what was printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from .answer import ALONE, Answer, Setting, Shown
from .given import Given
from .question import Question, argument, option, question, spelled
from .shared import PLOT, THEME

if TYPE_CHECKING:
    from ..studies.result import Row, StudyResult

_OF_COMMANDS = ("atlas", "opensm")  # every number is what a command answers


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class StudyAnswer(Answer):
    """``result``: the rows; there are no claims that could be verified."""

    shown = Shown("terminal.study:study_parts", page="terminal.study:study_page")

    result: StudyResult

    @property
    def subject(self) -> dict[str, Any]:
        return {}

    def document(self) -> dict[str, Any]:
        """The study's own rows, and the same as ``claims`` like those of every other verb."""
        claims = [_claim(self.result, row) for row in self.result.rows]
        return {"format": "routeproof/study", **self.result.to_json(), "claims": claims}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DrawnStudyAnswer(StudyAnswer):
    shown = Shown(
        "terminal.study:study_parts", page="terminal.study:study_page", figure="figures.study:answer_figure",
        on_page=True,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class StudiesAnswer(Answer):
    """The list of studies."""

    shown = Shown("terminal.study:studies_parts")

    @property
    def subject(self) -> dict[str, Any]:
        return {}


def _claim(result: StudyResult, row: Row) -> dict[str, Any]:
    value: Any = str(row.computed)
    if isinstance(row.computed, tuple):
        low, high = row.computed
        value = {"low": float(low), "high": float(high), "exact": [str(low), str(high)]}
    return {
        "quantity": str(row.data.get("quantity", "study_row")),
        "label": row.label,
        "relation": "==",
        "value": value,
        "unit": str(row.data.get("unit", "")),
        "grade": row.grade.value,
        "published": row.published,
        "agrees": row.agrees,
        "evidence": {"kind": "study", "study": result.name, "row": row.label},
    }


@question
class Study(Question[Answer]):
    """Reproduce a published table or figure: computed beside published values, and why they differ.

    For example: routeproof study towles-dally-2002-table-1
    """

    verb, place, long = "study", 108, "asked"
    panel = "Check"

    name: str | None = argument(
        "NAME", "The study to run; without a name, or list: what there is.", default=None, complete="study"
    )
    plot: str | None = spelled(PLOT, init=False)
    theme: str = spelled(THEME, default="light", init=False)
    json: str | None = option("FILE", "Write the result as JSON; - for standard output.", init=False)
    reports: str | None = option(
        "DIR", "Keep the report behind every number there, and its proof (atlas, opensm).", default=None
    )
    only: str | None = option("TOPOLOGY", "This network alone, or one of yours (atlas, opensm).", default=None)

    @classmethod
    def read(cls, given: Given) -> Study:
        from ..studies.registry import STUDIES

        name = given["name"]
        if name is None or name == "list":
            for option in ("json", "plot", "html", "reports", "only"):
                if given[option] is not None:
                    raise InputError(
                        f"--{option} writes the result of a study; routeproof study NAME --{option} was expected"
                    )
            return cls(None)
        if given["plot"] is not None and name in STUDIES and not STUDIES[name].drawn:
            drawn = ", ".join(x for x, entry in STUDIES.items() if entry.drawn)
            raise InputError(f"study {name} is a table and has no figure; these have one: {drawn}")
        for option in ("reports", "only"):
            if given[option] is not None and name in STUDIES and name not in _OF_COMMANDS:
                raise InputError(f"study {name} has no --{option}; studies {' and '.join(_OF_COMMANDS)} have")
        return cls(name, given["reports"], given["only"])

    def answer(self, setting: Setting = ALONE) -> Answer:
        from ..studies.registry import STUDIES, run_study

        if self.name is None:
            return StudiesAnswer(stated=())
        with setting.words("study") as tell:
            kept: dict[str, Any] = {} if self.reports is None else {"reports": self.reports}
            if self.only is not None:
                kept["networks"] = self.only
            result = run_study(self.name, progress=tell, engine=setting.engine, **kept)
        return (DrawnStudyAnswer if STUDIES[self.name].drawn else StudyAnswer)(stated=(), result=result)
