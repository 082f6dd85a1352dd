"""MSCCL's XML: schedules as the interpreters run them, and one line with the place for what makes no sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.schedule import Schedule
from routeproof.formats.schedules.table import read_schedule
from routeproof.worst.schedules.judge import judge
from small_schedules import RIGHT, exchange, msccl_text, ring_all_gather


def read(text: str, folder: Path) -> Schedule:
    path = folder / "a.xml"
    path.write_text(text, encoding="utf-8")
    return read_schedule(path)


@pytest.mark.parametrize("name", [x for x in RIGHT if x not in ("broadcast", "deep")])
def test_the_same_schedule(name: str, tmp_path: Path) -> None:
    assert read(msccl_text(RIGHT[name]), tmp_path) == RIGHT[name]


def test_of_a_broadcast_the_root_is_not_said(tmp_path: Path) -> None:
    found = judge(read(msccl_text(RIGHT["broadcast"]), tmp_path))
    assert found.race is None
    assert found.outcome is None
    assert list(found.findings()) == ["The result is not judged: the file does not say what broadcast must end with."]


def test_files_of_msccl_say_one_way_alone(tmp_path: Path) -> None:
    text = msccl_text(exchange()).replace(' outofplace="0"', "")
    assert read(text, tmp_path).in_place == (True,)
    assert read(text.replace('inplace="1"', 'inplace="0"').replace('"i"', '"o"'), tmp_path).in_place == (False,)


def test_a_wait_ends_with_the_next_step_that_says_so(tmp_path: Path) -> None:
    """The interpreter's flag holds the last step with hasdep, and who waits is released by any later one."""
    text = msccl_text(RIGHT["reduce-scatter"])
    schedule = read(text, tmp_path)
    assert schedule.blocks[0][1].steps[0].after == ((0, 0),)
    later = _swap(msccl_text(exchange()), '<step s="0" type="s"', 'hasdep="1"', 'hasdep="0"')
    later = later.replace("</tb>", '<step s="1" type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" '
                          'depid="-1" deps="-1" hasdep="1"/></tb>', 1)  # fmt: skip
    assert read(later, tmp_path).blocks[0][1].steps[1].after == ((0, 1),)


def test_nops_wait_for_the_step_after_them_and_count_as_steps(tmp_path: Path) -> None:
    nop = '<step s="1" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="0" deps="0" hasdep="0"/>'
    text = msccl_text(exchange()).replace('      <step s="1" type="re"', f'      {nop}\n      <step s="2" type="re"')
    schedule = read(text, tmp_path)
    assert [x.action for x in schedule.blocks[0][1].steps] == ["receive", "wait", "reduce"]
    found = judge(schedule)
    assert found.race is None
    assert found.outcome is not None
    assert found.outcome.wrong is None


def test_nops_at_the_end_do_nothing(tmp_path: Path) -> None:
    nop = '<step s="1" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="1" deps="1" hasdep="0"/>'
    text = msccl_text(exchange()).replace('depid="0" deps="0" hasdep="0"/>', 'depid="0" deps="0" hasdep="1"/>')
    assert read(text.replace("</tb>", f"{nop}</tb>", 1), tmp_path) == exchange()


def _swap(text: str, line: str, old: str, new: str) -> str:
    """``old`` becomes ``new`` in the first line with ``line``."""
    found = next(x for x in text.splitlines() if line in x)
    assert old in found
    return text.replace(found, found.replace(old, new), 1)


