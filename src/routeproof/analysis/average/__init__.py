"""The average case over random permutations, as a mean with a confidence interval.

Only estimates live here; what is exact is in ``analysis.loads``. Begin with ``mean``.
"""
