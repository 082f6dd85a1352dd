"""The worst case over everything that some routing could carry: the oblivious ratio of a routing.

No demand set of limits by terminal; those are in ``worst.scan``. Begin with ``ratio``.
"""
