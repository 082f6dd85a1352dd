"""Files and objects of other tools to networks, paths and traffic, and back; one format a file.

A field that is present and not understood is an error with its line, never a default. Nothing here routes or analyses.
Begin with ``format``.
"""
