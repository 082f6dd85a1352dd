"""Table 1 of Towles & Dally 2002 (SPAA '02, p. 6; also Table 1 of the memo 121 version, sec. 5).

"Ideal throughput of DOR and ROMM over several patterns on an 9-ary 2-cube (fraction of network capacity)": six rows,
two routings, three decimals ("Values shown in the table have been rounded to three significant digits").  Five rows are
exact numbers and are computed exactly.  The row "Worst of 10^4 permutations" depends on which permutations were drawn,
which the paper does not say: it is given as the range over several seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.claim import Grade
from ...core.errors import InputError
from ...core.rational import INT64_MAX, lcm_within
from ...routing.base.routing import Routing
from ...routing.named.spec import routing_from_spec
from ...topologies.grid.lattice import torus
from ...topologies.patterns import traffic_pattern
from ...worst.capacity import known_capacity
from ...worst.loads import channel_loads_under, throughput
from ...worst.scan.exact import worst_case
from ...worst.scan.scan import described, made_again
from ..result import HERE, Here, Row, StudyResult, compared

_RANDOM, _WORST = "Worst of 10^4 permutations", "Worst-case"
_PUBLISHED = {
    "Uniform": ("1", "1"),
    "Bit-complement": ("0.556", "0.362"),
    "Transpose": ("0.278", "0.556"),
    "Tornado": ("0.278", "0.278"),
    _RANDOM: ("0.278", "0.255"),
    _WORST: ("0.278", "0.173"),
}
_LOTTERY = (
    "a lottery: the paper does not say how the permutations were drawn, and another seed gives another number; "
    "the computed range is over {seeds} seeds of {trials} permutations and {inside} the published value"
)
_TRUNCATED = "the exact value is 25/144 = 0.17361..., which rounds to 0.174; the printed digits are the truncated ones"
_SHARE = "the printed share is that of the truncated 0.173; exactly it is 5/8"

_BATCH = 500


def run(
    here: Here = HERE,
    *,
    trials: int = 10_000,
    seeds: Sequence[int] = tuple(range(10)),
) -> StudyResult:
    """Table 1 again; the random row draws ``trials`` permutations for each of ``seeds``, each a piece of work."""
    if trials < 1 or not seeds:
        asked = f"study {here.name} was asked for {trials} trials of {len(seeds)} seeds"
        raise InputError(f"{asked}; at least one was expected")
    network = torus(9, 9)
    best = known_capacity(network)
    rows: list[Row] = []
    worst: list[Fraction] = []
    routings = [routing_from_spec("dor", network), routing_from_spec("romm", network)]
    for label, printed in _PUBLISHED.items():
        for routing, text in zip(routings, printed, strict=True):
            title = f"{label}, {routing.name.partition(':')[0].upper()}"
            here.progress(title)
            if label == _RANDOM:
                pieces = {f"seed {x}": {"seed": x} for x in seeds}
                what = {"subject": described(routing), "trials": trials}
                found = here.done(f"seeds, {routing.name}", one_seed, pieces, prepare=prepare_seeds, **what)
                shares = [x / best for x in found.values()]
                rows.append(_random_row(title, shares, text, trials=trials, seeds=seeds))
            elif label == _WORST:
                worst.append(worst_case(routing).throughput / best)
                kind = "worst_case_throughput_of_capacity"
                rows.append(compared(title, worst[-1], text, _TRUNCATED, quantity=kind))
            else:
                loads = channel_loads_under(routing, traffic_pattern(label.casefold(), network))
                kind = "throughput_of_capacity"
                rows.append(compared(title, throughput(loads, network) / best, text, quantity=kind))
    share = compared("Worst-case, ROMM over DOR", worst[1] / worst[0], "0.623", _SHARE)
    rows.append(replace(share, published="62.3 %"))
    return StudyResult(
        "Ideal throughput of DOR and ROMM on the 9-ary 2-cube, as a fraction of capacity",
        "Towles & Dally 2002, Worst-case Traffic for Oblivious Routing Functions (SPAA '02), Table 1, p. 6",
        "ROMM's exact worst case of 0.173 was significantly less than DOR's 0.278",
        tuple(rows),
    )


def _random_row(label: str, values: list[Fraction], published: str, *, trials: int, seeds: Sequence[int]) -> Row:
    low, high = min(values), max(values)
    half = Fraction(1, 2000)
    inside = low - half <= Fraction(published) <= high + half
    # All seeds agree with each other and with the printed value: then the choice of permutations did not matter.
    agrees = True if low == high and inside else None
    note = _LOTTERY.format(seeds=len(seeds), trials=trials, inside="holds" if inside else "does not hold")
    data = {"quantity": "throughput_of_capacity", "trials": trials, "seeds": list(seeds), "values": [*map(str, values)]}
    return Row(label, (low, high), published, agrees, "" if agrees else note, Grade.SAMPLED, data)


def prepare_seeds(subject: Mapping[str, Any], trials: int) -> tuple[npt.NDArray[Any], int, Fraction, int]:
    """What all seeds share: once where they are tried."""
    return (*loads_to_add(made_again(subject)), trials)


def one_seed(ready: tuple[npt.NDArray[Any], int, Fraction, int], seed: int) -> Fraction:
    """The lowest throughput over the random permutations of one seed."""
    return worst_of_random_permutations(*ready, seed=seed)


def worst_of_random_permutations(
    load: npt.NDArray[Any], size: int, full: Fraction, trials: int, *, seed: int
) -> Fraction:
    """The lowest throughput over ``trials`` random permutations (numpy's default generator), exactly; ``load``,
    ``size`` and ``full`` as ``loads_to_add`` gives them."""
    rng = np.random.default_rng(seed)
    top = 0
    for at in range(0, trials, _BATCH):
        images = np.array([rng.permutation(size) for _ in range(min(_BATCH, trials - at))])
        total = np.zeros((len(images), load.shape[1]), dtype=load.dtype)
        for i in range(size):
            total += load[i * size + images[:, i]]
        top = max(top, int(total.max()))
    return full / top


def loads_to_add(routing: Routing) -> tuple[npt.NDArray[Any], int, Fraction]:
    """``dense_loads``, in 32 bits where every sum fits: half of the memory to go through; the number of terminals; and
    the load that is a full channel.  Raises InputError for bandwidths that differ or are not whole."""
    load, scale = dense_loads(routing)
    network = routing.network
    size, bandwidth = network.num_terminals, network.bandwidth[0]
    whole = network.uniform_bandwidth and bandwidth.denominator == 1
    if not whole or len(routing.row_node) ** 2 != len(load):
        raise InputError(
            f"random permutations are tried on networks with one whole bandwidth; {network.name} has others"
        )
    return load.astype(np.int32 if int(load.max()) * size < 2**31 else np.int64), size, bandwidth * scale


def dense_loads(routing: Routing) -> tuple[npt.NDArray[np.int64], int]:
    """(load, scale): the load of channel c from node i to node j is ``load[i * N + j, c] / scale``; int64 (N^2, C).

    For small networks with one terminal per node.  Raises InputError where no common scale fits.
    """
    network = routing.network
    size = network.num_nodes
    everyone = np.arange(size)
    if not (np.array_equal(network.source, everyone) and np.array_equal(network.sink, everyone)):
        raise InputError(f"dense loads need one terminal per node, in node order; {network.name} has others")
    pairs = np.arange(size * size)
    block = routing.pair_loads(pairs // size, pairs % size)
    scale = lcm_within(block.load.denominators(), INT64_MAX // (4 * size))
    if scale is None:
        raise InputError(f"the loads of {routing.name} on {network.name} have no common scale below 2^63")
    load = np.zeros((size * size, network.num_channels), dtype=np.int64)
    load[np.repeat(pairs, np.diff(block.offset)), block.channel] = block.load.scaled(scale)
    return load, scale
