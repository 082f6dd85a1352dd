"""Symmetry: the automorphisms of networks, the groups they make, the classes of channels and pairs that follow.

What is equivalent under symmetry is looked at once: one channel of a class in a worst case, one pair of a class in a
design.  The objects, and the check that an automorphism is one, stand in ``core.symmetry``.  Begin with
``automorphisms``.
"""
