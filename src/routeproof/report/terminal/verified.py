"""What ``verify`` prints: what the report is about, its claims, and why each holds."""

from __future__ import annotations

import os.path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...core.display import seconds_text
from ...core.escape import printable
from ...questions.verify import VerifyAnswer
from .parts import title
from .subject_words import given_names, subject_lines
from .table import claims_table, evidence_table

_SHOWN = 10  # claims that are not in a proof


def verified_parts(answer: VerifyAnswer) -> list[RenderableType]:
    """Names that the report gives stand in quotation marks."""
    claims, subject = answer.claims(), answer.stated_about
    quoted = given_names(answer.about, claims)
    if answer.routing is None:
        lines = subject_lines(subject, claims)
    else:
        lines = subject_lines({**subject, "routing": {"spec": answer.routing}}, claims)
        lines.append("checked against this routing, in place of the report's")
    single = sum("channel" in x.about for x in claims)
    worst = all(x.quantity == "worst_case_load" for x in claims if "channel" in x.about)
    what = f"the worst cases of {single} single channels" if worst else f"{single} claims about single channels"
    count = f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'} verified in {seconds_text(answer.seconds)}"
    return [
        title(printable(answer.report)),
        *map(Text, lines),
        Text(),
        claims_table([x for x in claims if "channel" not in x.about], verdict="verified", quoted=quoted),
        *([Text(f"{what}: verified")] if single else []),
        Text(),
        evidence_table(claims, quoted),
        Text(),
        *map(Text, _of_proof(answer)),
        *(Text(f"{printable(x)}: a refutation") for x in answer.refutations),
        Text(count),
    ]


def _of_proof(answer: VerifyAnswer) -> list[str]:
    if answer.proof is None:
        return []
    proof = answer.proof
    said = [f"{printable(proof.path)}: a proof of {proof.claims} {'claim' if proof.claims == 1 else 'claims'}"]
    if proof.about is not None:
        said.append(f"it is about the subject of {printable(proof.about)}, and about no other")
    said.append(f"SHA-256 of the proof {proof.sha256}")
    if proof.network_sha256 is not None:
        said.append(f"SHA-256 of its network {proof.network_sha256}")
    said += [printable(f"not in the proof: {what}: {reason}") for what, reason in proof.left_out[:_SHOWN]]
    more = len(proof.left_out) - _SHOWN
    return [*said, *([f"... and {more} more, listed in the proof"] if more > 0 else [])]


def verified_page(answer: VerifyAnswer) -> dict[str, Any]:
    """No file is looked for that the report names: a page would look for positions of the nodes in the topology's."""
    return {
        "subject": {key: x for key, x in answer.about.items() if key != "topology"},
        "title": f"verified: {os.path.basename(answer.report)}",
        "quoted": given_names(answer.about, answer.claims()),
    }
