"""The shortest paths among the routings with the best worst case, where that is known: a program on the optimal face.

Begin with ``program``, whose docstring has the reduction.
"""
