"""Searching for destination graphs, and refuting that there are any; virtual channels by a solver and local search.

Begin with ``find``.
"""
