"""Destination graphs on t-nary d-cubes (Hwang, Yao & Dasgupta): graphs, conditions, bounds.  No search."""
