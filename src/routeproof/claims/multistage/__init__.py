"""Checkers of claims about multistage networks: runs replayed, survivors, expansion.

Begin with ``runs``.
"""
