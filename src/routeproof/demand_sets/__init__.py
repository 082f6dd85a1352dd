"""Which traffic can happen: sets of demands, as objects.  One family a file; files are read in ``formats``.

A set answers one question: given weights w(i, j), what is the most that an admissible demand makes of the sum of w D?
It does not know what the weights are; loads of routings and lengths of channels come from elsewhere.
Begin with ``transport``.
"""
