"""The figures of reports and papers, one a file.

Begin with ``worst_case``.
"""
