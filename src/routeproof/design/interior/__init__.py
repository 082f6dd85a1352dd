"""The worst-case program by an interior-point method.  Begin with ``method``."""
