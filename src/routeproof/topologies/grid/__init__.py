"""Tori, meshes, hypercubes, HyperX: networks whose nodes have coordinates.  Begin with ``lattice``."""
