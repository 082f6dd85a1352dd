"""Routings on any network: minimal, k shortest paths, up*/down*, weighted multipath; fat trees, dragonflies.

A routing is registered in its file, by a ``RoutingEntry``.  Begin with ``minimal``.
"""
