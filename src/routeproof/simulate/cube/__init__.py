"""Packets on t-nary d-cubes: reference algorithms on one simulator."""
