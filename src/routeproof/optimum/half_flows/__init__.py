"""The worst-case program by half flows, for permutations where channels are equal in both directions: one flow for each
node with terminals, not for each pair.

Begin with ``program``, whose docstring has the theorem.
"""
