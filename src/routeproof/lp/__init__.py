"""The only home of linear programs: HiGHS is imported, constructed, run and read here, and kept silent.

Programs of whole coefficients, those that grow by columns and rows while an oracle knows more, the exact vertex that a
basis stands for, floats rounded to whole numbers.  Knows matrices and bounds, nothing of networks.  What a solver says
is a proposal: judging it is for other rooms.  Begin with ``solver``.
"""
