"""Timed paths: which packet crosses which channel at which step, and that no channel is asked for too much.

Source: the multiport model of Hwang, Yao & Dasgupta, sec. 1: at each step a packet stays or crosses one link, and a
link of bandwidth 1 is crossed by one packet at a time.  Nodes hold any number of packets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import first_true, int32_array, members
from ..errors import InputError
from ..network import Network
from ..paths import Paths, check_paths

__all__ = ["Schedule", "check_schedule"]


@dataclass(frozen=True, eq=False)
class Schedule:
    """``paths`` (one packet each; weights play no part) plus the step of every hop.

    ``step``: int32, shape of ``paths.channel``, from 1, rising along each path; read-only.
    Raises InputError where steps do not rise.  Whether packets collide is for ``check_schedule`` to say.
    """

    network: Network
    paths: Paths
    step: npt.NDArray[np.int32]

    def __post_init__(self) -> None:
        step = int32_array(self.step, what="step", size=len(self.paths.channel), below=2**31 - 1)
        object.__setattr__(self, "step", step)
        if len(step) and int(step.min()) < 1:
            raise InputError("a step is below 1; steps count from 1")
        path = members(self.paths.offset)
        k = first_true((np.diff(path) == 0) & (np.diff(step) <= 0))
        if k is not None:
            raise InputError(
                f"path {int(path[k])} crosses channels at steps {int(step[k])} and then {int(step[k + 1])}"
            )

    @property
    def steps(self) -> int:
        """The step of the last hop (the makespan); 0 where nothing moves."""
        return int(self.step.max(initial=0))

    def conflicts(self) -> list[tuple[int, int, list[int]]]:
        """(step, channel, the packets that cross it then) wherever they are more than its bandwidth allows."""
        path = members(self.paths.offset)
        order = np.lexsort((path, self.paths.channel, self.step))
        key = np.stack([self.step[order], self.paths.channel[order]])
        bounds = np.nonzero((np.diff(key) != 0).any(axis=0))[0] + 1
        allowed = self.network.bandwidth
        return [
            (int(self.step[part[0]]), int(self.paths.channel[part[0]]), path[part].tolist())
            for part in np.split(order, bounds)
            if len(part) and len(part) > allowed[int(self.paths.channel[part[0]])]
        ]

    def positions(self) -> npt.NDArray[np.int32]:
        """int32, shape (steps + 1, P): the node of every packet before each step and at the end."""
        at = np.empty((self.steps + 1, len(self.paths)), dtype=np.int32)
        at[0] = self.network.source[self.paths.source]
        path = members(self.paths.offset)
        for n in range(1, self.steps + 1):
            at[n] = at[n - 1]
            now = np.nonzero(self.step == n)[0]
            at[n, path[now]] = self.network.head[self.paths.channel[now]]
        return at


def check_schedule(schedule: Schedule) -> None:
    """Raise InputError unless every packet arrives and no channel is crossed by more packets than its bandwidth."""
    check_paths(schedule.network, schedule.paths)
    found = schedule.conflicts()
    if found:
        step, channel, packets = found[0]
        raise InputError(
            f"at step {step} the packets {', '.join(map(str, packets[:4]))} cross channel {channel} "
            f"({schedule.network.channel_label(channel)}), whose bandwidth is {schedule.network.bandwidth[channel]}"
        )
