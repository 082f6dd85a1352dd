"""Checkers of claims about calls: runs replayed, blocking states, refutations.

Begin with ``claims``.
"""
