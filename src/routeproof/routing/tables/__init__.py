"""Routings given by tables: weighted paths, or next hops.

Begin with ``path_table``.
"""
