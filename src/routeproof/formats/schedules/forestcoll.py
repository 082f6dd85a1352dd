"""ForestColl's trees: an all-gather as spanning trees from every rank, as ``pipeline_allgather.py`` writes them.

``<Algo nchunkspernode="k">`` holds trees; those of one root divide its k chunks, ``nchunks`` each, in the order of
``index``.  A ``<send>`` goes from rank to rank; its ``path`` names the switches between.
"""

from __future__ import annotations

from ...core.errors import InputError, warn
from ...core.schedules.check import check_schedule
from ...core.schedules.schedule import Schedule
from ..format import File
from ..text_files import brief, first_of
from ..xml_elements import Element, xml_root
from .schedule_format import ScheduleFormat
from .sends import Send, all_gather


def is_forestcoll(file: File) -> bool:
    return "<Algo " in file.start and "nchunkspernode" in file.start


def read_forestcoll(file: File) -> Schedule:
    """The all-gather, checked; ranks are the roots, in the order of their first trees."""
    root = xml_root(file.text, what=file.what)
    share = root.whole("nchunkspernode", 1, most=1 << 16)
    trees = _all(root, "tree")
    names = list(dict.fromkeys(x.text("root") for x in trees))
    rank_of = {name: rank for rank, name in enumerate(names)}
    given: dict[str, int] = {}
    sends: list[Send] = []
    for tree in sorted(trees, key=lambda x: x.whole("index")):
        name, count = tree.text("root"), tree.whole("nchunks", 1, most=share)
        first = given.get(name, 0)
        given[name] = first + count
        if given[name] > share:
            raise InputError(f"{tree.place}: the trees of {name} have more than the {share} chunks of nchunkspernode")
        for send, depth in _by_depth(tree, name):
            ends = [_rank(send, key, rank_of) for key in ("src", "dst")]
            sends.append(Send(depth, rank_of[name], first, ends[0], ends[1], send.place, count))
    for name in names:
        if given[name] != share:
            raise InputError(f"{file.what}: the trees of {name} have {given[name]} chunks; {share} were expected")
    warn(f"{file.what}: its {len(names)} ranks are the roots, in order: {first_of(names, 16)}")
    return check_schedule(all_gather(sends, len(names), share, name=file.stem))


def _all(parent: Element, tag: str) -> list[Element]:
    for child in parent.children:
        if child.tag != tag:
            raise InputError(f"{child.place}: <{child.tag[:40]}> in <{parent.tag[:40]}>; <{tag}> was expected")
    if not parent.children:
        raise InputError(f"{parent.place}: <{parent.tag[:40]}> is empty; <{tag}> was expected in it")
    return parent.children


def _by_depth(tree: Element, root: str) -> list[tuple[Element, int]]:
    """Every send with the number of sends before it on its way from the root."""
    depth, found = {root: 0}, []
    left = _all(tree, "send")
    while left:
        ready = [x for x in left if x.text("src") in depth]
        if not ready:
            raise InputError(f"{left[0].place}: {left[0].text('src')} sends, and the tree of {root} does not reach it")
        for send in ready:
            at = depth[send.text("src")]
            found.append((send, at))
            if send.text("dst") in depth:
                raise InputError(f"{send.place}: the tree of {root} reaches {send.text('dst')} twice")
            depth[send.text("dst")] = at + 1
        left = [x for x in left if x not in ready]
    return found


def _rank(send: Element, key: str, rank_of: dict[str, int]) -> int:
    name = send.text(key)
    if name not in rank_of:
        raise InputError(f"{send.place}: {key} is {brief(name)}, which is the root of no tree")
    return rank_of[name]


FORESTCOLL = ScheduleFormat("forestcoll", "ForestColl's trees", is_forestcoll, read_forestcoll)
