"""How a verb is declared: a question is a frozen dataclass, and each of its fields says how a command spells it.

A field without an option is for Python alone; one with ``init=False`` is for the command alone.  The docstring is the
help of the command up to its example; what follows is for Python.  A file of this room whose classes bear the decorator
``question`` is found by ``verbs()``, and imports what is heavy when it answers.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, dataclass_transform

from .answer import ALONE, Answer, Setting

if TYPE_CHECKING:
    from .given import Given

UNSET: Any = dataclasses.MISSING
T = TypeVar("T")
A = TypeVar("A", bound="Answer", covariant=True)
Reader = Callable[["Given", Any], Any]

_KINDS: Mapping[str, Any] = {
    "bool": bool, "str": str, "int": int, "float": float, "str | None": str | None, "int | None": int | None,
    "float | None": float | None,
}  # fmt: skip
"""What a command makes of a field, by its annotation; of others the option says it."""


@dataclass(frozen=True)
class Option:
    """How a field is spelled on the command line.

    - ``value`` stands for its value in help, ``text`` says what it is for; ``names`` where the field's is not the one;
    - ``kind``: what the command makes of it, where the field is of another type; ``choices``: the words that it takes;
    - ``command_default``: where it is not the field's (...); ``min``: the least value;
    - ``complete``: what Tab completes (``cli.frame.completions``); ``panel``: of the help;
    - ``read(given, value)``: makes the field's value from the command's; ``argument``: it is one, and no option;
    - ``python``: what it is in Python, where ``text`` does not fit; ``words``: some that an option takes;
    - ``command``: is it on the command line at all?  ``required``: there is no default on it.
    """

    text: str
    value: str | None = None
    name: str = ""
    names: tuple[str, ...] = ()
    kind: Any = None
    choices: tuple[str, ...] = ()
    command_default: Any = ...
    min: float | None = None
    complete: str | None = None
    read: Reader | None = None
    argument: bool = False
    panel: str | None = None
    python: str | None = None
    words: tuple[str, ...] = ()
    command: bool = True
    required: bool = False

    def name_on_command(self) -> str:
        """As errors name it: ``--virtual-channels``."""
        return next((x for x in self.names if x.startswith("--")), "--" + self.name.replace("_", "-"))


def spelled(known: Option, *, default: Any = UNSET, init: bool = True) -> Any:
    """A field that the command spells as ``known``."""
    return dataclasses.field(default=default, init=init, metadata={"option": known})


def option(value: str | None, text: str, *names: str, default: Any = UNSET, init: bool = True, **more: Any) -> Any:
    """A field that an option gives: what stands for its value in help, what it is for, its names; else ``Option``."""
    return spelled(Option(value=value, text=text, names=names, **more), default=default, init=init)


def flag(text: str, *names: str, default: Any = UNSET, init: bool = True, **more: Any) -> Any:
    """A field that an option without a value gives; with a name, it has no ``--no-`` beside it."""
    return spelled(Option(text=text, names=names, kind=bool, **more), default=default, init=init)


def argument(value: str, text: str, *, default: Any = UNSET, init: bool = True, **more: Any) -> Any:
    """A field that an argument gives: what stands for it in help, and what it is."""
    return spelled(Option(value=value, text=text, argument=True, **more), default=default, init=init)


def parameter(text: str, *, default: Any = UNSET) -> Any:
    """A field that only Python has."""
    return spelled(Option(text=text, command=False), default=default)


@dataclass_transform(
    frozen_default=True, eq_default=False, field_specifiers=(spelled, option, flag, argument, parameter)
)
def question(cls: type[T]) -> type[T]:
    """The class decorator of questions."""
    return dataclass(frozen=True, eq=False, repr=False)(cls)


def options_of(question: type[Any]) -> Iterator[Option]:
    """Every option of a question, in the order of help, with its name, type and default on the command line."""
    for x in dataclasses.fields(question):
        known = x.metadata.get("option")
        if known is not None and known.command:
            own = UNSET if known.required else x.default if x.init or x.default is not UNSET or known.argument else None
            yield dataclasses.replace(
                known,
                name=known.name or x.name,
                kind=known.kind or (_KINDS["str"] if known.choices else _KINDS[str(x.type)]),
                command_default=own if known.command_default is ... else known.command_default,
            )


class Verb(ABC):
    """A verb of the command: its options are the fields of the class; ``read`` makes a question of what was given."""

    verb: ClassVar[str] = ""
    """The words that call it, such as "simulate packets"; none for a question of Python alone."""

    place: ClassVar[int] = 1000
    """Where it stands in the list of verbs: the least comes first."""

    panel: ClassVar[str] = "Ask"
    """Of the list of verbs in help; the first verb of a panel places it."""

    long: ClassVar[str] = ""
    """Does the command take the options of long work?  "asked": with the engine that they ask for; "always"."""

    function: ClassVar[str] = ""
    """The name of its function in Python; none for a verb of the command alone."""

    drawn_also: ClassVar[tuple[str, ...]] = ()
    """Endings that the file of --plot may have beside those of all figures."""

    @classmethod
    @abstractmethod
    def read(cls, given: Given) -> Question[Any]:
        """What the command asks."""

    @classmethod
    def fields_given(cls, given: Given, *without: str) -> dict[str, Any]:
        """The fields of the question, from the command's options."""
        found = {}
        for x in dataclasses.fields(cls):  # type: ignore[arg-type]
            known: Option | None = x.metadata.get("option")
            if x.init and known is not None and known.command and x.name not in without:
                value = given[known.name or x.name]
                found[x.name] = value if known.read is None else known.read(given, value)
        return found


