"""Networks whose nodes have coordinates: tori, meshes, hypercubes, HyperX, twisted tori.

Begin with ``lattice``.
"""
