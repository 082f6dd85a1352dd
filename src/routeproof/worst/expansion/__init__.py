"""How few outputs the inputs of a splitter can reach: by enumeration, or by eigenvalues.

Begin with ``splitters``.
"""
