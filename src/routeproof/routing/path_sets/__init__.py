"""Sets of paths that routings are designed within: few turns, few shortest paths, all shortest paths, a routing's.

One kind of set a file; ``names`` says which there are.  Begin with ``path_set``.
"""
