"""Exact, certified guarantees for routing in interconnection networks."""

__version__ = "0.1.0"
