"""What the evidence of one claim holds, in words: names, numbers, and how much of what is too long to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...core.claim import Claim
from ...core.escape import printable, quotation
from ...core.network import Network
from ...core.vocabulary import name_of_quantity
from ...topologies.failures import Failure
from .scenes import failed_text

_LONG = 160  # characters of a text that is shown
_FEW = 16  # entries of a list that is shown
_NUMBER = re.compile(r"[0-9]{1,40}(/[0-9]{1,40})?")


def evidence_text(claim: Claim, network: Network | None) -> list[str]:
    """Sentences; ``network``: whose channels are named, where there is one."""
    data = claim.evidence.data
    words = _SENTENCES.get(claim.evidence.kind)
    found = [] if words is None else [words(claim, network)]
    witness = data.get("witness")
    if isinstance(witness, str):
        found.append(f"Witness: {printable(witness)}.")
    shown = [x for key, value in data.items() if key not in _TOLD for x in _entry(key, value, network)]
    if shown and words is None:
        found.append(f"It holds {'; '.join(shown)}.")
    return [x for x in found if x]


def _entry(key: str, value: Any, network: Network | None) -> Iterator[str]:
    """``seed 7``, ``subset 0, 3, 5``, ``moves (packed)``: one entry of the evidence."""
    name = printable(key.replace("_", " "), limit=40)
    if key == "channel":
        yield f"channel {_channel(network, value)}"
    elif isinstance(value, bool) or value is None or isinstance(value, Mapping):
        return
    elif isinstance(value, str) and len(value) > _LONG:
        yield f"{name} (packed)"
    elif isinstance(value, list):
        plain = len(value) <= _FEW and all(isinstance(x, int) for x in value)
        listed = ", ".join(str(x) for x in value)
        yield f"{name} {listed}" if plain and value else f"{name} ({len(value):,} entries)"
    elif isinstance(value, str):
        yield f"{name} {value if _NUMBER.fullmatch(value) else quotation(value, limit=_LONG)}"
    elif isinstance(value, (int, float)):
        yield f"{name} {value}"


def _channel(network: Network | None, channel: object) -> str:
    if network is None or not isinstance(channel, int) or not 0 <= channel < network.num_channels:
        return f"number {channel}"
    return f"{printable(network.channel_label(channel))} (number {channel})"


def channel_of(claim: Claim) -> int | None:
    """The channel whose own worst case it claims, or that is the worst one in its witness; None where there is none."""
    data = claim.evidence.data
    if "channel" in claim.about or claim.evidence.kind not in ("worst-case", "matrices"):
        found: Any = claim.about.get("channel")
    else:
        witness = data.get("witness")
        found = (witness if isinstance(witness, Mapping) else data).get("channel")
    return found if isinstance(found, int) else None


def _worst_case(claim: Claim, network: Network | None) -> str:
    data = claim.evidence.data
    inner = data.get("reached", data)
    found = inner.get("worst-case", inner) if isinstance(inner, Mapping) else data
    witness = found.get("witness") if isinstance(found, Mapping) else None
    if not isinstance(witness, Mapping) or "channel" not in witness or "routing" in data:
        return ""
    sent = "a permutation" if "permutation" in witness else "traffic between pairs, with rates"
    return f"The channel is {_channel(network, witness['channel'])}; the traffic is {sent}."


def _failure(claim: Claim, network: Network | None) -> str:
    data = claim.evidence.data
    if "links" not in data:
        return ""
    failure = Failure.of(claim.evidence.data)
    texts = [] if network is None else [f"What failed: {failed_text(network, failure)}."]
    if int(data.get("like", 1)) > 1:
        texts.append(f"It stands for {data['like']} failures that are alike.")
    left = data.get("witness")
    if isinstance(left, Mapping):
        texts.append(f"The worst channel after it is {_channel(network, left.get('channel'))}.")
    return " ".join(texts)


def _derived(claim: Claim, _: Network | None) -> str:
    names = [name_of_quantity(str(x)) for x in claim.evidence.data.get("from", ())]
    return f"From {printable(' and '.join(names), limit=_LONG)}." if names else ""


def _counting(claim: Claim, _: Network | None) -> str:
    data = claim.evidence.data
    return f"{printable(str(data.get('rule')), limit=40)}: {printable(str(data.get('because')))}."


def _cycle(claim: Claim, _: Network | None) -> str:
    return f"The cycle has {len(claim.evidence.data.get('cycle', ()))} channels, and as many packets."


_TOLD = frozenset({"witness", "scale", "traffic"})
_SENTENCES: Mapping[str, Callable[[Claim, Network | None], str]] = {
    "worst-case": _worst_case,
    "optimum": _worst_case,
    "reached": _worst_case,
    "failure": _failure,
    "derived": _derived,
    "same-class": lambda claim, network: f"That channel is {_channel(network, claim.evidence.data.get('focus'))}.",
    "counting-bound": _counting,
    "channel-cycle": _cycle,
    "lane-cycle": _cycle,
}
"""Kinds of evidence of which more can be said than a list of what they hold."""
