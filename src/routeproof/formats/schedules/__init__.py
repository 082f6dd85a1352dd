"""Files of schedules of collectives: MSCCL, TE-CCL, TACCL, ForestColl, our own document; one format a file.

Every reader gives a checked ``Schedule`` (``core.schedules``), or an error with the place.  Begin with ``table``.
"""
