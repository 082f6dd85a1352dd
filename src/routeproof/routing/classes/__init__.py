"""Routings given for one pair of each class of pairs equivalent under symmetry.

Begin with ``symmetric_table``.
"""
