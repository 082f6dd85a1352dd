"""Changes that an operator plans: what a drained switch costs, before it is drained.

What judges them is that of failures.  Begin with ``plan``.
"""
