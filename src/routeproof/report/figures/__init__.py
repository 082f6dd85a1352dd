"""The figures of reports and papers.

Begin with ``worst_case``.
"""