class Question(Verb, Generic[A]):
    """What is asked; ``answer()`` finds out."""

    plot_check: ClassVar[str] = "figures.style:check_plot"
    """``check(question, path)`` in ``report``: can --plot or --figure be drawn?  Before any work, where one is given;
    ``path`` is None without --plot."""

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        return cls(**cls.fields_given(given))

    @property
    def engine(self) -> str:
        """With which engine it is asked, as ``long`` says it."""
        return self.long

    @abstractmethod
    def answer(self, setting: Setting = ALONE) -> A:
        """Raises InputError, with options as the command spells them."""

    def write(self, answer: A, path: str, write_document: Callable[[str, Any], None]) -> None:  # type: ignore[misc]
        """Into the file of the command's ``--output``, where it has one; ``write_document(path, document)`` helps."""

    @property
    def title(self) -> str:
        """What a result is called in notebooks."""
        routing = self.routing  # type: ignore[attr-defined]
        return f"{routing.name} on {routing.network.name}"


@cache
def verbs() -> Sequence[type[Verb]]:
    """Every verb, and every question of Python alone, in the order of ``place``."""
    found: list[type[Verb]] = []
    room = Path(__file__).parent
    for file in sorted(room.rglob("*.py")):
        if "\n@question\n" in file.read_text(encoding="utf-8"):
            module = import_module(".".join([str(__package__), *file.relative_to(room).with_suffix("").parts]))
            found += [
                x for x in vars(module).values()
                if isinstance(x, type) and issubclass(x, Verb) and x.__module__ == module.__name__
                and {"verb", "function"} & set(vars(x))
            ]  # fmt: skip
    return sorted(found, key=lambda x: x.place)


_PARAGRAPH = re.compile(r"\n\s*\n")
_EXAMPLE = "For example: "


def help_of(question: type[Any]) -> str:
    """The help of its command: the docstring up to the example."""
    paragraphs = _PARAGRAPH.split(inspect.cleandoc(question.__doc__ or ""))
    last = next((k for k, x in enumerate(paragraphs) if x.startswith(_EXAMPLE)), len(paragraphs))
    return "\n\n".join(paragraphs[: last + 1])


def docstring_of(question: type[Any]) -> str:
    """The docstring of its function: all of it but the command's example, and what every parameter is."""
    paragraphs = _PARAGRAPH.split(inspect.cleandoc(question.__doc__ or ""))
    words = [x for x in paragraphs if not x.startswith(_EXAMPLE)]
    lines = [y for x in dataclasses.fields(question) for y in _described(question, x)]
    last = words.pop() if len(words) > 1 and not words[-1].startswith(">>>") else None
    whole = [*words, "\n".join(lines), *([] if last is None else [last])]
    return "\n\n".join(x for x in whole if x)


def _described(question: type[Any], x: dataclasses.Field[Any]) -> list[str]:
    """A field as an item of a list; nothing for those of the command alone."""
    known: Option | None = x.metadata.get("option")
    if not x.init or known is None:
        return []
    text = in_python(question, known.text) if known.python is None else known.python
    choices = f" One of {', '.join(map(repr, known.choices))}." if known.choices else ""
    return textwrap.wrap(f"- ``{x.name}``: {text}{choices}", 116, subsequent_indent="  ")


def in_python(question: type[Any], text: str) -> str:
    """``text``, in which options are spelled as on the command line, for those who write parameters.

    ``--repair split`` is ``repair="split"`` where that is one of its words, ``--then path-length``, of a field that
    is true or false, ``shortest=True``, ``--faults FILE`` is ``faults=FILE``, and ``--paths`` is ``paths``.
    """
    names: dict[str, tuple[str, Mapping[str, str]]] = {}
    for x in dataclasses.fields(question):
        known = x.metadata.get("option")
        if x.init and known is not None:
            own = dataclasses.replace(known, name=known.name or x.name)
            for spelled in (own.name_on_command(), f"--{x.name.replace('_', '-')}"):
                words = known.choices or known.words
                names[spelled] = (x.name, {y: "True" if x.type == "bool" else f'"{y}"' for y in words})

    def write(found: re.Match[str]) -> str:
        name, values = names.get(found[1], ("", {}))
        word = found[2].strip()
        if not name:
            return found[0]
        if word in values:
            return f"{name}={values[word]}"
        return f"{name}{found[2]}" if not word or word[0].islower() else f"{name}={word}"

    own, command, rest = text.partition("routeproof ")  # what follows is a command
    return re.sub(r"(--[a-z][a-z0-9-]*)((?: (?:[a-z][a-z-]*|[A-Z]+\b|'[^']*'|[0-9]+))?)", write, own) + command + rest
