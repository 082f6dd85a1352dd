"""The worst-case program by an interior-point method on blocks of commodities.

Begin with ``method``.
"""
