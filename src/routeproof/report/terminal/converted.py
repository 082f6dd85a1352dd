"""What ``convert`` prints: the new file, and what stands in it."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from ...core.escape import printable
from ...questions.convert import ConvertAnswer


def converted_parts(answer: ConvertAnswer) -> list[Text]:
    return [Text(f"{printable(answer.target)}: {printable(answer.written)}")]


def converted_page(answer: ConvertAnswer) -> dict[str, Any]:
    assert answer.converted is not None
    parts = [Text(answer.counts)] if answer.counts else ()
    return {"title": answer.converted.name, "parts": parts, "network": answer.converted}
