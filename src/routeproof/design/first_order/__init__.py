"""The worst-case program by alternating directions.  Begin with ``method``."""