EXCHANGE = msccl_text(exchange())
ODD = [
    ("<algorithm/>", "is not a schedule of a known format"),
    ("<algo\n/>", "line 1: <algo> has no attribute 'ngpus'"),
    (EXCHANGE[:400], "not well-formed XML: unclosed token"),
    (EXCHANGE.replace('ngpus="2"', 'ngpus="3"'), "ngpus is 3, and there is no <gpu> with the id 2"),
    (EXCHANGE.replace('ngpus="2"', 'ngpus="two"'), "line 1: ngpus is 'two'; a whole number from 1"),
    (EXCHANGE.replace('<gpu id="1"', '<gpu id="0"'), "a second <gpu> with the id 0"),
    (EXCHANGE.replace('coll="allreduce"', 'coll="allred"'), "did you mean 'allreduce'?"),
    (EXCHANGE.replace('coll="allreduce"', 'coll="custom"'), "a custom collective in place"),
    (EXCHANGE.replace('i_chunks="1"', 'i_chunks="2"', 1), "line 2: i_chunks is 2; allreduce"),
    (EXCHANGE.replace('inplace="1"', 'inplace="0"'), "inplace and outofplace are both 0"),
    (_swap(EXCHANGE, '<tb id="1"', 'id="1"', 'id="2"'), "rank 0 has 2 thread blocks, and none with the id 1"),
    (_swap(EXCHANGE, '<tb id="1"', 'id="1"', 'id="0"'), "rank 0 has a second <tb> with the id 0"),
    (_swap(EXCHANGE, '<tb id="0"', 'send="1"', 'send="0"'), "rank 0, thread block 0 sends to rank 0; another rank"),
    (_swap(EXCHANGE, '<tb id="0"', 'send="1"', 'send="-1"'), "step 0 sends, and its thread block has no rank to"),
    (_swap(EXCHANGE, '<tb id="0"', 'chan="0"', 'chan="1"'), "to rank 1 on channel 1, and no step receives"),
    (_swap(EXCHANGE, 'type="s"', 'cnt="1"', 'cnt="2"'), "its source is i[0] to i[1], and the input of rank 0"),
    (_swap(EXCHANGE, 'type="s"', 'cnt="1"', 'cnt="0"'), "rank 0, thread block 0, step 0 is for 0 chunks"),
    (_swap(EXCHANGE, 'type="s"', 'srcoff="0"', 'srcoff="-1"'), "its source is i[-1]"),
    (_swap(EXCHANGE, 'type="s"', 'srcbuf="i"', 'srcbuf="x"'), "srcbuf is 'x'; i, o or s was expected"),
    (_swap(EXCHANGE, 'type="s"', 'type="s"', 'type="ra"'), "the type is 'ra'; did you mean"),
    (_swap(EXCHANGE, 'type="s"', 's="0"', 's="1"'), "line 4: rank 0, thread block 0, step 0: s is 1; 0, its place"),
    (_swap(EXCHANGE, 'type="s"', 'hasdep="1"', 'hasdep="0"'), 'has hasdep="1": it would wait for ever'),
    (_swap(EXCHANGE, 'type="re"', 'depid="0"', 'depid="7"'), "step 0 of thread block 7, and there is no such step"),
    (_swap(EXCHANGE, 'type="re"', 'deps="0"', 'deps="7"'), "step 7 of thread block 0, and there is no such step"),
    (_swap(EXCHANGE, 'type="r"', 'type="r"', 'type="nop"'), "is a nop that waits for nothing"),
    (_swap(EXCHANGE, 'type="re"', 'srcoff="0"', 'srcoff="1"'), "the scratch of rank 0 has 1 chunk"),
    (_swap(EXCHANGE, 'type="re"', 'type="re"', 'type="rrc"'), "to rank 0 on channel 0, and no step sends it"),
    ("<!DOCTYPE algo [<!ENTITY x 'y'>]>\n" + EXCHANGE, "line 1: document type and entity declarations are not read"),
    ("<algo >" + "<a>" * 40, "more than 16 levels"),
    (EXCHANGE.replace("<tb ", "<block ", 1).replace("</tb>", "</block>", 1), "<block> in <gpu>; <tb> was expected"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ODD, ids=[x[1][:50] for x in ODD])
def test_one_line_with_the_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read(text, tmp_path)
    assert "\n" not in str(raised.value)
    assert "a.xml" in str(raised.value)


def test_a_rank_sends_what_it_does_not_have(tmp_path: Path) -> None:
    text = _swap(msccl_text(ring_all_gather(3)), 'type="cpy"', 'dstoff="0"', 'dstoff="1"')
    with pytest.raises(
        InputError, match=re.escape("rank 0, thread block 0, step 1 sends o[0], which rank 0 does not have")
    ):
        read(text, tmp_path)


def test_two_thread_blocks_at_one_end(tmp_path: Path) -> None:
    block = next(x for x in re.findall(r" *<tb id=\"0\".*?</tb>", EXCHANGE, re.DOTALL))
    text = EXCHANGE.replace("  </gpu>", block.replace('id="0"', 'id="2"', 1) + "\n  </gpu>", 1)
    with pytest.raises(InputError, match="thread blocks 0 and 2 both send to rank 1 on channel 0"):
        read(text, tmp_path)


def test_reductions_that_are_run_as_one_have_one_count(tmp_path: Path) -> None:
    line = next(x for x in EXCHANGE.splitlines() if 'type="re"' in x)
    again = re.sub(r'depid="0" deps="0"', 'depid="-1" deps="-1"', line.replace('s="1"', 's="2"'))
    doubled = EXCHANGE.replace(line, f"{line}\n{again}", 1)
    assert read(doubled, tmp_path).blocks[0][1].steps[2].action == "reduce"
    with pytest.raises(InputError, match=re.escape("reduces 2 chunks into i[0], and the step before it 1")):
        read(doubled.replace(again, again.replace('cnt="1"', 'cnt="2"')), tmp_path)
