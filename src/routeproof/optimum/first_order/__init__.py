"""The worst-case program by a first-order method (ADMM), for networks too large for an interior point.

Begin with ``method``.
"""
