"""Boxes of GPUs by name, as published synthesizers and vendors describe them; bandwidths in GB/s, each way.

Every GPU is a terminal on a node of its own; GPU x of box y of n-GPU boxes is node y n + x, and the switches follow.  A
network interface has the same bandwidth on both sides, so it is no node.  Declared symmetry: of many boxes, each goes
to the next one; that of few is looked for where it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Symmetry, from_node_image
from ..build import check_size, whole_number
from ..family import Family, called
from ..text import Pieces

Cable = tuple[int, int, Fraction | int]
"""Tail, head and bandwidth of a channel."""

_SEARCHED = 1024  # boxes, of which all symmetry is found within a minute

_DGX1 = {
    (0, 1): 2, (0, 2): 1, (0, 3): 1, (0, 4): 2, (1, 2): 1, (1, 3): 2, (1, 5): 1, (2, 3): 2, (2, 6): 2, (3, 7): 1,
    (4, 5): 2, (4, 6): 1, (4, 7): 1, (5, 6): 1, (5, 7): 2, (6, 7): 2,
}  # fmt: skip
"""NVLinks between GPUs, by number."""

_MI250 = {
    (0, 1): 4, (0, 4): 2, (0, 8): 1, (1, 5): 1, (1, 9): 1, (1, 10): 1, (2, 3): 4, (2, 6): 1, (2, 9): 1, (2, 10): 1,
    (3, 7): 2, (3, 11): 1, (4, 5): 4, (4, 6): 1, (5, 6): 1, (5, 7): 1, (6, 7): 4, (8, 9): 4, (8, 12): 2, (9, 13): 1,
    (10, 11): 4, (10, 14): 1, (11, 15): 2, (12, 13): 4, (12, 14): 1, (13, 14): 1, (13, 15): 1, (14, 15): 4,
}  # fmt: skip
"""xGMI links between GPUs, by number."""


def _both_ways(a: int, b: int, width: Fraction | int) -> list[Cable]:
    return [(a, b, width), (b, a, width)]


def _meshed(links: dict[tuple[int, int], int], boxes: int, gpus: int, width: int) -> list[Cable]:
    """Links of ``width`` each between the GPUs of every box."""
    return [
        x for box in range(boxes) for (a, b), n in links.items()
        for x in _both_ways(box * gpus + a, box * gpus + b, n * width)
    ]  # fmt: skip


def _network(spec: str, boxes: int, gpus: int, switches: Iterable[str], cables: list[Cable]) -> Network:
    named = list(switches)
    labels = [f"box{y}.gpu{x}" for y in range(boxes) for x in range(gpus)] + named
    count = boxes * gpus
    check_size(spec, nodes=len(labels), channels=len(cables), terminals=count)
    ends = [(a, b) for a, b, _ in cables]
    widths = [width for *_, width in cables]
    terminals = range(count)
    network = Network.of(
        spec, len(labels), ends, bandwidth=widths, source=terminals, sink=terminals, labels=labels, spec=spec
    )
    if boxes <= _SEARCHED:
        return network
    of_box = sum(x.startswith("box") for x in named) // boxes
    image = np.arange(len(labels))
    for first, size in ((0, gpus), (count, of_box)):
        own = np.arange(boxes * size)
        image[first : first + boxes * size] = first + (own + size) % (boxes * size)
    return replace(network, symmetry=Symmetry((from_node_image(network, image, name="next box"),)))


def _counted(name: str, boxes: object, *, gpus: int, most: int | None = None) -> int:
    """The number of boxes, checked before anything of their size is made."""
    count = whole_number(boxes, what=f"boxes of {name}:n", least=1)
    if most is not None and count > most:
        raise InputError(f"boxes of {name}:n is {count}; its source describes 1 to {most}")
    if count > 2**22 // gpus:
        check_size(f"{name}:{count}", nodes=count * gpus, channels=0, terminals=count * gpus)
    return count


def dgx1() -> Network:
    """DGX-1 with eight V100: 25 a NVLink, one or two NVLinks between two GPUs.

    Source: ``msccl/topologies/nvidia.py`` (microsoft/msccl-tools, 030a750f) and ``teccl/topologies/dgx1.py``
    (microsoft/TE-CCL, c128bf24).
    """
    return _network("dgx1", 1, 8, (), _meshed(_DGX1, 1, 8, 25))


def ndv2(boxes: int) -> Network:
    """Azure NDv2: in a box the NVLinks of a DGX-1; GPU 0 of a box sends 12.5 to other boxes, and GPU 1 receives them.

    Two boxes are joined directly, more by a switch that sends and receives 12.5 for each.
    Source: ``teccl/topologies/ndv2.py`` (microsoft/TE-CCL, c128bf24).
    """
    n = _counted("ndv2", boxes, gpus=8)
    cables, slow = _meshed(_DGX1, n, 8, 25), Fraction(25, 2)
    if n == 2:
        cables += [(0, 9, slow), (8, 1, slow)]
    elif n > 2:
        cables += [x for y in range(n) for x in ((8 * y, 8 * n, slow), (8 * n, 8 * y + 1, slow))]
    return _network(f"ndv2:{n}", n, 8, ["switch"] if n > 2 else [], cables)


def dgx2(boxes: int) -> Network:
    """DGX-2: sixteen V100 on an NVSwitch, 125 each; of two boxes GPU 2k + 1 sends 12.5 to GPU 2k of the other one.

    Source: ``teccl/topologies/dgx2.py`` (microsoft/TE-CCL, c128bf24); which GPU sends to which is TACCL's sketch.
    """
    n = _counted("dgx2", boxes, gpus=16, most=2)
    cables = [x for k in range(16 * n) for x in _both_ways(k, 16 * n + k // 16, 125)]
    if n == 2:
        cables += [(16 * y + x + 1, 16 * (1 - y) + x, Fraction(25, 2)) for y in range(2) for x in range(0, 16, 2)]
    return _network(f"dgx2:{n}", n, 16, (f"box{y}.nvswitch" for y in range(n)), cables)


def _on_nvswitch(name: str, boxes: int, *, nvlink: int, interface: int, fabrics: int) -> Network:
    """Eight GPUs on an NVSwitch; several boxes: GPU x also on switch x mod ``fabrics``, which all boxes share."""
    n = _counted(name, boxes, gpus=8)
    cables = [x for k in range(8 * n) for x in _both_ways(k, 8 * n + k // 8, nvlink)]
    shared = fabrics if n > 1 else 0
    if shared:
        cables += [x for k in range(8 * n) for x in _both_ways(k, 9 * n + k % 8 % fabrics, interface)]
    switches = [*(f"box{y}.nvswitch" for y in range(n)), *(f"infiniband{x}" for x in range(shared))]
    return _network(f"{name}:{n}", n, 8, switches, cables)


def a100(boxes: int) -> Network:
    """Eight A100 on an NVSwitch, 300 each, and 25 each to one of two InfiniBand switches, by the GPU's parity.

    Source: ``topologies.py`` (liangyuRain/ForestColl, 3c13aee8).
    """
    return _on_nvswitch("a100", boxes, nvlink=300, interface=25, fabrics=2)


def ndv4(boxes: int) -> Network:
    """Azure ND A100 v4: eight A100 on an NVSwitch, 300 each, and 200 Gb/s each into one InfiniBand fabric that blocks
    nothing.  Source: Microsoft Learn, ND A100 v4-series; NVIDIA A100 (NVLink 600 GB/s, both directions together).
    """
    return _on_nvswitch("ndv4", boxes, nvlink=300, interface=25, fabrics=1)


def ndv5(boxes: int) -> Network:
    """Azure ND H100 v5: eight H100 on an NVSwitch, 450 each, and 400 Gb/s each into one InfiniBand fabric that blocks
    nothing.  Source: Microsoft Learn, ND H100 v5-series; NVIDIA H100 (NVLink 900 GB/s, both directions together).
    """
    return _on_nvswitch("ndv5", boxes, nvlink=450, interface=50, fabrics=1)


def h100(boxes: int) -> Network:
    """DGX H100: the same bandwidths as ``ndv5``.  Source: NVIDIA DGX H100 datasheet."""
    return _on_nvswitch("h100", boxes, nvlink=450, interface=50, fabrics=1)


def mi250(boxes: int) -> Network:
    """Sixteen dies of eight MI250, 50 an xGMI link; of several boxes 16 from each die to one InfiniBand switch.

    Source: ``topologies.py`` (liangyuRain/ForestColl, 3c13aee8).
    """
    n = _counted("mi250", boxes, gpus=16)
    cables = _meshed(_MI250, n, 16, 50)
    if n > 1:
        cables += [x for k in range(16 * n) for x in _both_ways(k, 16 * n, 16)]
    return _network(f"mi250:{n}", n, 16, ["infiniband0"] if n > 1 else [], cables)


def _family(usage: str, help: str, make: Callable[..., Network]) -> Family[Network]:
    name, counted = usage.partition(":")[0], ":" in usage
    parameters = (f"boxes of {name}:n",) if counted else ()

    def build(pieces: Pieces) -> Network:
        if "bandwidth" in pieces.options:
            raise InputError(f"{name} has the bandwidths of its source, in GB/s; bandwidth= was not expected")
        return called(make, parameters)(pieces)

    return Family(usage, help, build, parameters=len(parameters))


DGX1 = _family("dgx1", "DGX-1: 8 V100 joined by NVLinks, in GB/s", dgx1)
NDV2 = _family("ndv2:2", "n Azure NDv2: 8 V100 as in a DGX-1, in GB/s", ndv2)
DGX2 = _family("dgx2:2", "1 or 2 DGX-2: 16 V100 on an NVSwitch, in GB/s", dgx2)
A100 = _family("a100:2", "n boxes of 8 A100, two InfiniBand switches, in GB/s", a100)
NDV4 = _family("ndv4:2", "n Azure ND A100 v4: 8 A100 each, in GB/s", ndv4)
NDV5 = _family("ndv5:2", "n Azure ND H100 v5: 8 H100 each, in GB/s", ndv5)
H100 = _family("h100:2", "n DGX H100: 8 H100 each, in GB/s", h100)
MI250 = _family("mi250:2", "n boxes of 8 MI250, 16 dies, in GB/s", mi250)
