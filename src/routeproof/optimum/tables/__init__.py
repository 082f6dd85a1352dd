"""The best forwarding tables: local search guided by worst permutations.

Begin with ``exchange``.
"""
