"""Routings given for one pair of each class of pairs equivalent under symmetry.

Begin with ``path_classes``.
"""
