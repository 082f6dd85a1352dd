"""Destination graphs as routings on t-nary d-cubes.

Begin with ``destination_graph``.
"""
