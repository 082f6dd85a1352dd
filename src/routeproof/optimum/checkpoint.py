"""Solved programs in a file, so that a long series of them goes on after it was killed.

One line of JSON for each: what was asked, the basis that was found, and the SHA-256 of both with the programs'.  A line
that does not match, such as one with the basis of another, is not used: its program is solved again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..core.errors import InputError, VerificationError
from ..formats.documents.packed_ints import pack_ints, unpack_ints
from ..formats.text_files import check_readable
from ..lp.exact import Program
from ..lp.solver import Proposal

_FORMAT = "routeproof/checkpoint 2"
_EARLIER = "routeproof/checkpoint"  # its lines did not say which program a basis is of


class Checkpoint:
    """Bases found so far, by name; ``path`` None keeps nothing.

    Raises InputError where the file belongs to other programs or cannot be read or written.
    """

    def __init__(self, path: str | Path | None, program: Program) -> None:
        self.path = None if path is None else Path(path)
        content = [program.start, program.column, program.value, program.bound]
        self._mark = hashlib.sha256(b"".join(x.tobytes() for x in content)).hexdigest()
        self._known: dict[str, tuple[str, str, str]] = {}
        if self.path is not None:
            self._open(self.path)

    def _open(self, path: Path) -> None:
        check_readable(path)
        try:
            if not path.exists():
                path.write_text(json.dumps({"format": _FORMAT, "program": self._mark}) + "\n")
                return
            lines = path.read_text(encoding="utf-8").splitlines()
            header = json.loads(lines[0]) if lines else None
        except (OSError, ValueError, RecursionError) as error:  # also lists too deep, and integers too long
            raise InputError(f"checkpoint {str(path)[:200]} cannot be used: {str(error)[:100]}") from None
        if isinstance(header, dict) and header.get("format") == _EARLIER:
            raise InputError(
                f"checkpoint {str(path)[:200]} was made by routeproof 0.1, whose lines do not say which program "
                "a basis is of; remove it, and start again"
            )
        if not isinstance(header, dict) or (header.get("format"), header.get("program")) != (_FORMAT, self._mark):
            raise InputError(f"checkpoint {str(path)[:200]} belongs to another network or other options")
        for line in lines[1:]:
            try:
                name, *basis, check = json.loads(line)
            except (TypeError, ValueError, RecursionError):
                continue  # the last line of a run that was killed
            words = len(basis) == 3 and all(isinstance(x, str) for x in (name, *basis))
            if words and check == self._digest(name, basis):
                self._known[name] = (basis[0], basis[1], basis[2])

    def _digest(self, name: str, basis: Sequence[str]) -> str:
        """Of what is kept: which programs, which of them, and its basis."""
        return hashlib.sha256(json.dumps([_FORMAT, self._mark, name, *basis]).encode("ascii")).hexdigest()

    def __len__(self) -> int:
        return len(self._known)

    def solve(self, name: str, program: Program, solver: Callable[[Program], Proposal]) -> Proposal:
        """The basis kept under ``name``, else what ``solver`` proposes, which is then kept."""
        if name in self._known:
            try:
                return self.read_basis(self._known[name], program)
            except VerificationError:
                del self._known[name]
        found = solver(program)
        if self.path is not None and found.basic_columns is not None:
            packed = self.basis_of(found)
            try:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([name, *packed, self._digest(name, packed)]) + "\n")
            except OSError as error:
                raise InputError(f"checkpoint {str(self.path)[:200]} cannot be written: {error.strerror}") from None
        return found

    @staticmethod
    def basis_of(found: Proposal) -> list[str]:
        """Basic columns, basic rows and columns at their limit, packed; raises InputError where there is no basis."""
        flags = (found.basic_columns, found.basic_rows, found.at_upper)
        if any(x is None for x in flags):
            raise InputError("the solver ended without a vertex")
        return [pack_ints(np.nonzero(x)[0]) for x in flags if x is not None]

    @staticmethod
    def read_basis(basis: Sequence[str], program: Program) -> Proposal:
        """What ``basis_of`` wrote; raises VerificationError where it does not fit the program."""
        flags = []
        for text, size in zip(basis, (program.num_columns, program.num_rows, program.num_columns), strict=True):
            at = unpack_ints(text, what="a basis", max_items=size)
            flag = np.zeros(size, dtype=np.bool_)
            if len(at) and (int(at.min()) < 0 or int(at.max()) >= size):
                raise VerificationError("a basis does not fit its program")
            flag[at] = True
            flags.append(flag)
        return Proposal(np.zeros(program.num_columns), np.zeros(program.num_rows), flags[0], flags[1], flags[2])
