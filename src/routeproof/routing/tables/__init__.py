"""Routings given by tables: weighted paths, lists of paths, or next hops.

Begin with ``path_tables``.
"""
