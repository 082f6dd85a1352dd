"""The alarm of a time limit."""

from __future__ import annotations

import signal
import time

import pytest

from routeproof.machine.deadlines import Deadline, OutOfTimeError, ended_in_time

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such alarm")


def _wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)


def test_the_last_time_of_an_outer_limit_holds_inside_a_longer_one() -> None:
    with pytest.raises(OutOfTimeError), ended_in_time(0.1), ended_in_time(3600):
        _wait(60)


def test_an_outer_limit_goes_on_after_an_inner_one() -> None:
    ended: list[str] = []

    def wait_twice() -> None:
        try:
            with ended_in_time(0.1):
                _wait(60)
        except OutOfTimeError:
            ended.append("inner")
        _wait(60)

    with pytest.raises(OutOfTimeError), ended_in_time(0.5):
        wait_twice()
    assert ended


@pytest.mark.parametrize("own", [lambda *_: None, signal.SIG_IGN])
def test_the_alarm_of_the_program_is_left_alone(own: object) -> None:
    before = signal.signal(signal.SIGALRM, own)  # type: ignore[arg-type]
    try:
        with ended_in_time(0.01):
            _wait(0.3)
        assert signal.getsignal(signal.SIGALRM) is own
    finally:
        signal.signal(signal.SIGALRM, before)


def test_stages_share_one_limit_and_what_runs_again_at_the_end_is_kept_for() -> None:
    now = [100.0]
    limit = Deadline(10, lambda: now[0])
    with limit.measured(2):  # a second now, two at the end
        now[0] += 1
    assert limit.left() == 7
    assert limit.part(0.5) == 3.5
    now[0] += 3.5
    assert limit.part(0.5) == 1.75
    assert not limit.over
    now[0] += 3.5
    assert limit.over
    assert limit.part(0.5) == 0
    assert limit.left(1.0) == 1.0
    slow = Deadline(10, lambda: now[0])
    with slow.measured(2):
        now[0] += 6
    assert slow.left() == 2, "half of what is left is kept at most"


def test_without_a_limit_nothing_is_kept_and_no_part_is_limited() -> None:
    limit = Deadline(None)
    with limit.measured(2):
        pass
    assert limit.part(0.5) is None
    assert limit.left() is None
    assert not limit.over
