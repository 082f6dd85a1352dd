"""The best oblivious ratio: routings against everything that some flow could carry.

The program of Applegate & Cohen 2003 and what symmetry leaves of it, its solution made exact or rounded, and
adversaries that are flows.  Sets of demands that limit terminals are not here.  Begin with ``design``.
"""
