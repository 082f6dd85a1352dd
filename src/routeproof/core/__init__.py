"""The objects that all rooms share: networks, permutations, traffic, paths, faults, symmetry, claims, errors.

Numpy and the standard library only. Nothing here reads a file, searches or prints. Begin with ``network``.
"""
