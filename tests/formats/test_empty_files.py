"""Files in which there is nothing say so, whatever they are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.demands.matrices import read_matrices
from routeproof.formats.format import FORMATS, read_network
from routeproof.routing.files.table import ROUTING_FILES, document_in, routing_from_file

ENDINGS = sorted({x for entry in (*FORMATS.own.values(), *ROUTING_FILES.own.values()) for x in entry.extensions} | {""})


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_called_empty(ending: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"nothing{ending}"
    path.write_text(text)
    pair = Network.of("pair", 2, [(0, 1), (1, 0)])
    readers: list[Callable[[], object]] = [
        lambda: read_network(path),
        lambda: routing_from_file(str(path), pair),
        lambda: document_in(str(path)),
        lambda: read_matrices(path, pair),
    ]
    for read in readers:
        with pytest.raises(InputError, match=r"is empty; an? .* was expected$") as caught:
            read()
        assert "\n" not in str(caught.value)
