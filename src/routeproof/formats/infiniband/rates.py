"""What ``ibnetdiscover`` says of a cable after the name of its other end: ``lid 4 4xQDR s=4 w=2 v=4``.

Width and speed are those in use (the port's LinkWidthActive and LinkSpeedActive).  ``-f`` repeats them as the numbers
of the port's PortInfo, ``s=`` and ``w=``, and adds ``v=``, how many virtual lanes the port can have (VLCap).  ``?`` is
for what the program did not learn or does not know.  Source: infiniband-diags, ``ibnetdiscover.c``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ...core.errors import InputError
from ..text_files import brief

__all__ = ["GBPS_PER_LANE", "StatedRate", "stated_rate"]

_CODE_8_10, _CODE_64_66 = Fraction(8, 10), Fraction(64, 66)
GBPS_PER_LANE = {
    "SDR": Fraction(5, 2) * _CODE_8_10,
    "DDR": 5 * _CODE_8_10,
    "QDR": 10 * _CODE_8_10,
    "FDR10": Fraction(103125, 10000) * _CODE_64_66,
    "FDR": Fraction(140625, 10000) * _CODE_64_66,
    "EDR": Fraction(2578125, 100000) * _CODE_64_66,
    "HDR": Fraction(50),
    "NDR": Fraction(100),
    "XDR": Fraction(200),
}
"""Data rate of one lane in Gb/s: the signalling rate less the line code (InfiniBand Architecture Specification, vol. 2;
from HDR on the rates by which the speeds are named)."""

_WIDTH_NUMBER = {"1x": 1, "4x": 2, "8x": 4, "12x": 8, "2x": 16}
_SPEED_NUMBER = {"SDR": 1, "DDR": 2, "QDR": 4}  # other speeds have numbers of their own, which are not printed
_AFTER_NAME = re.compile(
    r"\s*(?:lid \d{1,5}\b)?(?:\s*(?!s=|slot|\(scp\)|lid\b)(\S+))?(?:\s+s=(\d{1,3}) w=(\d{1,3}) v=\d{1,3})?"
    r"(?:\s+slot \d+|\s+\(scp\))?\s*"
)
_UNKNOWN = re.compile(r"(?:\?\?|\d{1,2}x)(?:\?\?\?|[A-Z]{3}(?:10)?)")


@dataclass(frozen=True)
class StatedRate:
    """A cable's rate as one end states it: ``text`` (4xEDR), and ``gbps``, None where the text has a ``?``."""

    text: str
    gbps: Fraction | None


def stated_rate(text: str, where: str) -> StatedRate | None:
    """The rate in what follows the name of a cable's other end, or None where there is none.

    Raises InputError, beginning with ``where``, for anything that ibnetdiscover does not write there.
    """
    found = _AFTER_NAME.fullmatch(text)
    if found is None:
        raise InputError(
            f"{where}: {brief(text.strip())} stands after the name of the cable's other end; lid, width and speed such "
            f"as lid 4 4xEDR were expected, with s=, w= and v= from ibnetdiscover -f"
        )
    rate, speed_number, width_number = found.groups()
    if rate is None:
        if width_number is not None:
            raise InputError(f"{where}: s= and w= without a width and a speed such as 4xEDR before them")
        return None
    width, _, speed = rate.partition("x")
    width += "x"
    if "?" in rate and _UNKNOWN.fullmatch(rate):
        return StatedRate(rate, None)
    if width not in _WIDTH_NUMBER or speed not in GBPS_PER_LANE:
        raise InputError(
            f"{where}: a cable of {brief(rate)}; 1x, 2x, 4x, 8x or 12x and one of {', '.join(GBPS_PER_LANE)} were "
            f"expected, as in 4xEDR"
        )
    if width_number is not None and (
        int(width_number) != _WIDTH_NUMBER[width] or int(speed_number) != _SPEED_NUMBER.get(speed, int(speed_number))
    ):
        told = f"s={_SPEED_NUMBER.get(speed, speed_number)} w={_WIDTH_NUMBER[width]}"
        raise InputError(f"{where}: a cable of {rate} with s={speed_number} w={width_number}; {told} was expected")
    return StatedRate(rate, int(width[:-1]) * GBPS_PER_LANE[speed])
