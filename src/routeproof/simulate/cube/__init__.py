"""Packets on t-nary d-cubes: the reference algorithms on one simulator.

Begin with ``algorithms``.
"""
