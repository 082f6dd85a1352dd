"""Searching for destination graphs, and refuting that there are any.

Begin with ``find``.
"""
