"""Changes that an operator plans: what a drained switch costs, and which cables to mend first.

What judges drains is that of failures; mended is what ``check --intent`` finds.  Begin with ``plan``.
"""
