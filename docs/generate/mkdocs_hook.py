"""What mkdocs calls while it builds: adds the generated pages, and shows the names of files in the examples."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from live import COMMANDS, live_page
from reference import ROOMS, pages


def on_files(files: Any, config: Any) -> Any:
    """``files``, the pages that are made from the code, and report pages made by the commands of the gallery."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
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


def on_page_markdown(markdown: str, **_: Any) -> str:
    """A block after ``<!-- file: name -->`` gets that name as its title."""
    return re.sub(r"^<!-- file: (.+?) -->\n```(\w+)$", r'```\2 title="\1"', markdown, flags=re.MULTILINE)
