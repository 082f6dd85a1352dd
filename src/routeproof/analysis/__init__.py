"""Loads, capacity and the exact worst case of a routing."""
