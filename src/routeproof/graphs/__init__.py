"""Algorithms on graphs, compiled where they are hot: shortest paths, flows, matchings, the transportation problem.

They know arrays of tails and heads, lengths and capacities; they import ``core`` and nothing of routings or demands.
What checks a claim (``kernel``, ``verification``, ``checkers``) has code of its own and never imports this room.
Begin with ``transport``.
"""
