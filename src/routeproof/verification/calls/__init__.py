"""Checkers of claims about calls: runs done again, blocking states, refutations."""
