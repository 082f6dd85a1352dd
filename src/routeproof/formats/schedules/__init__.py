"""Files of schedules of collectives: MSCCL's XML, and the package's own document; one format a file.

Every reader gives a checked ``Schedule`` (``core.schedules``), or an error with the place.  Begin with ``table``.
"""
