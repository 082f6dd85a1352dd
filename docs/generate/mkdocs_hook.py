"""What mkdocs calls while it builds: adds the generated pages, and shows the names of files in the examples."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from atlas import DATA, network_pages, network_pictures
from live import COMMANDS, live_page
from reference import ROOMS, pages

WIDTH = 116  # characters of code
_FENCE = re.compile(r"^```(\w*)$.*?^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """``files``, the pages that are made from the code, and report pages made by the commands of the gallery."""
    from mkdocs.structure.files import File

    atlas = json.loads(DATA.read_text(encoding="utf-8"))
    for path, text in (pages() | network_pages(atlas) | network_pictures(atlas)).items():
        files.append(File.generated(config, path, content=text))
    for path, command in COMMANDS.items():
        files.append(File.generated(config, path, content=live_page(command)))
    return files


def on_config(config: Any) -> Any:
    """The rooms of the library stand in the navigation beneath its overview."""
    (reference,) = (part["Reference"] for part in config["nav"] if "Reference" in part)
    (library,) = (part["All of the library"] for part in reference if "All of the library" in part)
    library += [{room: f"reference/{room}.md"} for room in ROOMS]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A block after ``<!-- file: name -->`` gets that name as its title; the copy button must know sessions as such."""
    text = re.sub(r"^<!-- file: (.+?) -->\n```(\w+)$", r'```\2 title="\1"', markdown, flags=re.MULTILINE)
    text = re.sub(r"^```text\n(?=\$ )", "```console\n", text, flags=re.MULTILINE)
    text = re.sub(r"^```console\n(?!\$ )", "```sh\n", text, flags=re.MULTILINE)
    text = re.sub(r"^```python\n(?=>>> )", "```pycon\n", text, flags=re.MULTILINE)
    return _FENCE.sub(folded, text) if page.file.src_uri.startswith("reference/") else text


def folded(block: re.Match[str]) -> str:
    """A block of code with no line beyond the width of a page; commands go on after a backslash."""
    end = "" if block[1] == "python" else " \\"
    lines = []
    for line in block[0].splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        parts = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        lines.append(f"{end}\n".join(parts))
    return "\n".join(lines)
