"""Checkers of claims about destination graphs and runs on cubes."""
