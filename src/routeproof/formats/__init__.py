"""Files and objects of other tools to networks, paths and traffic, and back; one format a file.

Every reader raises InputError, in one line that names the file and the place, for what it does not find as its
docstring says; a field that is present and not understood is such an error, never a default.  Nothing here routes or
analyses.  Begin with ``format``.
"""
