"""Butterflies, multibutterflies, Benes, Clos and Cantor networks, their splitters and faults.

Begin with ``network``.
"""
