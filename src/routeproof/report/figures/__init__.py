"""The figures of reports and papers.

Begin with ``analysis``.
"""
