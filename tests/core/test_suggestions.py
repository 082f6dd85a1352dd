"""What an error proposes for a name that is not known."""

from __future__ import annotations

from routeproof.core.errors import did_you_mean

NAMES = ("torus", "twisted-torus", "towles-2002-a", "towles-2002-b", "topologies", "mesh")


def test_names_that_begin_so_come_before_names_that_look_like_it() -> None:
    assert did_you_mean("towles", NAMES) == "did you mean 'towles-2002-a' or 'towles-2002-b'?"
    assert did_you_mean("Twi", NAMES) == "did you mean 'twisted-torus'?"


def test_else_the_nearest_else_all() -> None:
    assert did_you_mean("tours", NAMES) == "did you mean 'torus'?"
    assert did_you_mean("zzz", ("b", "a")) == "known: a, b"


def test_too_many_for_a_line_are_listed_elsewhere() -> None:
    many = [f"torus-{x:02}" for x in range(20)]
    assert did_you_mean("zzz", many, listed="see there") == "see there"
    assert did_you_mean("torus", many, listed="see there") == "20 names begin so; see there"
    assert did_you_mean("torus-01", many, listed="see there") == "did you mean 'torus-01'?"
    assert did_you_mean("zzz", many[:2], listed="see there") == "known: torus-00, torus-01"
