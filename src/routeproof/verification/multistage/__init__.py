"""Checkers of claims about multistage networks: runs done again, survivors, expansion."""
