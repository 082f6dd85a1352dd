"""Checkers of claims about a routing on a network, one kind of claim a file.

Begin with ``worst_case``.
"""
