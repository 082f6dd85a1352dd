"""What mkdocs calls while it builds: adds the generated pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from reference import pages


def on_files(files: Any, config: Any) -> Any:
    """``files`` and the pages that are made from the code."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files
