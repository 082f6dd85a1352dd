"""Results in notebooks: data frames and inline figures.

Begin with ``frames``.
"""
