"""Checkers of claims about a routing on a network."""
