"""The worst case over everything that some routing could carry: the oblivious ratio of a routing.

No demand set of limits by terminal; those are in ``worst.worst_case``. Begin with ``ratio``.
"""
