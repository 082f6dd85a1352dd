"""Simulations: what was run, and what came of it, as claims.

What runs is ``simulate``; here stand the questions and the subjects of their reports.  Begin with ``wired``.
"""
