"""The shared objects: networks, permutations, traffic, loads, claims and the trusted checker (numpy only)."""
