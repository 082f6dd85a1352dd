"""Routings by name: from texts, files and reports to routings, and how reports name them.

No routing is defined here: ``names`` finds what the other rooms and other packages register.  Above all other rooms of
routing, which do not import it.  Begin with ``spec``.
"""
