"""Reports about collectives: all of them verify, with known numbers."""

from __future__ import annotations

import pytest

from answered_reports import verify
from collective_reports import CASES, F, report


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_verifies(name: str) -> None:
    verify(report(name))


def test_numbers() -> None:
    rates = {k: {x.relation: x.value for x in q.answer().claims() if x.about["operation"] == q.operation
                 and x.quantity == "collective_throughput"} for k, q in CASES.items()}  # fmt: skip
    assert rates["all-gather"] == rates["reduce-scatter"] == {"==": F(1, 2)}
    assert rates["broadcast"] == {"==": 1}
    assert rates["ranks"] == {"==": F(1, 2)}
    assert rates["all-reduce"] == {"==": F(1, 4)}
    assert rates["interval"] == {">=": F(91, 68), "<=": F(13, 9)}
    assert rates["both ways"] == {"==": F(7, 30)}
    assert rates["all-to-all"] == {"==": 1}  # half of what two ranks send crosses the link
    assert rates["some to all"] == {"==": F(3, 2)}
    assert rates["closed form"] == {"==": 2}
    assert rates["multicast"] == {"==": 1}
    assert rates["fork"] == {"==": F(1, 2)}
    assert rates["bound"] == {"<=": F(1, 2)}
