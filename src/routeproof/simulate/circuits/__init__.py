"""Circuit switching on multibutterflies.

Begin with ``switching``.
"""
