"""Checkers of claims about collectives: cuts, packed trees, what follows from them.

The theorems stand in ``kernel.packings``.  Begin with ``best``.
"""
