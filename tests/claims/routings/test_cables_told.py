"""Which channels are one cable: of a network by name, the report cannot say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from routeproof.cli.main import main
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.topologies.family import network_from_spec
from true_reports import sealed, verify

TOPOLOGY = "mesh:2x2,bandwidth=2,cables=1"


def test_cables_of_a_network_by_name_are_its_own(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    command = f"failures {TOPOLOGY} --routing minimal --cables 1 --samples 2"
    assert main([*command.split(), "--quiet", "--json", str(path)]) == 0
    document = json.loads(path.read_text())
    assert verify(document) == len(document["claims"])
    network = network_from_spec(TOPOLOGY)
    opposite = network.opposite.copy()
    # Two parallel channels change places, which make cables the other way round.
    first = int(np.nonzero((network.tail == network.tail[0]) & (network.head == network.head[0]))[0][1])
    a, b = opposite[0], opposite[first]
    opposite[[0, first, a, b]] = [b, a, first, 0]
    drawn = [x for x in document["claims"] if x["evidence"]["kind"] == "drawn-failures"]
    assert drawn
    for claim in drawn:
        claim["evidence"]["opposite"] = pack_ints(opposite)
    with pytest.raises(VerificationError, match="its cables are not those of mesh:2x2"):
        verify(sealed(document))
