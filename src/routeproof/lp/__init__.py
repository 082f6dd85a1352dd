"""The only door to the solver of linear programs: HiGHS is imported, constructed, run and read here, and kept silent.

Knows matrices and bounds, nothing of networks. What a solver says is a proposal: judging it is for other rooms.
Begin with ``solver``.
"""
