"""The notebook of docs/notebooks: ``python docs/generate/notebook.py`` runs its cells and keeps what they show.

The site shows it as a page.  No Jupyter is needed for either: cells run as Python, in one namespace.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "fabric.ipynb"


def read() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return document


def executed() -> dict[str, Any]:
    """The notebook with what its cells show when they are run now, in its own folder."""
    document, namespace, count = read(), {"__name__": "notebook"}, 0
    with contextlib.chdir(NOTEBOOK.parent):
        for cell in document["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell["execution_count"], cell["outputs"] = count, shown("".join(cell["source"]), namespace, count)
    return document


def shown(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a cell prints, and its last expression: as text, and as a picture where it is one."""
    tree, said, last, outputs = ast.parse(source), io.StringIO(), None, []
    tail = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "cell", "exec"), namespace)  # noqa: S102
        if isinstance(tail, ast.Expr):
            last = eval(compile(ast.Expression(tail.value), "cell", "eval"), namespace)  # noqa: S307
    if said.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(said.getvalue())})
    if last is not None:
        data = {"text/plain": lines(repr(last))}
        if hasattr(type(last), "_repr_svg_"):
            data["image/svg+xml"] = lines(last._repr_svg_())
        outputs.append({"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": count})
    return outputs


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def page() -> str:
    """The notebook as Markdown, with the outputs that it holds."""
    out = []
    for cell in read()["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(source)
            continue
        out.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text")})
            if "image/svg+xml" in data:
                picture = "".join(data["image/svg+xml"])
                out.append(f'<div class="figure">{" ".join(picture[picture.index("<svg") :].split())}</div>')
            else:
                out.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    return "\n\n".join(out) + "\n"


def main() -> None:
    text = json.dumps(executed(), indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
