"""Checkers of claims about destination graphs and about runs on cubes.

Begin with ``destination_graph``.
"""
