"""Packets on multibutterflies: Upfal's algorithm, and greedy routing with queues.

Begin with ``upfal``.
"""
