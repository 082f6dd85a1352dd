"""Routings on any network: minimal, k shortest paths, up*/down*, weighted multipath; fat trees, dragonflies.

Begin with ``minimal``.
"""
