"""Routings given for one pair of each class of pairs that symmetry cannot tell apart.

Begin with ``class_loads``.
"""
