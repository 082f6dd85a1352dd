"""Destination graphs on t-nary d-cubes (Hwang, Yao & Dasgupta): the graphs, their conditions, lower bounds.

Searching for them is ``search``; running packets on them is ``simulate.cube``. Begin with ``destination_graph``.
"""
