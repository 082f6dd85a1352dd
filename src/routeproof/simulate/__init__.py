"""Simulations with seeds: packets, circuits, calls, loads; each checks its own invariants as it runs.

A simulated number is never a proved one: claims made here are sampled, or replayed by ``verify``. Begin with
``packets.upfal``.
"""
