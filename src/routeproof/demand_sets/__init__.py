"""Which traffic can happen: sets of demands, as objects.  One family a file; files are read in ``formats``.

A set is a convex body, and answers for itself (``DemandSet``): given weights w(i, j), what is the most that a demand of
it makes of the sum of w D (``maximise``), what do multipliers prove of that (``check``), is a demand in it
(``check_admits``); besides it declares which method judges or designs a routing over it.  Nobody else asks which family
a set is.  It does not know what the weights are; loads of routings and lengths of channels come from elsewhere.
Begin with ``demand_set``.
"""
