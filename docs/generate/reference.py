"""Pages of the site that are made from the code, so that they cannot go stale.

Commands come from the application itself; the library from its sources, which are read and never imported.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from typer.models import OptionInfo

sys.path.insert(0, str(Path(__file__).parent))

import notebook

SOURCE = Path(__file__).resolve().parents[2] / "src" / "routeproof"
ROOMS = tuple(sorted(path.parent.name for path in SOURCE.glob("*/__init__.py")))
_MAP = re.compile(r"(?<=<!-- map of the rooms -->\n).*?(?=<!-- end of the map -->)", re.DOTALL)
_EMPHASIS = re.compile(r"(?<![\w*])(\*[A-Za-z][A-Za-z ]*\*)(?![\w*])")
_CODE = r"(``.+?``|`[^`]+`)"


def pages() -> dict[str, str]:
    """Every generated page: its path below ``docs`` and its Markdown text."""
    made = {"reference/commands.md": commands_page(), "reference/python.md": overview_page()}
    made["notebooks/fabric.md"] = notebook.page()
    return made | {f"reference/{room}.md": room_page(room) for room in ROOMS}


def prose(text: str, keep: str = "") -> str:
    """A docstring as Markdown: outside of code only ``*emphasis*`` and ``keep`` are markup."""
    code = re.compile(f"{_CODE[:-1]}|{re.escape(keep)})" if keep else _CODE, re.DOTALL)

    def outside(part: str) -> str:
        part = part.replace("&", "&amp;").replace("<", "&lt;").replace("_", r"\_")
        return "".join(x if k % 2 else x.replace("*", r"\*") for k, x in enumerate(_EMPHASIS.split(part)))

    lines = []
    for block in re.split(r"(\n\n(?:    .*(?:\n|\Z)|\n)+)", text):
        if block.startswith("\n\n    "):
            lines.append(block)
        else:
            lines.append("".join(x if x.startswith("`") or x == keep else outside(x) for x in code.split(block)))
    return "".join(lines)


# Commands


def commands_page() -> str:
    """All verbs and options, as the application declares them."""
    from routeproof.cli.app import app

    out = [
        "# All commands and options",
        "What `--help` says, from the application itself. [Command line](../cli.md) explains it, with examples.",
    ]
    for path, verb in verbs(app, "routeproof"):
        out += command_section(path, verb)
    return "\n\n".join(out) + "\n"


def verbs(app: Any, path: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every verb of a typer application and of the groups in it, with the words that call it."""
    for command in app.registered_commands:
        if not command.hidden:
            yield f"{path} {command.name}", command.callback
    for group in app.registered_groups:
        yield from verbs(group.typer_instance, f"{path} {group.name}")


def command_section(path: str, verb: Callable[..., Any]) -> list[str]:
    """Usage, what it does, arguments and options of one verb."""
    parameters = inspect.signature(verb, eval_str=True).parameters.values()
    words = [x.annotation.__metadata__[0].metavar or x.name for x in parameters if not spellings(x)]
    text = [about(inspect.cleandoc(x)) for x in re.split(r"\n\s*\n", (verb.__doc__ or "").replace("\f", ""))]
    rows = [parameter_row(x) for x in parameters if not x.annotation.__metadata__[0].hidden]
    usage = f"```text\n{' '.join([path, *words, '[OPTIONS]'])}\n```"
    return [f"## {path}", usage, *text, "| argument or option | value | meaning |\n|---|---|---|\n" + "\n".join(rows)]


def about(paragraph: str) -> str:
    """A paragraph of help; an example as code, each command on its line."""
    before, example, command = paragraph.replace("\n", " ").partition("For example: ")
    commands = "\n".join(command.split(" or: "))
    return f"{before}{example}\n\n```text\n{commands}\n```" if example else prose(paragraph)


def spellings(parameter: inspect.Parameter) -> list[str]:
    """``--traffic`` and ``-t``; nothing for an argument."""
    info = parameter.annotation.__metadata__[0]
    first = [info.default] if isinstance(info.default, str) else []
    named = [x for x in (*first, *(info.param_decls or ())) if x.startswith("-")]
    return named or ["--" + parameter.name.replace("_", "-")] if isinstance(info, OptionInfo) else []


