"""Tables of what has a name (topologies, routings, formats, figures): every entry stands beside its code.

An entry is a constant of a module, an object of the table's type.  The table finds the entries of its own rooms by
going through their modules, and those of other packages by their entry points, which are loaded when they are first
asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from .display import one_line
from .errors import InputError
from .rooms_above import ROOMS_ABOVE
from .strangers import guarded_entry, strangers

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType


class Named(Protocol):
    """What an entry must have; ``name`` is the text that people write."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """The entries of one table, by name.

    - ``what``: what an entry is, in one word, for messages ("topology");
    - ``kind``: the type of the entries;
    - ``rooms``: packages whose modules hold them, such as "routeproof.topologies.grid"; ``ROOMS_ABOVE`` has those
      that stand above the table, under ``what``;
    - ``group``: the group of entry points by which other packages add their own; None where they cannot;
    - ``returns``: by field that is a function, what it must return.
    """

    def __init__(
        self,
        what: str,
        kind: type[T],
        *,
        rooms: Iterable[str],
        group: str | None = None,
        returns: Mapping[str, type | tuple[type, ...]] | None = None,
    ) -> None:
        self.what, self.kind, self.rooms, self.group, self.returns = what, kind, tuple(rooms), group, returns or {}

    @cached_property
    def own(self) -> Mapping[str, T]:
        """The entries of this package, by name, in the order of rooms, files and lines."""
        found: dict[str, T] = {}
        for room in (*self.rooms, *ROOMS_ABOVE.get(self.what, ())):
            for module in _modules(room):
                for value in vars(module).values():
                    if isinstance(value, self.kind) and found.setdefault(value.name, value) is not value:
                        raise ValueError(f"two {self.what} entries bear the name {value.name}")
        return found

    @cached_property
    def others(self) -> Mapping[str, Sequence[EntryPoint]]:
        """The entry points of other packages, by name, not yet loaded; a name of this package's own stays its own."""
        from importlib.metadata import entry_points

        if self.group is None:
            return {}
        found: dict[str, list[EntryPoint]] = {}
        for point in sorted(entry_points(group=self.group), key=lambda x: x.name):
            if point.name not in self.own:
                found.setdefault(point.name, []).append(point)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self.own or name in self.others

    def find(self, name: str) -> T | None:
        """The entry of that name, or None; raises InputError for an entry of another package that is broken."""
        if name in self.own:
            return self.own[name]
        return self._loaded(self.others[name]) if name in self.others else None

    def names(self) -> list[str]:
        """Every name, this package's first."""
        return [*self.own, *self.others]

    def added(self) -> Iterator[tuple[str, T | InputError]]:
        """The entries of other packages by name; in place of a broken one, the error that says so."""
        for name, points in self.others.items():
            try:
                yield name, self._loaded(points)
            except InputError as error:
                yield name, error

    def working(self) -> list[T]:
        """The entries of this package, then those of other packages that are not broken."""
        return [*self.own.values(), *(x for _, x in self.added() if not isinstance(x, InputError))]

    def whose(self, name: str) -> str:
        """An entry of another package in words: ``routing clockwise of the package routeproof-chordal``."""
        return f"{self.what} {name} of the package {_packages(self.others[name])[0]}"

    def _loaded(self, points: Sequence[EntryPoint]) -> T:
        point, packages = points[0], _packages(points)
        if len(packages) > 1:
            several = " and ".join(packages)
            raise InputError(f"{self.what} {point.name} is of {len(packages)} packages, {several}; keep one")
        where = self.whose(point.name)
        try:
            with strangers(where):
                entry = point.load()
        except InputError as error:
            why = error if error.__cause__ is None else error.__cause__
            raise InputError(f"{where} cannot be loaded: {type(why).__name__}: {one_line(why)}") from why
        if not isinstance(entry, self.kind):
            raise InputError(f"{where} is {point.value}; a {self.kind.__name__} of that name was expected")
        made = guarded_entry(entry, next(iter(self.own.values())), where, self.returns)
        if made.name != point.name:
            raise InputError(f"{where} is {point.value}; a {self.kind.__name__} of that name was expected")
        return made


def _modules(room: str) -> Iterator[ModuleType]:
    """The modules of a package, or the one module."""
    from pkgutil import iter_modules

    top = import_module(room)
    if not hasattr(top, "__path__"):
        yield top
        return
    for module in iter_modules(top.__path__, prefix=f"{room}."):
        if not module.ispkg and not module.name.endswith("kernels"):  # compiled code: heavy, and without entries
            yield import_module(module.name)


def _packages(points: Sequence[EntryPoint]) -> list[str]:
    return [x.value if x.dist is None else x.dist.name for x in points]
