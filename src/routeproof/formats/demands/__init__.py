"""Files of demand sets: jobs, pairs, rates; and the texts that ``--demands`` takes.

What the sets are is in ``demand_sets``. Begin with ``spec``.
"""
