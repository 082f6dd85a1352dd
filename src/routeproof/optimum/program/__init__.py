"""The linear programs, reduced by symmetry; HiGHS asked for a vertex; the vertex made exact.

Begin with ``worst_case``.
"""
