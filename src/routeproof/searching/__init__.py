"""Searching for destination graphs, and refuting that there are any; layers of virtual channels by a solver.

Begin with ``find``.
"""
