"""Circuit switching on multibutterflies.

Begin with ``levels``.
"""