def parameter_row(parameter: inspect.Parameter) -> str:
    from routeproof.cli.frame.help_pages import filled

    info, kind = parameter.annotation.__metadata__[0], parameter.annotation.__origin__
    choices = [x.value for y in (kind, *get_args(kind)) if isinstance(y, enum.EnumType) for x in y]
    names = spellings(parameter)
    value = info.metavar or "|".join(choices) or ("" if kind is bool else "VALUE")
    facts = filled(info.help or "", info.metavar).replace("\n", " ")
    default = getattr(parameter.default, "value", parameter.default)
    if default is inspect.Parameter.empty:
        facts += " **Required.**" if names else ""
    elif default is not None and not isinstance(default, (bool, list, tuple)):
        facts += f" Default: `{default}`."
    shown = " ".join(f"<code>{x}</code>" for x in names) or f"<code>{value}</code>"
    typed = f"<code>{value}</code>".replace("|", "&#124;") if names and value else ""
    return f"| {shown} | {typed} | {prose(facts, keep='**Required.**').replace('|', '&#124;')} |"


# The library


def overview_page() -> str:
    """The rooms, and the names that ``routeproof`` itself has."""
    stub = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    homes = {x.asname or "": y.module or "" for y in stub.body if isinstance(y, ast.ImportFrom) for x in y.names}
    homes |= {ast.unparse(x.targets[0]): "api.functions" for x in stub.body if isinstance(x, ast.Assign)}
    homes = {name: home for name, home in homes.items() if not name.startswith("_")}
    rooms = {room: room_page(room) for room in ROOMS}
    out = [
        "# All of the library",
        "From the docstrings of the sources. [Python](../api.md) is the introduction. Names of the package itself are "
        "meant to stay; those of the rooms below are for building on, and may still move.",
        "| room | |\n|---|---|\n" + "\n".join(f"| [`{room}`]({room}.md) | {first_sentence(room)} |" for room in ROOMS),
        "## Names of `routeproof` itself",
    ]
    rows = []
    for name, module in sorted(homes.items(), key=lambda x: x[0].lower()):
        room = module.split(".")[0]
        anchor = f"#{module}.{name}".lower()
        where = f"[`{module}.{name}`]({room}.md{anchor if f'{{ {anchor} ' in rooms[room] else ''})"
        rows.append(f"| `{name}` | {where} |")
    out.append("| name | is |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(out) + "\n"


def first_sentence(room: str) -> str:
    """What lives in a room (or ``room/sub_room``): the first line of its docstring."""
    doc = ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))
    return prose((doc or "").partition("\n")[0])


def map_of_rooms() -> str:
    """Every room and sub-room of the library with the first line of its docstring, as a Markdown list."""
    lines = []
    for room in sorted(x.parent.relative_to(SOURCE) for x in SOURCE.rglob("__init__.py") if x.parent != SOURCE):
        indent = "  " * (len(room.parts) - 1)
        text = f"- `{room.as_posix()}/`: {first_sentence(room.as_posix())}".replace("``", "`").replace("&amp;", "&")
        lines += textwrap.wrap(text, 118, initial_indent=indent, subsequent_indent=f"{indent}  ")
    return "\n".join(lines) + "\n"


def write_map() -> None:
    """Put the map into the page for developers."""
    page = SOURCE.parents[1] / "docs" / "developing.md"
    page.write_text(_MAP.sub(lambda _: map_of_rooms(), page.read_text(encoding="utf-8")), encoding="utf-8")


