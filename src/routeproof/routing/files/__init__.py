"""Files of routings, a few formats a file: paths, next hops, destination graphs, InfiniBand's tables, SST's.

What a file says as a routing is made in ``tables``, ``cube`` and ``infiniband``.  Begin with ``table``.
"""
