"""The best forwarding tables: local search guided by worst permutations, and what no table can beat.

Begin with ``exchange`` (the search) and ``bounds``.
"""