def room_page(room: str) -> str:
    """Every public name of the modules of a room and of its sub-rooms, with its docstring."""
    out = [f"# `routeproof.{room}`"]
    for folder in [SOURCE / room, *sorted(x.parent for x in (SOURCE / room).glob("*/__init__.py"))]:
        here = ".".join(folder.relative_to(SOURCE).parts)
        if folder.name != room:
            out.append(f"## {here}".replace("_", r"\_"))
        for path in sorted(folder.glob("*.py"), key=lambda x: (x.stem != "__init__", x.stem)):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            module = here if path.stem == "__init__" else f"{here}.{path.stem}"
            sections = [x for node in tree.body for x in describe(node, exported(tree), module)]
            sections += made_functions() if module == "api.functions" else ()
            doc = prose(ast.get_docstring(tree) or "")
            if path.stem == "__init__":
                out += [doc, *sections]
            elif sections:
                out += [f"## {module}".replace("_", r"\_"), doc, *sections]
    return "\n\n".join(out) + "\n"


def exported(tree: ast.Module) -> set[str]:
    """Functions and classes without an underscore."""
    defined = (x.name for x in tree.body if isinstance(x, (ast.FunctionDef, ast.ClassDef)))
    return {name for name in defined if not name.startswith("_")}


def describe(node: ast.stmt, names: set[str], module: str) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names:
        title = f"{module}.{node.name}".replace("_", r"\_")
        yield f"### {title} {{ #{module}.{node.name} data-toc-label='{node.name}' }}".replace(
            f"#{module}.{node.name}", f"#{module}.{node.name}".lower()
        )
        yield f"```python\n{signature(node)}\n```"
        yield prose(ast.get_docstring(node) or "")
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"**`{method.name}`**"
                    yield f"```python\n{signature(method)}\n```"
                    yield prose(ast.get_docstring(method) or "")


def made_functions() -> Iterator[str]:
    """Of the functions that are made from questions: what each says of itself."""
    from routeproof.api.functions import FUNCTIONS

    module = "api.functions"
    for name, function in FUNCTIONS.items():
        title = f"{module}.{name}".replace("_", r"\_")
        yield f"### {title} {{ #{f'{module}.{name}'.lower()} data-toc-label='{name}' }}"
        signature = inspect.signature(function)
        parameters = [re.sub(r"'(.*?)'", r"\1", str(x), count=1) for x in signature.parameters.values()]
        kinds = [x.kind for x in signature.parameters.values()]
        if inspect.Parameter.KEYWORD_ONLY in kinds:
            parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
        listed = ",\n    ".join(parameters)
        yield f"```python\ndef {name}(\n    {listed},\n) -> {signature.return_annotation}\n```"
        yield prose(function.__doc__ or "")


def signature(node: ast.FunctionDef | ast.ClassDef) -> str:
    """The head of a definition, one parameter a line where it is long; of a frozen class also its fields."""
    if isinstance(node, ast.ClassDef):
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        fields = [x for x in node.body if isinstance(x, (ast.AnnAssign, ast.Assign)) and not _private(x)]
        return "\n".join([f"class {node.name}{bases}:", *(f"    {ast.unparse(x)}" for x in fields)])
    decorators = "".join(
        f"@{x.id}\n" for x in node.decorator_list if isinstance(x, ast.Name) and x.id in ("property", "classmethod")
    )
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    head = f"{decorators}def {node.name}({ast.unparse(node.args)}){returns}"
    if len(head.splitlines()[-1]) <= 100:
        return head
    inside = ",\n    ".join(_parameters(node.args))
    return f"{decorators}def {node.name}(\n    {inside},\n){returns}"


def _private(node: ast.AnnAssign | ast.Assign) -> bool:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return ast.unparse(target).startswith("_")


def _parameters(args: ast.arguments) -> list[str]:
    """Each parameter with its type and default, and the star before those that need their name."""
    known = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(known) - len(args.defaults)), *args.defaults]
    shown = [_parameter(x, y) for x, y in zip(known, defaults, strict=True)]
    if args.vararg or args.kwonlyargs:
        shown.append(f"*{_parameter(args.vararg, None)}" if args.vararg else "*")
    shown += [_parameter(x, y) for x, y in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return [*shown, *([f"**{_parameter(args.kwarg, None)}"] if args.kwarg else [])]


def _parameter(arg: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(arg) + (f" = {ast.unparse(default)}" if default is not None else "")


if __name__ == "__main__":
    write_map()
