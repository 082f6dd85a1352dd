"""Searching for destination graphs, and showing that there are none."""
