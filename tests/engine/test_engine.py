"""Pieces on processes and executors: the same results whoever does them, and clear words when something dies."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import engine_pieces
import numpy as np
import pytest
from processes import environment, lines, wait_until, who_waits

from routeproof.core.errors import InputError
from routeproof.engine import Engine, EngineError, Work, generator_for, run, seed_of
from routeproof.engine.errors import PieceError
from routeproof.engine.local import LocalWorkers
from routeproof.engine.records import decode, encode
from routeproof.machine.memory import can_bound

ADDS = Work("adds", engine_pieces.add, {f"piece {k}": {"x": k} for k in range(12)}, shared={"base": 100})


def test_results_come_in_order_whoever_makes_them() -> None:
    alone = run(ADDS, workers=1)
    assert list(alone) == list(ADDS.pieces)
    assert alone["piece 3"]["sum"] == 103
    assert alone["piece 4"]["third"] == Fraction(4, 3)
    with ThreadPoolExecutor(3) as pool:
        others = [run(ADDS, workers=3), run(ADDS, on=pool)]
    for other in others:
        assert encode(other) == encode(alone)


def test_each_needs_no_more_than_it_yields() -> None:
    with Engine(workers=2) as engine:
        for k, (key, result) in enumerate(engine.each(ADDS)):
            assert (key, result["sum"]) == (f"piece {k}", 100 + k)
            if k == 4:
                break  # and nothing hangs


def test_prepared_once_in_a_process(tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    pieces = {str(k): {"x": k} for k in range(8)}
    work = Work("p", engine_pieces.add_prepared, pieces, shared={"base": 5, "log": log}, prepare=engine_pieces.prepare)
    assert run(work, workers=2) == {str(k): 5 + k for k in range(8)}
    assert 1 <= Path(log).read_text().count("prepared") <= 2


def test_the_first_piece_that_refuses_speaks(tmp_path: Path) -> None:
    for workers, later in ((1, ""), (3, str(tmp_path / "later"))):
        pieces = {str(k): {"x": k, "later": later} for k in range(8)}
        with pytest.raises(InputError, match=r"^3 is too large$"):
            run(Work("r", engine_pieces.refuse, pieces), workers=workers)


def test_a_bug_in_a_piece_is_told_with_its_place() -> None:
    work = Work("f", engine_pieces.fail, {"one": {"x": 1}, "zero": {"x": 0}})
    with pytest.raises(PieceError, match="piece zero of f: ZeroDivisionError") as caught:
        run(work, workers=2)
    assert "in fail" in caught.value.trace
    with pytest.raises(PieceError, match="object, which is not plain data"):
        run(Work("u", engine_pieces.unplain, {"u": {}}), workers=1)


def test_warnings_come_home_and_prints_do_not_disturb() -> None:
    with pytest.warns(UserWarning, match="pieces may warn"):
        assert run(Work("w", engine_pieces.warn, {"a": {"x": 1}, "b": {"x": 2}}), workers=2) == {"a": 1, "b": 2}


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    pieces = {str(k): {"x": k, "trace": str(tmp_path / "died")} for k in range(6)}
    assert run(Work("d", engine_pieces.die_once, pieces), workers=2) == {str(k): k for k in range(6)}
    assert (tmp_path / "died").exists()


def test_a_piece_that_kills_every_worker_is_named() -> None:
    work = Work("d", engine_pieces.die, {str(k): {"x": k} for k in range(4)})
    with pytest.raises(EngineError, match=r"piece 2 of d ended its worker 3 times \(exit status 9\)"):
        run(work, workers=2)


def test_one_thread_for_each_process() -> None:
    assert run(Work("t", engine_pieces.threads, {"a": {}, "b": {}}), workers=2)["a"] == ["1", "1", "1"]


def test_small_work_starts_no_process_of_its_own_accord() -> None:
    work = Work("s", engine_pieces.add, {"1": {"x": 1}, "2": {"x": 2}}, seconds=0.01)
    with Engine() as engine:
        engine.run(work)
        assert engine._backend is None


def test_memory_bounds_the_workers() -> None:
    work = Work("m", engine_pieces.add, {str(k): {"x": k} for k in range(4)}, memory=10**9)
    with Engine(workers=4, memory=3 * 10**9) as engine:
        engine.run(work)
        assert engine._size == 2
    with pytest.raises(EngineError, match=r"m needs about 1.2 GB for one worker; 500.0 MB are allowed by --memory"):
        run(work, memory=5 * 10**8)


@pytest.mark.skipif(not can_bound(), reason="memory is bounded on Linux alone")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_piece_that_outgrows_its_memory(workers: int, tmp_path: Path) -> None:
    """One line, and nothing of the others is lost; what an earlier work left behind makes room."""
    pieces = {str(k): {"megabytes": 1000 if k == 6 else 10} for k in range(8)}
    work = Work("hoards", engine_pieces.hoard, pieces)
    words = {
        1: r"^piece 6 of hoards needs more memory than it may take: --memory 700.0 MB leaves 700.0 MB to one worker; "
        r"allow more; what is finished is kept in",
        2: r"^piece 6 of hoards .*: --memory 1.4 GB leaves 700.0 MB to each of 2 workers; allow more, or take fewer",
    }
    where = str(tmp_path / "run")
    with pytest.raises(EngineError, match=words[workers]):
        run(work, workers=workers, memory=workers * 7 * 10**8, run=where)
    with Engine(workers=2, run=where) as engine:
        done: list[int] = []
        assert engine.run(work, progress=lambda k, _: done.append(k)) == {x: y["megabytes"] for x, y in pieces.items()}
    assert done[0] in (6, 7)  # the last one may have ended before
    shared = {"megabytes": 400}
    first, second = (
        Work(x, engine_pieces.held, {"1": {"x": 1}}, shared={**shared, "fill": fill}, prepare=engine_pieces.fill)
        for x, fill in (("first", 1), ("second", 2))
    )
    with Engine(workers=1, memory=7 * 10**8) as engine:
        assert (engine.run(first), engine.run(second)) == ({"1": 1}, {"1": 2})


def test_processes_stay_for_the_next_work() -> None:
    with Engine(workers=2) as engine:
        engine.run(ADDS)
        first = engine._backend
        assert isinstance(first, LocalWorkers)
        started = {x.pid for x in first._processes}
        engine.run(ADDS)
        assert engine._backend is first
        assert started <= {x.pid for x in first._processes}


def test_options_that_make_no_sense() -> None:
    with pytest.raises(InputError, match="0 workers were asked for"):
        Engine(workers=0)
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="brings its own workers"):
        Engine(on=pool, workers=2)
    with pytest.raises(InputError, match="cannot be imported by workers"):
        run(Work("l", lambda x: x, {"a": {"x": 1}}))
    with pytest.raises(InputError, match="nothing_there cannot be imported"):
        run(Work("l", "engine_pieces:nothing_there", {"a": {"x": 1}}))
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(EngineError, match="takes no more work"):
        run(ADDS, on=pool)


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """Killed without a chance to say goodbye, in the middle of pieces that would never end by themselves."""
    log, gate = tmp_path / "log", tmp_path / "gate"
    script = (
        "from routeproof.engine import Work, run\n"
        f"piece = {{'log': {str(log)!r}, 'gate': {str(gate)!r}, 'free': 0}}\n"
        "run(Work('t', 'engine_pieces:tell', {str(k): {'x': k, **piece} for k in range(4)}), workers=2)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], env=environment())
    try:
        wait_until(lambda: len(who_waits(log)) >= 2, lambda: process.poll() is None)
        process.kill()
        process.wait()
        wait_until(lambda: not any(_alive(x) for x in who_waits(log)))
    finally:
        process.kill()
        gate.touch()
    assert lines(log) == 0


def _alive(process: int) -> bool:
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_plain_values_come_back() -> None:
    values = [None, True, -5, 10**30, -(10**5000), 0.1, "ü\ud800", b"\0", Fraction(-1, 3), [1, [2]], {"a": {"b": []}}]
    for value in values:
        assert decode(encode(value)) == value


def test_arrays_come_back_and_damage_is_noticed() -> None:
    value = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.array([True]), "c": np.zeros((0, 4))}
    content = encode(value)
    back = decode(content)
    for name, array in value.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)
    for bad in (content[:-1], content + b"x", content[:20], b"\x80\x04K\x01.", b"RPR1\2\0\0\0[]x"):
        with pytest.raises(ValueError, match=r"record|JSON|Expecting|delimiter|Unterminated"):
            decode(bad)
    for value in ({1: 2}, {"$x": 1}, {1}, np.array(["a"])):
        with pytest.raises(TypeError, match="value"):
            encode(value)


def test_seeds_follow_from_their_names() -> None:
    assert seed_of("a", 1) == 288461352753458926329329136499465834615  # on every machine, in every version
    assert len({seed_of("a", 1), seed_of("a", 11), seed_of("a", 1, 1), seed_of("a1", 1), seed_of("a", "1")}) == 5
    assert generator_for("x", 3).integers(1 << 60) == generator_for("x", 3).integers(1 << 60)
