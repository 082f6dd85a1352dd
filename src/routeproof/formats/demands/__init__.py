"""Files of demand sets: jobs, pairs, rates; and the texts that ``--demands`` takes.

The sets themselves are in ``demands``. Begin with ``spec``.
"""
