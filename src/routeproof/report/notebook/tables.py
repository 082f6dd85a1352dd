"""Results as tables in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...answers.analysis_parts import AnalysisParts
from ...answers.compare import Comparison
from ...core.claim import Claim
from ...studies.result import StudyResult
from .frames import frame_of_claims, frame_of_rows

if TYPE_CHECKING:
    import pandas

__all__ = ["to_frame"]


def to_frame(result: AnalysisParts | Comparison | StudyResult | Sequence[Claim]) -> pandas.DataFrame:
    """``result`` as a pandas DataFrame: a row for every claim, compared routing, or row of a study.

    Values stay exact: ``Fraction`` in the column ``value``, its decimals in ``decimal``; a sampled value is an
    ``Interval`` there, with its middle as decimal.  Raises InputError where pandas is missing.
    """
    if isinstance(result, StudyResult):
        return frame_of_rows(
            {
                "label": x.label,
                "computed": x.computed,
                "grade": x.grade.value,
                "published": x.published,
                "agrees": x.agrees,
                "note": x.note,
            }
            for x in result.rows
        )
    if isinstance(result, Comparison):
        return result.to_frame()
    return frame_of_claims(result if isinstance(result, Sequence) else result.claims)
