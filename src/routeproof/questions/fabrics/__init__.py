"""Fabrics over time: what changed between two days, what it did to the guarantee, and why.

What compares them is ``routing.fabrics``; here stand the questions.  Begin with ``diff``.
"""
